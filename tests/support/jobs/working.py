"""Help that the tests of jobs share: a kind, and a worker for the length of a block."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from stowboard.core.services import Services
from stowboard.core.turns import Turns
from stowboard.db.database import Database
from stowboard.jobs import queue
from stowboard.jobs.lease import QueueDemand
from stowboard.jobs.registry import AnyKind, JobKind
from stowboard.jobs.schedule import AnyPeriodic
from stowboard.jobs.settings import JobSettings
from stowboard.jobs.worker import Worker
from support.database.statements import rows


class Note(msgspec.Struct, frozen=True):
    text: str


def kind(run: Any, **options: Any) -> AnyKind:
    return JobKind("note", "notes", run, args=Note, **options)


def demand(queue: str, kinds: list[str], slots: int) -> QueueDemand:
    return QueueDemand(queue, kinds, slots, Turns(slots))


async def order(
    database: Database,
    kind: AnyKind,
    text: str = "",
    *,
    due: int | None = None,
    dedup: str | None = None,
    owner: str = "",
) -> str:
    return await database.transact(queue.enqueue, kind, Note(text), due=due, dedup=dedup, owner=owner)


@asynccontextmanager
async def working(
    database: Database,
    *kinds: AnyKind,
    periodics: Sequence[AnyPeriodic] = (),
    services: Services | None = None,
    grace_s: float = 10.0,
    **settings: Any,
) -> AsyncIterator[Worker]:
    worker = Worker(database, services or Services(), kinds, periodics, JobSettings(**settings))
    worker.start()
    try:
        yield worker
    finally:
        await worker.stop(grace_s)


async def no_jobs_left(database: Database) -> bool:
    """But for the index's own, which a new task orders once in a while and no worker of these tests runs."""
    return await rows(database, "SELECT id FROM job WHERE kind <> 'search.merge'") == []
