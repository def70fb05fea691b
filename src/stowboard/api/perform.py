"""Performs one operation for a caller, the same for every way in: HTTP and agents.

scope (403) → query and body (400, 413, 415) → idempotency (replay, 409, 422) → the handler, in one transaction with its
idempotency record → the reply.

Authority is asked when the operation begins. A permission may be remembered for a moment, a refusal may not: after a
body that took longer, and before the caller is refused for want of reach, it is looked up and all is done again.

Token and limit are checked before (admission.py), by pipeline.py for HTTP and by agents/door.py for agents.
"""

import asyncio
import hashlib
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from http import HTTPStatus
from typing import Any, TypeAlias

import msgspec

from stowboard.api import idempotency
from stowboard.api.creation import CreationAddress
from stowboard.api.endpoint import BASE_PATH, Answer, AnyCall, AnyEndpoint, Call, Request, StreamedAnswer
from stowboard.api.envelope import failure, success
from stowboard.api.idempotency import IdempotencyClaim, Reply, make_claim
from stowboard.api.ignoring import ForgivingDecoder
from stowboard.api.outline import filled, ids_in
from stowboard.api.parse import decode_query
from stowboard.core.caller import AGENTS_DOOR, Access, Caller
from stowboard.core.errors import (
    AdminRequired,
    InsufficientRole,
    InsufficientScope,
    InvalidParameter,
    NotFound,
    PayloadTooLarge,
    Problem,
    ValidationFailed,
)
from stowboard.core.reach import Role
from stowboard.core.scopes import ADMIN
from stowboard.core.services import Services
from stowboard.core.signing import DigestKey
from stowboard.db.database import Database, Tx

#: Bytes of a body whose digest takes about a millisecond.
_LONG = 512 * 1024
_CREATED = HTTPStatus.CREATED.value
REPLAYED = ("idempotent-replayed", "true")
_FOR_WANT_OF_REACH = (NotFound, InsufficientRole, InsufficientScope, AdminRequired, InvalidParameter)
_CODES_FOR_WANT_OF_REACH = {kind.code for kind in _FOR_WANT_OF_REACH}


class Operation:
    """An endpoint, with everything that can be prepared once."""

    __slots__ = (
        "address", "also_scopes", "body", "endpoint", "label", "may_leave_out", "query", "role", "run", "scope",
        "writes",
    )  # fmt: skip

    def __init__(self, endpoint: AnyEndpoint, endpoints: Sequence[AnyEndpoint]) -> None:
        """`endpoints` are those of all rooms."""
        self.endpoint = endpoint
        self.run = endpoint.run
        self.scope = endpoint.scope
        self.also_scopes = endpoint.also_scopes
        self.role = endpoint.needed_role or Role.VIEWER
        self.writes = endpoint.writes
        self.query = endpoint.query
        self.body = ForgivingDecoder(endpoint.body) if endpoint.body else None
        self.address = CreationAddress(endpoint, endpoints) if endpoint.status == _CREATED else None
        shown = [*_fields_of(endpoint.answer), *_fields_of(endpoint.meta)]
        #: True if an answer tells of things that it left out.
        self.may_leave_out = "missing" in shown or "refused" in shown
        self.label = f"{endpoint.method} {BASE_PATH}{endpoint.path}"


NoteRefusal: TypeAlias = Callable[[Caller, str], Awaitable[None]]
LockCaller: TypeAlias = Callable[[Tx, Caller], Awaitable[None]]
LookUpAgain: TypeAlias = Callable[[Caller], Awaitable[Caller]]


class AuthorityInDoubt(Exception):
    """The caller may have other rights than are remembered: nothing is kept, and it is looked up."""


class PlainRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request as plain values."""

    origin: str
    query: str = ""
    body: bytes = b""
    if_match: str | None = None
    strict: bool = False
    last_event_id: str | None = None
    idempotency_key: str | None = None
    door: str = AGENTS_DOOR

    async def read_body(self, endpoint: AnyEndpoint) -> bytes:
        if len(self.body) > endpoint.max_body:
            raise PayloadTooLarge
        return self.body


class Performer:
    def __init__(
        self,
        endpoints: Sequence[AnyEndpoint],
        db: Database,
        services: Services,
        digest_key: DigestKey,
        note_refusal: NoteRefusal | None = None,
        lock_caller: LockCaller | None = None,
        look_up_again: LookUpAgain | None = None,
    ) -> None:
        """`note_refusal` is called when a caller is refused an operation of admins. `lock_caller` is called in the
        transaction of admins' writes and of effects that outlive the token, since the token may have been checked a
        second ago. `look_up_again` returns a remembered caller as it is now."""
        self.operations = [Operation(endpoint, endpoints) for endpoint in endpoints]
        self._db, self._services, self._digest_key = db, services, digest_key
        self._note_refusal = note_refusal
        self._lock_caller, self._look_up_again = lock_caller, look_up_again

    async def perform(self, caller: Caller, operation: Operation, parameters: list[str], request: Request) -> Reply:
        """The answer, once it is durable. `parameters` are those of the path, in its order. Raises Problem."""
        if caller.sure or self._look_up_again is None:
            return await self._perform(caller, operation, parameters, request)
        with suppress(AuthorityInDoubt, *_FOR_WANT_OF_REACH):
            return await self._perform(caller, operation, parameters, request)
        sure = msgspec.structs.replace(await self._look_up_again(caller), sure=True)
        return await self._perform(sure, operation, parameters, request)

    async def _perform(self, caller: Caller, operation: Operation, parameters: list[str], request: Request) -> Reply:
        if operation.scope is not None and operation.scope not in caller.scopes:
            if operation.scope == ADMIN and caller.sure and self._note_refusal is not None:
                await self._note_refusal(caller, operation.label)
            raise _refusal(operation.scope)
        for scope in operation.also_scopes:
            if scope not in caller.scopes:
                raise _refusal(scope)
        if parameters and "\0" in "".join(parameters):  # PostgreSQL refuses NUL in a text, so no id has one
            raise NotFound
        query = decode_query(operation.query, request.query)
        if operation.writes or operation.body:
            return await self._with_body(caller, operation, parameters, request, query)
        call = Call(request, self._services, Access(caller, operation.role), None, query)
        return _reply(operation, call, (), await self._db.read(operation.run, call, *parameters))

    async def _with_body(
        self, caller: Caller, operation: Operation, parameters: list[str], request: Request, query: Any
    ) -> Reply:
        """An operation that writes, or has a body."""
        endpoint = operation.endpoint
        raw = await _read_body(caller, operation, request)
        body, ignored = _decoded(operation, request, raw) if operation.body else (None, [])
        call = Call(request, self._services, Access(caller, operation.role), body, query, ignored)
        if not operation.writes:
            if (key := request.idempotency_key) is not None:
                idempotency.check_key(key)  # no effect here, but a client should know that its key is wrong
            return _reply(operation, call, (), await self._db.read(operation.run, call, *parameters))
        if endpoint.ahead is not None:
            await endpoint.ahead(body)
        claim = None
        if (key := request.idempotency_key) is not None:
            asked = self._digest_key, caller, key, endpoint, parameters, request.query, raw
            long = len(raw) > _LONG
            claim = await asyncio.to_thread(make_claim, *asked) if long else make_claim(*asked)
        arguments: list[Any] = parameters
        if endpoint.prepare is not None:
            earlier = await self._db.read(idempotency.find_reply, claim) if claim else None
            if earlier is not None:
                return _replayed(earlier)
            try:
                arguments = [*parameters, await endpoint.prepare(call, *parameters)]
            except Problem as problem:
                if claim is None or not _is_kept(problem, call):
                    raise
                return await self._db.transact(_refuse_once, claim, problem)
        transact = self._db.transact_short if endpoint.short else self._db.transact
        lock = self._lock_caller if endpoint.secret or endpoint.scope == ADMIN else None
        if claim is None:
            return await transact(_write, operation, call, arguments, lock)
        return await transact(_write_once, operation, call, arguments, lock, claim)


async def _read_body(caller: Caller, operation: Operation, request: Request) -> bytes:
    """Raises AuthorityInDoubt if it took longer than the caller may be remembered."""
    raw = await request.read_body(operation.endpoint) if operation.body else b""
    if not caller.sure and time.monotonic() >= caller.fresh_until:
        raise AuthorityInDoubt
    return raw


def _decoded(operation: Operation, request: Request, raw: bytes) -> tuple[Any, list[str]]:
    """The body, and the members that are not bound. Raises ValidationFailed for one if the request is strict."""
    assert operation.body is not None
    body, ignored = operation.body.decode(raw)
    if ignored and request.strict:
        raise ValidationFailed(f"{', '.join(ignored)}: no such member here. Handling is strict, as Prefer asks for.")
    return body, ignored


def _refusal(scope: str) -> Problem:
    if scope == ADMIN:
        return AdminRequired()
    return InsufficientScope(f"The token lacks the scope {scope}, which this operation needs.")


async def _write(
    tx: Tx, operation: Operation, call: AnyCall, arguments: list[Any], lock_caller: LockCaller | None
) -> Reply:
    tx.author = call.author
    if lock_caller is not None:
        await lock_caller(tx, call.caller)
    return _reply(operation, call, arguments, await operation.run(tx, call, *arguments))


async def _write_once(
    tx: Tx,
    operation: Operation,
    call: AnyCall,
    arguments: list[Any],
    lock_caller: LockCaller | None,
    claim: IdempotencyClaim,
) -> Reply:
    tx.author = call.author
    earlier = await idempotency.take_claim(tx, claim)
    if earlier is not None:
        return _replayed(await _shown_now(tx, call, operation.endpoint, earlier) if earlier.outline else earlier)
    try:
        async with tx.savepoint():
            reply = await _write(tx, operation, call, arguments, lock_caller)
    except Problem as problem:
        if not _is_kept(problem, call):
            raise
        reply = _refused(problem)
    await idempotency.keep_reply(tx, claim, reply)
    return reply


async def _refuse_once(tx: Tx, claim: IdempotencyClaim, problem: Problem) -> Reply:
    """Keep a refusal that was found before the transaction."""
    earlier = await idempotency.take_claim(tx, claim)
    if earlier is not None:
        return _replayed(earlier)
    reply = _refused(problem)
    await idempotency.keep_reply(tx, claim, reply)
    return reply


def _is_kept(problem: Problem, call: AnyCall) -> bool:
    return problem.kept and (call.caller.sure or not isinstance(problem, _FOR_WANT_OF_REACH))


def _fields_of(kind: Any) -> tuple[str, ...]:
    return getattr(kind, "__struct_fields__", ())


def _leaves_out(answer: Answer) -> bool:
    """True if some of the things that were named may be out of reach."""
    parts = answer.data, answer.meta
    refused = [each.code for part in parts for each in getattr(part, "refused", ())]
    return any(getattr(part, "missing", ()) for part in parts) or not _CODES_FOR_WANT_OF_REACH.isdisjoint(refused)


def _refused(problem: Problem) -> Reply:
    return Reply(problem.status, problem.headers, failure(problem))


def _reply(operation: Operation, call: AnyCall, arguments: Sequence[Any], answer: Any) -> Reply:
    endpoint = operation.endpoint
    if not isinstance(answer, Answer):
        if isinstance(answer, StreamedAnswer):
            return Reply(endpoint.status, answer.headers, b"", begin=answer.begin)
        answer = Answer(answer)
    if operation.may_leave_out and not call.caller.sure and _leaves_out(answer):
        raise AuthorityInDoubt
    meta = msgspec.structs.replace(answer.meta, ignored=call.ignored) if call.ignored else answer.meta
    body, headers, status = success(answer.data, meta), answer.headers, answer.status or endpoint.status
    created = operation.address if status == _CREATED else None
    if created is not None and "location" not in dict(headers):
        headers = (*headers, ("location", created.of(call.origin, arguments, answer.data)))
    if (endpoint.revalidates or created is not None) and "etag" not in dict(headers):
        headers = (*headers, ("etag", f'"{hashlib.blake2b(body, digest_size=8).hexdigest()}"'))
    return Reply(status, headers, body, answer.subject, answer.subjects)


async def _shown_now(tx: Tx, call: AnyCall, endpoint: AnyEndpoint, reply: Reply) -> Reply:
    assert endpoint.show_again is not None
    things = await endpoint.show_again(tx, call, ids_in(reply.body))
    return Reply(reply.status, reply.headers, filled(reply.body, things))


def _replayed(reply: Reply) -> Reply:
    return Reply(reply.status, (*reply.headers, REPLAYED), reply.body)
