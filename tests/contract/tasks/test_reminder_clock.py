"""The clock is set back while a reminder is told: it is told once, and the next one waits for its time."""

import dataclasses

import msgspec
import pytest

from stowboard.core import clock
from stowboard.core.services import Services
from stowboard.db.database import Database
from stowboard.jobs.registry import Job
from stowboard.tasks.reminders import REMIND, ReminderOrder, remind
from support.database.statements import rows
from support.jobs.working import working
from support.tasks.verbs import Person
from support.waiting import until

HOUR = 3_600_000


async def test_a_reminder_is_told_once_although_the_clock_is_set_back(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = clock.now_ms()
    task = await Person(database).create(reminder=now, reminders=[{"at": now + HOUR}])

    async def set_back_and_remind(job: Job, args: ReminderOrder) -> None:
        monkeypatch.setattr(clock, "now_ms", lambda: now - 3 * HOUR)
        await remind(job, args)

    async def told() -> list[int]:
        found = await rows(database, "SELECT data FROM event WHERE type = 'task.reminder' ORDER BY id")
        return [msgspec.json.decode(data)["reminder"] for (data,) in found]

    async def next_is_ordered() -> bool:
        return await rows(database, "SELECT dedup, due FROM job") == [(task.id, now + HOUR)]

    setting_back = dataclasses.replace(REMIND, run=set_back_and_remind)
    async with working(database, setting_back, services=Services(), poll_ms=10):
        await until(next_is_ordered)
        assert await told() == [now]
    monkeypatch.undo()
    monkeypatch.setattr(clock, "now_ms", lambda: now + 2 * HOUR)
    if database.dialect == "sqlite":  # whose queue goes by this clock
        async with working(database, REMIND, services=Services(), poll_ms=10):
            await until(lambda: _is_empty(database))
        assert await told() == [now, now + HOUR]


async def _is_empty(database: Database) -> bool:
    return await rows(database, "SELECT id FROM job") == []
