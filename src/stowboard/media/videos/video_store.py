"""Videos in the database. `put` is the only way to write one: it also updates tags and statistics."""

from stowboard.db.database import Tx
from stowboard.db.rows import Columns
from stowboard.media.base import stat_store
from stowboard.media.base.errors import VideoNotFound
from stowboard.media.base.media_store import MediaStore
from stowboard.media.videos.video import Video
from stowboard.search import index
from stowboard.search.document import VIDEOS, SearchDocument, describe

COLUMNS = Columns(Video, "tags", "damaged", "metadata", "storyboard")
STORE = MediaStore("video", "vid", COLUMNS, VideoNotFound)
find, get, lock = STORE.find, STORE.get, STORE.lock
find_and_lock_many, find_and_lock_after = STORE.find_and_lock_many, STORE.find_and_lock_after
find_tagged = STORE.find_tagged


async def find_by_provider_id(tx: Tx, provider_video_id: str) -> Video | None:
    row = await tx.one(f"SELECT {COLUMNS.names} FROM video WHERE provider_video_id = $1", provider_video_id)
    return COLUMNS.read(row) if row is not None else None


async def count_tagged(tx: Tx, tag: str) -> int:
    row = await tx.one("SELECT count(*) FROM video_tag WHERE tag = $1", tag)
    return int(row[0]) if row is not None else 0


async def put(tx: Tx, before: Video | None, after: Video) -> None:
    """Write `after`. `before` is the video as it was, locked by this transaction; None if it is new."""
    values = COLUMNS.values(after)
    if before is None:
        await tx.run(f"INSERT INTO video ({COLUMNS.names}) VALUES ({COLUMNS.parameters})", *values)
    else:
        await tx.run(f"UPDATE video SET ({COLUMNS.names}) = ({COLUMNS.parameters}) WHERE id = $1", *values)
    await index.follow(tx, [(document_of(before), document_of(after))])
    old, wanted = ({(tag, after.id) for tag in tags} for tags in (before.tags if before else [], after.tags))
    await STORE.change_tags(tx, sorted(old - wanted), sorted(wanted - old))
    await STORE.change_metadata(tx, after.id, before.metadata if before else {}, after.metadata)
    await stat_store.change(tx, "video", _stat(before), _stat(after))


async def remove(tx: Tx, video: Video) -> None:
    """Remove the row, its tags and renditions; the caller discards the bytes. This transaction has locked the video."""
    await tx.run("DELETE FROM video WHERE id = $1", video.id)
    await index.follow(tx, [(document_of(video), None)])
    await stat_store.change(tx, "video", _stat(video), None)


def _stat(video: Video | None) -> stat_store.Stat | None:
    return ("video", video.status, video.size or 0, video.created_by) if video is not None else None


def document_of(video: Video | None) -> SearchDocument | None:
    return describe(video.id, VIDEOS, video.title, (), video.tags) if video is not None else None
