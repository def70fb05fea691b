"""The responses of an operation: its success, and every error it can give, grouped by status.

Operations share most of their errors, so a response is a component named for its codes and referred to.
"""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, TypeAlias

from stowboard.api import creation
from stowboard.api.documents.catalogue import problems_of
from stowboard.api.documents.openapi_schemas import Schema, Schemas
from stowboard.api.endpoint import JSON, AnyEndpoint, NoMeta, PageMeta
from stowboard.core import errors
from stowboard.core.clock import LARGEST_NUMBER
from stowboard.core.errors import Problem

Responses: TypeAlias = dict[str, Any]
LONGEST_HEADER = 8192
ALWAYS = ("RateLimit", "RateLimit-Policy", "X-Request-Id")
#: Errors after which waiting helps; Retry-After says how long.
WAITING_HELPS = (
    errors.IdempotencyInProgress,
    errors.RateLimited,
    errors.ServiceUnavailable,
    errors.InsufficientStorage,
)
_CODE = {"type": "string", "maxLength": 64, "description": "What went wrong, for programs: one of `x-error-codes`."}
_MESSAGE = {
    "type": "string",
    "maxLength": 10_000,
    "description": "What went wrong and what helps, for people. Its wording may change.",
}
#: The one shape of every failure.
ERROR: Schema = {
    "type": "object",
    "title": "Error",
    "required": ["error"],
    "properties": {
        "error": {"type": "object", "required": ["code", "message"], "properties": {"code": _CODE, "message": _MESSAGE}}
    },
}
ERROR_REFERENCE = {"$ref": "#/components/schemas/Error"}
_META_EXAMPLES: dict[Any, Schema] = {NoMeta: {}, PageMeta: {"limit": 50, "hasMore": False, "nextCursor": None}}

HEADERS: dict[str, Schema] = {
    "RateLimit": {
        "description": "How many requests this token may still make at once (`r`), and in how many seconds (`t`) the"
        " whole burst is there again.",
        "required": True,
        "schema": {"type": "string", "maxLength": LONGEST_HEADER},
        "example": '"burst";r=99;t=10',
    },
    "RateLimit-Policy": {
        "description": "The limits of this token: `q` requests in `w` seconds.",
        "required": True,
        "schema": {"type": "string", "maxLength": LONGEST_HEADER},
        "example": '"default";q=600;w=60, "burst";q=100;w=10',
    },
    "X-Request-Id": {
        "description": "Names this request in the server's log. One that the client sends is kept, if it is 8 to 64"
        " letters, digits, dots, dashes and underscores.",
        "required": True,
        "schema": {"type": "string", "maxLength": LONGEST_HEADER},
        "example": "req_01jcq8w3v5n2m7x4k9p6t0r1s2",
    },
    "Retry-After": {
        "description": "Seconds to wait before the request is sent again.",
        "schema": {"type": "integer", "minimum": 1},
        "example": 1,
    },
    "Idempotent-Replayed": {
        "description": "`true` if this is the kept answer of an earlier request with the same Idempotency-Key.",
        "schema": {"type": "string", "enum": ["true"]},
    },
    "WWW-Authenticate": {
        "description": "The Bearer challenge of RFC 6750, with links to the OAuth discovery documents.",
        "schema": {"type": "string", "maxLength": LONGEST_HEADER},
    },
}


def responses(endpoint: AnyEndpoint, schemas: Schemas, shared: Responses, links: Schema) -> Responses:
    """The operation's responses; errors are put into `shared` and referred to."""
    done = "Created." if endpoint.status == HTTPStatus.CREATED else "Done."
    success = {
        str(status): _success(endpoint, schemas, status, description, links)
        for status, description in {endpoint.status: done, **endpoint.also}.items()
    }
    if endpoint.revalidates:
        success["304"] = {"description": "Not changed since the answer that If-None-Match names; no body."}
    failures = {}
    for status, problems in problems_of(endpoint).items():
        replayed = endpoint.writes and any(problem.kept for problem in problems)
        name = _component_name(problems, replayed)
        shared.setdefault(name, _failure(status, problems, replayed))
        failures[str(status)] = {"$ref": f"#/components/responses/{name}"}
    return success | failures


def _own_headers(endpoint: AnyEndpoint, status: int) -> dict[str, str]:
    known = {"ETag": "Of this answer, for If-None-Match."} if endpoint.revalidates else {}
    return known | (creation.HEADERS if status == HTTPStatus.CREATED else {}) | endpoint.headers


def _success(endpoint: AnyEndpoint, schemas: Schemas, status: int, description: str, links: Schema) -> Schema:
    if endpoint.media_type != JSON:
        text = {"schema": {"type": "string", "maxLength": LARGEST_NUMBER}, "example": endpoint.example}
        return {"description": description, "headers": _headers(*ALWAYS), "content": {endpoint.media_type: text}}
    content: Schema = {"schema": schemas.envelope(endpoint.answer, endpoint.meta)}
    if endpoint.example is not None and endpoint.meta in _META_EXAMPLES:
        content["example"] = {"data": endpoint.example, "meta": _META_EXAMPLES[endpoint.meta]}
    schema = {"type": "string", "maxLength": LONGEST_HEADER}
    own = {name: {"description": text, "schema": schema} for name, text in _own_headers(endpoint, status).items()}
    replayed = ("Idempotent-Replayed",) if endpoint.writes else ()
    response = {
        "description": description,
        "headers": _headers(*ALWAYS, *replayed) | own,
        "content": {"application/json": content},
    }
    return response | ({"links": links} if links else {})


def _failure(status: int, problems: Sequence[type[Problem]], replayed: bool) -> Schema:
    codes = [problem.code for problem in problems]
    examples = {each.code: {"value": {"error": {"code": each.code, "message": each.message}}} for each in problems}
    names = [
        *ALWAYS,
        *(["Retry-After"] if any(issubclass(problem, WAITING_HELPS) for problem in problems) else []),
        *(["Idempotent-Replayed"] if replayed else []),
        *(["WWW-Authenticate"] if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN) else []),
    ]
    return {
        "description": f"{HTTPStatus(status).phrase}: " + ", ".join(f"`{code}`" for code in codes) + ".",
        "headers": _headers(*names),
        "content": {"application/json": {"schema": ERROR_REFERENCE, "examples": examples}},
        "x-error-codes": codes,
    }


def _component_name(problems: Sequence[type[Problem]], replayed: bool) -> str:
    codes = ("".join(word.capitalize() for word in problem.code.split("_")) for problem in problems)
    return "Or".join(codes) + ("OnWrite" if replayed else "")


def _headers(*names: str) -> Schema:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}
