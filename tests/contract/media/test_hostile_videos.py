"""Videos that were made to harm: the video fails with a reason, and nothing is read, reached or left behind."""

import asyncio
import functools
import subprocess
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stowboard.blobs.open import open_blobs
from stowboard.blobs.settings import BlobSettings
from stowboard.db.database import Database
from stowboard.db.migrate import migrate
from stowboard.db.open import DatabaseSettings, open_database
from stowboard.media.videos.ffmpeg.clip import VideoClip, read_clip
from stowboard.media.videos.ffmpeg.containers import find_container
from stowboard.media.videos.ffmpeg.ladder import plan_renditions
from stowboard.media.videos.ffmpeg.transcode import input_options, make_renditions
from stowboard.media.videos.ffmpeg.unplayable import Unplayable
from stowboard.media.videos.video import Video, VideoStatus
from support.media import hostile_videos
from support.media.clips import AAC, FFMPEG, make_clip
from support.media.finalized_videos import Studio

SECRET = "correct horse battery staple"


class Trap:
    """An address that counts who comes, and a file that must not be read."""

    def __init__(self, folder: Path, port: int) -> None:
        self.visitors = 0
        self.address = f"http://127.0.0.1:{port}/x.mp4"
        self.file = folder / "secret.txt"
        self.file.write_text(SECRET)


@pytest.fixture
async def trap(tmp_path: Path) -> AsyncIterator[Trap]:
    async def visited(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        made.visitors += 1
        writer.close()

    server = await asyncio.start_server(visited, "127.0.0.1")
    made = Trap(tmp_path, server.sockets[0].getsockname()[1])
    yield made
    server.close()
    await server.wait_closed()


@pytest.fixture
async def studio(tmp_path: Path) -> AsyncIterator[Studio]:
    """On one database: what is asked here does not depend on which."""
    db: Database = await open_database(DatabaseSettings(f"sqlite:///{tmp_path}/stowboard.db"))
    await migrate(db)
    blobs = open_blobs(BlobSettings(url=str(tmp_path / "blobs")))
    yield Studio(db, blobs, tmp_path / "work")
    await blobs.close()
    await db.close()


async def outcome(studio: Studio, content: bytes) -> Video:
    video_id = await studio.add(content)
    async with studio.working(slots={"video": 1}):
        video = await studio.ended(video_id)
    assert list(studio.work_dir.glob("*")) == []
    return video


async def made_of(studio: Studio) -> bytes:
    """All bytes that were made, without those that were given."""
    kept = b""
    async for blob in studio.blobs.walk():
        if not blob.key.startswith("video/"):
            kept += b"".join([chunk async for chunk in studio.blobs.read(blob.key)])
    return kept


SCRIPTS = [
    hostile_videos.hls_playlist,
    hostile_videos.concat_script,
    hostile_videos.dash_manifest,
    hostile_videos.session_description,
]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.__name__)
@pytest.mark.parametrize("kind", ["file", "address"])
async def test_texts_that_name_other_files_are_no_videos(
    studio: Studio, trap: Trap, script: Callable[[str], bytes], kind: str, tmp_path: Path
) -> None:
    target = trap.address if kind == "address" else f"file://{trap.file}"
    content = script(target)
    video = await outcome(studio, content)
    assert (video.status, video.error_code) == (VideoStatus.FAILED, "not_a_video")
    # If one came through all the same, ffmpeg would not follow it.
    for demuxer in ("mov", "matroska", "avi", "mpegts"):
        refused_by_ffmpeg_alone(tmp_path, content, demuxer)
    assert trap.visitors == 0


def refused_by_ffmpeg_alone(folder: Path, content: bytes, demuxer: str) -> None:
    """Without the confinement, which would hide a network that it tries to use."""
    file = folder / "clip.mp4"
    file.write_bytes(content)
    clip = VideoClip(
        demuxer=demuxer, duration_ms=1, width=1, height=1, video_index=0, audio_index=None, rate=(1, 1), steady=True
    )
    done = subprocess.run(
        [FFMPEG, *input_options(file, clip), "-f", "null", "-"], capture_output=True, text=True, timeout=120,
        env={"GCONV_PATH": "/dev/null"},
    )  # fmt: skip
    assert done.returncode > 0, done.stderr
    assert SECRET not in done.stderr


