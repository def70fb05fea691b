"""The tasks' view of media: whether an asset or video exists. The composition root gives the real one."""

from collections.abc import Sequence
from typing import Protocol

from stowboard.db.database import Tx


class Library(Protocol):
    async def find_and_lock(self, tx: Tx, ids: Sequence[str]) -> set[str]:
        """Those of the ids that an asset or a video has. None of these is deleted before the transaction ends."""


class NoLibrary:
    """Where there is no media."""

    async def find_and_lock(self, tx: Tx, ids: Sequence[str]) -> set[str]:  # noqa: ARG002
        return set()


NO_LIBRARY = NoLibrary()
