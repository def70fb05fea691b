"""Uses of assets and videos outside of media: attachments of tasks. `app.py` gives the implementation."""

from collections.abc import Sequence
from typing import Protocol

import msgspec

from stowboard.core.caller import Access
from stowboard.core.cursor import Position
from stowboard.db.database import Tx
from stowboard.db.scan import RowPage


class MediaUseView(msgspec.Struct, frozen=True, rename="camel"):
    """A task that has the asset attached."""

    task_id: str
    title: str
    status: str
    archived: bool


class MediaUses(Protocol):
    def unused(self, id_column: str) -> str:
        """SQL that is true if nobody uses the asset or video with the id in this column."""

    async def list_uses(
        self, tx: Tx, access: Access, target: str, after: Position | None, size: int
    ) -> RowPage[MediaUseView]:
        """The uses by tasks in reach, newest first."""

    async def find_used_outside(self, tx: Tx, targets: Sequence[str], space: str) -> list[str]:
        """The targets that are attached to a task that may not have things of this space."""

    async def end_later(self, tx: Tx, targets: Sequence[str]) -> None:
        """Order that tasks let go of assets and videos, which this transaction has locked and deletes."""


class NoMediaUses:
    """For installations and tests without tasks."""

    def unused(self, id_column: str) -> str:
        return f"{id_column} IS NOT NULL"

    async def list_uses(self, *_: object) -> RowPage[MediaUseView]:
        return RowPage([], None)

    async def find_used_outside(self, *_: object) -> list[str]:
        return []

    async def end_later(self, tx: Tx, targets: Sequence[str]) -> None:
        pass


NO_USES = NoMediaUses()
