"""The jobs of a video: from the uploaded file to `ready` or `failed`, whatever happens in between."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from stowboard.blobs.open import open_blobs
from stowboard.blobs.settings import BlobSettings
from stowboard.db.database import Database
from stowboard.media.videos import rendition_store
from stowboard.media.videos.ffmpeg import making
from stowboard.media.videos.ffmpeg.workplace import remove_stale_folders, scratch_folder
from stowboard.media.videos.progress import progress_of
from stowboard.media.videos.video import VideoId, VideoStatus
from support.database.statements import execute, rows
from support.jobs.working import no_jobs_left
from support.media.clips import AAC, make_clip
from support.media.finalized_videos import Studio
from support.media.held_ffmpeg import HeldFfmpeg
from support.processes.confined import is_alive
from support.waiting import until


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """It has the sound alone, 240p and 360p; and is played as it is before that."""
    return make_clip(tmp_path_factory.mktemp("clip") / "clip.mp4", *AAC, size="640x360").read_bytes()


@pytest.fixture
async def studio(database: Database, disk_settings: BlobSettings, tmp_path: Path) -> AsyncIterator[Studio]:
    blobs = open_blobs(disk_settings)
    yield Studio(database, blobs, tmp_path / "work")
    await blobs.close()


@pytest.fixture
def held_ffmpeg(tmp_path: Path) -> HeldFfmpeg:
    return HeldFfmpeg(tmp_path)


@pytest.fixture
def held_studio(studio: Studio, held_ffmpeg: HeldFfmpeg) -> Studio:
    """Where the second rendition is made only when it is released."""
    return Studio(studio.db, studio.blobs, studio.work_dir, str(held_ffmpeg.program))


async def test_a_video_becomes_ready_with_its_steps_and_a_poster(studio: Studio, clip: bytes) -> None:
    video_id = await studio.add(clip)
    async with studio.working(slots={"video": 1}):
        video = await studio.ended(video_id)
    assert (video.status, video.error_code) == (VideoStatus.READY, None)
    assert (video.width, video.height) == (640, 360)
    assert video.duration_ms == pytest.approx(1000, abs=100)
    renditions = await studio.renditions(video_id)
    assert [(rendition.name, rendition.width, rendition.height, rendition.progress) for rendition in renditions] == [
        ("audio", 0, 0, 100),
        ("240p", 426, 240, 100),
        ("360p", 640, 360, 100),
        ("original", 640, 360, 100),
    ]
    for rendition in renditions:
        assert rendition.blob_key is not None
        assert rendition.playlist is not None
        stored = await studio.blobs.find(rendition.blob_key)
        assert stored is not None
        assert stored.size == rendition.size
        assert f"\n{rendition.name}.mp4\n" in rendition.playlist
    assert await studio.stored() == ["poster", *["rendition"] * 4, "storyboard", "video"]
    told = await rows(studio.db, "SELECT type FROM event WHERE subject = $1 ORDER BY id", video_id)
    assert told == [("media.video.ready",), ("media.video.completed",)]
    assert list(studio.work_dir.iterdir()) == []


async def test_from_a_bucket_the_same(
    database: Database, s3_settings: BlobSettings, tmp_path: Path, clip: bytes
) -> None:
    blobs = open_blobs(s3_settings)
    studio = Studio(database, blobs, tmp_path / "work")
    video_id = await studio.add(clip)
    async with studio.working(slots={"video": 1}):
        assert (await studio.ended(video_id)).status is VideoStatus.READY
    assert await studio.stored() == ["poster", *["rendition"] * 4, "storyboard", "video"]
    assert list(studio.work_dir.iterdir()) == []
    await blobs.close()


async def test_bytes_that_are_hopeless_fail_at_once_and_tell_why(studio: Studio) -> None:
    video_id = await studio.add(b"ffconcat version 1.0\nfile /etc/passwd\n")
    async with studio.working():
        video = await studio.ended(video_id)
    assert (video.status, video.error_code) == (VideoStatus.FAILED, "not_a_video")
    assert "MP4" in (video.error_message or "")
    assert await rows(studio.db, "SELECT type FROM event WHERE subject = $1", video_id) == [("media.video.failed",)]
    assert await no_jobs_left(studio.db)


async def test_with_its_first_size_a_video_is_ready_and_others_join_it(
    held_ffmpeg: HeldFfmpeg, held_studio: Studio, clip: bytes
) -> None:
    video_id = await held_studio.add(clip)
    async with held_studio.working(slots={"video": 1}):
        await held_ffmpeg.reached()
        video = await held_studio.get(video_id)
        assert (video.status, video.error_code) == (VideoStatus.READY, None)
        assert video.poster_key is not None
        shown = (await held_studio.db.read(progress_of, [video]))[video_id]
        assert [each.name for each in shown.renditions] == ["audio", "240p", "original"]
        assert shown.percent == 66
        held_ffmpeg.release()
        video = await held_studio.ended(video_id)
    shown = (await held_studio.db.read(progress_of, [video]))[video_id]
    assert ([each.name for each in shown.renditions], shown.percent) == (["audio", "240p", "360p"], None)


async def test_a_size_that_cannot_be_made_leaves_those_that_are(
    held_ffmpeg: HeldFfmpeg, held_studio: Studio, clip: bytes
) -> None:
    """Its file is lost while the second run waits: that one cannot be made any more."""
    video_id = await held_studio.add(clip)
    async with held_studio.working(slots={"video": 1}):
        await held_ffmpeg.reached()
        video = await held_studio.get(video_id)
        assert video.blob_key is not None
        blobs = open_blobs(BlobSettings(url=str(held_studio.work_dir.parent / "blobs")))
        blobs.local_path(video.blob_key).write_bytes(clip[:2000])  # type: ignore[attr-defined]
        await blobs.close()
        held_ffmpeg.release()
        video = await held_studio.ended(video_id)
    assert (video.status, video.error_code) == (VideoStatus.READY, "malformed_video")
    assert "not in all renditions" in (video.error_message or "")
    assert [rendition.name for rendition in await held_studio.renditions(video_id)] == ["audio", "240p", "original"]


async def test_when_every_attempt_fails_the_video_does_too(studio: Studio, clip: bytes) -> None:
    broken = Studio(studio.db, studio.blobs, studio.work_dir, "/no/such/ffmpeg")
    video_id = await broken.add(clip)
    async with broken.working(poll_ms=20):
        for _ in range(8):
            await until(lambda: _waits_again(broken))
            await execute(broken.db, "UPDATE job SET due = now_ms() WHERE token IS NULL AND dead = 0")
        video = await broken.ended(video_id)
    assert (video.status, video.error_code) == (VideoStatus.FAILED, "processing_failed")
    assert await broken.renditions(video_id) == []


async def _waits_again(studio: Studio) -> bool:
    waiting = "SELECT 1 FROM job WHERE queue = 'prepare' AND dead = 0 AND (token IS NOT NULL OR due <= now_ms())"
    return not await rows(studio.db, waiting)


async def test_deletion_ends_ffmpeg_and_leaves_no_bytes(
    held_ffmpeg: HeldFfmpeg, held_studio: Studio, clip: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "PROGRESS_S", 0.1)
    video_id = await held_studio.add(clip)
    async with held_studio.working(slots={"video": 1}):
        pid = await held_ffmpeg.reached()
        assert "rendition" in await held_studio.stored()
        await held_studio.delete(video_id)
        assert await rows(held_studio.db, "SELECT id FROM job WHERE queue IN ('video', 'rendition')") == []
        await until(lambda: not is_alive(pid))
        await until(lambda: not any(held_studio.work_dir.iterdir()))
        await until(lambda: _only_the_source(held_studio))
    assert await no_jobs_left(held_studio.db)


async def _held_until(studio: Studio, due: int) -> bool:
    """True if the lease of the rendition has been made so much longer."""
    return await rows(studio.db, "SELECT 1 FROM job WHERE kind LIKE 'video.make%' AND due >= $1", due) != []


async def _only_the_source(studio: Studio) -> bool:
    """Which is whose who deletes to remove."""
    return await studio.stored() == ["video"]


async def test_what_is_finished_after_the_deletion_is_thrown_away(
    held_ffmpeg: HeldFfmpeg, held_studio: Studio, clip: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "PROGRESS_S", 3600)
    video_id = await held_studio.add(clip)
    async with held_studio.working(slots={"video": 1}):
        await held_ffmpeg.reached()
        await held_studio.delete(video_id)
        held_ffmpeg.release()
        await until(lambda: not any(held_studio.work_dir.iterdir()))
        await until(lambda: _only_the_source(held_studio))


async def test_progress_is_written_down(
    held_ffmpeg: HeldFfmpeg, held_studio: Studio, clip: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "PROGRESS_S", 0)
    video_id = await held_studio.add(clip)
    async with held_studio.working(slots={"video": 1}):
        await held_ffmpeg.reached()
        assert [rendition.progress for rendition in await held_studio.renditions(video_id)] == [100, 100, 0, 100]
        await execute(held_studio.db, "UPDATE video_rendition SET progress = -1 WHERE name = '360p'")
        await until(lambda: _progress_of(held_studio, video_id, 0))
        held_ffmpeg.release()
        assert (await held_studio.ended(video_id)).status is VideoStatus.READY


async def test_the_progress_of_a_step_that_is_begun_anew_does_not_fall(
    held_ffmpeg: HeldFfmpeg, held_studio: Studio, clip: bytes
) -> None:
    video_id = await held_studio.add(clip)
    async with held_studio.working(slots={"video": 1}, grace_s=0.1):
        await held_ffmpeg.reached()
    for reported, shown in ((60, 60), (0, 60), (59, 60), (61, 61)):
        assert await held_studio.db.transact(rendition_store.set_progress, video_id, ["360p"], reported)
        assert await _progress_of(held_studio, video_id, shown)
    assert not await held_studio.db.transact(rendition_store.set_progress, video_id, ["4320p"], 1)


async def _progress_of(studio: Studio, video_id: VideoId, percent: int) -> bool:
    return await rows(studio.db, "SELECT progress FROM video_rendition WHERE name = '360p'") == [(percent,)]


async def test_a_stop_hands_the_step_back_and_the_next_worker_makes_only_that(
    held_ffmpeg: HeldFfmpeg, held_studio: Studio, clip: bytes
) -> None:
    video_id = await held_studio.add(clip)
    async with held_studio.working(slots={"video": 1}, grace_s=0.1):
        pid = await held_ffmpeg.reached()
    assert not is_alive(pid)
    assert list(held_studio.work_dir.iterdir()) == []
    assert await rows(held_studio.db, "SELECT kind, attempt, token FROM job WHERE queue IN ('video', 'rendition')") == [
        ("video.make_rest", 0, None)
    ]
    assert (await held_studio.get(video_id)).status is VideoStatus.READY
    before = await held_studio.renditions(video_id)
    assert [rendition.name for rendition in before if rendition.playlist is None] == ["360p"]
    held_ffmpeg.release()
    async with held_studio.working():
        assert (await held_studio.ended(video_id)).status is VideoStatus.READY
    after = await held_studio.renditions(video_id)
    assert [made for made in after if made.name != "360p"] == [made for made in before if made.name != "360p"]


async def test_heartbeats_go_on_while_ffmpeg_works(held_ffmpeg: HeldFfmpeg, held_studio: Studio, clip: bytes) -> None:
    video_id = await held_studio.add(clip)
    async with held_studio.working(slots={"video": 1}, lease_ms=3000):
        pid = await held_ffmpeg.reached()
        [(first,)] = await rows(held_studio.db, "SELECT due FROM job WHERE kind LIKE 'video.make%'")
        await until(lambda: _held_until(held_studio, first + 3000))
        assert held_ffmpeg.waiting() == [pid]
        held_ffmpeg.release()
        assert (await held_studio.ended(video_id)).status is VideoStatus.READY


async def test_folders_of_killed_processes_are_removed_and_those_in_use_are_not(tmp_path: Path) -> None:
    left = tmp_path / "video-0123456789abcdef"
    left.mkdir()
    (left / "240p.mp4").write_bytes(b"x")
    async with scratch_folder(tmp_path) as used:
        assert not left.exists()
        left.mkdir()
        remove_stale_folders(tmp_path)
        assert (left.exists(), used.exists()) == (False, True)
        assert used.stat().st_mode & 0o077 == 0
    assert list(tmp_path.iterdir()) == []
