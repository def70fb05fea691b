"""Workers are killed around the time at which reminders are due. Each still becomes one event, and only one.

Two reminders of one task for the same time are told as one.
"""

import asyncio
import random
import time

import msgspec

from stowboard.db.database import Database, Tx
from stowboard.tasks.create import create_task
from stowboard.tasks.wire import CreateBody, ReminderEntry
from support.database.statements import rows
from support.jobs import reminder_worker
from support.processes.scripts import begin_script, end_script
from support.rounds import rounds
from support.tasks.worn_lanes import access_of
from support.waiting import until

OWNER = access_of("reminded")
ROUNDS = rounds(4, 8)
MOST_ROUNDS = 60  # until a kill has hit a claimed one
EACH = rounds(100, 150)
AHEAD_MS = 200


async def test_every_reminder_is_one_event_although_workers_are_killed(database: Database, database_url: str) -> None:
    tasks: list[tuple[str, int]] = []
    rounds = caught = 0
    workers = [await begin_script(reminder_worker, database_url) for _ in range(2)]
    try:
        while rounds < ROUNDS or (caught == 0 and rounds < MOST_ROUNDS):
            rounds += 1
            tasks += await database.transact(create_some)
            await until_begun(database)
            await asyncio.sleep(random.choice([0, random.uniform(0, 0.04)]))
            for worker in workers:
                end_script(worker)
            caught += await number_claimed(database)
            workers = [await begin_script(reminder_worker, database_url) for _ in range(2)]
        await until(lambda: no_reminders_left(database))
    finally:
        for worker in workers:
            end_script(worker)
    told = await rows(database, "SELECT subject, data FROM event WHERE type = 'task.reminder'")
    assert sorted((subject, msgspec.json.decode(data)["reminder"]) for subject, data in told) == sorted(tasks)
    assert caught > 0, "no kill hit a claimed reminder, so nothing was proven"


async def until_begun(database: Database) -> None:
    """Without a pause: a reminder is claimed for a moment only."""
    while not await number_claimed(database) and not await no_reminders_left(database):
        await asyncio.sleep(0)


async def number_claimed(database: Database) -> int:
    [(held,)] = await rows(database, "SELECT count(*) FROM job WHERE token IS NOT NULL AND queue = 'reminder'")
    return int(held)


async def no_reminders_left(database: Database) -> bool:
    return await rows(database, "SELECT id FROM job WHERE queue = 'reminder'") == []


async def create_some(tx: Tx) -> list[tuple[str, int]]:
    """With reminders that are all due in a moment: the tasks, each with all of its times."""
    soon = time.time_ns() // 1_000_000 + AHEAD_MS
    further = [ReminderEntry(at=soon + 30), ReminderEntry(before_due=40)]
    body = CreateBody(title="t", reminder=soon, due_at=soon + 40, reminders=further)
    made = [(await create_task(tx, OWNER, body))[0].id for _ in range(EACH)]
    return [(task_id, at) for task_id in made for at in (soon, soon + 30)]
