"""Videos that browsers play as they are: which ones, what their copy is like, and when it comes and goes."""

from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import av
import pytest

from stowboard.blobs.open import open_blobs
from stowboard.blobs.settings import BlobSettings
from stowboard.db.database import Database
from stowboard.media.videos.ffmpeg.clip import read_clip
from stowboard.media.videos.ffmpeg.preparing import plan_original
from stowboard.media.videos.ffmpeg.transcode import MadeRendition, copy_streams
from stowboard.media.videos.ffmpeg.transcoding import prepare_later
from stowboard.media.videos.progress import progress_of
from stowboard.media.videos.video import VideoId, VideoStatus
from support.database.statements import execute, rows
from support.jobs.working import no_jobs_left
from support.media.clips import AAC, FFMPEG, SILENT, ffmpeg, make_clip
from support.media.finalized_videos import Studio
from support.media.held_ffmpeg import HeldFfmpeg
from support.processes.confined import is_alive
from support.waiting import until

SECRET = "48.8584N2.2945E"
#: As cameras do: pictures that are not in the order of their times, a key frame each second, and words about the place.
FILM = (
    *("-c:v", "libx264", "-preset", "veryfast", "-bf", "2", "-g", "10", "-pix_fmt", "yuv420p", *AAC),
    *("-metadata", f"comment={SECRET}", "-metadata", f"location={SECRET}"),
    *("-metadata:s:v", f"handler_name={SECRET}", "-metadata:s:a", f"title={SECRET}"),
)
Make = Callable[[Path], Path]


def usual(folder: Path) -> Path:
    return make_clip(folder / "clip.mp4", codecs=FILM, seconds=9)


def silent(folder: Path) -> Path:
    return make_clip(folder / "clip.mp4", *SILENT)


def matroska(folder: Path) -> Path:
    return make_clip(folder / "clip.mkv", *AAC)


@pytest.mark.parametrize(
    ("make", "codecs"), [(usual, "avc1.64000c,mp4a.40.2"), (silent, "avc1.42c00b"), (matroska, "avc1.42c00b,mp4a.40.2")]
)
async def test_h264_with_aac_or_without_sound_is_played_as_it_is(tmp_path: Path, make: Make, codecs: str) -> None:
    source = make(tmp_path)
    clip = await read_clip(source)
    assert clip.codecs == codecs
    made = await copied(source, tmp_path)
    assert (made.plan.width, made.plan.height, made.plan.codecs) == (320, 240, codecs)
    assert offsets(made.file) == pytest.approx(offsets(source), abs=0.03)
    for number in range(len(made.playlist.segments)):
        check_segment(made, number)


async def test_segments_begin_at_key_frames_and_nothing_but_pictures_and_sound_is_copied(tmp_path: Path) -> None:
    source = usual(tmp_path)
    assert source.read_bytes().count(SECRET.encode()) >= 2
    assert b"x264 - core" in source.read_bytes()
    made = await copied(source, tmp_path)
    assert [round(segment.seconds) for segment in made.playlist.segments] == [4, 4, 1]
    data = made.file.read_bytes()
    assert SECRET.encode() not in data
    assert b"x264 - core" not in data, "messages between the pictures, where cameras write places too"
    costliest = max(segment.size * 8 / segment.seconds for segment in made.playlist.segments)
    assert made.playlist.bandwidth == pytest.approx(costliest, abs=2)


def rotated(folder: Path) -> Path:
    return ffmpeg("-display_rotation", "90", "-i", str(silent(folder)), "-c", "copy", str(folder / "turned.mp4"))


def mirrored(folder: Path) -> Path:
    return ffmpeg("-display_vflip", "-i", str(silent(folder)), "-c", "copy", str(folder / "turned.mp4"))


def stretched(folder: Path) -> Path:
    return make_clip(folder / "clip.mp4", *SILENT, "-vf", "setsar=2")


