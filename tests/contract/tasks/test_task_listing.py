"""Lists against a naive model, on both databases: every combination of filters, short pages, and writers meanwhile."""

import asyncio
import random
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stowboard.db import scan
from stowboard.db.database import Database
from stowboard.tasks.boards import boards
from stowboard.tasks.boards.move import Destination, move_task
from stowboard.tasks.index import listing
from stowboard.tasks.index.backfill import backfill
from stowboard.tasks.index.listing import Filters
from stowboard.tasks.task import Status, Task
from support.tasks.verbs import Person

TAGS = ["a", "b", "c"]
WORDS = ["", "needle", "NEEDLE in hay", "50% _x!"]


@dataclass(frozen=True)
class World:
    person: Person
    tasks: list[Task]
    board_id: str


async def populated(database: Database) -> World:
    """Sixty tasks in every mixture; the seed is fixed so that a failure can be looked at again."""
    person, chance = Person(database), random.Random(7)
    await database.transact(backfill, person.caller)
    board, _ = await database.transact(boards.create_board, person.caller, "House", "")
    tasks = []
    for number in range(60):
        task = await person.create(
            f"t{number} {chance.choice(WORDS)}",
            tags=chance.sample(TAGS, chance.randrange(4)),
            status=chance.choice(list(Status)),
            dueAt=chance.choice([None, 10, 20, 30]),
            body=chance.choice([None, *WORDS]),
        )
        if chance.random() < 0.4:
            to = Destination(status=task.status, board_id=board.id)
            task = await database.transact(move_task, person.caller, task.id, to, None)
        tasks.append(await person.archive(task.id) if chance.random() < 0.3 else task)
    return World(person, tasks, board.id)


def naive(task: Task, filters: Filters) -> bool:
    text = f"{task.title}\n{task.body or ''}".casefold()
    return (
        (filters.status is None or task.status is filters.status)
        and set(filters.tags) <= set(task.tags)
        and int(task.archived) in filters.archived
        and (filters.board_id is None or task.board_id == filters.board_id)
        and (filters.due_before is None or (task.due_at is not None and task.due_at < filters.due_before))
        and (filters.due_after is None or (task.due_at is not None and task.due_at >= filters.due_after))
        and (filters.text is None or filters.text.casefold() in text)
    )


FILTERS = st.builds(
    Filters,
    status=st.none() | st.sampled_from(list(Status)),
    tags=st.lists(st.sampled_from([*TAGS, "nobody's"]), max_size=3, unique=True).map(tuple),
    archived=st.sampled_from([(0,), (1,), (0, 1)]),
    board_id=st.sampled_from([None, "the board", "another"]),
    due_before=st.sampled_from([None, 10, 11, 25, 31]),
    due_after=st.sampled_from([None, 10, 11, 30, 31]),
    text=st.sampled_from([None, "needle", "0% _", "T1", "!", "x\n", "%"]),
)


async def test_every_combination_of_filters_gives_what_a_naive_reading_gives(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = await populated(database)
    loop = asyncio.get_running_loop()

    @settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(filters=FILTERS, size=st.integers(1, 70), candidates=st.integers(1, 70))
    def check(filters: Filters, size: int, candidates: int) -> None:
        monkeypatch.setattr(scan, "CANDIDATES", candidates)
        wanted = (
            Filters(**{**_members(filters), "board_id": world.board_id}) if filters.board_id == "the board" else filters
        )
        pages = asyncio.run_coroutine_threadsafe(world.person.pages(wanted, size), loop).result(30)
        expected = [task.id for task in reversed(world.tasks) if naive(task, wanted)]
        assert [task_id for page in pages for task_id in page] == expected
        assert all(len(page) <= size for page in pages)

    await asyncio.to_thread(check)


async def test_a_page_may_be_short_but_looks_at_no_more_than_its_candidates(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = await populated(database)
    monkeypatch.setattr(scan, "CANDIDATES", 10)
    pages = await world.person.pages(Filters(text="nothing has this", archived=(0, 1)), 5)
    assert pages == [[]] * 7  # the sixty in six looks, and one that finds the end


@pytest.mark.parametrize("archived", [(0,), (0, 1)])
async def test_candidates_that_vanish_under_a_walk_hide_nothing_behind_them(
    database: Database, other_node: Database, monkeypatch: pytest.MonkeyPatch, archived: tuple[int, ...]
) -> None:
    """The page and its last candidate are of one moment; else the cursor would jump over what was never looked at."""
    person = Person(database)
    await database.transact(backfill, person.caller)
    monkeypatch.setattr(scan, "CANDIDATES", 4)
    staying = [(await person.create(f"needle {n}", tags=["x"])).id for n in range(40)]
    hay = [(await person.create("hay", tags=["x"])).id for _ in range(80)]
    done = False

    async def remove() -> None:
        writer = Person(other_node)
        writer.caller = person.caller
        for number in range(400):
            if done:
                break
            await writer.edit(hay[number % len(hay)], tags=[] if (number // len(hay)) % 2 == 0 else ["x"])

    writing = asyncio.create_task(remove())
    filters = Filters(tags=("x",), text="needle", archived=archived)
    for _ in range(5):
        walked: list[str] = []
        after = None
        while True:
            listed = await database.read(listing.list_tasks, person.name, filters, after, 3)
            walked += [_id(document) for _, document, _ in listed.items]
            after = listed.end
            await asyncio.sleep(0)
            if after is None:
                break
        assert walked == staying[::-1]
    done = True
    await writing


async def test_a_walk_among_writers_sees_what_matches_throughout_exactly_once(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scan, "CANDIDATES", 7)
    person = Person(database)
    await database.transact(backfill, person.caller)
    staying: list[str] = []
    passing: list[str] = []
    for number in range(60):
        task = await person.create("needle", tags=["x", "y"])
        (staying if number % 2 else passing).append(task.id)
    done = False

    async def write(chance: random.Random) -> None:
        while not done:
            await person.write_something(chance, passing, ["x", "y", "z"])

    writers = [asyncio.create_task(write(random.Random(seed))) for seed in range(3)]
    try:
        for filters in (
            Filters(),
            Filters(tags=("x", "y")),
            Filters(archived=(0, 1), text="needle"),
            Filters(tags=("y",)),
        ) * 3:
            seen = [task_id for page in await person.pages(filters, 4) for task_id in page]
            assert len(seen) == len(set(seen))
            assert set(staying) <= set(seen)
            assert seen == sorted(seen, reverse=True)
            await asyncio.sleep(0.01)
    finally:
        done = True
        await asyncio.gather(*writers)
    await person.check_index()


def _members(filters: Filters) -> dict[str, Any]:
    return {name: getattr(filters, name) for name in Filters.__dataclass_fields__}


def _id(document: bytes) -> str:
    return str(msgspec.json.decode(document)["id"])
