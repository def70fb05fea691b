"""The path of every request under /api/v1, in one fixed order.

preflight → token (401) → rate limit (429) → route and method (404, 405) → the operation (see perform.py) → the reply.
"""

import re

from stowboard.api.admission import Admission
from stowboard.api.endpoint import BASE_PATH, AnyEndpoint
from stowboard.api.forms import BESIDE_FILE, FormFile, is_form, read_form
from stowboard.api.idempotency import Reply
from stowboard.api.limits.rule import Decision
from stowboard.api.parse import check_media_type
from stowboard.api.perform import Operation, Performer
from stowboard.core.caller import API_DOOR, Caller
from stowboard.core.errors import (
    IdempotencyKeyInvalid,
    MethodNotAllowed,
    PayloadTooLarge,
    RouteNotFound,
)
from stowboard.http import cors
from stowboard.http.body import body_bound, drain, read_body, read_chunks
from stowboard.http.body_memory import SMALL, BodyMemory, BodyMemoryFull
from stowboard.http.conditions import named_tag
from stowboard.http.exchange import Exchange, deadline
from stowboard.http.origin import Origins
from stowboard.http.routing import Router

#: The preference of RFC 7240, among others.
_STRICT = re.compile(r"(?:^|,)\s*handling\s*=\s*\"?strict\"?\s*(?:[,;]|$)", re.IGNORECASE)


class Visit:
    """A request over HTTP (see endpoint.Request), and what becomes known about it on its way."""

    __slots__ = (
        "_body", "_memory", "_origins", "caller", "decision", "exchange", "form_key", "held", "operation",
    )  # fmt: skip

    door = API_DOOR

    def __init__(self, exchange: Exchange, origins: Origins, memory: BodyMemory) -> None:
        self.exchange, self._origins, self._memory = exchange, origins, memory
        #: The body memory that it holds until it is answered.
        self.held = 0
        #: The idempotency key that came as a field of a form.
        self.form_key: str | None = None
        self.caller: Caller | None = None
        self.decision: Decision | None = None
        self.operation: Operation | None = None
        self._body: bytes | None = None

    def note_decision(self, decision: Decision) -> None:
        self.decision = decision

    @property
    def query(self) -> str:
        return self.exchange.query

    @property
    def origin(self) -> str:
        return self._origins.of(self.exchange)

    @property
    def if_match(self) -> str | None:
        return self.exchange.header("if-match")

    @property
    def strict(self) -> bool:
        return _STRICT.search(self.exchange.header("prefer") or "") is not None

    @property
    def last_event_id(self) -> str | None:
        return self.exchange.header("last-event-id")

    @property
    def idempotency_key(self) -> str | None:
        exchange = self.exchange
        header = exchange.header("idempotency-key")
        if header is None:
            if exchange.has_header("idempotency-key"):
                raise IdempotencyKeyInvalid
            return self.form_key
        if exchange.header_count("idempotency-key") > 1:
            raise IdempotencyKeyInvalid("Idempotency-Key was sent more than once.")
        return header

    async def read_body(self, endpoint: AnyEndpoint) -> bytes:
        if self._body is not None:
            return self._body
        kind = self.exchange.header("content-type")
        form = endpoint.form if endpoint.form is not None and is_form(kind) else None
        if form is None:
            check_media_type(kind, endpoint.if_form)
        limit = form.max_bytes + BESIDE_FILE if form else endpoint.max_body
        if (length := body_bound(self.exchange, limit)) > SMALL:
            await self._take_memory(length)
        try:
            self._body = await (self._read_form(kind or "", form, limit) if form else read_body(self.exchange, limit))
        except PayloadTooLarge as problem:
            if endpoint.if_too_large is None:
                raise
            raise PayloadTooLarge(f"{problem.message} {endpoint.if_too_large}", problem.headers) from None
        return self._body

    async def _read_form(self, kind: str, form: FormFile, limit: int) -> bytes:
        read = await read_chunks(self.exchange, limit, lambda chunks: read_form(kind, chunks, form))
        self.form_key = read.key
        return read.body

    async def _take_memory(self, length: int) -> None:
        try:
            self.held = await self._memory.take(length)
        except BodyMemoryFull:  # not the client's fault: the body may take its usual time to drain
            await drain(self.exchange, length, deadline(length))
            raise


class Pipeline:
    def __init__(self, performer: Performer, admission: Admission) -> None:
        self._performer, self._admission = performer, admission
        self._router = Router((each.endpoint.method, each.endpoint.path, each) for each in performer.operations)

    async def reply(self, visit: Visit) -> Reply:
        """The answer to a request whose path begins with the base path. Raises Problem."""
        exchange = visit.exchange
        if cors.is_preflight(exchange):
            return Reply(204, tuple(cors.ON_PREFLIGHT), b"")
        caller = visit.caller = await self._admission.admit(exchange, visit.note_decision)
        reply = await self._reply(visit, caller)
        tags = exchange.header("if-none-match")
        return reply if tags is None else _unless_known(visit, reply, tags)

    async def _reply(self, visit: Visit, caller: Caller) -> Reply:
        """The reply to a caller that was admitted."""
        exchange = visit.exchange
        path = exchange.path[len(BASE_PATH) + 1 :]
        found = self._router.find(path)
        if found is None:
            raise RouteNotFound
        resource, parameters = found
        if exchange.method == "OPTIONS":
            return Reply(204, (("allow", resource.allow),), b"")
        operation = resource.methods.get("GET" if exchange.method == "HEAD" else exchange.method)
        if operation is None:
            raise MethodNotAllowed(headers=(("allow", resource.allow),))
        visit.operation = operation
        return await self._performer.perform(caller, operation, parameters, visit)


def _unless_known(visit: Visit, reply: Reply, tags: str) -> Reply:
    """304 if the client has this answer already."""
    if visit.operation is None or not visit.operation.endpoint.revalidates or reply.status != 200:
        return reply
    etag = dict(reply.headers).get("etag")
    known = named_tag(tags, etag) if etag else None
    return Reply(304, (("etag", known),), b"") if known else reply
