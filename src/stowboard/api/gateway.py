"""The front door: every request gets an id, an answer in our own shape whatever happens, a log line and a count."""

import logging
import re
import secrets
import time
from collections.abc import Coroutine, Sequence
from errno import EMFILE, ENFILE
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

from stowboard.api.endpoint import BASE_PATH, JSON
from stowboard.api.envelope import failure
from stowboard.api.idempotency import Reply
from stowboard.api.limits.rule import RateLimitRule
from stowboard.api.pipeline import Pipeline, Visit
from stowboard.core.errors import (
    InsufficientScope,
    InternalError,
    MethodNotAllowed,
    Problem,
    RouteNotFound,
    ServiceUnavailable,
)
from stowboard.core.log import AccessLog
from stowboard.core.metrics import Counter, Histogram
from stowboard.http import cors
from stowboard.http.answering import AnsweringExchange
from stowboard.http.body import MOST_BYTES_READ_ON, ReadingOn
from stowboard.http.body_memory import BodyMemory
from stowboard.http.compression import SMALLEST, VARY, chosen, coded_headers, compress
from stowboard.http.crowd import SMALL, Crowd, CrowdRefusal
from stowboard.http.exchange import Exchange, Headers, Route, content_length
from stowboard.http.head import CLOSE, check_head
from stowboard.http.origin import Origins
from stowboard.http.proxies import Proxies
from stowboard.http.routing import Resource, Router
from stowboard.http.static import HTML

log = logging.getLogger("stowboard.api")
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
_ON_ALL: Headers = [("x-content-type-options", "nosniff")]
_AFTER_BASE = slice(len(BASE_PATH), len(BASE_PATH) + 1)
#: The part of a route's path that is itself the permission.
_SECRET_PART = "{token}"  # noqa: S105 (a name, not a secret)
#: Secrets in addresses are at least this long; our ids are shorter.
_LIKE_A_SECRET = re.compile(r"[^/]{36,}")
#: Paths where a page of another site must not pass for one of ours.
_FOR_OWN_PAGES = ("/session", "/mcp")
_JSON = ("content-type", JSON)
#: A resource and the values of its path's parameters.
_Found: TypeAlias = tuple[Resource[Route], list[str]] | None
_MISSING_PAGE = Path(__file__).with_name("missing_page.html").read_bytes()
_ON_MISSING_PAGE: Headers = [
    ("content-type", HTML),
    ("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"),
    ("cache-control", "no-store"),
]
_requests = Counter("stowboard_requests_total", "Requests answered.", ("operation", "status"))
_seconds = Histogram("stowboard_request_seconds", "Time from a request's headers to its answer.", ("operation",))


