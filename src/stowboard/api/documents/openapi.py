"""The OpenAPI 3.1 document, generated from the catalogue: nothing about an operation is written twice.

A handler's docstring is the operation's text: its first line the summary, the rest the description. `links` lead from
an operation that makes something to those on that thing, so that tools can walk from one to the other.
"""

import inspect
from typing import Any

import msgspec

from stowboard.api.documents.catalogue import Catalogue, EventKindText
from stowboard.api.documents.openapi_addresses import path_items
from stowboard.api.documents.openapi_responses import ERROR, HEADERS, Responses, responses
from stowboard.api.documents.openapi_schemas import Schema, Schemas
from stowboard.api.endpoint import BASE_PATH, AnyEndpoint
from stowboard.api.forms import FORM
from stowboard.core.ids import LONGEST_ID
from stowboard.http.head import LONGEST_LINE

# 1 to 255 printable characters without spaces around them, bare or as a structured field's string.
_IDEMPOTENCY_KEY = r'^([!#-~]([ -~]{0,253}[!-~])?|"([ !#-\[\]-~]|\\["\\]){1,255}")$'
_KEY_PARAMETER: Schema = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "Makes the request safe to repeat: within 24 hours the same request with the same key is answered"
    " with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes.",
    "schema": {"type": "string", "maxLength": 512, "pattern": _IDEMPOTENCY_KEY},
}
_FORM = {
    "schema": {
        "type": "object",
        "required": ["file"],
        "properties": {
            "file": {"type": "string", "contentMediaType": "application/octet-stream", "description": "The file."},
            "json": {
                "type": "string", "maxLength": 65536,
                "description": "The other members, as in the JSON body; each may be a field of its own instead.",
            },
            "idempotencyKey": {"type": "string", "maxLength": 512, "description": "For forms that send no headers."},
        },
    }
}  # fmt: skip
_DESCRIPTION = """\
Media and tasks behind one REST interface.

**Answers.** A success is `{"data": …, "meta": {…}}`, an error is `{"error": {"code", "message"}}`. Branch on the code;
[all codes](ORIGIN/docs/errors) are listed with what to do about each. Timestamps are integer milliseconds since the
epoch. Ignore members that you do not know; those of a body that the server does not know are named in `meta.ignored`. A
query parameter that it does not know is refused.

**Credentials.** Every request carries `Authorization: Bearer <token>`. A path answers 401 before anything else.

**Limits.** 600 requests a minute and bursts of 100 for each token, unless its operator chose others;
`RateLimit` and `RateLimit-Policy` tell where you are, `Retry-After` on a 429 how long to wait.

**Retries.** Send `Idempotency-Key` with a write, and the same request with the same key within 24 hours is answered
with the first outcome instead of being done again.

**Lists.** Follow `meta.nextCursor` with the parameter `cursor` while `meta.hasMore` is true.

**Methods.** HEAD is served wherever GET is. A method that a path does not take is answered 405 `method_not_allowed`
with the header `Allow`.
"""
#: The tag of webhooks alone: generators of clients write one file for each tag, so a tag that webhooks share with paths
#: would lose the file of the paths.
TAG = {"name": "Sent events", "description": "What receivers of webhooks are sent."}
_RECEIVED = "Any status of 200 to 299 says that it was received; the body is not read."


