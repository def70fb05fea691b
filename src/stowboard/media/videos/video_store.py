"""Videos in the database. `put` is the one way to write one: it also keeps tags and statistics true."""

from collections.abc import Sequence

from stowboard.core.ids import is_id
from stowboard.core.metadata import changed_pairs
from stowboard.db.database import Tx
from stowboard.db.rows import Columns
from stowboard.media.base import stat_store
from stowboard.media.base.errors import VideoNotFound
from stowboard.media.videos.findable import document_of
from stowboard.media.videos.video import Video
from stowboard.search import index

COLUMNS = Columns(Video, "tags", "damaged", "metadata", "storyboard")


async def find(tx: Tx, video_id: str) -> Video | None:
    if not is_id("vid", video_id):
        return None
    row = await tx.one(f"SELECT {COLUMNS.names} FROM video WHERE id = $1", video_id)
    return COLUMNS.read(row) if row is not None else None


async def get(tx: Tx, video_id: str) -> Video:
    """Raises VideoNotFound."""
    video = await find(tx, video_id)
    if video is None:
        raise VideoNotFound
    return video


async def find_by_provider_id(tx: Tx, provider_video_id: str) -> Video | None:
    row = await tx.one(f"SELECT {COLUMNS.names} FROM video WHERE provider_video_id = $1", provider_video_id)
    return COLUMNS.read(row) if row is not None else None


async def lock(tx: Tx, video_id: str) -> Video:
    """The video, locked against other writers until the transaction ends. Raises VideoNotFound."""
    if is_id("vid", video_id):
        row = await tx.one(f"SELECT {COLUMNS.names} FROM video WHERE id = $1 FOR UPDATE", video_id)
        if row is not None:
            return COLUMNS.read(row)
    raise VideoNotFound


async def find_and_lock_ids(tx: Tx, ids: Sequence[str]) -> set[str]:
    """Those that a video has, locked against other writers."""
    known = sorted({video_id for video_id in ids if is_id("vid", video_id)})
    if not known:
        return set()
    numbers = ", ".join(f"${n + 1}" for n in range(len(known)))
    rows = await tx.all(f"SELECT id FROM video WHERE id IN ({numbers}) ORDER BY id FOR UPDATE", *known)
    return {video_id for (video_id,) in rows}


async def find_tagged(tx: Tx, tag: str, limit: int) -> list[str]:
    """Ids of some videos that have it."""
    rows = await tx.all("SELECT video_id FROM video_tag WHERE tag = $1 ORDER BY video_id LIMIT $2", tag, limit)
    return [video_id for (video_id,) in rows]


async def count_tagged(tx: Tx, tag: str) -> int:
    row = await tx.one("SELECT count(*) FROM video_tag WHERE tag = $1", tag)
    return int(row[0]) if row is not None else 0


async def find_and_lock_after(tx: Tx, after: str, limit: int) -> list[Video]:
    """The next ones in the order of ids, locked against other writers."""
    sql = f"SELECT {COLUMNS.names} FROM video WHERE id > $1 ORDER BY id LIMIT $2 FOR UPDATE"
    return COLUMNS.read_all(await tx.all(sql, after, limit))


async def put(tx: Tx, before: Video | None, after: Video) -> None:
    """Make the database say `after`. `before` is what the video was, locked by this transaction; None if it is new."""
    values = COLUMNS.values(after)
    if before is None:
        await tx.run(f"INSERT INTO video ({COLUMNS.names}) VALUES ({COLUMNS.parameters})", *values)
    else:
        await tx.run(f"UPDATE video SET ({COLUMNS.names}) = ({COLUMNS.parameters}) WHERE id = $1", *values)
    await index.follow(tx, [(document_of(before), document_of(after))])
    await _change_tags(tx, after.id, set(before.tags) if before else set(), set(after.tags))
    await _change_metadata(tx, after.id, before.metadata if before else {}, after.metadata)
    await stat_store.change(tx, "video", _stat(before), _stat(after))


async def remove(tx: Tx, video: Video) -> None:
    """The row, its tags and renditions; bytes are the caller's to discard. The video is locked by this transaction."""
    await tx.run("DELETE FROM video WHERE id = $1", video.id)
    await index.follow(tx, [(document_of(video), None)])
    await stat_store.change(tx, "video", _stat(video), None)


async def _change_tags(tx: Tx, video_id: str, old: set[str], wanted: set[str]) -> None:
    gone, new = [(tag, video_id) for tag in sorted(old - wanted)], [(tag, video_id) for tag in sorted(wanted - old)]
    if gone:
        await tx.run_many("DELETE FROM video_tag WHERE tag = $1 AND video_id = $2", gone)
    if new:
        await tx.run_many("INSERT INTO video_tag (tag, video_id) VALUES ($1, $2)", new)


async def _change_metadata(tx: Tx, video_id: str, before: dict[str, str], after: dict[str, str]) -> None:
    gone, new = changed_pairs(before, after)
    if gone:
        sql = "DELETE FROM video_metadata WHERE name = $1 AND value = $2 AND video_id = $3"
        await tx.run_many(sql, [(*pair, video_id) for pair in gone])
    if new:
        sql = "INSERT INTO video_metadata (name, value, video_id) VALUES ($1, $2, $3)"
        await tx.run_many(sql, [(*pair, video_id) for pair in new])


def _stat(video: Video | None) -> stat_store.Stat | None:
    return ("video", video.status, video.size or 0, video.created_by) if video is not None else None
