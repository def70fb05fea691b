"""Who uses assets and videos, outside of media: tasks. The composition root gives what knows of them."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from stowboard.core.cursor import Position
from stowboard.db.database import Tx
from stowboard.db.scan import Listed


class MediaUse(NamedTuple):
    """A task that has it attached."""

    task_id: str
    title: str
    status: str
    archived: bool


class MediaUses(Protocol):
    def unused(self, id_column: str) -> str:
        """A condition of a statement: nobody uses what this column names."""

    async def list_uses(self, tx: Tx, owner: str, target: str, after: Position | None, size: int) -> Listed[MediaUse]:
        """Those of the owner, newest first."""

    async def end_later(self, tx: Tx, targets: Sequence[str]) -> None:
        """They are deleted by this transaction, which has locked them: who uses one shall know."""


class NoMediaUses:
    """Where there are no tasks."""

    def unused(self, id_column: str) -> str:
        return f"{id_column} IS NOT NULL"

    async def list_uses(self, tx: Tx, owner: str, target: str, after: Position | None, size: int) -> Listed[MediaUse]:  # noqa: ARG002
        return Listed([], None)

    async def end_later(self, tx: Tx, targets: Sequence[str]) -> None:
        pass


NO_USES = NoMediaUses()
