"""No read or write of tasks goes through a whole table, however many there are: the databases' own plans say so."""

import asyncio
import itertools
import re
from collections import Counter
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from stowboard.api.idempotency import redact_replies
from stowboard.core.caller import Access
from stowboard.core.ids import id_at, part_of
from stowboard.db.database import Database, Tx
from stowboard.db.migrate import migrate
from stowboard.db.open import DatabaseSettings, open_database
from stowboard.db.scan import CANDIDATES
from stowboard.events.changes import change_store
from stowboard.events.changes.change_store import ChangeFilter
from stowboard.events.changes.undo import check_undoable
from stowboard.search.asked import read_query
from stowboard.search.index import store_of
from stowboard.tasks.archive import archive_task, delete_task, trash_task
from stowboard.tasks.base import task_store
from stowboard.tasks.base.task import BoardId, ColumnId, Status, Task, TaskId
from stowboard.tasks.boards import lane_store
from stowboard.tasks.create import create_task
from stowboard.tasks.edit import edit_task
from stowboard.tasks.find import find_tasks
from stowboard.tasks.index import findable, index_store, listing
from stowboard.tasks.index.backfill import backfill
from stowboard.tasks.index.index_store import IndexState, IndexStatus
from stowboard.tasks.index.listing import TaskFilters, TaskSort
from stowboard.tasks.wire import CreateBody, TaskPatchBody
from support.database.query_plans import Plan, plans_of
from support.tasks.verbs import Person
from support.tasks.worn_lanes import access_of

