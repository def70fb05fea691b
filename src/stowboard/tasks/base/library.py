"""The tasks' view of the other rooms: media to attach, people to assign. The composition root gives the real one."""

from collections.abc import Sequence
from typing import Protocol

from stowboard.core.caller import Access
from stowboard.db.database import Tx


class Library(Protocol):
    async def find_and_lock(self, tx: Tx, access: Access, ids: Sequence[str]) -> dict[str, str]:
        """The given ids that are assets or videos in reach, each with the owner of its space.

        None of these is deleted before the transaction ends. Raises InTrash.
        """

    async def copy_into(self, tx: Tx, ids: Sequence[str], space: str) -> dict[str, str]:
        """Copy what stays behind when a task is transferred. Returns the id of each copy, by the id of its original.

        Raises Conflict for a video, which cannot be copied.
        """

    async def members_among(self, tx: Tx, owner: str, names: Sequence[str]) -> set[str]:
        """The given names that are people in the space of this owner now."""


class NoLibrary:
    """A library without media, and without people other than the owner."""

    async def find_and_lock(self, *_: object) -> dict[str, str]:
        return {}

    async def copy_into(self, *_: object) -> dict[str, str]:
        return {}

    async def members_among(self, _tx: Tx, owner: str, names: Sequence[str]) -> set[str]:
        return {owner} & set(names)


NO_LIBRARY = NoLibrary()