def document(catalogue: Catalogue, origin: str) -> Schema:
    """The whole document, with absolute addresses of this origin."""
    told = [kind for webhook in catalogue.webhooks for kind in (webhook.envelope, webhook.data)]
    schemas = Schemas(catalogue.endpoints, catalogue.scopes.known, told)
    shared: Responses = {}
    paths: dict[str, Schema] = {}
    for endpoint in catalogue.endpoints:
        operation = _operation(endpoint, catalogue, schemas, shared)
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = operation
    webhooks = {kind.name: webhook(kind, schemas) for kind in catalogue.webhooks}
    sent = [TAG] if webhooks else []
    return {
        "openapi": "3.1.0",
        "info": _info(origin),
        "servers": [{"url": origin + BASE_PATH, "description": "This installation."}],
        "tags": [*({"name": area.name, "description": area.description} for area in catalogue.areas), *sent],
        "externalDocs": {"url": origin + "/docs/errors", "description": "Every error code, and what to do about it."},
        "security": [{"bearerAuth": []}],
        "paths": paths | path_items(catalogue.addresses, origin),
        "webhooks": webhooks,
        "components": {
            "schemas": schemas.used_by([*paths.values(), webhooks]) | {"Error": ERROR},
            "responses": dict(sorted(shared.items())),
            "headers": HEADERS,
            "parameters": {"IdempotencyKey": _KEY_PARAMETER},
            "securitySchemes": _security_schemes(catalogue, origin),
        },
    }


def as_yaml(json: bytes) -> bytes:
    """The document's JSON as YAML, without anchors and aliases."""
    import yaml  # 0.7 MB, for the few who ask

    # From JSON, because of an object that two places share YAML would write an anchor and an alias.
    dumped: bytes = yaml.dump(
        msgspec.json.decode(json), Dumper=yaml.CSafeDumper, encoding="utf-8",
        sort_keys=False, allow_unicode=True, width=1_000_000,
    )  # fmt: skip
    return dumped


def _info(origin: str) -> Schema:
    return {
        "title": "Stowboard",
        "version": "1",
        "summary": "Media and tasks, on your own server.",
        "description": _DESCRIPTION.replace("ORIGIN", origin),
        "contact": {"name": "The operator of this installation", "url": origin + "/docs"},
        "license": {"name": "Apache License 2.0", "identifier": "Apache-2.0"},
    }


def _security_schemes(catalogue: Catalogue, origin: str) -> Schema:
    flow = {"tokenUrl": origin + "/oauth/token", "scopes": dict(catalogue.scopes.known)}
    for_people = {"authorizationUrl": origin + "/oauth/authorize", "refreshUrl": origin + "/oauth/token"}
    return {
        "bearerAuth": {
            "type": "http",
            "scheme": "bearer",
            "description": "An access token, made by the operator, by an admin, or by the OAuth server.",
        },
        "oauth2": {
            "type": "oauth2",
            "description": "For applications that act for a person, with PKCE; for programs, by a client's id and"
            " secret.",
            "flows": {"authorizationCode": {**flow, **for_people}, "clientCredentials": flow},
        },
    }


def _operation(endpoint: AnyEndpoint, catalogue: Catalogue, schemas: Schemas, shared: Responses) -> Schema:
    summary, _, description = (inspect.getdoc(endpoint.run) or "").partition("\n")
    links = _links(endpoint, catalogue, schemas)
    operation: Schema = {
        "operationId": endpoint.operation_id,
        "summary": summary.strip().removesuffix("."),
        "description": _described(description.strip(), endpoint),
        "tags": [catalogue.area_of(endpoint.path).name],
        "security": [{"bearerAuth": []}, {"oauth2": _scopes(endpoint)}],
        "x-role": endpoint.needed_role,
        "parameters": _parameters(endpoint, schemas),
        "requestBody": _request_body(endpoint, schemas),
        "responses": responses(endpoint, schemas, shared, links),
    }
    return {key: value for key, value in operation.items() if value not in ("", [], None)}


def _scopes(endpoint: AnyEndpoint) -> list[str]:
    return [endpoint.scope, *endpoint.also_scopes] if endpoint.scope else []


def _described(text: str, endpoint: AnyEndpoint) -> str:
    parts = [
        text,
        f"Another name of `{endpoint.alias_of}`." if endpoint.alias_of else "",
        f"Needs the scope {' and '.join(f'`{scope}`' for scope in _scopes(endpoint))}." if endpoint.scope else "",
    ]
    return "\n\n".join(part for part in parts if part)


