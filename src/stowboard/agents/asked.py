"""The operations of the API, for tools: with the same checks, transaction and record of retries.

Lists of tasks need an index that each owner has to activate once. An agent never sees this: if an operation says that
the index is not active, we activate it and repeat the operation.
"""

import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Generic, TypeVar
from urllib.parse import urlencode

import msgspec

from stowboard.api.perform import Operation, Performer, PlainRequest
from stowboard.api.time_zones import TimeZones
from stowboard.core.caller import Caller
from stowboard.core.errors import Problem, ServiceUnavailable
from stowboard.core.services import Services
from stowboard.db.database import Database
from stowboard.tasks.base.errors import TaskIndexNotActivated
from stowboard.tasks.index.backfill import BackfillView
from stowboard.tasks.tag_routes import backfill_task_index

T = TypeVar("T")
#: Clients wait a minute for an answer, or less.
_LONGEST_SECONDS = 20.0


class Meta(msgspec.Struct, frozen=True, rename="camel"):
    """The `meta` of answers, as far as tools need it."""

    next_cursor: str | None = None
    idempotent_replay: bool = False


class OperationAnswer(msgspec.Struct, Generic[T], frozen=True):
    data: T
    meta: Meta


class StillPreparing(ServiceUnavailable):
    """The owner has very many tasks, and the index is not ready yet."""


class Operations:
    """The operations of the API, by their handler functions."""

    def __init__(self, performer: Performer, services: Services) -> None:
        self.services, self._performer = services, performer
        self._by_run = {each.run: each for each in performer.operations if each.endpoint.alias_of is None}

    async def perform(self, caller: Caller, run: Any, parameters: list[str], given: PlainRequest) -> bytes:
        """The answer's body. Raises Problem, also for a refusal that is kept under its key."""
        operation: Operation = self._by_run[run]
        reply = await self._performer.perform(caller, operation, parameters, given)
        if reply.status >= 400:
            raise _kept(reply.status, reply.body)
        return reply.body


class AgentOperations(msgspec.Struct, frozen=True):
    """One request of an agent."""

    caller: Caller
    origin: str
    operations: Operations

    async def perform(
        self,
        answer: type[T],
        run: Callable[..., Awaitable[Any]],
        *parameters: str,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        key: str | None = None,
    ) -> OperationAnswer[T]:
        """Raises Problem. Query values that are None are left out; `key` is the Idempotency-Key."""
        told = {name: value for name, value in (query or {}).items() if value is not None}
        raw = b"" if body is None else msgspec.json.encode(body)
        given = PlainRequest(origin=self.origin, query=urlencode(told), body=raw, idempotency_key=key)
        try:
            done = await self.operations.perform(self.caller, run, list(parameters), given)
        except TaskIndexNotActivated:
            await self._activate_index()
            done = await self.operations.perform(self.caller, run, list(parameters), given)
        return msgspec.json.decode(done, type=OperationAnswer[answer])  # type: ignore[valid-type]

    async def own_time_zone(self) -> str | None:
        """The time zone that the person has set for their account."""
        services = self.operations.services
        return await services.use(Database).read(services.use(TimeZones).find_time_zone, self.caller.owner)

    async def _activate_index(self) -> None:
        """Raises StillPreparing."""
        until = time.monotonic() + _LONGEST_SECONDS
        while True:
            step = (await self.perform(BackfillView, backfill_task_index)).data
            if step.complete:
                return
            if time.monotonic() > until:
                raise StillPreparing(
                    f"{step.processed_total} tasks are prepared for lists, more follow. Call it again."
                )


class _Error(msgspec.Struct, frozen=True):
    code: str
    message: str


class _Refused(msgspec.Struct, frozen=True):
    error: _Error


def _kept(status: int, body: bytes) -> Problem:
    """The kept refusal of an earlier request with the same key."""
    error = msgspec.json.decode(body, type=_Refused).error
    kind = type("KeptRefusal", (Problem,), {"status": status, "code": error.code, "message": error.message})
    problem: Problem = kind()
    return problem