async def test_the_trap_catches_an_ffmpeg_that_is_let_loose(trap: Trap, tmp_path: Path) -> None:
    """Else the tests here would prove nothing."""
    playlist = tmp_path / "clip.mp4"
    playlist.write_bytes(hostile_videos.hls_playlist(trap.address))
    loose = ("-protocol_whitelist", "file,http,tcp", "-f", "hls", "-allowed_extensions", "ALL", "-i", str(playlist))
    process = await asyncio.create_subprocess_exec(
        FFMPEG, "-nostdin", "-loglevel", "quiet", *loose, "-f", "null", "-", env={}
    )
    await process.wait()
    assert trap.visitors > 0


CONTAINERS = [hostile_videos.avi_with_playlist, hostile_videos.mp4_with_reference]


@pytest.mark.parametrize("make", CONTAINERS, ids=lambda make: make.__name__)
@pytest.mark.parametrize("kind", ["file", "address"])
async def test_containers_that_name_other_files_are_read_by_themselves(
    studio: Studio, trap: Trap, make: Callable[[Path, str], bytes], kind: str, tmp_path: Path
) -> None:
    target = trap.address if kind == "address" else f"file://{trap.file}"
    content = make(tmp_path, target)
    assert target.encode() in content
    assert find_container(content) is not None
    video = await outcome(studio, content)
    assert video.status in (VideoStatus.READY, VideoStatus.FAILED)
    assert video.status is VideoStatus.READY or video.error_code == "malformed_video"
    assert SECRET.encode() not in await made_of(studio)
    assert trap.visitors == 0


LIARS: list[tuple[Callable[[Path], bytes], str, str]] = [
    (lambda folder: hostile_videos.long_claim(folder, 10), "malformed_video", "It says that it lasts 10.0 h"),
    (lambda folder: hostile_videos.long_claim(folder, 20), "video_too_long", "20.0 h"),
    (hostile_videos.wide_pictures, "video_too_large", "20000 x 16"),
    (hostile_videos.truncated, "malformed_video", "It says that it lasts 10 s"),
    (hostile_videos.without_index, "malformed_video", "damaged"),
    (hostile_videos.only_sound, "not_a_video", "no moving pictures"),
]


@pytest.mark.parametrize(("make", "code", "words"), LIARS)
async def test_headers_that_claim_too_much_fail_with_a_reason(
    studio: Studio, make: Callable[[Path], bytes], code: str, words: str, tmp_path: Path
) -> None:
    video = await outcome(studio, make(tmp_path))
    assert (video.status, video.error_code) == (VideoStatus.FAILED, code)
    assert words in (video.error_message or "")
    assert str(tmp_path) not in (video.error_message or "")


async def test_a_video_after_a_hostile_one_is_made_as_ever(studio: Studio, tmp_path: Path) -> None:
    hostile = await studio.add(hostile_videos.truncated(tmp_path))
    honest = await studio.add(make_clip(tmp_path / "clip.mp4", *AAC).read_bytes())
    async with studio.working(slots={"video": 1}):
        assert (await studio.ended(hostile)).status is VideoStatus.FAILED
        assert (await studio.ended(honest)).status is VideoStatus.READY


SIGNATURES = [
    b"\0\0\0\x18ftypisom", b"\x1aE\xdf\xa3", b"RIFF\xff\xff\0\0AVI ", b"\0\0\x01\xba", b"FLV\x01\x05", b"OggS\0\x02",
    b"\0\0\x10\0moov",
]  # fmt: skip


@settings(max_examples=8)
@given(st.sampled_from(SIGNATURES), st.binary(max_size=4000))
def test_noise_behind_a_signature_is_refused(signature: bytes, noise: bytes) -> None:
    with pytest.raises(Unplayable) as refused:
        asyncio.run(processed(signature + noise))
    assert refused.value.reason in ("malformed_video", "not_a_video", "unsupported_codec")


@settings(max_examples=5)
@given(st.data())
def test_a_video_with_damage_anywhere_is_made_or_refused(data: st.DataObject) -> None:
    content = bytearray(whole_clip())
    for place in data.draw(st.lists(st.integers(0, len(content) - 1), min_size=1, max_size=20)):
        content[place] = data.draw(st.integers(0, 255))
    with suppress(Unplayable):
        asyncio.run(processed(bytes(content)))


async def processed(content: bytes) -> None:
    async def ignore(_: int) -> None: ...

    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "source"
        source.write_bytes(content)
        clip = await read_clip(source)
        await make_renditions(FFMPEG, source, clip, plan_renditions(clip)[:2], Path(folder), ignore)


@functools.cache
def whole_clip() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        return make_clip(Path(folder) / "clip.mp4", *AAC, size="64x64").read_bytes()
