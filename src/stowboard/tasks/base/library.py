"""The tasks' view of media: whether an asset or video exists. The composition root gives the real one."""

from collections.abc import Sequence
from typing import Protocol

from stowboard.core.caller import Access
from stowboard.db.database import Tx


class Library(Protocol):
    async def find_and_lock(self, tx: Tx, access: Access, ids: Sequence[str]) -> dict[str, str]:
        """Those of the ids that an asset or a video in reach has, each with the owner of its space.

        None of these is deleted before the transaction ends.
        """


class NoLibrary:
    """Where there is no media."""

    async def find_and_lock(self, *_: object) -> dict[str, str]:
        return {}


NO_LIBRARY = NoLibrary()
