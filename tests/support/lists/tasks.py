"""Lists of tasks, and what a naive reading of their filters gives."""

import random
from typing import Any

from hypothesis import strategies as st
from msgspec.structs import replace

from stowboard.core.cursor import Position
from stowboard.db.database import Database
from stowboard.search.asked import ParsedQuery, read_query
from stowboard.tasks.base.task import Status, Task, TaskId
from stowboard.tasks.boards import boards
from stowboard.tasks.boards.move import MoveDestination, move_task
from stowboard.tasks.find import find_tasks
from stowboard.tasks.index.backfill import backfill
from stowboard.tasks.index.listing import TaskFilters, TaskSort
from support.search.plain_scan import Text, has_words
from support.tasks.verbs import Person

TAGS = ["a", "b", "c"]
NEEDLE = read_query("needle")
QUERIES = ["needle", "needle 0% _", "T1", "-needle", "hay status:todo", "due:<1971-01-01", "tag:A"]
WORDS = ["", "needle", "NEEDLE in hay", "50% _x!"]


class TaskLists:
    FILTERS = st.builds(
        TaskFilters,
        status=st.none() | st.sampled_from(list(Status)),
        tags=st.lists(st.sampled_from([*TAGS, "nobody's"]), max_size=3, unique=True).map(tuple),
        archived=st.sampled_from([(0,), (1,), (0, 1)]),
        board_id=st.sampled_from([None, "the board", "another"]),
        due_before=st.sampled_from([None, 10, 11, 25, 31]),
        due_after=st.sampled_from([None, 10, 11, 30, 31]),
        updated_after=st.sampled_from([None, None, "the middle"]),
        metadata=st.sampled_from([None, None, ("order", "1"), ("order", "3")]),
        sort=st.sampled_from(list(TaskSort)),
        asked=st.sampled_from(
            [
                None,
                *map(
                    read_query,
                    ["needle", "needle 0% _", "T1", "-needle", "hay status:todo", "due:<1971-01-01", "tag:A"],
                ),
            ]
        ),
    )
    THROUGHOUT = (
        TaskFilters(),
        TaskFilters(sort=TaskSort.OLDEST),
        TaskFilters(tags=("x", "y")),
        TaskFilters(tags=("y",)),
        TaskFilters(asked=NEEDLE, archived=(0, 1)),
        TaskFilters(asked=NEEDLE, sort=TaskSort.OLDEST),
        TaskFilters(tags=("x",), asked=NEEDLE),
        TaskFilters(tags=("x",), asked=NEEDLE, archived=(0, 1)),
    )

    NEEDLES = (
        TaskFilters(tags=("x",), asked=NEEDLE),
        TaskFilters(tags=("x",), asked=NEEDLE, archived=(0, 1)),
    )

    def __init__(self, database: Database, other_node: Database) -> None:
        self._person, self._elsewhere = Person(database), Person(other_node)
        self._elsewhere.name, self._elsewhere.access = self._person.name, self._person.access
        self._tasks: list[Task] = []
        self._board_ids: dict[str | None, str] = {}
        self._columns: list[str] = []

    async def open(self) -> None:
        await self._person.database.transact(backfill, self._person.name)

    async def populate(self) -> None:
        person, database, chance = self._person, self._person.database, random.Random(7)
        board, columns = await database.transact(boards.create_board, person.name, "House", "")
        another, _ = await database.transact(boards.create_board, person.name, "Empty", "")
        self._board_ids = {"the board": board.id, "another": another.id}
        self._columns = [column.id for column in columns]
        for number in range(60):
            task = await person.create(
                f"t{number} {chance.choice(WORDS)}",
                tags=chance.sample(TAGS, chance.randrange(4)),
                status=chance.choice(list(Status)),
                dueAt=chance.choice([None, 10, 20, 30]),
                body=chance.choice([None, *WORDS]),
                metadata=chance.choice([{}, {"order": "1"}, {"order": "2", "Order": "1"}]),
            )
            if chance.random() < 0.4:
                to = MoveDestination(status=task.status, board_id=board.id)
                task = await database.transact(move_task, person.access, task.id, to, None)
            self._tasks.append(await person.archive(task.id) if chance.random() < 0.3 else task)

    async def page(self, filters: TaskFilters, after: Position | None, size: int) -> tuple[list[str], Position | None]:
        asked = self._asked(filters)
        listed = await self._person.database.read(find_tasks, [self._person.name], asked, after, size)
        return [row[0] for row in listed.items], listed.end

    def expected(self, filters: TaskFilters) -> list[str]:
        asked = self._asked(filters)
        passing = [task for task in reversed(self._tasks) if self._passes(task, asked)]
        keys: dict[TaskSort, Any] = {
            TaskSort.NEWEST: None,
            TaskSort.OLDEST: lambda task: task.id,
            # Those without a date stay newest first.
            TaskSort.DUE: lambda task: (1, 0, "") if task.due_at is None else (0, task.due_at, task.id),
            TaskSort.FIRST_UPDATED: lambda task: (task.updated_at, task.id),
            TaskSort.LAST_UPDATED: lambda task: (-task.updated_at, _backwards(task.id)),
            TaskSort.BOARD: lambda task: (self._columns.index(task.column_id), task.rank),
        }
        key = keys[asked.sort]
        return [task.id for task in (sorted(passing, key=key) if key else passing)]

    def ordered(self, ids: set[str], filters: TaskFilters) -> list[str]:
        return sorted(ids, reverse=filters.sort is TaskSort.NEWEST)

    def _asked(self, filters: TaskFilters) -> TaskFilters:
        """With what is only known once there are tasks."""
        board_id = self._board_ids.get(filters.board_id)
        sort = TaskSort.NEWEST if filters.sort is TaskSort.BOARD and board_id is None else filters.sort
        middle = sorted(task.updated_at for task in self._tasks)[len(self._tasks) // 2] if self._tasks else 0
        since = middle if filters.updated_after is not None else None
        return replace(filters, board_id=board_id, sort=sort, updated_after=since)

    def _passes(self, task: Task, filters: TaskFilters) -> bool:
        text = Text(task.id, "", task.title, (task.body or "",), tuple(task.tags))
        return (
            (filters.status is None or task.status is filters.status)
            and set(filters.tags) <= set(task.tags)
            and int(task.archived) in filters.archived
            and (filters.board_id is None or task.board_id == filters.board_id)
            and (filters.metadata is None or filters.metadata in task.metadata.items())
            and (filters.updated_after is None or task.updated_at >= filters.updated_after)
            and (filters.due_before is None or (task.due_at is not None and task.due_at < filters.due_before))
            and (filters.due_after is None or (task.due_at is not None and task.due_at >= filters.due_after))
            and (filters.asked is None or (has_words(text, filters.asked) and _fits(task, filters.asked)))
        )

    async def put(self, title: str = "needle") -> str:
        return (await self._person.create(title, tags=["x", "y"])).id

    async def put_hay(self) -> str:
        return await self.put("hay")

    async def tag(self, task_id: str, tags: list[str]) -> None:
        await self._elsewhere.edit(TaskId(task_id), tags=tags)

    async def write(self, chance: random.Random, ids: list[str]) -> None:
        await chance.choice([self._person, self._elsewhere]).write_something(chance, ids, ["x", "y", "z"])

    async def check(self) -> None:
        await self._person.check_index()


def _backwards(text: str) -> list[int]:
    """A key by which texts of one length are in the opposite order."""
    return [-ord(letter) for letter in text]


def _fits(task: Task, asked: ParsedQuery) -> bool:
    """True if the task fits what a query says beside words and tags."""
    return all(task.status == status for status in asked.statuses) and all(
        task.due_at is not None and (due.after or 0) <= task.due_at < (due.before or task.due_at + 1)
        for due in asked.due
    )
