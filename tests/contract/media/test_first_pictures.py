"""Somebody waits for the first picture of every film, and nobody for the rest of any."""

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import msgspec
import pytest

from stowboard.blobs.open import open_blobs
from stowboard.blobs.settings import BlobSettings
from stowboard.db.database import Database
from stowboard.media.videos.ffmpeg.clip import VideoClip, require_work
from stowboard.media.videos.ffmpeg.unplayable import Unplayable
from stowboard.media.videos.video import VideoId, VideoStatus
from support.database.statements import rows
from support.media.finalized_videos import Studio
from support.media.video_files import video_file
from support.waiting import until


@pytest.fixture
async def studio(database: Database, disk_settings: BlobSettings, tmp_path: Path) -> AsyncIterator[Studio]:
    blobs = open_blobs(disk_settings)
    yield Studio(database, blobs, tmp_path / "work")
    await blobs.close()


async def test_every_film_can_be_played_before_the_rest_of_any_is_made(studio: Studio) -> None:
    films = [await studio.add(video_file(1, "640x480", "webm")) for _ in range(2)]
    async with studio.working(slots={"rendition": 0}):
        for film in films:
            await until(partial(_is_ready, studio, film))
        waiting = "SELECT dedup FROM job WHERE kind = 'video.make_rest' ORDER BY dedup"
        await until(partial(_are, studio, waiting, sorted(films)))
    async with studio.working():
        for film in films:
            await studio.ended(film)
            assert all(rendition.playlist is not None for rendition in await studio.renditions(film))


async def _is_ready(studio: Studio, film: VideoId) -> bool:
    return (await studio.get(film)).status is VideoStatus.READY


async def _are(studio: Studio, sql: str, expected: list[VideoId]) -> bool:
    return [found for (found,) in await rows(studio.db, sql)] == expected


def test_a_film_of_too_many_large_pictures_is_refused_before_any_work_on_it() -> None:
    hour = VideoClip(
        demuxer="mov", duration_ms=3_600_000, width=7680, height=4320, video_index=0, audio_index=None, rate=(60, 1),
        steady=True,
    )  # fmt: skip
    with pytest.raises(Unplayable, match="216,000 pictures of 7680 x 4320"):
        require_work(hour)
    require_work(msgspec.structs.replace(hour, width=1920, height=1080, rate=(30, 1), duration_ms=12 * 3_600_000))
