"""Addresses outside of /api/v1 in the OpenAPI document: uploads, delivery, playback, OAuth, sessions, agents.

They answer by protocols of their own, so they have no rows in the endpoint table (see stowboard/addresses.py).
"""

from collections.abc import Sequence
from http import HTTPStatus

from stowboard.api.documents.catalogue import PlatformAddress
from stowboard.api.documents.openapi_responses import ERROR_REFERENCE, LONGEST_HEADER
from stowboard.api.documents.openapi_schemas import Schema
from stowboard.core.clock import LARGEST_NUMBER

_LONGEST_PART = 4096
_COUNT: Schema = {"type": "integer", "minimum": 0, "maximum": LARGEST_NUMBER, "format": "int64"}
#: Headers that are more than text.
_SCHEMAS: dict[str, Schema] = {
    "Tus-Resumable": {"type": "string", "enum": ["1.0.0"]},
    "Upload-Defer-Length": {"type": "string", "enum": ["1"]},
    "Upload-Length": _COUNT,
    "Upload-Offset": _COUNT,
}
#: Refusals that each of them may answer with, in the envelope of errors or in the words of its own protocol.
_REFUSALS = (400, 401, 403, 404, 429, 503)


def path_items(addresses: Sequence[PlatformAddress], origin: str) -> dict[str, Schema]:
    items: dict[str, Schema] = {}
    servers = [{"url": origin, "description": "This installation, outside of the JSON API."}]
    for address in addresses:
        items.setdefault(address.path, {})[address.method.lower()] = _operation(address) | {"servers": servers}
    return items


def _operation(address: PlatformAddress) -> Schema:
    names = [part.partition("}")[0] for part in address.path.split("{")[1:]]
    places = [("path", name, "As it stands in the address that the API answered.") for name in names]
    places += [("query", name, text) for name, text in address.query.items()]
    places += [("header", name, text) for name, text in address.headers.items()]
    operation: Schema = {
        "operationId": address.name,
        "summary": address.summary,
        "tags": [address.area],
        "security": [{"bearerAuth": []}] if address.bearer else [{}],
        "parameters": [_parameter(*place) for place in places],
        "requestBody": {"content": {kind: {"schema": _body(kind)} for kind in address.takes}},
        "responses": {str(status): _answer(address, status, text) for status, text in address.answers.items()}
        | {str(status): _refusal(status) for status in _REFUSALS},
    }
    if not address.takes:
        del operation["requestBody"]
    return operation


def _parameter(place: str, name: str, text: str) -> Schema:
    longest = LONGEST_HEADER if place == "header" else _LONGEST_PART
    schema = _SCHEMAS.get(name, {"type": "string", "maxLength": longest})
    found = {"name": name, "in": place, "description": text, "schema": schema}
    return found | ({"required": True} if place == "path" else {})


def _answer(address: PlatformAddress, status: int, text: str) -> Schema:
    if address.gives is None or status == HTTPStatus.NOT_MODIFIED:
        return {"description": text}
    return {"description": text, "content": {address.gives: {"schema": _body(address.gives)}}}


def _refusal(status: int) -> Schema:
    content = {"application/json": {"schema": ERROR_REFERENCE}}
    return {"description": f"Refused: {HTTPStatus(status).phrase}.", "content": content}


def _body(kind: str) -> Schema:
    """JSON and forms of these protocols are described where the protocol is."""
    if kind == "application/json" or "form" in kind:
        return {"type": "object"}
    text = {"type": "string", "maxLength": LARGEST_NUMBER}
    return text if kind.startswith("text/") else text | {"format": "binary"}
