"""Captions in the database: a row for each language of a video, with the whole text."""

import msgspec

from stowboard.db.database import Tx
from stowboard.db.rows import Columns
from stowboard.media.videos.video import VideoId


class Caption(msgspec.Struct, frozen=True, kw_only=True):
    """Captions in one language, without their text."""

    video_id: VideoId
    language: str
    label: str
    #: The number of cues.
    cues: int
    updated_at: int


_COLUMNS = Columns(Caption)


async def of_video(tx: Tx, video_id: str) -> list[Caption]:
    """In the order of languages."""
    rows = await tx.all(f"SELECT {_COLUMNS.names} FROM video_caption WHERE video_id = $1 ORDER BY language", video_id)
    return _COLUMNS.read_all(rows)


async def find_text(tx: Tx, video_id: str, language: str) -> str | None:
    row = await tx.one("SELECT text FROM video_caption WHERE video_id = $1 AND language = $2", video_id, language)
    return str(row[0]) if row is not None else None


async def put(tx: Tx, caption: Caption, text: str) -> None:
    """Write the captions, or replace those of the same language."""
    values = _COLUMNS.values(caption)
    await tx.run(
        f"INSERT INTO video_caption ({_COLUMNS.names}, text) VALUES ({_COLUMNS.parameters}, ${len(values) + 1})"
        " ON CONFLICT (video_id, language) DO UPDATE SET label = excluded.label, cues = excluded.cues,"
        " updated_at = excluded.updated_at, text = excluded.text",
        *values,
        text,
    )


async def remove(tx: Tx, video_id: str, language: str) -> bool:
    """Returns False if there were none."""
    return await tx.run("DELETE FROM video_caption WHERE video_id = $1 AND language = $2", video_id, language) == 1