class Gateway:
    def __init__(
        self,
        pipeline: Pipeline,
        routes: Sequence[Route],
        origins: Origins,
        limit: RateLimitRule,
        access_log: AccessLog | None,
        proxies: Proxies,
        crowd: Crowd,
        memory: BodyMemory,
        headers_below: Sequence[tuple[str, Headers]] = (),
    ) -> None:
        """`headers_below` are paths outside of the API, each with headers of every answer at or below it."""
        self._pipeline, self._origins, self._access_log = pipeline, origins, access_log
        self._proxies, self._crowd, self._memory = proxies, crowd, memory
        self._headers_below, self._reading_on = headers_below, ReadingOn()
        self._on_api: Headers = [("cache-control", "no-store"), ("ratelimit-policy", limit.policy), *_ON_ALL]
        self._outside_api: Headers = [*_ON_ALL, *cors.ON_ANSWERS]
        self._same_origin: Headers = [*_ON_ALL]
        self._untouched = limit.untouched
        self._prefix, self._numbers = f"req_{secrets.token_hex(6)}", count(1)
        self._router = Router((route.method, route.path, route) for route in routes)
        #: The beginnings of paths that contain a secret.
        self._secret = {route.path.partition(_SECRET_PART)[0] for route in routes if _SECRET_PART in route.path}

    def drain(self) -> None:
        """From now on each answer ends its connection: the next one leads, through a load balancer, to another node."""
        self._on_api.append(CLOSE)
        self._outside_api.append(CLOSE)
        self._same_origin.append(CLOSE)

    def handle(self, exchange: Exchange) -> Coroutine[Any, Any, None]:
        """Answer it, whatever happens."""
        return self._answer(exchange) if exchange.method == "GET" else self._answer_in_turn(exchange)

    async def _answer_in_turn(self, exchange: Exchange) -> None:
        """A request that may have to wait for its client."""
        try:
            address = self._crowd.enter(exchange)
        except CrowdRefusal as crowded:
            await self._answer(exchange, crowded)
            return
        try:
            await self._answer(exchange)
        finally:
            self._crowd.leave(address)

    async def _answer(self, exchange: Exchange, refusal: Problem | None = None) -> None:
        started = time.perf_counter_ns()
        request_id = exchange.header("x-request-id")
        if request_id is None or not _REQUEST_ID.fullmatch(request_id):
            request_id = f"{self._prefix}{next(self._numbers):08x}"
        visit = Visit(exchange, self._origins, self._memory)
        path = exchange.path
        if path.startswith(BASE_PATH) and path[_AFTER_BASE] in ("", "/"):
            try:
                check_head(exchange)
                if refusal is not None:
                    raise refusal
                reply = await self._pipeline.reply(visit)
                if len(reply.body) > SMALL:
                    self._crowd.begin_answer(exchange, len(reply.body))
            except Exception as error:
                reply = await self._api_failure(visit, request_id, error)
            finally:
                if visit.held:
                    self._memory.give_back(visit.held)
            status = reply.status
            headers = self._headers(visit, reply, request_id)
            if reply.begin is None:
                headers.append(_JSON)
                exchange.respond(status, *await _packed(visit, headers, reply))
            elif exchange.method == "HEAD":
                exchange.respond(status, headers)
            else:
                reply.begin(exchange.open_stream(status, headers))
            label = visit.operation.label if visit.operation is not None else BASE_PATH
            path = path if visit.operation is not None else self._shown_path(path, label)
            token_id = visit.caller.token_id if visit.caller is not None else ""
        else:
            answered, label = await self._outside(exchange, request_id, refusal)
            status, token_id = answered.status, answered.token_id
            path = _joined(self._shown_path(path, label), answered.doing)
            label = _joined(label, answered.doing)
        nanos = time.perf_counter_ns() - started
        _requests.add(label, str(status))
        _seconds.observe(nanos / 1e9, label)
        if self._access_log is not None:
            self._access_log.add(exchange.method, path, status, nanos // 1000, request_id, token_id)
        await self._reading_on.after(status, exchange)

    def _headers(self, visit: Visit, reply: Reply, request_id: str) -> Headers:
        quota = visit.decision.field if visit.decision is not None else self._untouched
        headers = [*self._on_api, ("ratelimit", quota), ("x-request-id", request_id), *reply.headers]
        if visit.exchange.header("origin") is not None:
            headers += cors.ON_ANSWERS
        if visit.exchange.has_header("transfer-encoding"):
            headers.append(CLOSE)
        return headers

    async def _api_failure(self, visit: Visit, request_id: str, error: Exception) -> Reply:
        if (problem := _problem_of(error)) is not None:
            return self._refused(visit.exchange, problem)
        extra = {"requestId": request_id, "path": visit.exchange.path}
        log.error("request failed", exc_info=error, extra=extra)
        return self._refused(visit.exchange, InternalError())

    def _refused(self, exchange: Exchange, problem: Problem) -> Reply:
        origin = self._origins.of(exchange)
        headers = [*problem.headers, ("link", f'<{origin}/docs/errors#{problem.code}>; rel="help"')]
        if (content_length(exchange) or 0) > MOST_BYTES_READ_ON and CLOSE not in headers:
            headers.append(CLOSE)
        asks = problem.status == 401 or isinstance(problem, InsufficientScope)
        if asks and all(name != "www-authenticate" for name, _ in headers):  # `/mcp` sets its own
            headers.append(("www-authenticate", _challenge(origin, problem)))
        return Reply(problem.status, tuple(headers), failure(problem))

    async def _outside(
        self, exchange: Exchange, request_id: str, refusal: Exception | None
    ) -> tuple[AnsweringExchange, str]:
        """A path that is not of the JSON API. The handler answers itself; what it refuses is answered here."""
        found = self._router.find(exchange.path[1:])
        # Pages of other origins may read the answer.
        shared = found is None or all(route.cross_origin for route in found[0].methods.values())
        extra = [*(self._outside_api if shared else self._same_origin), ("x-request-id", request_id)]
        answered = AnsweringExchange(exchange, extra, self._proxies, self._crowd)
        if exchange.has_header("transfer-encoding"):
            answered.add([CLOSE])
        for prefix, headers in self._headers_below:
            if exchange.path.startswith(prefix):
                answered.add(headers)
        label = "unknown"
        try:
            check_head(exchange)
            if refusal is not None:
                raise refusal
            if cors.is_preflight(exchange):
                answered.respond(204, cors.ON_PREFLIGHT if shared else [])
                return answered, "preflight"
            if exchange.path.startswith(_FOR_OWN_PAGES):
                self._origins.check_host(exchange)
            route, parameters = _choose_route(exchange, found)
            label = f"{route.method} {route.path}"
            await route.handler(answered, *parameters)
        except Exception as error:
            if (problem := _problem_of(error)) is None:
                shown = self._shown_path(exchange.path, label)
                log.exception("request failed", extra={"requestId": request_id, "path": shown})
            self._answer_problem(answered, problem or InternalError())
            # The traceback refers to the frame that raised the error, and that frame often refers to the error: a cycle
            # that holds the request until the next garbage collection. Granian closes the connection of an unread body
            # only when the request is freed.
            error.__traceback__ = None
        return answered, label

    def _shown_path(self, path: str, label: str) -> str:
        """A path for the log. If the path contains a token that is itself the permission, the route's pattern.

        If no route was found, such a token may be anywhere in the path: perhaps somebody mistyped the address.
        """
        if _SECRET_PART in label:
            return label.partition(" ")[2]
        begins = next((prefix for prefix in self._secret if path.startswith(prefix)), None)
        if begins is not None:
            return begins + _SECRET_PART
        return path if " " in label else _LIKE_A_SECRET.sub("…", path)

    def _answer_problem(self, answered: AnsweringExchange, problem: Problem) -> None:
        if answered.status == 0:
            reply = self._refused(answered, problem)
            if isinstance(problem, RouteNotFound) and _is_for_people(answered):
                answered.respond(reply.status, [*_ON_MISSING_PAGE, *reply.headers], _MISSING_PAGE)
                return
            headers = [_JSON, ("cache-control", "no-store"), *reply.headers]
            answered.respond(reply.status, headers, reply.body)


def _problem_of(error: BaseException) -> Problem | None:
    """The problem that a request met; None for a fault of ours."""
    if isinstance(error, Problem):
        return error
    if (isinstance(error, OSError) and error.errno in (EMFILE, ENFILE)) or f"os error {EMFILE}" in str(error):
        log.error("no file descriptor is left")
        return ServiceUnavailable("The server has as many files open as it may. Nothing was changed; retry.")
    return _problem_of(error.__context__) if isinstance(error.__context__, OSError) else None


def _choose_route(exchange: Exchange, found: _Found) -> tuple[Route, list[str]]:
    if found is None or not exchange.path.startswith("/"):  # such as `*`, or the target of a CONNECT
        raise RouteNotFound
    resource, parameters = found
    route = resource.methods.get(exchange.method)
    if route is None and exchange.method == "HEAD":
        route = resource.methods.get("GET")
    if route is None and exchange.method == "OPTIONS":
        return Route("OPTIONS", "*", _list_methods), [resource.allow]
    if route is None:
        raise MethodNotAllowed(headers=(("allow", resource.allow),))
    return route, parameters


def _is_for_people(exchange: Exchange) -> bool:
    """True for an address that a person opened in a browser."""
    return exchange.method in ("GET", "HEAD") and "text/html" in (exchange.header("accept") or "")


def _joined(text: str, doing: str) -> str:
    return f"{text} {doing}" if doing else text


def _may_be_compressed(visit: Visit, status: int) -> bool:
    """True for a read without a secret: the compressed length beside text that others chose would reveal a secret."""
    operation = visit.operation
    return operation is not None and status == 200 and not operation.writes and not operation.endpoint.secret


async def _packed(visit: Visit, headers: Headers, reply: Reply) -> tuple[Headers, bytes]:
    """The answer, compressed if the client takes that."""
    if len(reply.body) < SMALLEST or not _may_be_compressed(visit, reply.status):
        return headers, reply.body
    headers.append(VARY)
    encoding = chosen(visit.exchange.header("accept-encoding"))
    if encoding is None:
        return headers, reply.body
    return coded_headers(headers, encoding), await compress(encoding, reply.body)


async def _list_methods(exchange: Exchange, allow: str) -> None:
    exchange.respond(204, [("allow", allow)])


def _challenge(origin: str, problem: Problem) -> str:
    fields = [
        'realm="stowboard"',
        f'resource_metadata="{origin}/.well-known/oauth-protected-resource{BASE_PATH}"',
        f'authorization_server_metadata="{origin}/.well-known/oauth-authorization-server"',
    ]
    if isinstance(problem, InsufficientScope):
        fields.append('error="insufficient_scope"')
    elif problem.code != "missing_token":
        fields.append(f'error="invalid_token", error_description="{problem.message}"')
    return "Bearer " + ", ".join(fields)
