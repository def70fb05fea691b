"""A look at a blob before this process answers with it for the first time: are its bytes what was written?

A file of up to 8 MiB is hashed whole. A larger one is known by its ends, the first and the last 64 KiB, whose digest
was kept when it was written; the weekly reading finds damage in its middle. Whole blobs are remembered, so that every
later answer costs one look-up. Damage that comes after the first look is found by the weekly reading too.
"""

import asyncio
from collections.abc import Awaitable, Callable

from stowboard.blobs.hashing import hashed
from stowboard.blobs.keys import BlobKey
from stowboard.blobs.store import BlobNotFound, BlobStore
from stowboard.db.database import Database, Tx
from stowboard.media.base.ends import WHOLE_BYTES, digest_of_ends
from stowboard.media.base.errors import ContentDamaged

_MOST_REMEMBERED = 50_000
_ENDS = " UNION ALL ".join(
    f"SELECT ends_sha256 FROM {table} WHERE blob_key = $1" for table in ("content", "video", "video_rendition")
)


class FirstLook:
    """`report` writes down that a blob is damaged."""

    def __init__(self, db: Database, blobs: BlobStore, report: Callable[[BlobKey], Awaitable[object]]) -> None:
        self._db, self._blobs, self._report = db, blobs, report
        self._whole: dict[BlobKey, None] = {}
        self._looks: dict[BlobKey, asyncio.Task[None]] = {}

    async def require_whole(self, key: BlobKey, size: int, sha256: str | None) -> None:
        """Raises ContentDamaged. A blob that is not there, or whose digest nobody knows yet, passes."""
        if key in self._whole:
            return
        look = self._looks.get(key)
        if look is None:
            look = self._looks[key] = asyncio.create_task(self._look(key, size, sha256))
            look.add_done_callback(lambda done: self._ended(key, done))
        await asyncio.shield(look)  # others wait for it too

    def _ended(self, key: BlobKey, look: asyncio.Task[None]) -> None:
        del self._looks[key]
        if look.cancelled() or look.exception() is not None:
            return
        self._whole[key] = None
        if len(self._whole) > _MOST_REMEMBERED:
            del self._whole[next(iter(self._whole))]

    async def _look(self, key: BlobKey, size: int, sha256: str | None) -> None:
        expected = sha256 if size <= WHOLE_BYTES else await self._db.read(_find_ends, key)
        if expected is None:
            return
        try:
            # A file that seems to be damaged is read again: the error may lie in the transport.
            if await self._digest(key, size) == expected or await self._digest(key, size) == expected:
                return
        except BlobNotFound:
            return
        await self._report(key)
        raise ContentDamaged

    async def _digest(self, key: BlobKey, size: int) -> str | None:
        if size <= WHOLE_BYTES:
            return (await hashed(self._blobs.read(key))).sha256
        return await digest_of_ends(self._blobs, key, size)


async def _find_ends(tx: Tx, key: BlobKey) -> str | None:
    return next((digest for (digest,) in await tx.all(_ENDS, key) if digest is not None), None)
