"""Any sequence of changes, undos and redos, taken back from the newest to the oldest, ends where it began."""

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Any

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stowboard.core.caller import Access
from stowboard.core.errors import Conflict
from stowboard.core.ids import new_id
from stowboard.core.reach import Reach, Role
from stowboard.db.database import Database, Tx
from stowboard.db.migrate import migrate
from stowboard.db.open import DatabaseSettings, open_database
from stowboard.events.changes import change_store
from stowboard.events.changes.change_store import Change, ChangeFilter
from stowboard.events.changes.undo import Undoing, undo_change, undo_changes
from stowboard.ports import TaskUndo
from stowboard.tasks.base import task_store
from stowboard.tasks.base.task import Status, Task, TaskId
from stowboard.tasks.boards import boards
from stowboard.tasks.boards.board import Board
from stowboard.tasks.boards.move import MoveDestination, move_task
from stowboard.tasks.complete import complete_task
from support.rounds import rounds
from support.tasks.verbs import Person

UNDOING = Undoing({"tsk": TaskUndo()})
NO_CALL: Any = None
TASKS = st.integers(0, 2)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("edit"), TASKS, st.fixed_dictionaries({}, optional={
            "title": st.sampled_from("xyz"), "body": st.sampled_from([None, "text"]), "priority": st.integers(0, 3),
            "tags": st.lists(st.sampled_from("pqr"), max_size=2), "dueAt": st.sampled_from([None, 1, 10**12]),
            "reminder": st.sampled_from([None, 4 * 10**12]), "status": st.sampled_from([str(one) for one in Status]),
            "archived": st.booleans(), "recurrence": st.sampled_from([None, "FREQ=DAILY"]),
            "metadata": st.sampled_from([{}, {"k": "v"}]), "startAt": st.sampled_from([None, 1]),
        })),
        st.tuples(st.just("move"), TASKS, st.sampled_from(Status), st.booleans(), st.integers(0, 3)),
        st.tuples(st.sampled_from(["complete", "trash", "restore", "archive"]), TASKS),
        st.tuples(st.just("undo"), st.integers(0, 8)),
    ),
    max_size=12,
)  # fmt: skip


def test_undone_from_the_newest_to_the_oldest_every_task_is_what_it_was(database_url: str) -> None:
    with asyncio.Runner() as loop:
        database = loop.run(_open(database_url))

        @settings(
            max_examples=rounds(40, 500), deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
        )
        @given(steps=STEPS)
        def check(steps: Sequence[tuple[Any, ...]]) -> None:
            loop.run(_walk(database, steps))

        try:
            check()
        finally:
            loop.run(database.close())


async def _walk(database: Database, steps: Sequence[tuple[Any, ...]]) -> None:
    person = Person(database)
    # The author of changes has the write scope.
    caller = msgspec.structs.replace(
        person.caller, scopes=frozenset({"tasks:write"}), reach=Reach.of_owner(person.name)
    )
    access = Access(caller, Role.EDITOR)
    board, _ = await database.transact(boards.create_board, person.name, "B", "")
    rules = {"a": "FREQ=DAILY", "b": "FREQ=WEEKLY;COUNT=2", "c": None}
    placed = {"boardId": board.id, "dueAt": 10**12}
    tasks = [(await person.create(title, recurrence=rule, **placed)).id for title, rule in rules.items()]
    begun, start = await _stored(database, access, tasks), new_id("chg")
    for step in steps:
        with contextlib.suppress(Conflict):  # a refusal with its name
            await _do(database, person, access, board, tasks, step)
    done = await database.transact(undo_changes, access, UNDOING, (person.name,), ChangeFilter(in_effect=True), NO_CALL)
    assert done.refused == []
    ended = await _stored(database, access, tasks)
    assert ended == begun
    assert await database.read(_occurrences, tasks) == 0
    await person.check_index()
    assert all(change.id > start for change in await _changes(database, person))


async def _do(
    database: Database, person: Person, access: Access, board: Board, tasks: list[TaskId], step: tuple[Any, ...]
) -> None:
    match step:
        case ("edit", task, members):
            await person.edit(tasks[task], **members)
        case ("move", task, status, on_board, position):
            to = MoveDestination(status, board.id if on_board else None, position=position)
            await database.transact(move_task, access, tasks[task], to, None)
        case ("complete", task):
            await database.transact(complete_task, access, tasks[task], None)
        case ("undo", number):
            changes = await _changes(database, person)
            if changes:
                await database.transact(undo_change, access, UNDOING, changes[number % len(changes)], NO_CALL)
        case (verb, task):
            await getattr(person, verb)(tasks[task])


async def _stored(database: Database, access: Access, tasks: list[TaskId]) -> list[Task]:
    found = [await database.read(task_store.get, access, task_id) for task_id in tasks]
    return [
        msgspec.structs.replace(task, version=0, indexed_version=0, updated_at=0, told=None, more=None)
        for task in found
    ]


async def _changes(database: Database, person: Person) -> list[Change]:
    return (await database.read(change_store.list_changes, (person.name,), ChangeFilter(), None, 100)).items


async def _occurrences(tx: Tx, tasks: list[TaskId]) -> int:
    row = await tx.one("SELECT count(*) FROM task_occurrence WHERE task_id IN ($1, $2, $3)", *tasks)
    assert row is not None
    return int(row[0])


async def _open(url: str) -> Database:
    database = await open_database(DatabaseSettings(url))
    await migrate(database)
    return database
