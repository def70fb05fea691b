"""The renditions of videos' ladders in the database."""

from collections.abc import Iterable, Sequence
from typing import Any

from stowboard.db.database import Tx
from stowboard.db.rows import Columns
from stowboard.media.base.stat_store import MadeFile
from stowboard.media.videos.video import Rendition

COLUMNS = Columns(Rendition)


async def insert_many(tx: Tx, renditions: list[Rendition]) -> None:
    await tx.run_many(
        f"INSERT INTO video_rendition ({COLUMNS.names}) VALUES ({COLUMNS.parameters})",
        [COLUMNS.values(rendition) for rendition in renditions],
    )


async def of_video(tx: Tx, video_id: str) -> list[Rendition]:
    """Smallest first."""
    rows = await tx.all(
        f"SELECT {COLUMNS.names} FROM video_rendition WHERE video_id = $1 ORDER BY height, name", video_id
    )
    return COLUMNS.read_all(rows)


async def find(tx: Tx, video_id: str, name: str) -> Rendition | None:
    row = await tx.one(f"SELECT {COLUMNS.names} FROM video_rendition WHERE video_id = $1 AND name = $2", video_id, name)
    return COLUMNS.read(row) if row is not None else None


async def save(tx: Tx, rendition: Rendition) -> None:
    await tx.run(
        f"UPDATE video_rendition SET ({COLUMNS.names}) = ({COLUMNS.parameters}) WHERE video_id = $1 AND name = $2",
        *COLUMNS.values(rendition),
    )


async def set_progress(tx: Tx, video_id: str, names: Sequence[str], percent: int) -> bool:
    """Never less than before: a second attempt counts once it is further. False if the renditions are gone."""
    higher = "CASE WHEN progress < $2 THEN $2 ELSE progress END"
    numbers = ", ".join(f"${number + 3}" for number in range(len(names)))
    sql = f"UPDATE video_rendition SET progress = {higher} WHERE video_id = $1 AND name IN ({numbers})"
    return await tx.run(sql, video_id, percent, *names) > 0


async def remove(tx: Tx, video_id: str, name: str) -> list[MadeFile]:
    """Remove the row. Returns its file, if that was made; the caller discards and counts it."""
    sql = "DELETE FROM video_rendition WHERE video_id = $1 AND name = $2 RETURNING blob_key, size"
    return _made(await tx.all(sql, video_id, name))


async def remove_unmade(tx: Tx, video_id: str) -> int:
    """Remove the renditions that are not made. Returns how many there were."""
    return await tx.run("DELETE FROM video_rendition WHERE video_id = $1 AND playlist IS NULL", video_id)


async def remove_all(tx: Tx, video_id: str) -> list[MadeFile]:
    """Remove all rows. Returns their files that were made; the caller discards and counts them."""
    return _made(await tx.all("DELETE FROM video_rendition WHERE video_id = $1 RETURNING blob_key, size", video_id))


def _made(rows: Iterable[Sequence[Any]]) -> list[MadeFile]:
    return [(key, size or 0) for key, size in rows if key is not None]