def of_ten_bits(folder: Path) -> Path:
    return make_clip(folder / "clip.mp4", *SILENT, "-pix_fmt", "yuv420p10le")


def of_full_colour(folder: Path) -> Path:
    return make_clip(folder / "clip.mp4", *SILENT, "-pix_fmt", "yuv444p")


def interlaced(folder: Path) -> Path:
    return make_clip(folder / "clip.mp4", *SILENT, "-x264-params", "tff=1", "-flags", "+ildct+ilme")


def of_few_key_frames(folder: Path) -> Path:
    return make_clip(folder / "clip.mp4", *SILENT, "-g", "999", "-sc_threshold", "0", seconds=14)


def of_open_groups(folder: Path) -> Path:
    """Its later key frames have pictures behind them that need those before."""
    groups = ("-x264-params", "open-gop=1:keyint=10:bframes=3:scenecut=0")
    return make_clip(
        folder / "clip.mp4", *SILENT, *groups, seconds=3, codecs=("-c:v", "libx264", "-pix_fmt", "yuv420p")
    )


def cut(folder: Path) -> Path:
    """Its first pictures are there only to decode the next ones."""
    whole = make_clip(folder / "whole.mp4", *AAC, "-g", "20", seconds=6)
    return ffmpeg("-ss", "2.5", "-i", str(whole), "-c", "copy", str(folder / "clip.mp4"))


def joined(folder: Path) -> Path:
    """Two recordings behind each other, of which the second has other parameters."""
    plain = make_clip(folder / "plain.ts", *SILENT)
    other = make_clip(folder / "other.ts", *SILENT, codecs=("-c:v", "libx264", "-pix_fmt", "yuv420p"))
    return ffmpeg("-i", f"concat:{plain}|{other}", "-c", "copy", str(folder / "clip.mp4"))


def of_other_sound(folder: Path) -> Path:
    return make_clip(folder / "clip.mp4", "-c:a", "libmp3lame")


def of_many_channels(folder: Path) -> Path:
    return make_clip(folder / "clip.mp4", *AAC, "-ac", "6")


def of_another_codec(folder: Path) -> Path:
    return make_clip(folder / "clip.mp4", *SILENT, codecs=("-c:v", "mpeg4"))


@pytest.mark.parametrize(
    "make",
    [rotated, mirrored, stretched, of_ten_bits, of_full_colour, interlaced, of_few_key_frames, of_open_groups, cut,
     joined, of_other_sound, of_many_channels, of_another_codec],
)  # fmt: skip
async def test_what_some_player_would_show_wrongly_is_encoded_first(tmp_path: Path, make: Make) -> None:
    assert (await read_clip(make(tmp_path))).codecs is None


async def test_a_file_of_more_bits_than_connections_have_is_encoded_first(tmp_path: Path) -> None:
    clip = await read_clip(silent(tmp_path))
    assert plan_original(clip, 100_000) is not None
    assert plan_original(clip, 100_000_000) is None


@pytest.fixture
async def studio(database: Database, disk_settings: BlobSettings, tmp_path: Path) -> AsyncIterator[Studio]:
    blobs = open_blobs(disk_settings)
    yield Studio(database, blobs, tmp_path / "work")
    await blobs.close()


async def test_a_video_is_played_as_it_is_before_its_ladder_is_begun_and_until_that_is_made(
    studio: Studio, tmp_path: Path
) -> None:
    video_id = await studio.add(usual(tmp_path).read_bytes())
    async with studio.working(slots={"video": 0}):
        await until(lambda: _is_ready(studio, video_id))
        await until(lambda: _ladder_waits(studio))
    assert await _shown(studio, video_id) == (["original"], 0)
    first = await _original(studio)
    # As after a kill between the copy and the end of its job.
    await studio.db.transact(prepare_later, await studio.get(video_id))
    async with studio.working():
        await studio.ended(video_id)
    assert await _original(studio) == first
    assert await _shown(studio, video_id) == (["audio", "240p"], None)
    told = await rows(studio.db, "SELECT type FROM event WHERE subject = $1 ORDER BY id", video_id)
    assert told == [("media.video.ready",), ("media.video.completed",)]
    assert await studio.stored() == ["poster", *["rendition"] * 3, "storyboard", "video"], "somebody may be watching it"
    await execute(studio.db, "UPDATE job SET due = 0 WHERE kind = 'video.drop_original'")
    async with studio.working():
        await until(lambda: no_jobs_left(studio.db))
    assert await studio.stored() == ["poster", *["rendition"] * 2, "storyboard", "video"]
    assert await _shown(studio, video_id) == (["audio", "240p"], None)


