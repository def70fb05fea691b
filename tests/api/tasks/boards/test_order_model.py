"""Any sequence of what can happen to tasks, beside a model of their order: a plain list for each lane.

The model holds archived tasks and those in the trash too, in the place that they come back to. After every step the
database has the model's order, each task once, and no rank that is too long. A lane may be worn on purpose: its ranks
are made so dense that the next insertion finds no room.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from msgspec import UNSET

from stowboard.api.idempotency import redact_replies
from stowboard.core.ids import new_id
from stowboard.db.database import Database, Tx
from stowboard.db.migrate import migrate
from stowboard.db.open import DatabaseSettings, open_database
from stowboard.tasks.archive import archive_task, delete_task, restore_task, trash_task
from stowboard.tasks.base import task_store
from stowboard.tasks.base.errors import TaskInTrash, WrongDestination
from stowboard.tasks.base.task import BoardId, ColumnId, Status, Task, TaskId
from stowboard.tasks.boards import boards, lane_store
from stowboard.tasks.boards.move import MoveDestination, move_task
from stowboard.tasks.boards.ordering import MAX_RANK
from stowboard.tasks.complete import complete_task
from stowboard.tasks.create import create_task
from stowboard.tasks.edit import edit_task
from stowboard.tasks.wire import CreateBody, TaskPatchBody
from support.rounds import rounds
from support.tasks.worn_lanes import access_of, wear_out

T = TypeVar("T")
Lane = tuple[int | None, Status]
STATUSES = st.sampled_from(Status)
BOARDS = st.sampled_from([None, 0, 1])
CHOICES = st.integers(0, 1000)
BOUNDED = settings(
    max_examples=rounds(10, 40),
    stateful_step_count=50,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def test_the_order_agrees_with_a_list_whatever_happens_to_the_tasks(database_url: str) -> None:
    run_model(database_url, BOUNDED)


def run_model(database_url: str, bounds: settings) -> None:
    with asyncio.Runner() as loop:
        database = loop.run(_open(database_url))
        try:
            run_state_machine_as_test(lambda: Order(loop, database), settings=bounds)  # type: ignore[arg-type]
        finally:
            loop.run(database.close())


class Order(RuleBasedStateMachine):
    def __init__(self, loop: asyncio.Runner, database: Database) -> None:
        super().__init__()
        self.loop, self.database = loop, database
        self.access = access_of(new_id("own"))
        owner = self.access.caller.owner
        self.boards = [self.do(database.transact(boards.create_board, owner, name, "")) for name in "AB"]
        self.lanes: dict[Lane, list[TaskId]] = {(board, status): [] for board in (None, 0, 1) for status in Status}
        self.archived: set[TaskId] = set()
        #: What the task was when it was put there.
        self.trashed: dict[TaskId, Task] = {}
        self.recurring: set[TaskId] = set()
        for _ in range(3):
            self.create(Status.TODO, False)

    @rule(status=STATUSES, recurring=st.booleans())
    def create(self, status: Status, recurring: bool) -> None:
        body = CreateBody(title="t", status=status, recurrence="FREQ=DAILY" if recurring else None)
        task, _ = self.do(self.database.transact(create_task, self.access, body))
        self.lanes[None, status].append(task.id)
        if recurring:
            self.recurring.add(task.id)

    @precondition(lambda self: self.tasks)
    @rule(task=CHOICES, board=BOARDS, status=STATUSES)
    def move_without_an_order(self, task: int, board: int | None, status: Status) -> None:
        task_id = self.pick(task)
        self.move(task_id, (board, status))
        if task_id not in self.lanes[board, status]:
            self.append(task_id, (board, status))

    @precondition(lambda self: self.tasks)
    @rule(task=CHOICES, board=BOARDS, status=STATUSES, position=st.integers(0, 8))
    def move_to_a_position(self, task: int, board: int | None, status: Status, position: int) -> None:
        task_id, lane = self.pick(task), self.lanes[board, status]
        moved = self.move(task_id, (board, status), position=position)
        self.take_out(task_id)
        visible = [other for other in lane if other not in self.archived and other not in self.trashed]
        lane.insert(lane.index(visible[position]) if position < len(visible) else len(lane), task_id)
        if task_id not in self.archived:
            assert self.do(self.database.read(lane_store.position_of, moved)) == min(position, len(visible))

    @precondition(lambda self: len(self.tasks) > 1)
    @rule(task=CHOICES, neighbour=CHOICES, after=st.booleans(), named=st.booleans())
    def move_beside(self, task: int, neighbour: int, after: bool, named: bool) -> None:
        task_id, beside = self.pick(task), self.pick(neighbour)
        if task_id == beside:
            return
        board, status = self.lane_of(beside)
        # A board is implied by a neighbour on it; to be off every board has to be said.
        board_id = self.board_id(board) if named or board is None else UNSET
        order: dict[str, Any] = {"after_task_id" if after else "before_task_id": beside}
        to = MoveDestination(status, board_id, **order)
        self.do(self.database.transact(move_task, self.access, task_id, to, None))
        self.take_out(task_id)
        lane = self.lanes[board, status]
        lane.insert(lane.index(beside) + after, task_id)

    @precondition(lambda self: len(self.tasks) > 1)
    @rule(task=CHOICES, neighbour=CHOICES, board=BOARDS, status=STATUSES)
    def move_beside_what_is_elsewhere(self, task: int, neighbour: int, board: int | None, status: Status) -> None:
        task_id, elsewhere = self.pick(task), self.pick(neighbour)
        if task_id == elsewhere or self.lane_of(elsewhere) == (board, status):
            return
        with pytest.raises(WrongDestination):
            self.move(task_id, (board, status), before_task_id=elsewhere)

    @precondition(lambda self: self.tasks)
    @rule(task=CHOICES, status=STATUSES)
    def set_the_status(self, task: int, status: Status) -> None:
        task_id = self.pick(task)
        board, present = self.lane_of(task_id)
        self.do(
            self.database.transact(edit_task, self.access, task_id, TaskPatchBody(status=status), None, redact_replies)
        )
        if present is not status:
            self.append(task_id, (board, status))

    @precondition(lambda self: self.tasks)
    @rule(task=CHOICES)
    def complete(self, task: int) -> None:
        task_id = self.pick(task)
        board, present = self.lane_of(task_id)
        self.do(self.database.transact(complete_task, self.access, task_id, None))
        if task_id in self.recurring:
            self.append(task_id, (board, Status.TODO))
        elif present is not Status.DONE:
            self.append(task_id, (board, Status.DONE))

    @precondition(lambda self: self.tasks)
    @rule(task=CHOICES)
    def archive(self, task: int) -> None:
        self.do(self.database.transact(archive_task, self.access, self.pick(task), None))
        self.archived.add(self.pick(task))

    @precondition(lambda self: self.tasks)
    @rule(task=CHOICES)
    def put_in_the_trash(self, task: int) -> None:
        task_id = self.pick(task)
        self.trashed[task_id] = self.do(self.database.read(self.stored, task_id))
        self.do(self.database.transact(trash_task, self.access, task_id, None))

    @precondition(lambda self: self.trashed)
    @rule(task=CHOICES)
    def take_out_of_the_trash(self, task: int) -> None:
        """Whatever happened to the others meanwhile, it is what it was."""
        task_id = sorted(self.trashed)[task % len(self.trashed)]
        restored = self.do(self.database.transact(restore_task, self.access, task_id, None))
        assert _said(restored) == _said(self.trashed.pop(task_id))

    @precondition(lambda self: self.trashed)
    @rule(task=CHOICES, board=BOARDS, status=STATUSES)
    def move_what_is_in_the_trash(self, task: int, board: int | None, status: Status) -> None:
        task_id = sorted(self.trashed)[task % len(self.trashed)]
        with pytest.raises(TaskInTrash):
            self.move(task_id, (board, status))

    @precondition(lambda self: self.archived - self.trashed.keys())
    @rule(task=CHOICES)
    def restore(self, task: int) -> None:
        archived = sorted(self.archived - self.trashed.keys())
        task_id = archived[task % len(archived)]
        self.do(self.database.transact(restore_task, self.access, task_id, None))
        self.archived.remove(task_id)

    @precondition(lambda self: len(self.tasks) > 3)
    @rule(task=CHOICES)
    def delete(self, task: int) -> None:
        task_id = self.pick(task)
        self.do(self.database.transact(delete_task, self.access, task_id, None))
        self.take_out(task_id)
        self.archived.discard(task_id)

    @precondition(lambda self: self.tasks)
    @rule(task=CHOICES)
    def wear_its_lane(self, task: int) -> None:
        self.do(self.database.transact(wear_out, self.do(self.database.read(self.stored, self.pick(task))).lane))

    @invariant()
    def the_database_has_the_order_of_the_model(self) -> None:
        stored: dict[Lane, list[tuple[str, str]]] = {lane: [] for lane in self.lanes}
        for task_id, board_id, column_id, status, rank, archived in self.do(self.database.read(self.everything)):
            board = next((n for n, (one, _) in enumerate(self.boards) if one.id == board_id), None)
            assert column_id == (None if board is None else self.column_id((board, Status(status))))
            assert archived == (task_id in self.archived) + 2 * (task_id in self.trashed)
            assert len(rank) <= MAX_RANK
            stored[board, Status(status)].append((task_id, rank))
        for lane, tasks in stored.items():
            assert [task_id for task_id, _ in tasks] == self.lanes[lane]
            ranks = [rank for _, rank in tasks]
            assert ranks == sorted(set(ranks)), "the database sorts ranks as bytes, and each is there once"

    @property
    def tasks(self) -> list[TaskId]:
        """Those that are not in the trash."""
        return sorted(task_id for lane in self.lanes.values() for task_id in lane if task_id not in self.trashed)

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run(work)

    def pick(self, choice: int) -> TaskId:
        return self.tasks[choice % len(self.tasks)]

    def lane_of(self, task_id: TaskId) -> Lane:
        return next(lane for lane, tasks in self.lanes.items() if task_id in tasks)

    def board_id(self, board: int | None) -> BoardId | None:
        return None if board is None else self.boards[board][0].id

    def column_id(self, lane: Lane) -> ColumnId:
        board, status = lane
        assert board is not None
        return next(column.id for column in self.boards[board][1] if column.status is status)

    def move(self, task_id: TaskId, lane: Lane, **order: Any) -> Task:
        to = MoveDestination(lane[1], self.board_id(lane[0]), **order)
        return self.do(self.database.transact(move_task, self.access, task_id, to, None))

    def take_out(self, task_id: TaskId) -> None:
        self.lanes[self.lane_of(task_id)].remove(task_id)

    def append(self, task_id: TaskId, lane: Lane) -> None:
        self.take_out(task_id)
        self.lanes[lane].append(task_id)

    async def stored(self, tx: Tx, task_id: TaskId) -> Task:
        return await task_store.get(tx, self.access, task_id)

    async def everything(self, tx: Tx) -> Any:
        return await tx.all(
            "SELECT id, board_id, column_id, status, rank, archived FROM task WHERE owner = $1 ORDER BY lane, rank",
            self.access.caller.owner,
        )


def _said(task: Task) -> Task:
    """Without what every change changes, and how its place is written."""
    return msgspec.structs.replace(task, version=0, indexed_version=0, updated_at=0, rank="")


async def _open(url: str) -> Database:
    database = await open_database(DatabaseSettings(url))
    await migrate(database)
    return database
