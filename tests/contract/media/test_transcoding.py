"""The jobs of a video: from the uploaded file to `ready` or `failed`, whatever happens in between."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from stowboard.blobs.open import open_blobs
from stowboard.blobs.settings import BlobSettings
from stowboard.db.database import Database
from stowboard.media.videos.ffmpeg import transcoding
from stowboard.media.videos.ffmpeg.scratch import remove_stale_folders, scratch_folder
from stowboard.media.videos.video import VideoId, VideoStatus
from support.jobs.working import execute, rows, until
from support.media.clips import AAC, make_clip
from support.media.finalized_videos import Studio
from support.media.held_ffmpeg import Gate
from support.processes.confined import is_alive


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """It has two steps: 240p and 360p."""
    return make_clip(tmp_path_factory.mktemp("clip") / "clip.mp4", *AAC, size="640x360").read_bytes()


@pytest.fixture
async def studio(database: Database, disk_settings: BlobSettings, tmp_path: Path) -> AsyncIterator[Studio]:
    blobs = open_blobs(disk_settings)
    yield Studio(database, blobs, tmp_path / "work")
    await blobs.close()


@pytest.fixture
def gate(tmp_path: Path) -> Gate:
    return Gate(tmp_path)


@pytest.fixture
def gated(studio: Studio, gate: Gate) -> Studio:
    """Where the second step is made only when the gate is open."""
    return Studio(studio.db, studio.blobs, studio.work_dir, str(gate.program))


async def test_a_video_becomes_ready_with_its_steps_and_a_poster(studio: Studio, clip: bytes) -> None:
    video_id = await studio.add(clip)
    async with studio.working(slots={"video": 1}):
        video = await studio.ended(video_id)
    assert (video.status, video.error_code) == (VideoStatus.READY, None)
    assert (video.width, video.height) == (640, 360)
    assert video.duration_ms == pytest.approx(1000, abs=100)
    rungs = await studio.rungs(video_id)
    assert [(rung.name, rung.width, rung.height, rung.progress) for rung in rungs] == [
        ("240p", 426, 240, 100),
        ("360p", 640, 360, 100),
    ]
    for rung in rungs:
        assert rung.blob_key is not None
        assert rung.playlist is not None
        stored = await studio.blobs.find(rung.blob_key)
        assert stored is not None
        assert stored.size == rung.size
        assert f"\n{rung.name}.mp4\n" in rung.playlist
    assert await studio.stored() == ["poster", "rung", "rung", "video"]
    assert await rows(studio.db, "SELECT type FROM event WHERE subject = $1", video_id) == [("media.video.ready",)]
    assert list(studio.work_dir.iterdir()) == []


async def test_from_a_bucket_the_same(
    database: Database, s3_settings: BlobSettings, tmp_path: Path, clip: bytes
) -> None:
    blobs = open_blobs(s3_settings)
    studio = Studio(database, blobs, tmp_path / "work")
    video_id = await studio.add(clip)
    async with studio.working(slots={"video": 1}):
        assert (await studio.ended(video_id)).status is VideoStatus.READY
    assert await studio.stored() == ["poster", "rung", "rung", "video"]
    assert list(studio.work_dir.iterdir()) == []
    await blobs.close()


async def test_bytes_that_are_hopeless_fail_at_once_and_tell_why(studio: Studio) -> None:
    video_id = await studio.add(b"ffconcat version 1.0\nfile /etc/passwd\n")
    async with studio.working():
        video = await studio.ended(video_id)
    assert (video.status, video.error_code) == (VideoStatus.FAILED, "not_a_video")
    assert "MP4" in (video.error_message or "")
    assert await rows(studio.db, "SELECT type FROM event WHERE subject = $1", video_id) == [("media.video.failed",)]
    assert await rows(studio.db, "SELECT attempt FROM job") == []


async def test_a_step_that_fails_takes_the_others_along(gate: Gate, gated: Studio, clip: bytes) -> None:
    """Its file is lost while the second step waits: that one cannot be made any more."""
    video_id = await gated.add(clip)
    async with gated.working(slots={"video": 1}):
        await gate.reached()
        video = await gated.get(video_id)
        assert video.blob_key is not None
        blobs = open_blobs(BlobSettings(url=str(gated.work_dir.parent / "blobs")))
        blobs.local_path(video.blob_key).write_bytes(clip[:2000])  # type: ignore[attr-defined]
        await blobs.close()
        gate.open()
        video = await gated.ended(video_id)
    assert (video.status, video.error_code) == (VideoStatus.FAILED, "malformed_video")
    assert await gated.rungs(video_id) == []
    assert "rung" not in await gated.stored()


async def test_when_every_attempt_fails_the_video_does_too(studio: Studio, clip: bytes) -> None:
    broken = Studio(studio.db, studio.blobs, studio.work_dir, "/no/such/ffmpeg")
    video_id = await broken.add(clip)
    async with broken.working(poll_ms=20):
        for _ in range(8):
            await until(lambda: _waits_again(broken))
            await execute(broken.db, "UPDATE job SET due = now_ms() WHERE token IS NULL AND dead = 0")
        video = await broken.ended(video_id)
    assert (video.status, video.error_code) == (VideoStatus.FAILED, "processing_failed")
    assert await broken.rungs(video_id) == []


async def _waits_again(studio: Studio) -> bool:
    return not await rows(studio.db, "SELECT 1 FROM job WHERE dead = 0 AND (token IS NOT NULL OR due <= now_ms())")


async def test_deletion_ends_ffmpeg_and_leaves_no_bytes(
    gate: Gate, gated: Studio, clip: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcoding, "PROGRESS_S", 0.1)
    video_id = await gated.add(clip)
    async with gated.working(slots={"video": 1}):
        pid = await gate.reached()
        assert "rung" in await gated.stored()
        await gated.delete(video_id)
        assert await rows(gated.db, "SELECT id FROM job WHERE queue = 'video'") == []
        await until(lambda: not is_alive(pid))
        await until(lambda: not any(gated.work_dir.iterdir()))
        await until(lambda: _only_the_source(gated))
    assert await rows(gated.db, "SELECT id FROM job") == []


async def _only_the_source(studio: Studio) -> bool:
    """Which is whose who deletes to remove."""
    return await studio.stored() == ["video"]


async def test_what_is_finished_after_the_deletion_is_thrown_away(
    gate: Gate, gated: Studio, clip: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcoding, "PROGRESS_S", 3600)
    video_id = await gated.add(clip)
    async with gated.working(slots={"video": 1}):
        await gate.reached()
        await gated.delete(video_id)
        gate.open()
        await until(lambda: not any(gated.work_dir.iterdir()))
        await until(lambda: _only_the_source(gated))


async def test_progress_is_written_down(
    gate: Gate, gated: Studio, clip: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcoding, "PROGRESS_S", 0)
    video_id = await gated.add(clip)
    async with gated.working(slots={"video": 1}):
        await gate.reached()
        assert [rung.progress for rung in await gated.rungs(video_id)] == [100, 0]
        await execute(gated.db, "UPDATE video_rung SET progress = 50 WHERE name = '360p'")
        await until(lambda: _progress_of(gated, video_id, 0))
        gate.open()
        assert (await gated.ended(video_id)).status is VideoStatus.READY


async def _progress_of(studio: Studio, video_id: VideoId, percent: int) -> bool:
    return (await studio.rungs(video_id))[1].progress == percent


async def test_a_stop_hands_the_step_back_and_the_next_worker_makes_only_that(
    gate: Gate, gated: Studio, clip: bytes
) -> None:
    video_id = await gated.add(clip)
    async with gated.working(slots={"video": 1}, grace_s=0.1):
        pid = await gate.reached()
    assert not is_alive(pid)
    assert list(gated.work_dir.iterdir()) == []
    assert await rows(gated.db, "SELECT kind, attempt, token FROM job") == [("video.rung", 0, None)]
    assert (await gated.get(video_id)).status is VideoStatus.PROCESSING
    [first, second] = await gated.rungs(video_id)
    assert second.playlist is None
    gate.open()
    async with gated.working():
        assert (await gated.ended(video_id)).status is VideoStatus.READY
    assert (await gated.rungs(video_id))[0] == first


async def test_heartbeats_go_on_while_ffmpeg_works(gate: Gate, gated: Studio, clip: bytes) -> None:
    video_id = await gated.add(clip)
    async with gated.working(slots={"video": 1}, lease_ms=1500):
        pid = await gate.reached()
        await asyncio.sleep(2)
        assert gate.waiting() == [pid]
        gate.open()
        assert (await gated.ended(video_id)).status is VideoStatus.READY


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
