"""Workers are killed around the time at which reminders are due. Each still becomes one event, and only one."""

import asyncio
import contextlib
import random
import sys
import time
from asyncio.subprocess import PIPE, Process

from stowboard.db.database import Database, Tx
from stowboard.tasks.create import create_task
from stowboard.tasks.wire import CreateBody
from support.database.statements import rows
from support.jobs import reminder_worker
from support.rounds import rounds
from support.tasks.worn_lanes import caller_of
from support.waiting import until

OWNER = caller_of("reminded")
ROUNDS = rounds(4, 8)
MOST_ROUNDS = 60  # until a kill has hit a claimed one
EACH = rounds(100, 150)
AHEAD_MS = 200


async def test_every_reminder_is_one_event_although_workers_are_killed(database: Database, database_url: str) -> None:
    tasks: list[str] = []
    rounds = caught = 0
    workers = list(await asyncio.gather(begin_worker(database_url), begin_worker(database_url)))
    try:
        while rounds < ROUNDS or (caught == 0 and rounds < MOST_ROUNDS):
            rounds += 1
            tasks += await database.transact(create_some)
            await asyncio.sleep(AHEAD_MS / 1000 + random.uniform(0, 0.04))
            await asyncio.gather(*map(kill, workers))
            [(held,)] = await rows(database, "SELECT count(*) FROM job WHERE token IS NOT NULL")
            caught += held
            workers = list(await asyncio.gather(begin_worker(database_url), begin_worker(database_url)))
        await until(lambda: no_reminders_left(database))
    finally:
        await asyncio.gather(*map(kill, workers))
    told = await rows(database, "SELECT subject FROM event WHERE type = 'task.reminder'")
    assert sorted(subject for (subject,) in told) == sorted(tasks)
    assert caught > 0, "no kill hit a claimed reminder, so nothing was proven"


async def no_reminders_left(database: Database) -> bool:
    return await rows(database, "SELECT id FROM job WHERE queue = 'reminder'") == []


async def create_some(tx: Tx) -> list[str]:
    """With reminders that are all due in a moment."""
    soon = time.time_ns() // 1_000_000 + AHEAD_MS
    body = CreateBody(title="t", reminder=soon)
    return [(await create_task(tx, OWNER, body))[0].id for _ in range(EACH)]


async def begin_worker(database_url: str) -> Process:
    worker = await asyncio.create_subprocess_exec(sys.executable, reminder_worker.__file__, database_url, stdout=PIPE)
    assert worker.stdout is not None
    assert await worker.stdout.readline() == b"ready\n"
    return worker


async def kill(worker: Process) -> None:
    with contextlib.suppress(ProcessLookupError):  # by now it was
        worker.kill()
    await worker.wait()
