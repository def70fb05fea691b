"""Pages of the feed: bounded work whatever is asked, and an end of what is kept."""

import pytest

from stowboard.core import clock
from stowboard.db.database import Database, Tx
from stowboard.events import feed, kinds
from stowboard.events.feed import CursorExpired, Event, EventFilter, get_head, read_after, read_page
from stowboard.events.kinds import TaskCreated
from stowboard.events.outbox import emit, emit_many
from stowboard.events.retention import forget_events
from stowboard.events.sequencer import BATCH, place_events
from support.database.query_plans import plans_of
from support.database.statements import execute, rows

ANNS = EventFilter(frozenset(["ann"]), frozenset(["task.created"]))
HOUR_MS = 3600 * 1000


async def write(database: Database, count: int, owner: str = "ann") -> None:
    told = [(f"{owner}{number}", TaskCreated(f"{owner}{number}", 1)) for number in range(count)]
    await database.transact(emit_many, kinds.TASK_CREATED, owner, told)
    while database.dialect == "postgres" and await database.transact(place_events) == BATCH:
        pass


async def test_a_page_looks_at_so_many_events_and_says_that_there_are_more(database: Database) -> None:
    await write(database, 2 * feed.LOOKED_AT + 10, "ben")
    await write(database, 3)
    looked, position, found = 0, 0, list[Event]()
    while True:
        page = await database.read(read_page, position, ANNS, 2)
        assert page.position - position <= feed.LOOKED_AT
        looked, position, found = looked + 1, page.position, found + page.events
        if not page.has_more:
            break
    assert [event.subject for event in found] == ["ann0", "ann1", "ann2"]
    assert looked == 4
    assert position == (await database.read(get_head)).position


async def test_a_page_is_read_by_position_alone(database: Database) -> None:
    await write(database, 3000, "ben")
    await execute(database, "ANALYZE")
    plans = await plans_of(database, read_page, 100, ANNS, 50) + await plans_of(database, read_after, 100, 50)
    assert [plan for plan in plans if "event" in plan.scanned] == []
    assert [plan.sorts for plan in plans if plan.sorts] == []


async def test_what_is_over_is_swept_away_oldest_first_and_its_cursors_expire(database: Database) -> None:
    await write(database, 10)
    old = clock.now_ms() - 2 * HOUR_MS
    await execute(database, f"UPDATE event SET created_at = {old} WHERE position <= 6 OR position = 8")
    assert await database.transact(forget_events, HOUR_MS, 4) == 4
    assert await database.transact(forget_events, HOUR_MS, 4) == 2
    assert await database.transact(forget_events, HOUR_MS, 4) == 0, "the seventh is kept, and all behind it"
    assert await rows(database, "SELECT min(position), count(*) FROM event") == [(7, 4)]
    with pytest.raises(CursorExpired):
        await database.read(read_page, 5, ANNS, 10)
    page = await database.read(read_page, 6, ANNS, 10)
    assert [event.position for event in page.events] == [7, 8, 9, 10]


async def test_positions_go_on_when_all_was_swept_away(database: Database) -> None:
    await write(database, 5)
    assert await database.transact(forget_events, -HOUR_MS, 100) == 5
    assert await database.read(get_head) == (5, 5)
    await write(database, 2)
    assert [event.position for event in await database.read(read_after, 0, 10)] == [6, 7]
    assert await database.read(get_head) == (7, 5)


async def test_positions_go_on_behind_a_head_whose_events_are_gone(database: Database) -> None:
    await write(database, 2)
    await execute(database, "UPDATE feed_head SET position = 9")
    await write(database, 1)
    assert [event.position for event in await database.read(read_after, 0, 10)] == [1, 2, 10]
    assert await database.read(get_head) == (10, 0)


async def test_a_transaction_that_fails_leaves_no_gap(database: Database) -> None:
    async def fail(tx: Tx) -> None:
        await emit(tx, kinds.TASK_CREATED, "ann", "x", TaskCreated("x", 1))
        raise LookupError

    async def fail_inside(tx: Tx) -> None:
        try:
            async with tx.savepoint():
                await fail(tx)
        except LookupError:
            await emit(tx, kinds.TASK_CREATED, "ann", "y", TaskCreated("y", 1))

    await write(database, 1)
    with pytest.raises(LookupError):
        await database.transact(fail)
    await database.transact(fail_inside)
    await write(database, 1)
    assert [event.position for event in await database.read(read_after, 0, 10)] == [1, 2, 3]
