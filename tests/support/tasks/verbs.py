"""Tasks at the level of verbs, on a database without a server: who calls, and whether the index tells the truth."""

import contextlib
import random
import secrets
from collections import Counter
from typing import Any

import msgspec

from stowboard.api.idempotency import redact_replies
from stowboard.core.caller import NO_TOKEN, Access, Caller, TokenKind
from stowboard.core.reach import Reach, Role
from stowboard.db.database import Database, Tx
from stowboard.tasks.archive import archive_task, delete_task, restore_task, trash_task
from stowboard.tasks.base.errors import TaskInTrash, TaskNotFound
from stowboard.tasks.base.task import Status, Task, TaskId
from stowboard.tasks.create import create_task
from stowboard.tasks.edit import edit_task
from stowboard.tasks.index.listing import TaskFilters, list_tasks
from stowboard.tasks.wire import CreateBody, TaskPatchBody


class Person:
    """An owner of tasks on a database."""

    def __init__(self, database: Database, kind: TokenKind = TokenKind.AUTOMATION) -> None:
        self.database = database
        self.name = "own" + secrets.token_hex(6)
        self.caller = Caller(NO_TOKEN, self.name, frozenset(), None, kind, Reach.of_owner(self.name))
        self.access = Access(self.caller, Role.EDITOR)

    async def create(self, title: str = "t", **members: Any) -> Task:
        body = msgspec.convert({"title": title, **members}, CreateBody)
        task, _ = await self.database.transact(create_task, self.access, body)
        return task

    async def edit(self, task_id: TaskId, **members: Any) -> Task:
        return await self.database.transact(
            edit_task, self.access, task_id, msgspec.convert(members, TaskPatchBody), None, redact_replies
        )

    async def archive(self, task_id: TaskId) -> Task:
        return await self.database.transact(archive_task, self.access, task_id, None)

    async def trash(self, task_id: TaskId) -> Task:
        return await self.database.transact(trash_task, self.access, task_id, None)

    async def restore(self, task_id: TaskId) -> Task:
        return await self.database.transact(restore_task, self.access, task_id, None)

    async def delete(self, task_id: TaskId) -> None:
        await self.database.transact(delete_task, self.access, task_id, None)

    async def write_something(self, chance: random.Random, ids: list[str], tags: list[str]) -> None:
        """One write, of a kind that chance picks. A task that is gone or in the trash is passed over."""
        task_id = TaskId(chance.choice(ids))
        with contextlib.suppress(TaskNotFound, TaskInTrash):
            match chance.randrange(7):
                case 0:
                    ids.append((await self.create("needle", tags=chance.sample(tags, 2))).id)
                case 1:
                    await self.edit(task_id, tags=chance.sample(tags, chance.randrange(len(tags))))
                case 2:
                    title, status = chance.choice(["needle", "hay"]), chance.choice(list(Status))
                    await self.edit(task_id, title=title, status=status.value)
                case 3:
                    await self.archive(task_id)
                case 4:
                    await self.restore(task_id)
                case 5:
                    await self.delete(task_id)
                case 6:
                    await self.trash(task_id)

    async def pages(self, filters: TaskFilters, size: int) -> list[list[str]]:
        """The ids of every page of a walk."""
        pages, after = [], None
        while True:
            listed = await self.database.read(list_tasks, [self.name], filters, after, size)
            pages.append([task_id for task_id, *_ in listed.items])
            after = listed.end
            if after is None:
                return pages

    async def check_index(self) -> None:
        """Check that the index says what the tasks say, and nothing else."""
        tasks, indexed, tags, counts = await self.database.transact(_whole, self.name)
        assert sorted(indexed, key=str) == sorted((task[:5] for task in tasks), key=str)
        exploded = [(tag, task[1], task[0]) for task in tasks for tag in msgspec.json.decode(task[5])]
        assert sorted(tags) == sorted(exploded)
        expected = Counter((tag, archived) for tag, archived, _ in exploded)
        assert {tag: (active, archived) for tag, active, archived in counts} == {
            tag: (expected[tag, 0], expected[tag, 1]) for tag, _ in expected
        }
        assert all(task[6] == task[7] for task in tasks), "a task is not marked as indexed"


async def _whole(tx: Tx, owner: str) -> tuple[list[tuple[Any, ...]], ...]:
    found = [
        await tx.all(
            "SELECT id, archived, status, board_id, due_at, tags, version, indexed_version FROM task WHERE owner = $1"
            " AND trashed_at IS NULL FOR UPDATE",
            owner,
        ),
        await tx.all("SELECT task_id, archived, status, board_id, due_at FROM task_index WHERE owner = $1", owner),
        await tx.all("SELECT tag, archived, task_id FROM task_tag WHERE owner = $1", owner),
        await tx.all(
            "SELECT tag, CAST(sum(active) AS BIGINT), CAST(sum(archived) AS BIGINT) FROM task_tag_part"
            " WHERE owner = $1 GROUP BY tag",
            owner,
        ),
    ]
    return tuple([tuple(row) for row in rows] for rows in found)