def _parameters(endpoint: AnyEndpoint, schemas: Schemas) -> list[Schema]:
    path = [_path_parameter(name) for name in endpoint.parameters]
    query = schemas.query_parameters(endpoint.query) if endpoint.query else []
    known = {"If-None-Match": "The ETag of an answer that the client has."} if endpoint.revalidates else {}
    schema = {"type": "string", "maxLength": LONGEST_LINE}
    headers = [
        {"name": name, "in": "header", "description": text, "schema": schema}
        for name, text in (known | endpoint.takes).items()
    ]
    key = [{"$ref": "#/components/parameters/IdempotencyKey"}] if endpoint.writes else []
    return [*path, *query, *headers, *key]


def _path_parameter(name: str) -> Schema:
    thing = name.removesuffix("_id").removesuffix("id").replace("_", " ")
    description = f"The {thing}'s id." if thing else "The id."
    schema = {"type": "string", "minLength": 1, "maxLength": LONGEST_ID}
    return {"name": name, "in": "path", "required": True, "description": description, "schema": schema}


def _request_body(endpoint: AnyEndpoint, schemas: Schemas) -> Schema | None:
    if endpoint.body is None:
        return None
    content: Schema = {"schema": schemas.of(endpoint.body)}
    if endpoint.example_body is not None:
        content["example"] = endpoint.example_body
    # If every member may be left out, the whole body may be left out.
    required = bool(schemas.struct(endpoint.body)["required"]) or hasattr(endpoint.body, "EITHER")
    as_form = {FORM: _FORM} if endpoint.form else {}
    return {"required": required, "content": {"application/json": content, **as_form}}


def _links(endpoint: AnyEndpoint, catalogue: Catalogue, schemas: Schemas) -> Schema:
    if endpoint.method != "POST":
        return {}
    homes = {endpoint.path, *_homes(endpoint.answer, catalogue)}
    links = {}
    for target in catalogue.endpoints:
        below = any(target.path.startswith(home + "/{") for home in homes) and len(target.parameters) == 1
        member = _naming_member(endpoint.answer, target.parameters[0], schemas) if below else None
        if member:
            parameters = {target.parameters[0]: f"$response.body#/data/{member}"}
            links[target.operation_id] = {"operationId": target.operation_id, "parameters": parameters}
    return links


def _naming_member(answer: Any, parameter: str, schemas: Schemas) -> str | None:
    """The member of an answer that has the value for a path's parameter: the one of the same name, else `id`."""
    name = schemas.of(answer).get("$ref", "").rpartition("/")[2]
    members = schemas.components.get(name, {}).get("properties", {})
    first, *rest = parameter.split("_")
    same = first + "".join(word.capitalize() for word in rest)
    return next((member for member in (same, "id") if member in members), None)


def _homes(answer: Any, catalogue: Catalogue) -> list[str]:
    """The collections with a GET of one such thing, for an operation that makes the thing at another path."""
    return [
        other.path.rpartition("/{")[0]
        for other in catalogue.endpoints
        if other.method == "GET" and other.answer == answer and other.path.endswith("}") and not other.alias_of
    ]


def webhook(kind: EventKindText, schemas: Schemas) -> Schema:
    """A kind of event, as a receiver gets it and as feed and stream show it."""
    typed = {"type": "object", "properties": {"type": {"const": kind.name}, "data": schemas.of(kind.data)}}
    content = {"schema": {"allOf": [schemas.of(kind.envelope), typed]}, "example": kind.example}
    operation = {
        "operationId": "on" + "".join(word.capitalize() for word in kind.name.split(".")),
        "summary": kind.summary.removesuffix("."),
        "description": f"Needs the scope `{kind.scope}`.",
        "tags": [TAG["name"]],
        "security": [],
        "requestBody": {"required": True, "content": {"application/json": content}},
        "responses": {"2XX": {"description": _RECEIVED}},
    }
    return {"post": operation}