MANY, FEW = 10_000, 500
#: Tables that grow with tasks, and what statements call them.
LARGE = {
    "task", "t", "task_index", "task_tag", "g", "task_tag_part", "task_key_grave", "task_occurrence",
    "search_document", "d", "change", "later", "origin",
}  # fmt: skip
START = 1_700_000_000_000
MIDDLE = id_at("tsk", START + MANY // 2)
LISTS = [
    TaskFilters(status=status, tags=tags, archived=archived, board_id=board_id, due_before=due)
    for status, tags, archived, board_id, due in itertools.product(
        [None, Status.DONE], [(), ("common",), ("common", "rare")], [(0,), (0, 1)], [None, "brd_1"], [None, 500],
    )
]  # fmt: skip
SEARCHES = [
    TaskFilters(status=status, tags=tags, archived=archived, asked=read_query(text), sort=sort)
    for (status, tags), archived, text, sort in itertools.product(
        [(None, ()), (Status.DONE, ("rare",))], [(0,), (0, 1)], ["needle", "hay", "rare need", "nothing"],
        [TaskSort.NEWEST, TaskSort.DUE, TaskSort.LAST_UPDATED],
    )
]  # fmt: skip


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def crowded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A database of one owner with many tasks and one with few: its URL, and the former's name."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path_factory.mktemp('plans')}/stowboard.db"
    else:
        url = request.getfixturevalue("postgres").create_database(template=request.getfixturevalue("migrated_template"))
    return url, asyncio.run(_crowd(url))


async def _crowd(url: str) -> str:
    database = await open_database(DatabaseSettings(url, statement_timeout=120))
    try:
        await migrate(database)
        many, few = Person(database), Person(database)
        for person, number in ((many, MANY), (few, FEW)):
            await database.transact(_fill, person.name, number)
        if database.dialect == "postgres":
            await database.read(_analyze)
        return many.name
    finally:
        await database.close()


async def _fill(tx: Tx, owner: str, number: int) -> None:
    tasks = [_task(owner, n) for n in range(number)]
    await task_store.insert_new(tx, tasks)
    await findable.add_many(tx, tasks)
    await store_of(tx).merge(tx, number - 100)
    await tx.run_many(
        "INSERT INTO task_index (owner, task_id, archived, status, board_id, due_at) VALUES ($1, $2, $3, $4, $5, $6)",
        [(owner, task.id, int(task.archived), task.status, task.board_id, task.due_at) for task in tasks],
    )
    tags = [(owner, tag, int(task.archived), task.id) for task in tasks for tag in task.tags]
    await tx.run_many("INSERT INTO task_tag (owner, tag, archived, task_id) VALUES ($1, $2, $3, $4)", tags)
    counts = Counter((tag, part_of(task_id), bool(archived)) for _, tag, archived, task_id in tags)
    await index_store.change_counts(tx, owner, counts)
    await tx.run_many(
        "INSERT INTO task_occurrence (task_id, number, completed_at) VALUES ($1, 1, 1)", [(task.id,) for task in tasks]
    )
    await tx.run_many(
        "INSERT INTO task_key_grave (owner, key, expires_at) VALUES ($1, $2, $3)",
        [(owner, f"gone{n}", n) for n in range(number)],
    )
    changes = [change_store.added(tx, "task.updated", owner, task.id, ["title"], {"title": "t"}, 1) for task in tasks]
    await change_store.add_many(tx, changes)
    await index_store.lock_state(tx, owner)
    await index_store.save_state(tx, owner, IndexState(IndexStatus.ACTIVE, "", number))


def _task(owner: str, number: int) -> Task:
    return Task(
        id=TaskId(id_at("tsk", START + number)),
        owner=owner,
        title="needle" if number % 50 == 0 else "hay",
        status=list(Status)[number % 3],
        due_at=number if number % 10 else None,
        updated_at=number,
        tags=["common", f"tag{number}", *(["rare"] if number % 100 == 0 else [])],
        shelf=int(number % 4 == 0),
        idempotency_key=f"key{number}" if number % 2 else None,
        board_id=BoardId("brd_1") if number % 3 == 0 else None,
        column_id=ColumnId("col_1") if number % 3 == 0 else None,
        lane="col_1" + owner if number % 3 == 0 else f"u:{owner}",
        rank=f"{number:08}1",
        version=1,
        indexed_version=1,
    )


async def _analyze(tx: Tx) -> None:
    await tx.run("VACUUM ANALYZE")


async def explained(crowded: tuple[str, str], *works: tuple[Any, ...]) -> list[Plan]:
    """The plans of each work; "owner", "owners" and "access" among its arguments are those of the many tasks."""
    url, owner = crowded
    database: Database = await open_database(DatabaseSettings(url))
    try:
        known = {"owner": owner, "owners": [owner], "access": access_of(owner)}
        plans: list[Plan] = []
        for work, *args in works:
            plans += await plans_of(
                database, work, *(known.get(arg, arg) if isinstance(arg, str) else arg for arg in args)
            )
        return plans
    finally:
        await database.close()


def check(plans: list[Plan]) -> None:
    assert plans
    for plan in plans:
        assert not LARGE & set(plan.scanned), f"{plan.sql}\n" + "\n".join(plan.steps)


async def test_a_list_reads_a_range_of_an_index_and_sorts_at_most_its_candidates(crowded: tuple[str, str]) -> None:
    works = [(listing.list_tasks, "owners", filters, (MIDDLE,), 50) for filters in LISTS]
    plans = await explained(crowded, *works)
    check(plans)
    for plan in plans:
        told = f"{plan.sql}\n" + "\n".join(plan.steps)
        assert all(rows is None or rows <= 2 * CANDIDATES for rows in plan.sorts), told
        if "all_ranges" not in plan.sql and "task_index" in plan.sql:
            assert None not in plan.sorts, told


ORDERED = {
    TaskSort.OLDEST: ("task_index", (MIDDLE,)), TaskSort.DUE: ("task_by_due", (MANY // 2, MIDDLE)),
    TaskSort.FIRST_UPDATED: ("task_by_update", (MANY // 2, MIDDLE)),
    TaskSort.LAST_UPDATED: ("task_by_update", (50, MIDDLE)),
}  # fmt: skip


@pytest.mark.parametrize("sort", ORDERED)
async def test_every_order_has_its_index(crowded: tuple[str, str], sort: TaskSort) -> None:
    index, middle = ORDERED[sort]
    for filters in (TaskFilters(), TaskFilters(status=Status.DONE, archived=(0, 1)), TaskFilters(tags=("common",))):
        for since, after in ((None, middle), (MANY // 4, None)):
            asked = replace(filters, sort=sort, updated_after=since)
            plans = await explained(crowded, (listing.list_tasks, "owners", asked, after, 50))
            check(plans)
            if sort is not TaskSort.OLDEST:
                assert any(index in " ".join(plan.steps) for plan in plans), [plan.steps for plan in plans]
            for plan in plans:
                # At most six ranges are read, each in its order, and their first tasks are put together.
                assert all(rows is None or rows <= 6 * CANDIDATES for rows in plan.sorts), plan.sql


async def test_a_search_reads_no_table_as_a_whole_and_looks_up_by_its_ids_what_it_found(
    crowded: tuple[str, str],
) -> None:
    """Not by the owner, who may have a million others."""
    plans = await explained(crowded, *[(find_tasks, "owners", filters, None, 50) for filters in SEARCHES])
    check(plans)
    looked_up = [" ".join(plan.steps) for plan in plans if re.search(r"json_each\(|string_to_array\(", plan.sql)]
    assert len(looked_up) >= len(SEARCHES) // 2  # what finds nothing looks nothing up
    for steps in looked_up:
        assert re.search(r"id=\?|Index Scan (task )?task_(pkey|by_owner)", steps), steps


async def test_tags_are_read_in_their_order_without_a_sort(crowded: tuple[str, str]) -> None:
    plans = await explained(
        crowded, (index_store.list_tags, "owner", None, 50), (index_store.list_tags, "owner", ("tag5",), 50)
    )
    check(plans)
    assert all(not plan.sorts for plan in plans)


async def test_one_task_is_found_by_its_key(crowded: tuple[str, str]) -> None:
    some = await _some_task(crowded)
    check(
        await explained(
            crowded,
            (task_store.get_shown, "access", some, False),
            (task_store.get, "access", some),
            (task_store.lock, "access", some),
            (task_store.lock_by_key, "owner", "key77"),
            (task_store.is_buried, "owner", "key77"),
            (task_store.list_occurrences, some, (5,), 50),
            (task_store.last_occurrence, some),
            (lane_store.last_rank, "col_1"),
        )
    )


async def test_a_write_touches_only_what_is_its_own(crowded: tuple[str, str]) -> None:
    some = await _some_task(crowded)
    new = CreateBody(title="t", tags=["common", "new"], idempotency_key="new")
    retry = CreateBody(title="t", idempotency_key="key77")
    check(
        await explained(
            crowded,
            (create_task, "access", new),
            (create_task, "access", retry),
            (
                edit_task,
                "access",
                some,
                TaskPatchBody(tags=["new"], title="u", due_at=5, status=Status.IN_PROGRESS),
                None,
                redact_replies,
            ),
            (
                edit_task,
                "access",
                some,
                msgspec.convert({"visibility": "zero-knowledge"}, TaskPatchBody),
                None,
                redact_replies,
            ),
            (archive_task, "access", some, None),
            (trash_task, "access", some, None),
            (delete_task, "access", some, None),
        )
    )


async def test_the_trash_and_its_purge_read_an_index_of_their_own(crowded: tuple[str, str]) -> None:
    some = await _some_task(crowded)

    async def trash_and_list(tx: Tx, access: Access, owners: list[str]) -> None:
        await trash_task(tx, access, TaskId(some), None)
        await listing.list_trash(tx, owners, None, 50)
        await listing.list_trash(tx, owners, (MANY, some), 50)
        await task_store.find_and_lock_trashed(tx, MANY, 100)

    plans = await explained(crowded, (trash_and_list, "access", "owners"))
    check(plans)
    read = [plan for plan in plans if "trashed_at IS NOT NULL" in plan.sql or "trashed_at < " in plan.sql]
    assert read
    assert all("task_trash" in " ".join(plan.steps) for plan in read)


async def test_history_is_read_and_undone_by_its_indexes(crowded: tuple[str, str]) -> None:
    some = await _some_task(crowded)

    async def change_and_undo(tx: Tx, access: Access, owners: list[str]) -> None:
        await archive_task(tx, access, TaskId(some), None)
        wanted = ChangeFilter(token_id="tok", in_effect=True, since=1, until=2)
        await change_store.list_changes(tx, owners, wanted, None, 50)
        page = await change_store.list_of_subject(tx, owners, some, ChangeFilter(), None, 50)
        await check_undoable(tx, page.items[0])
        await change_store.mark_undone(tx, page.items[0])
        await change_store.forget_member(tx, some, "body")
        await change_store.forget_subjects(tx, [some])
        await change_store.forget_changes(tx, 0, 10)

    check(await explained(crowded, (change_and_undo, "access", "owners")))


async def test_a_backfill_reads_its_batch_and_no_more(crowded: tuple[str, str]) -> None:
    async def from_the_middle(tx: Tx, owner: str) -> None:
        await index_store.save_state(tx, owner, IndexState(IndexStatus.BACKFILLING, MIDDLE, 0))
        await backfill(tx, owner)

    plans = await explained(crowded, (from_the_middle, "owner"), (task_store.has_unindexed, "owner"))
    check(plans)
    unindexed = [plan for plan in plans if "IS DISTINCT FROM version" in plan.sql]
    assert unindexed
    assert all("task_not_indexed" in " ".join(plan.steps) for plan in unindexed)
    batches = [plan for plan in plans if re.search("ORDER BY id LIMIT .* FOR UPDATE", plan.sql)]
    assert batches
    assert all(not plan.sorts for plan in batches)


async def _some_task(crowded: tuple[str, str]) -> str:
    url, owner = crowded
    database = await open_database(DatabaseSettings(url))
    try:
        row = await database.read(_one, "SELECT max(id) FROM task WHERE owner = $1 AND board_id IS NULL", owner)
        return str(row[0])
    finally:
        await database.close()


async def _one(tx: Tx, sql: str, *args: Any) -> Any:
    return await tx.one(sql, *args)


async def test_a_place_is_counted_in_indexes_alone(crowded: tuple[str, str]) -> None:
    plans = await explained(crowded, (lane_store.visible_up_to, "col_1", "zz"))
    check(plans)
    searches = [step for plan in plans for step in plan.steps if "SEARCH" in step]
    assert all("COVERING INDEX" in step for step in searches), searches
