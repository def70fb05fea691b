"""A board goes to another space, or all tasks of one are deleted, in few statements, however many tasks there are."""

import asyncio
from typing import Any

import pytest

from stowboard.core.caller import Access
from stowboard.db.database import Database
from stowboard.ports import AttachedMedia
from stowboard.tasks.archive import delete_some
from stowboard.tasks.base.errors import TooLargeToTransfer
from stowboard.tasks.base.task import BoardId, Status
from stowboard.tasks.boards.boards import create_board
from stowboard.tasks.boards.move import MoveDestination, move_task
from stowboard.tasks.boards.transfer import MOST_TASKS, transfer_board
from stowboard.tasks.create import create_task
from stowboard.tasks.wire import CreateBody
from support.database.paused_transactions import paused, until_one_waits
from support.database.query_plans import plans_of
from support.database.statements import rows
from support.media.asset_rows import put_asset
from support.tasks.verbs import Person


async def board_of(database: Database, person: Person, tasks: int) -> BoardId:
    """Tasks with all that has rows of its own elsewhere."""
    board, _ = await database.transact(create_board, person.name, "B", "")
    asset = await put_asset(database)
    for number in range(tasks):
        body: dict[str, Any] = {
            "title": "t", "board_id": board.id, "tags": [f"tag{number}", "all"], "metadata": {"n": str(number)},
            "reminder": 4_000_000_000_000 + number, "idempotency_key": f"key{number}", "attachments": [asset.id],
            "assignees": [person.name],
        }  # fmt: skip
        await database.transact(create_task, person.access, CreateBody(**body), AttachedMedia())
    return board.id


async def test_a_board_needs_no_more_statements_for_more_tasks(database: Database) -> None:
    counts = []
    for tasks in (10, 30):
        person, other = Person(database), Person(database)
        both = Access.of_service(person.name, other.name)
        board = await board_of(database, person, tasks)
        arguments = (both, board, f"~{other.name}", None, AttachedMedia())
        counts.append(len(await plans_of(database, transfer_board, *arguments)))
        await database.transact(transfer_board, *arguments)
        for owner in (person, other):
            await owner.check_index()
    assert counts[1] - counts[0] < 10, "one more for each task would be twenty; by chance the index of search has one"


async def test_a_transfer_gives_texts_to_the_other_space_as_search_has_them(database: Database) -> None:
    person, other = Person(database), Person(database)
    both = Access.of_service(person.name, other.name)
    board = await board_of(database, person, 5)
    plans = await plans_of(database, transfer_board, both, board, f"~{other.name}", None, AttachedMedia())
    written = [plan.sql for plan in plans if "search_document" in plan.sql]
    assert written
    assert not any(sql.startswith(("INSERT", "DELETE")) for sql in written), "no text is read and indexed again"


async def test_a_board_of_more_than_a_thousand_tasks_is_refused_and_stays(database: Database) -> None:
    person, other = Person(database), Person(database)
    both = Access.of_service(person.name, other.name)
    board, _ = await database.transact(create_board, person.name, "B", "")
    body = CreateBody(title="t", board_id=board.id)
    for _ in range(MOST_TASKS):
        await database.transact(create_task, person.access, body)
    last, _ = await database.transact(create_task, person.access, body)
    with pytest.raises(TooLargeToTransfer, match="more than 1000 tasks"):
        await database.transact(transfer_board, both, board.id, f"~{other.name}", None, AttachedMedia())
    await database.transact(move_task, person.access, last.id, MoveDestination(Status.TODO, None), None)
    await database.transact(transfer_board, both, board.id, f"~{other.name}", None, AttachedMedia())
    owners = f"SELECT owner, count(*) FROM task WHERE board_id = '{board.id}' GROUP BY owner"
    assert [tuple(row) for row in await rows(database, owners)] == [(other.name, MOST_TASKS)]
    await other.check_index()


async def test_an_owner_is_emptied_in_no_more_statements_for_more_tasks(database: Database) -> None:
    counts = []
    for tasks in (10, 30):
        person = Person(database)
        await board_of(database, person, tasks)
        counts.append(len(await plans_of(database, delete_some, person.name)))
        assert await database.transact(delete_some, person.name)
        await person.check_index()
    assert counts[1] - counts[0] < 10, "one more for each task would be twenty; by chance the index of search has one"


@pytest.mark.parametrize("database_url", ["postgres"], indirect=True)
async def test_a_key_that_is_taken_during_the_transfer_ends(database: Database) -> None:
    person, other = Person(database), Person(database)
    board = await board_of(database, person, 3)
    both = Access.of_service(person.name, other.name)
    body = CreateBody(title="theirs", idempotency_key="key1")
    async with paused(database, create_task, other.access, body):
        transfer = asyncio.create_task(
            database.transact(transfer_board, both, board, f"~{other.name}", None, AttachedMedia())
        )
        await until_one_waits(database)
    await transfer
    keys = f"SELECT title, idempotency_key FROM task WHERE owner = '{other.name}' ORDER BY id"
    assert [tuple(row) for row in await rows(database, keys)] == [
        ("t", "key0"), ("t", None), ("t", "key2"), ("theirs", "key1")
    ]  # fmt: skip
    await other.check_index()
