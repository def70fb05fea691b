"""Marks of bytes that turned out to be damaged, or to be whole again.

From then on, damaged bytes of an asset or a video are not served, and an event tells of them. A damaged image of a
class is forgotten instead: it can be made again. The bytes were read before the transaction, so each mark first checks
that a row still names them.
"""

import msgspec

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.named import BlobColumn
from stowboard.core import clock
from stowboard.core.metrics import Counter
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.media.assets import asset_store
from stowboard.media.assets.events import announce_asset
from stowboard.media.base import stat_store
from stowboard.media.base.discard import discard_later
from stowboard.media.images import derived_store
from stowboard.media.videos import video_store
from stowboard.media.videos.events import announce_video
from stowboard.media.videos.video import POSTER, SOURCE, STORYBOARD

_MOST_OWNERS = 5
_PARTS = {"blob_key": SOURCE, "poster_key": POSTER, "storyboard_key": STORYBOARD}
FOUND = Counter("stowboard_damaged_files_total", "Files that were found to be damaged.", ("table",))


async def mark(tx: Tx, column: BlobColumn, key: BlobKey, *, damaged: bool) -> list[str]:
    """Mark the bytes. Returns the ids of the assets or videos that have them; none if that was known already."""
    if column.table == "content":
        return await _mark_content(tx, key, damaged)
    if column.table == "derived":
        return await _forget_derived(tx, key) if damaged else []
    return await _mark_video(tx, column, key, damaged)


async def is_marked(tx: Tx, column: BlobColumn, key: BlobKey) -> bool:
    if column.table == "content":
        return await tx.one("SELECT 1 FROM content WHERE blob_key = $1 AND damaged_at IS NOT NULL", key) is not None
    if column.table == "derived":
        return False
    video_id, part = await _part_of_video(tx, column, key) or ("", "")
    video = await video_store.find(tx, video_id)
    return video is not None and part in video.damaged


async def find_damaged(tx: Tx, limit: int) -> list[str]:
    """Ids of assets and videos that are known to be damaged."""
    rows = await tx.all(
        "SELECT id FROM asset WHERE damaged_at IS NOT NULL UNION ALL SELECT id FROM video WHERE damaged <> '[]'"
        " ORDER BY 1 LIMIT $1",
        limit,
    )
    return [asset_or_video for (asset_or_video,) in rows]


async def find_owners(tx: Tx, column: BlobColumn, key: BlobKey) -> list[str]:
    """The assets or videos that have these bytes, by id and name."""
    if column.table == "content":
        rows = await tx.all(
            "SELECT asset.id, asset.filename FROM content JOIN asset ON asset.sha256 = content.sha256"
            " WHERE content.blob_key = $1 ORDER BY asset.id LIMIT $2",
            key, _MOST_OWNERS,
        )  # fmt: skip
        return [f"{asset_id} {filename}" for asset_id, filename in rows]
    part = await _part_of_video(tx, column, key) if column.table != "derived" else None
    return [" ".join(part)] if part is not None else []


async def count_damaged(tx: Tx) -> dict[str, int]:
    """How many assets and videos are known to be damaged."""
    counts = {}
    for table, condition in (("asset", "damaged_at IS NOT NULL"), ("video", "damaged <> '[]'")):
        row = await tx.one(f"SELECT count(*) FROM {table} WHERE {condition}")
        counts[table] = int(row[0]) if row is not None else 0
    return counts


async def _mark_content(tx: Tx, key: BlobKey, damaged: bool) -> list[str]:
    # Assets before contents: deletions lock them in this order.
    ids = await tx.all(
        "SELECT asset.id FROM content JOIN asset ON asset.sha256 = content.sha256 WHERE content.blob_key = $1", key
    )
    locked = await asset_store.find_and_lock_known(tx, [asset_id for (asset_id,) in ids])
    assets = [asset for asset in locked if asset.blob_key == key]
    since = clock.now_ms() if damaged else None
    known = "damaged_at IS NOT NULL" if damaged else "damaged_at IS NULL"
    if await tx.run(f"UPDATE content SET damaged_at = $2 WHERE blob_key = $1 AND NOT {known}", key, since) == 0:
        return []
    changes = [
        (asset, msgspec.structs.replace(asset, damaged_at=since, updated_at=asset.next_stamp())) for asset in assets
    ]
    await asset_store.put_many(tx, changes)
    for _, after in changes:
        await announce_asset(tx, kinds.ASSET_DAMAGED if damaged else kinds.ASSET_REPAIRED, after)
    return [asset.id for asset in assets]


async def _forget_derived(tx: Tx, key: BlobKey) -> list[str]:
    if gone := await derived_store.forget(tx, key):
        await discard_later(tx, [key])
        await stat_store.count_made(tx, "class", gone)
    return []


async def _mark_video(tx: Tx, column: BlobColumn, key: BlobKey, damaged: bool) -> list[str]:
    video_id, part = await _part_of_video(tx, column, key) or ("", "")
    for before in await video_store.find_and_lock_known(tx, [video_id]):
        if (part in before.damaged) is not damaged:
            parts = sorted({*before.damaged, part} if damaged else set(before.damaged) - {part})
            after = before.changed(damaged=parts)
            await video_store.put(tx, before, after)
            await announce_video(tx, kinds.VIDEO_DAMAGED if damaged else kinds.VIDEO_REPAIRED, after)
            return [video_id]
    return []


async def _part_of_video(tx: Tx, column: BlobColumn, key: BlobKey) -> tuple[str, str] | None:
    """The video, and which of its files this is."""
    if column.table == "video_rendition":
        row = await tx.one("SELECT video_id, name FROM video_rendition WHERE blob_key = $1", key)
        return (row[0], row[1]) if row is not None else None
    row = await tx.one(f"SELECT id FROM video WHERE {column.column} = $1", key)
    return (row[0], _PARTS[column.column]) if row is not None else None