async def test_a_deletion_while_it_is_copied_leaves_no_bytes(studio: Studio, tmp_path: Path) -> None:
    held = HeldFfmpeg(tmp_path, "original")
    held_studio = Studio(studio.db, studio.blobs, studio.work_dir, str(held.program))
    video_id = await held_studio.add(silent(tmp_path).read_bytes())
    async with held_studio.working(lease_ms=3000):
        pid = await held.reached()
        await held_studio.delete(video_id)
        await until(lambda: not is_alive(pid))
        await until(lambda: not any(held_studio.work_dir.iterdir()))
        await until(lambda: no_jobs_left(held_studio.db))
    assert await held_studio.stored() == ["video"]


async def test_a_copy_that_fails_leaves_the_ladder_to_be_made(studio: Studio, tmp_path: Path) -> None:
    program = tmp_path / "ffmpeg"
    program.write_text(f'#!/bin/sh\ncase "$*" in *original.mp4*) exit 1 ;; esac\nexec {FFMPEG} "$@"\n')
    program.chmod(0o755)
    failing = Studio(studio.db, studio.blobs, studio.work_dir, str(program))
    video_id = await failing.add(silent(tmp_path).read_bytes())
    async with failing.working():
        video = await failing.ended(video_id)
    assert (video.status, video.error_code) == (VideoStatus.READY, None)
    assert await _shown(failing, video_id) == (["240p"], None)


async def _is_ready(studio: Studio, video_id: VideoId) -> bool:
    return (await studio.get(video_id)).status is VideoStatus.READY


async def _ladder_waits(studio: Studio) -> bool:
    return await rows(studio.db, "SELECT kind, attempt FROM job WHERE dead = 0") == [("video.make", 0)]


async def _shown(studio: Studio, video_id: VideoId) -> tuple[list[str], int | None]:
    shown = (await studio.db.read(progress_of, [await studio.get(video_id)]))[video_id]
    return [each.name for each in shown.renditions], shown.percent


async def _original(studio: Studio) -> list[tuple[str]]:
    return await rows(studio.db, "SELECT blob_key FROM video_rendition WHERE name = 'original'")


async def copied(source: Path, folder: Path) -> MadeRendition:
    clip = await read_clip(source)
    plan = plan_original(clip, source.stat().st_size)
    assert plan is not None
    return await copy_streams(FFMPEG, source, clip, plan, folder)


def offsets(file: Path) -> list[float]:
    """The first times of pictures and sound, from the earlier of both."""
    first: dict[int, float] = {}
    with av.open(str(file)) as container, suppress(EOFError):
        for packet in container.demux():
            if packet.pts is not None and packet.time_base:
                at = float(packet.pts * packet.time_base)
                first[packet.stream_index] = min(at, first.get(packet.stream_index, at))
    return [at - min(first.values()) for _, at in sorted(first.items())]


def check_segment(made: MadeRendition, number: int) -> None:
    """With nothing but the header before it, its first picture is a key frame, and all are decoded."""
    data, segment = made.file.read_bytes(), made.playlist.segments[number]
    alone = data[: made.playlist.header_size] + data[segment.start : segment.start + segment.size]
    with av.open(BytesIO(alone), "r", format="mp4") as container:
        frames = list(container.decode(video=0))
    assert frames[0].key_frame
    assert len(frames) == round(segment.seconds * 10)
