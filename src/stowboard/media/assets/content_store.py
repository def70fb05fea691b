"""Contents: the bytes of assets, each stored once however many assets have them.

Bytes are in the store under a fresh key first. `claim` then takes that key, or finds the same bytes under an earlier
one and discards the fresh ones. Nobody looks for the same bytes before: an upload that stores fewer would tell by its
time that somebody has them. `share` is for the bytes of an asset that the caller sees. `release` removes contents that
no asset and no version has any more. All of them lock the content's row first: if one request uploads bytes and another
deletes the same ones, the second sees what the first did. A damaged content is not shared: uploading the same bytes
again repairs it for all assets that have it.
"""

from collections.abc import Awaitable, Callable, Iterable
from typing import TypeAlias

import msgspec

from stowboard.blobs.keys import BlobKey
from stowboard.core import clock
from stowboard.core.errors import ServiceUnavailable
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.media.assets import asset_store
from stowboard.media.assets.events import announce_asset
from stowboard.media.base import stat_store
from stowboard.media.base.asset import ContentFacts
from stowboard.media.base.discard import discard_later
from stowboard.media.base.stat_store import MadeFile
from stowboard.media.images import derived_files
from stowboard.media.images.derived_store import DerivedFile
from stowboard.media.images.kept_pictures import reduction_order

#: Removes bytes that no row names, once the transaction has ended.
DiscardKeys: TypeAlias = Callable[[Tx, list[BlobKey]], Awaitable[None]]


class StoredContent(msgspec.Struct, frozen=True):
    """Stored bytes and the facts found in them: all that is needed to give them to an asset."""

    sha256: str
    size: int
    key: BlobKey
    facts: ContentFacts
    #: A smaller image to keep with newly stored bytes.
    reduced: DerivedFile | None = None
    #: The digest of the first and last bytes of a large file.
    ends_sha256: str | None = None


class ContentGone(ServiceUnavailable):
    """The bytes lost their last asset after the request had found them, and before it could share them."""

    message = "The same bytes were being deleted at this moment. Nothing was changed; retry."


async def share(tx: Tx, sha256: str) -> BlobKey:
    """The key of bytes that are stored already. The asset's row must follow. Raises ContentGone."""
    row = await tx.one("SELECT blob_key FROM content WHERE sha256 = $1 AND damaged_at IS NULL FOR UPDATE", sha256)
    if row is None:
        raise ContentGone
    return BlobKey(row[0])


async def claim_stored(tx: Tx, stored: StoredContent, discard: DiscardKeys = discard_later) -> BlobKey:
    """The key under which the bytes stay. The asset's row and `keep_reduced` must follow."""
    return await claim(tx, stored.sha256, stored.key, stored.size, stored.ends_sha256, discard)


async def keep_reduced(tx: Tx, stored: StoredContent) -> None:
    """Keep the smaller image with the bytes. This writes shared counts: call it last."""
    if stored.reduced is not None:
        await derived_files.keep(tx, reduction_order(stored.sha256), stored.reduced)


async def claim(
    tx: Tx, sha256: str, key: BlobKey, size: int, ends_sha256: str | None = None, discard: DiscardKeys = discard_later
) -> BlobKey:
    """The key under which these bytes are kept: `key`, or an earlier one, and then `key` is discarded.

    The asset's row must follow in the same transaction.
    """
    row = await tx.one(
        "INSERT INTO content (sha256, blob_key, size, created_at, ends_sha256) VALUES ($1, $2, $3, $4, $5)"
        " ON CONFLICT (sha256) DO UPDATE SET size = excluded.size RETURNING blob_key, damaged_at",
        sha256, key, size, clock.now_ms(), ends_sha256,
    )  # fmt: skip
    assert row is not None
    kept, damaged_at = BlobKey(row[0]), row[1]
    if damaged_at is not None:
        await _repair(tx, sha256, key)
        kept, key = key, kept
    if kept != key:
        await discard(tx, [key])
    return kept


async def _repair(tx: Tx, sha256: str, key: BlobKey) -> None:
    """Give these bytes to the content, and to every asset that has it."""
    await tx.run("UPDATE content SET blob_key = $2, damaged_at = NULL WHERE sha256 = $1", sha256, key)
    rows = await tx.all(
        "UPDATE asset SET blob_key = $2, damaged_at = NULL, updated_at = updated_at + 1 WHERE sha256 = $1 RETURNING id",
        sha256, key,
    )  # fmt: skip
    for asset in await asset_store.find_and_lock_known(tx, [asset_id for (asset_id,) in rows]):
        await announce_asset(tx, kinds.ASSET_REPAIRED, asset)


async def find_and_lock_many(tx: Tx, hashes: Iterable[str]) -> None:
    """Lock contents that are released later, if other rows are written before that."""
    known = sorted(set(hashes))
    if known:
        numbers = ", ".join(f"${n + 1}" for n in range(len(known)))
        await tx.all(f"SELECT 1 FROM content WHERE sha256 IN ({numbers}) ORDER BY sha256 FOR UPDATE", *known)


async def release(tx: Tx, hashes: Iterable[str]) -> None:
    """Remove each content, with its derived images, that no asset and no version has any more.

    This writes shared counts: call it last. If other rows were written before, `find_and_lock_many` has locked
    the contents.
    """
    made: list[MadeFile] = []
    for sha256 in sorted(hashes):
        row = await tx.one("SELECT blob_key FROM content WHERE sha256 = $1 FOR UPDATE", sha256)
        if row is None or await tx.one(_STILL_HAS_IT, sha256) is not None:
            continue
        derived = await tx.all("SELECT blob_key, size FROM derived WHERE sha256 = $1", sha256)
        await tx.run("DELETE FROM content WHERE sha256 = $1", sha256)
        await discard_later(tx, [BlobKey(row[0]), *(BlobKey(key) for key, _ in derived)])
        made += [(key, size) for key, size in derived]
    await stat_store.count_made(tx, "class", made)


_STILL_HAS_IT = "SELECT 1 FROM asset WHERE sha256 = $1 UNION ALL SELECT 1 FROM asset_version WHERE sha256 = $1 LIMIT 1"
