"""Room for more bytes: on the disk beside its reserve, and below the limits of the installation and of an owner.

Assets, their versions, sources of videos and open uploads count, in the trash too; files made from them do not. An
upload counts with its announced length, or with what has arrived if that is more. Requests that end at the same moment
may pass a limit by their own bytes.
"""

from collections.abc import AsyncIterator

from stowboard.blobs.store import BlobStore
from stowboard.core.errors import InsufficientStorage
from stowboard.db.database import Tx
from stowboard.media.base import stat_store
from stowboard.media.base.settings import GIBIBYTE, MediaSettings


class Storage:
    def __init__(self, blobs: BlobStore, settings: MediaSettings) -> None:
        self._blobs, self._settings = blobs, settings

    def require_space(self, size: int) -> None:
        """Raises InsufficientStorage if the disk cannot hold `size` more bytes."""
        free = self.free
        if free is not None and size > free:
            raise InsufficientStorage(
                f"{size} bytes do not fit on the server's disk: {max(0, free)} are free beside its reserve."
            )

    async def require_room(self, tx: Tx, owner: str, size: int) -> None:
        """Raises InsufficientStorage if `size` more bytes would pass a limit."""
        async for whose, used, limit in self._limits(tx, owner):
            if used + size > limit:
                spare = await stat_store.spare_of(tx, whose)
                name = "The installation" if whose is None else f"The owner {whose}"
                raise InsufficientStorage(
                    f"{name} would have {used + size} of at most {limit} bytes. Delete something, or send less:"
                    f" {spare} bytes come free if everything in the trash and all versions are deleted."
                )

    async def find_room(self, tx: Tx, owner: str) -> int | None:
        """How many more bytes the disk and the limits leave to this owner, None where nothing bounds them."""
        rooms = [limit - used async for _, used, limit in self._limits(tx, owner)]
        rooms += [] if self.free is None else [self.free]
        return max(0, min(rooms)) if rooms else None

    @property
    def free(self) -> int | None:
        """Bytes that may still be stored; None where nothing bounds the store."""
        space = self._blobs.space()
        return None if space is None else space.free - self._reserve(space.total)

    def _reserve(self, total: int) -> int:
        given = self._settings.storage_reserve_bytes
        return min(total // 20, GIBIBYTE) if given is None else given

    async def _limits(self, tx: Tx, owner: str) -> AsyncIterator[tuple[str | None, int, int]]:
        """Each limit, with the bytes that count against it and their owner; None is the whole installation."""
        for whose, limit in ((None, self._settings.storage_limit_bytes), (owner, self._settings.owner_limit_bytes)):
            if limit is not None:
                yield whose, await stat_store.used(tx, whose), limit
