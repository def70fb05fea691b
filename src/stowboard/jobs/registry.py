"""Kinds of jobs, and what a handler is given.

A kind is declared beside the verb it runs; the composition root lists them all for the worker. A handler may run more
than once: its worker can be killed after the work and before the row is updated. Database effects still happen exactly
once if the handler calls `job.complete(tx)` in the transaction of the effect:

    async def expire(job: Job, args: Expire) -> None:
        await job.db.transact(_expire, job, args)

    async def _expire(tx: Tx, job: Job, args: Expire) -> None:
        await upload_store.delete(tx, args.upload_id)
        await job.complete(tx)

    EXPIRE = JobKind("media.expire", "sweep", expire, args=Expire)

Call `complete` last: requests lock their own rows first and job rows after them, and so should jobs. Work over about a
millisecond belongs in a thread or a child process: on the loop it would delay the heartbeats.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec

from stowboard.core.services import Services
from stowboard.db.database import Database, Tx
from stowboard.jobs import lease

A = TypeVar("A")
T = TypeVar("T")


class NoArgs(msgspec.Struct, frozen=True):
    """The arguments of a kind that needs none."""


class Job:
    """One attempt at a job, as its handler sees it."""

    def __init__(self, claim: lease.JobClaim, db: Database, services: Services) -> None:
        self.id = claim.id
        self.attempt = claim.attempt
        self.owner = claim.owner
        self.db = db
        self.completing = False
        self.completed = False
        self._claim = claim
        #: All components; `use` finds one.
        self.services = services

    async def complete(self, tx: Tx) -> None:
        """Say, in the transaction of the effect, that the job is done. Raises LeaseLost, which undoes the effect."""
        self.completing = True
        await lease.finish(tx, self._claim)
        tx.after_commit(self._has_completed)

    def use(self, kind: type[T]) -> T:
        """A component of the service, as the composition root built it."""
        return self.services.use(kind)

    def _has_completed(self) -> None:
        self.completed = True


@dataclass(frozen=True)
class JobKind(Generic[A]):
    """`gave_up` runs in the transaction that buries a job after its last attempt, failed or killed."""

    name: str
    queue: str
    run: Callable[[Job, A], Awaitable[None]]
    args: type[A]
    max_attempts: int = 5
    retry_ms: int = 2_000
    gave_up: Callable[[Tx, A], Awaitable[None]] | None = None


AnyKind = JobKind[Any]


def by_name(kinds: Sequence[AnyKind]) -> dict[str, AnyKind]:
    named = {kind.name: kind for kind in kinds}
    if len(named) != len(kinds):
        raise ValueError("Two kinds of jobs have the same name.")
    return named
