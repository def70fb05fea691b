"""The whole API, and the errors that each operation can give: the source of every document about it.

`problems_of` is the only place that knows which errors the pipeline adds to an operation's own. The OpenAPI document
lists exactly these, and the tests compare every answer of a running server with it.
"""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from stowboard.api.endpoint import AnyEndpoint, PageMeta
from stowboard.core import errors
from stowboard.core.errors import Problem
from stowboard.core.reach import Role
from stowboard.core.scopes import ADMIN, Scopes
from stowboard.db.database import OutcomeUnknown


class Area(msgspec.Struct, frozen=True):
    """A chapter of the documentation: the operations whose path is one of these, or lies below one of them."""

    name: str
    description: str
    paths: tuple[str, ...]

    def covers(self, path: str) -> bool:
        return any(path == prefix or path.startswith(prefix.rstrip("/") + "/") for prefix in self.paths)


class EventKindText(msgspec.Struct, frozen=True):
    """A kind of event: the type of all events, that of its data, and an example of it."""

    name: str
    scope: str
    summary: str
    envelope: Any
    data: Any
    example: Any


class PlatformAddress(msgspec.Struct, frozen=True, kw_only=True):
    """An address outside of /api/v1 that programs speak to, in words."""

    method: str
    path: str
    #: The operation's id.
    name: str
    area: str
    summary: str
    #: Types of the body; none where there is no body.
    takes: tuple[str, ...] = ()
    #: Statuses of success, with what each means.
    answers: dict[int, str]
    #: The type of a success; None for one without a body.
    gives: str | None = None
    #: Headers that a request has, with what they mean.
    headers: dict[str, str] = {}
    #: Parameters of the query, with what they mean.
    query: dict[str, str] = {}
    #: True if a bearer token is needed; otherwise the address, a cookie or the body is the proof.
    bearer: bool = False


class Catalogue(msgspec.Struct, frozen=True):
    """The whole of the API, as the composition root assembled it. The first area that covers a path has it."""

    endpoints: Sequence[AnyEndpoint]
    problems: Sequence[type[Problem]]
    scopes: Scopes
    areas: Sequence[Area]
    webhooks: Sequence[EventKindText] = ()
    #: Outside of /api/v1.
    addresses: Sequence[PlatformAddress] = ()

    def area_of(self, path: str) -> Area:
        return next(area for area in self.areas if area.covers(path))


def problems_of(endpoint: AnyEndpoint) -> dict[int, list[type[Problem]]]:
    """Every error that an operation can answer with, by status, each code once."""
    applicable = [problem for problem, applies in _PLATFORM if applies(endpoint)]
    by_code = {problem.code: problem for problem in [*applicable, *endpoint.errors]}
    by_status: dict[int, list[type[Problem]]] = {}
    for problem in sorted(by_code.values(), key=lambda problem: problem.status):
        by_status.setdefault(problem.status, []).append(problem)
    return by_status


def every_problem(endpoints: Sequence[AnyEndpoint], outside: Sequence[type[Problem]] = ()) -> list[type[Problem]]:
    """The API's error codes, each once: the platform's, the operations' own, and those of URLs outside the API."""
    platform = [problem for problem, _ in _PLATFORM]
    own = [problem for endpoint in endpoints for problem in endpoint.errors]
    problems: list[type[Problem]] = [*own, *outside, errors.MethodNotAllowed, *platform]
    by_code = {problem.code: problem for problem in problems}
    return sorted(by_code.values(), key=lambda problem: (problem.status, problem.code))


def _always(_: AnyEndpoint) -> bool:
    return True


def _has_body(endpoint: AnyEndpoint) -> bool:
    return endpoint.body is not None


def _writes(endpoint: AnyEndpoint) -> bool:
    return endpoint.writes


def _names_thing(endpoint: AnyEndpoint) -> bool:
    """True if the path names something, or the query or the body names spaces."""
    given = (getattr(kind, "__struct_fields__", ()) for kind in (endpoint.query, endpoint.body))
    return bool(endpoint.parameters) or any({"space_id", "spaces"} & set(names) for names in given)


# A method that a path does not take is not an operation, so 405 is in no operation's list.
_PLATFORM: list[tuple[type[Problem], Callable[[AnyEndpoint], bool]]] = [
    (errors.ValidationFailed, _has_body),
    (errors.InvalidJson, _has_body),
    (errors.InvalidParameter, _always),
    (errors.InvalidCursor, lambda endpoint: endpoint.meta is PageMeta),
    (errors.IdempotencyKeyInvalid, lambda endpoint: endpoint.method != "GET"),
    (errors.MissingToken, _always),
    (errors.InvalidToken, _always),
    (errors.TokenExpired, _always),
    (errors.InsufficientScope, lambda endpoint: endpoint.scope not in (None, ADMIN)),
    (errors.InsufficientRole, lambda endpoint: endpoint.needed_role not in (None, Role.VIEWER)),
    (errors.AdminRequired, lambda endpoint: endpoint.scope == ADMIN),
    (errors.NotFound, _names_thing),
    # A value with a slash in it makes another path.
    (errors.RouteNotFound, lambda endpoint: bool(endpoint.parameters)),
    (errors.RequestTimeout, _has_body),
    (errors.IdempotencyInProgress, _writes),
    (errors.PreconditionFailed, lambda endpoint: "If-Match" in endpoint.takes),
    (errors.PayloadTooLarge, _has_body),
    (errors.UnsupportedMediaType, _has_body),
    (errors.IdempotencyKeyReused, _writes),
    (errors.RateLimited, _always),
    (errors.HeadersTooLarge, _always),
    (errors.InternalError, _always),
    (errors.ServiceUnavailable, _always),
    (OutcomeUnknown, _writes),
    (errors.InsufficientStorage, _writes),
]
