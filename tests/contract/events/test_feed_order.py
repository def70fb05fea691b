"""A reader of the feed sees every event once and in order, whatever happens to those who write."""

import asyncio
import json
import random
from itertools import count

import pytest

from stowboard.db.database import Database
from stowboard.events.feed import Event, get_head, read_after
from stowboard.events.sequencer import Sequencer, any_unplaced, place_events
from support.database.paused_transactions import paused, until_one_waits
from support.database.statements import rows
from support.events import writer as writing
from support.events.writer import SUBJECTS, Refused, change, make_subjects
from support.processes.scripts import begin_script, end_script
from support.waiting import until


class Follower:
    """Reads on and on from where it is."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.seen: list[Event] = []

    @property
    def position(self) -> int:
        return self.seen[-1].position if self.seen else 0

    async def follow(self) -> None:
        while True:
            self.seen += await self._database.read(read_after, self.position, 50)
            await asyncio.sleep(0.001)

    async def is_at_the_end(self) -> bool:
        if await self._database.read(any_unplaced):
            return False
        return self.position == (await self._database.read(get_head)).position


@pytest.mark.parametrize(
    ("processes", "kills", "events_between"), [(2, 3, 60), pytest.param(4, 30, 500, marks=pytest.mark.soak)]
)
async def test_every_event_is_seen_once_and_in_order_although_writers_roll_back_and_are_killed(
    database: Database, database_url: str, processes: int, kills: int, events_between: int
) -> None:
    await database.transact(make_subjects)
    sequencer, follower, seeds = Sequencer(database), Follower(database), count(1)
    following = asyncio.create_task(follower.follow())
    writers = [await begin_script(writing, database_url, str(next(seeds))) for _ in range(processes)]
    try:
        for number in range(kills):
            enough = len(follower.seen) + events_between
            await until(lambda enough=enough: len(follower.seen) >= enough)
            end_script(writers[number % processes])
            writers[number % processes] = await begin_script(writing, database_url, str(next(seeds)))
    finally:
        for writer in writers:
            end_script(writer)
    sequencer.start()
    await until(follower.is_at_the_end)
    following.cancel()
    await sequencer.stop()
    await check(database, follower.seen)


async def check(database: Database, seen: list[Event]) -> None:
    assert [event.position for event in seen] == list(range(1, len(seen) + 1)), "skipped or twice"
    assert sorted(event.id for event in seen) == [
        event_id for (event_id,) in await rows(database, "SELECT id FROM event ORDER BY id")
    ]
    told: dict[str, list[int]] = {f"s{number}": [] for number in range(SUBJECTS)}
    for event in seen:
        told[event.subject].append(json.loads(event.data)["version"])
    reached = dict(await rows(database, "SELECT id, version FROM subject"))
    assert told == {subject: list(range(1, version + 1)) for subject, version in reached.items()}


async def test_several_sequencers_at_once_leave_no_gap(
    database: Database, other_node: Database, caplog: pytest.LogCaptureFixture
) -> None:
    await database.transact(make_subjects)
    sequencers = [Sequencer(node) for node in (database, other_node, database)]
    for sequencer in sequencers:
        sequencer.start()
    chance = random.Random(1)

    async def write(node: Database) -> None:
        for _ in range(100):
            try:
                await node.transact(change, node.dialect, chance)
            except Refused:
                continue

    follower = Follower(database)
    following = asyncio.create_task(follower.follow())
    await asyncio.gather(*(write(node) for node in (database, other_node) for _ in range(4)))
    await until(follower.is_at_the_end)
    following.cancel()
    for sequencer in sequencers:
        await sequencer.stop()
    await check(database, follower.seen)
    assert caplog.messages == []


@pytest.mark.parametrize("database_url", ["postgres"], indirect=True)
async def test_a_sequencer_waits_for_another_before_it_reads_how_far_that_one_came(database: Database) -> None:
    async with paused(database, place_events):
        other = asyncio.create_task(database.transact(place_events))
        waits = asyncio.create_task(until_one_waits(database))
        await asyncio.wait([other, waits], return_when=asyncio.FIRST_COMPLETED)
        waits.cancel()
        assert not other.done()
    await other
