"""What the tests of jobs share: a kind, a worker for the length of a block, and bounded waiting."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from stowboard.core.services import Services
from stowboard.db.database import Database, Tx
from stowboard.jobs import queue
from stowboard.jobs.registry import AnyKind, JobKind
from stowboard.jobs.schedule import AnyPeriodic
from stowboard.jobs.settings import JobSettings
from stowboard.jobs.worker import Worker


class Note(msgspec.Struct, frozen=True):
    text: str


def kind(run: Any, **options: Any) -> AnyKind:
    return JobKind("note", "notes", run, args=Note, **options)


async def order(
    database: Database, kind: AnyKind, text: str = "", *, due: int | None = None, dedup: str | None = None
) -> str:
    return await database.transact(queue.enqueue, kind, Note(text), due=due, dedup=dedup)


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


async def until(condition: Callable[[], Awaitable[bool]] | Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait for something that must come; what comes only later than that counts as never."""
    async with asyncio.timeout(seconds):
        while True:
            holds = condition()
            if await holds if isinstance(holds, Awaitable) else holds:
                return
            await asyncio.sleep(0.01)


async def rows(database: Database, sql: str, *args: Any) -> list[tuple[Any, ...]]:
    async def work(tx: Tx) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in await tx.all(sql, *args)]

    return await database.read(work)


async def execute(database: Database, sql: str, *args: Any) -> None:
    async def work(tx: Tx) -> None:
        await tx.run(sql, *args)

    await database.transact(work)


async def no_jobs_left(database: Database) -> bool:
    return await rows(database, "SELECT id FROM job") == []
