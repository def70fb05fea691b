"""Lanes in which tasks are moved beside one and the same task for ever: the hardest that order can be used."""

import random
from collections.abc import Sequence
from typing import Any

from stowboard.core.caller import Access, Caller, TokenId, TokenKind
from stowboard.core.ids import new_id
from stowboard.core.reach import Reach, Role
from stowboard.db.database import Database, Row, Tx, Value
from stowboard.tasks.base.task import BoardId, ColumnId, Status, TaskId
from stowboard.tasks.boards import boards
from stowboard.tasks.boards.move import MoveDestination, move_task
from stowboard.tasks.boards.ordering import MAX_RANK
from stowboard.tasks.create import create_task
from stowboard.tasks.wire import CreateBody

IN_ONE_TRANSACTION = 100
_DIGITS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def access_of(owner: str) -> Access:
    scopes = frozenset({"tasks:read", "tasks:write"})
    caller = Caller(TokenId("tok_of_a_test"), owner, scopes, None, TokenKind.AUTOMATION, Reach.of_owner(owner))
    return Access(caller, Role.EDITOR)


async def wear_out(tx: Tx, lane: str) -> None:
    """Make a lane look as after very many moves at one spot: same order, but no short rank fits between any two."""
    tasks = await tx.all("SELECT id FROM task WHERE lane = $1 ORDER BY rank", lane)
    await tx.run("UPDATE task SET rank = 'x' || id WHERE lane = $1", lane)
    await tx.run_many("UPDATE task SET rank = $2 WHERE id = $1", [(row[0], _dense(n)) for n, row in enumerate(tasks)])


class WornLane:
    """The model is a list of ids. `written` counts the rows of tasks that moves have written."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.access = access_of(new_id("own"))
        self.board_id, self.column_id = BoardId(""), ColumnId("")
        self.model: list[TaskId] = []
        self.written = self.longest = 0

    @classmethod
    async def begin(cls, database: Database, tasks: int) -> "WornLane":
        worn_lane = cls(database)
        await database.transact(worn_lane._fill, tasks)
        return worn_lane

    async def move_many(self, moves: int, seed: int) -> None:
        chance = random.Random(seed)
        for _ in range(0, moves, IN_ONE_TRANSACTION):
            await self._database.transact(self._move_some, chance)

    async def order(self) -> list[str]:
        return [task_id for task_id, _ in await self._database.read(self._stored)]

    async def _fill(self, tx: Tx, tasks: int) -> None:
        board, columns = await boards.create_board(tx, self.access.caller.owner, "Worn", "")
        self.board_id, self.column_id = board.id, columns[0].id
        for _ in range(tasks):
            task, _ = await create_task(tx, self.access, CreateBody(title="t"))
            await move_task(tx, self.access, task.id, MoveDestination(Status.TODO, board.id), None)
            self.model.append(task.id)

    async def _move_some(self, tx: Tx, chance: random.Random) -> None:
        header, counting = min(self.model), CountingTx(tx)
        for _ in range(IN_ONE_TRANSACTION):
            task_id = chance.choice([one for one in self.model if one != header])
            after = chance.random() < 0.7
            beside: dict[str, Any] = {"after_task_id" if after else "before_task_id": header}
            await move_task(counting, self.access, task_id, MoveDestination(Status.TODO, **beside), None)
            self.model.remove(task_id)
            self.model.insert(self.model.index(header) + after, task_id)
        self.written += counting.tasks_written
        self.longest = max(self.longest, *(len(rank) for _, rank in await self._stored(tx)))

    async def _stored(self, tx: Tx) -> Sequence[Row]:
        return await tx.all("SELECT id, rank FROM task WHERE lane = $1 ORDER BY rank", self.column_id)


class CountingTx:
    """The transaction itself, with a count of the tasks that it writes."""

    def __init__(self, tx: Tx) -> None:
        self._tx = tx
        self.tasks_written = 0

    async def run(self, sql: str, *args: Value) -> int:
        changed = await self._tx.run(sql, *args)
        if sql.startswith("UPDATE task "):
            self.tasks_written += changed
        return changed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tx, name)


def _dense(number: int) -> str:
    """Neighbours differ in the last digit that a rank may have."""
    high, low = divmod(number, len(_DIGITS))
    return "V" * (MAX_RANK - 2) + _DIGITS[high] + _DIGITS[low]
