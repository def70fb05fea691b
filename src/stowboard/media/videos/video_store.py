"""Videos in the database. `put` is the only way to write one: it also updates tags and statistics."""

from stowboard.db.database import Tx
from stowboard.db.rows import Columns
from stowboard.media.base import stat_store
from stowboard.media.base.errors import VideoNotFound
from stowboard.media.base.media_store import MediaStore
from stowboard.media.base.stat_store import MediaStat
from stowboard.media.videos import rendition_store
from stowboard.media.videos.video import Video
from stowboard.search import index
from stowboard.search.document import SearchDocument, describe, videos_of

COLUMNS = Columns(Video, "tags", "damaged", "metadata", "storyboard")
STORE = MediaStore("video", "vid", COLUMNS, VideoNotFound)
get, lock, get_usable_by, find_and_lock_many = STORE.get, STORE.lock, STORE.get_usable_by, STORE.find_and_lock_many
get_usable, find_purgeable = STORE.get_usable, STORE.find_purgeable
find, lock_known, find_and_lock_known = STORE.find, STORE.lock_known, STORE.find_and_lock_known
find_delivered, find_some, find_tagged = STORE.find_delivered, STORE.find_some, STORE.find_tagged
find_many, find_and_lock_after = STORE.find_many, STORE.find_and_lock_after


async def count_tagged(tx: Tx, space: str, tag: str) -> int:
    row = await tx.one("SELECT count(*) FROM video_tag WHERE space = $1 AND tag = $2", space, tag)
    return int(row[0]) if row is not None else 0


async def put(tx: Tx, before: Video | None, after: Video) -> None:
    """Write `after`. `before` is the video as it was, locked by this transaction; None if it is new."""
    values = COLUMNS.values(after)
    if before is None:
        await tx.run(f"INSERT INTO video ({COLUMNS.names}) VALUES ({COLUMNS.parameters})", *values)
    else:
        await tx.run(f"UPDATE video SET ({COLUMNS.names}) = ({COLUMNS.parameters}) WHERE id = $1", *values)
    await index.follow(tx, [(document_of(before), document_of(after))])
    await STORE.tags.change(tx, _tags(before), _tags(after))
    await STORE.metadata.change(tx, _pairs(before), _pairs(after))
    await stat_store.change_many(tx, [(_stat(before), _stat(after))])


async def remove(tx: Tx, video: Video) -> None:
    """Remove the row, its tags and renditions; the caller discards the bytes. This transaction has locked the video."""
    made = await rendition_store.remove_all(tx, video.id)
    await tx.run("DELETE FROM video WHERE id = $1", video.id)
    await index.follow(tx, [(document_of(video), None)])
    await stat_store.change_many(tx, [(_stat(video), None)])
    await stat_store.count_made(tx, "rendition", made)


def _tags(video: Video | None) -> set[tuple[str, str, str]]:
    return {(video.space, tag, video.id) for tag in video.tags} if video and video.trashed_at is None else set()


def _pairs(video: Video | None) -> set[tuple[str, ...]]:
    """The metadata that can be found, each with space, name, value and id."""
    if video is None or video.trashed_at is not None:
        return set()
    return {(video.space, *pair, video.id) for pair in video.metadata.items()}


def _stat(video: Video | None) -> MediaStat | None:
    if video is None:
        return None
    resource, status = ("video", video.status.value) if video.trashed_at is None else ("trash", "")
    return MediaStat(resource, video.id, video.space, "video", status, [(video.created_by, video.size or 0)])


def document_of(video: Video | None) -> SearchDocument | None:
    if video is None or video.trashed_at is not None:
        return None
    return describe(video.id, videos_of(video.space), video.title, (), video.tags)
