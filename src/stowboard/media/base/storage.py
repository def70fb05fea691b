"""Whether more bytes fit: on the disk beside its reserve, and below the limits of the installation and of an owner.

What counts are the bytes of assets and of videos' sources, announced ones of assets included; what is made of them does
not. Uploads that end at the same moment may go beyond a limit by what they have.
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
        """Raises InsufficientStorage if the disk could not hold so many more bytes."""
        free = self.free
        if free is not None and size > free:
            raise InsufficientStorage(
                f"{size} bytes do not fit on the server's disk: {max(0, free)} are free beside its reserve."
            )

    async def require_room(self, tx: Tx, owner: str, size: int) -> None:
        """Raises InsufficientStorage if they would go beyond a limit."""
        for whose, used, limit in [each async for each in self._limits(tx, owner)]:
            if used + size > limit:
                raise InsufficientStorage(f"{size} bytes are too many: {whose} has {used} of at most {limit} bytes.")

    @property
    def free(self) -> int | None:
        """Bytes that may still be stored, None where the store has no end."""
        space = self._blobs.space()
        return None if space is None else space.free - self._reserve(space.total)

    def _reserve(self, total: int) -> int:
        given = self._settings.storage_reserve_bytes
        return min(total // 20, GIBIBYTE) if given is None else given

    async def _limits(self, tx: Tx, owner: str) -> AsyncIterator[tuple[str, int, int]]:
        if (limit := self._settings.storage_limit_bytes) is not None:
            yield "the installation", await stat_store.used(tx), limit
        if (limit := self._settings.owner_limit_bytes) is not None:
            yield f"the owner {owner}", await stat_store.used_by(tx, owner), limit
