"""The path of every request under /api/v1, in one fixed order.

preflight → token (401) → rate limit (429) → route and method (404, 405) → scope (403) → body (400, 413, 415) →
idempotency (replay, 409, 422) → the handler, in one transaction with its idempotency record → the reply.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

import msgspec

from stowboard.access.authentication import Authenticator
from stowboard.access.tokens import DigestKey
from stowboard.api import idempotency
from stowboard.api.endpoint import MEBIBYTE, NO_META, Answer, AnyCall, Call, Endpoint
from stowboard.api.envelope import failure, success
from stowboard.api.idempotency import Claim, Reply
from stowboard.api.limits.rule import Decision, Limiter
from stowboard.api.parse import check_media_type, decode_body, decode_query
from stowboard.api.scopes import ADMIN
from stowboard.core.caller import Caller
from stowboard.core.errors import (
    AdminRequired,
    InsufficientScope,
    MethodNotAllowed,
    PayloadTooLarge,
    Problem,
    RouteNotFound,
)
from stowboard.core.services import Services
from stowboard.db.database import Database, Tx
from stowboard.db.remembered import Remembered
from stowboard.http import cors
from stowboard.http.body import drain, read_body
from stowboard.http.exchange import Exchange
from stowboard.http.origin import BASE_PATH, Origins
from stowboard.http.routing import Router

REPLAYED = ("idempotent-replayed", "true")
_MOST_REMEMBERED = 8 * MEBIBYTE
_BESIDE_TEXTS = 1000
#: Token, path and query.
_Key: TypeAlias = tuple[str, str, str]


class Visit:
    """What becomes known about a request on its way, for the headers, the log and the counters."""

    __slots__ = ("body_limit", "caller", "decision", "exchange", "operation")

    def __init__(self, exchange: Exchange) -> None:
        self.exchange = exchange
        self.caller: Caller | None = None
        self.decision: Decision | None = None
        self.operation: Operation | None = None
        #: How much of a body may still be lying unread; 0 once it was read.
        self.body_limit = 0


class Operation:
    """An endpoint, with what can be made ready once."""

    __slots__ = ("body", "endpoint", "label", "query", "repeats", "run", "scope", "writes")

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.run = endpoint.run
        self.scope = endpoint.scope
        self.writes = endpoint.writes
        self.query = endpoint.query
        self.repeats = endpoint.repeats
        self.body = msgspec.json.Decoder(endpoint.body) if endpoint.body else None
        self.label = f"{endpoint.method} {BASE_PATH}{endpoint.path}"


class Pipeline:
    def __init__(
        self,
        endpoints: Sequence[Endpoint],
        db: Database,
        services: Services,
        authenticator: Authenticator,
        limiter: Limiter,
        digest_key: DigestKey,
        origins: Origins,
    ) -> None:
        self._db, self._services, self._digest_key, self._origins = db, services, digest_key, origins
        self._authenticator, self._limiter = authenticator, limiter
        #: Who asked for what, and how it was answered.
        self._remembered: Remembered[_Key, tuple[Operation, Reply]] = Remembered(db, _MOST_REMEMBERED, _weight)
        self._router: Router[Operation] = Router()
        for endpoint in endpoints:
            self._router.add(endpoint.method, endpoint.path, Operation(endpoint))

    async def reply(self, visit: Visit) -> Reply:
        """The answer to a request whose path begins with the base path. Raises Problem."""
        exchange = visit.exchange
        if cors.is_preflight(exchange):
            return Reply(204, tuple(cors.ON_PREFLIGHT), b"")
        visit.body_limit = 0 if exchange.method in ("GET", "HEAD") else MEBIBYTE
        caller = self._authenticator.remembered(exchange.header("authorization"))
        if caller is None or exchange.header_count("authorization") > 1:
            caller = await self._authenticator.check(exchange)
        visit.caller = caller
        decision = self._limiter.take(caller.token_id)
        if not isinstance(decision, Decision):
            decision = await decision
        visit.decision = decision
        if not decision.allowed:
            raise self._limiter.rule.problem(decision)
        known = self._remembered.find(_key(visit, caller)) if exchange.method == "GET" else None
        if known is not None:
            visit.operation, reply = known
            return reply
        return await self._reply(visit, caller)

    async def drain(self, visit: Visit) -> None:
        if visit.body_limit:
            await drain(visit.exchange, visit.body_limit)

    async def _reply(self, visit: Visit, caller: Caller) -> Reply:
        """To a caller who is known, and within the limit."""
        exchange = visit.exchange
        found = self._router.find(exchange.path[len(BASE_PATH) + 1 :])
        if found is None:
            raise RouteNotFound
        resource, parameters = found
        if exchange.method == "OPTIONS":
            return Reply(204, (("allow", resource.allow),), b"")
        operation = resource.methods.get("GET" if exchange.method == "HEAD" else exchange.method)
        if operation is None:
            raise MethodNotAllowed(headers=(("allow", resource.allow),))
        visit.operation = operation
        if operation.scope is not None and operation.scope not in caller.scopes:
            raise _refusal(operation.scope)
        if operation.writes or operation.body:
            return await self._perform(visit, operation, caller, parameters)
        since = self._db.state() if operation.repeats else None
        reply = await self._look_up(visit, operation, caller, parameters)
        if since is not None:
            self._remembered.keep(_key(visit, caller), (operation, reply), since)
        return reply

    async def _look_up(self, visit: Visit, operation: Operation, caller: Caller, parameters: list[str]) -> Reply:
        exchange = visit.exchange
        query = decode_query(operation.query, exchange.query) if operation.query else None
        call = Call(exchange, self._services, caller, self._origins, None, query)
        return _reply(operation, await self._db.read(operation.run, call, *parameters))

    async def _perform(self, visit: Visit, operation: Operation, caller: Caller, parameters: list[str]) -> Reply:
        """A request that writes, or has a body."""
        exchange, endpoint = visit.exchange, operation.endpoint
        query = decode_query(operation.query, exchange.query) if operation.query else None
        raw = await _read_body(visit, operation) if operation.body else b""
        body = decode_body(operation.body, raw) if operation.body else None
        call = Call(exchange, self._services, caller, self._origins, body, query)
        if not operation.writes:
            return _reply(operation, await self._db.read(operation.run, call, *parameters))
        claim = idempotency.read_claim(endpoint, exchange, caller, self._digest_key, parameters, raw)
        if endpoint.prepare is not None:
            earlier = await self._db.read(idempotency.find_reply, claim) if claim else None
            if earlier is not None:
                return _replayed(earlier)
            call.prepared = await endpoint.prepare(call, *parameters)
        transact = self._db.transact_short if endpoint.short else self._db.transact
        if claim is None:
            return await transact(_write, operation, call, parameters)
        return await transact(_write_once, operation, call, parameters, claim)


def _key(visit: Visit, caller: Caller) -> _Key:
    """By token, which stands for owner, scopes and kind: those do not change without a write."""
    return caller.token_id, visit.exchange.path, visit.exchange.query


def _weight(key: _Key, answered: tuple[Operation, Reply]) -> int:
    _, path, query = key
    return len(path) + len(query) + len(answered[1].body) + _BESIDE_TEXTS


def _refusal(scope: str) -> Problem:
    if scope == ADMIN:
        return AdminRequired()
    return InsufficientScope(f"The token lacks the scope {scope}, which this operation needs.")


async def _read_body(visit: Visit, operation: Operation) -> bytes:
    endpoint = operation.endpoint
    check_media_type(visit.exchange.header("content-type"))
    visit.body_limit = 0
    try:
        return await read_body(visit.exchange, endpoint.max_body)
    except PayloadTooLarge as problem:
        visit.body_limit = endpoint.max_body  # the rest is still on its way
        if endpoint.if_too_large is None:
            raise
        raise PayloadTooLarge(f"{problem.message} {endpoint.if_too_large}", problem.headers) from None


async def _write(tx: Tx, operation: Operation, call: AnyCall, parameters: list[str]) -> Reply:
    return _reply(operation, await operation.run(tx, call, *parameters))


async def _write_once(tx: Tx, operation: Operation, call: AnyCall, parameters: list[str], claim: Claim) -> Reply:
    earlier = await idempotency.take_claim(tx, claim)
    if earlier is not None:
        return _replayed(earlier)
    try:
        async with tx.savepoint():
            reply = _reply(operation, await operation.run(tx, call, *parameters))
    except Problem as problem:
        if not problem.kept:
            raise
        reply = Reply(problem.status, problem.headers, failure(problem))
    await idempotency.keep_reply(tx, claim, reply)
    return reply


def _reply(operation: Operation, answer: Any) -> Reply:
    if isinstance(answer, Answer):
        status = answer.status or operation.endpoint.status
        return Reply(status, answer.headers, success(answer.data, answer.meta), answer.subject)
    return Reply(operation.endpoint.status, (), success(answer, NO_META))


def _replayed(reply: Reply) -> Reply:
    return Reply(reply.status, (*reply.headers, REPLAYED), reply.body)
