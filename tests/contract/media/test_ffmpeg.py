"""Videos of every kind that people upload: another library than the one that made the renditions looks at them."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
import pytest
from av.video.frame import VideoFrame

from stowboard.media.videos.ffmpeg.clip import VideoClip, read_clip
from stowboard.media.videos.ffmpeg.ladder import AUDIO, RenditionPlan, ladder, plan_renditions
from stowboard.media.videos.ffmpeg.playlist import MediaPlaylist
from stowboard.media.videos.ffmpeg.poster import make_poster
from stowboard.media.videos.ffmpeg.storyboard import storyboard_of
from stowboard.media.videos.ffmpeg.transcode import MadeRendition, make_renditions
from stowboard.media.videos.video import Storyboard
from support.media.clips import AAC, FFMPEG, SILENT, ffmpeg, make_clip


def landscape(folder: Path) -> Path:
    return make_clip(folder / "clip.mp4", *AAC, size="640x360")


def rotated(folder: Path) -> Path:
    upright = make_clip(folder / "upright.mp4", *AAC)
    return ffmpeg("-display_rotation", "90", "-i", str(upright), "-c", "copy", str(folder / "clip.mp4"))


def odd(folder: Path) -> Path:
    return make_clip(folder / "clip.mkv", *AAC, "-pix_fmt", "yuv444p", size="321x241")


def silent(folder: Path) -> Path:
    return make_clip(folder / "clip.mp4", *SILENT)


def uneven(folder: Path) -> Path:
    """Pictures at irregular times."""
    kept = "select='not(eq(mod(n,5),1))*not(eq(mod(n,7),3))'"
    return make_clip(folder / "clip.mp4", *AAC, "-vf", kept, "-fps_mode", "vfr", rate=30, seconds=2)


def tiny(folder: Path) -> Path:
    return make_clip(folder / "clip.mp4", *AAC, size="64x64")


def stretched(folder: Path) -> Path:
    """Pixels twice as wide as high."""
    return make_clip(folder / "clip.mp4", *AAC, "-vf", "setsar=2", size="160x240")


def slow(folder: Path) -> Path:
    """A picture every second."""
    return make_clip(folder / "clip.mp4", *AAC, rate=1, seconds=3)


def deep(folder: Path) -> Path:
    return make_clip(folder / "clip.mkv", *SILENT, "-pix_fmt", "yuv422p10le")


def matroska(folder: Path) -> Path:
    return make_clip(folder / "clip.mkv", "-c:a", "flac")


def webm(folder: Path) -> Path:
    codecs = ("-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-c:a", "libopus")
    return make_clip(folder / "clip.webm", codecs=codecs)


def recorded(folder: Path) -> Path:
    """As a browser records it: nothing says how long it is, and there is no index."""
    codecs = ("-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-c:a", "libopus")
    return make_clip(folder / "clip.webm", "-live", "1", "-f", "webm", codecs=codecs)


def avi(folder: Path) -> Path:
    return make_clip(folder / "clip.avi", codecs=("-c:v", "mpeg4", "-c:a", "libmp3lame"))


def transport(folder: Path) -> Path:
    return make_clip(folder / "clip.ts", *AAC)


def program(folder: Path) -> Path:
    return make_clip(folder / "clip.mpg", codecs=("-c:v", "mpeg2video", "-c:a", "mp2", "-r", "25"), rate=25)


def ogg(folder: Path) -> Path:
    return make_clip(folder / "clip.ogv", codecs=("-c:v", "libtheora", "-c:a", "libvorbis"))


def flash(folder: Path) -> Path:
    return make_clip(folder / "clip.flv", codecs=("-c:v", "flv", "-c:a", "libmp3lame"))


def with_cover(folder: Path) -> Path:
    """A picture of the disc comes first, then the video."""
    video = make_clip(folder / "video.mp4", *AAC)
    cover = ffmpeg("-f", "lavfi", "-i", "testsrc=s=500x500:d=1", "-frames:v", "1", str(folder / "cover.png"))
    options = ("-map", "0", "-map", "1", "-c", "copy", "-disposition:0", "attached_pic")
    return ffmpeg("-i", str(cover), "-i", str(video), *options, str(folder / "clip.mp4"))


@dataclass
class Expected:
    width: int = 320
    height: int = 240
    seconds: float = 1.0
    sound: bool = True
    pictures: range = range(9, 12)


EXPECTED: list[tuple[Callable[[Path], Path], Expected]] = [
    (landscape, Expected(640, 360)),
    (rotated, Expected(240, 320)),
    (odd, Expected(321, 241)),
    (silent, Expected(sound=False)),
    (uneven, Expected(seconds=2, pictures=range(46, 62))),
    (tiny, Expected(64, 64)),
    (stretched, Expected(320, 240)),
    (slow, Expected(seconds=3, pictures=range(20, 42))),
    (deep, Expected(sound=False)),
    (matroska, Expected()),
    (webm, Expected()),
    (recorded, Expected()),
    (avi, Expected()),
    (transport, Expected()),
    (program, Expected(pictures=range(24, 28))),
    (ogg, Expected()),
    (flash, Expected()),
    (with_cover, Expected()),
]


@pytest.mark.parametrize(("make", "expected"), EXPECTED, ids=lambda value: getattr(value, "__name__", ""))
async def test_every_kind_of_video_becomes_playable(
    tmp_path: Path, make: Callable[[Path], Path], expected: Expected
) -> None:
    source = make(tmp_path)
    clip = await read_clip(source)
    assert (clip.width, clip.height) == (expected.width, expected.height)
    assert clip.duration_ms / 1000 == pytest.approx(expected.seconds, abs=0.25)
    assert (clip.audio_index is not None) is expected.sound
    top = ladder(clip)[-1]
    file, playlist = await made(source, clip, top, tmp_path)
    check_file(file, top, expected)
    check_ranges(file, playlist)
    poster = await make_poster(FFMPEG, source, clip, tmp_path)
    assert poster is not None
    check_poster(poster, clip)


async def test_steps_of_a_video_can_be_changed_at_every_segment(tmp_path: Path) -> None:
    source = make_clip(tmp_path / "clip.mp4", *AAC, size="640x360", rate=25, seconds=9)
    clip = await read_clip(source)
    plans = ladder(clip)
    assert [plan.name for plan in plans] == ["240p", "360p"]
    made_of = [(each.file, each.playlist) for each in await made_all(source, clip, plans, tmp_path)]
    starts = [[key_frames(file, playlist, number) for number in range(3)] for file, playlist in made_of]
    assert [round(segment.seconds) for segment in made_of[0][1].segments] == [4, 4, 1]
    # Reordering puts all of it off by two pictures, sound included.
    assert starts[0] == starts[1] == [[0.08, 2.08], [4.08, 6.08], [8.08]]


async def test_progress_rises_to_the_end(tmp_path: Path) -> None:
    source = make_clip(tmp_path / "clip.mp4", *AAC)
    clip = await read_clip(source)
    heard: list[int] = []

    async def hear(percent: int) -> None:
        heard.append(percent)

    await make_renditions(FFMPEG, source, clip, plan_renditions(clip), tmp_path, hear)
    assert heard == sorted(heard)
    assert 80 <= heard[-1] < 100


async def test_the_sound_alone_is_a_step_and_a_sheet_of_small_pictures_is_made(tmp_path: Path) -> None:
    source = make_clip(tmp_path / "clip.mp4", *AAC, size="640x360", seconds=6)
    clip = await read_clip(source)
    board = storyboard_of(clip)
    assert (board.width, board.height, board.interval_ms, board.count) == (160, 90, 1000, 5)
    [sound, smallest] = await made_all(source, clip, plan_renditions(clip)[:2], tmp_path, board)
    assert (sound.plan.name, smallest.plan.name) == (AUDIO, "240p")
    with av.open(str(sound.file)) as container:
        assert [stream.type for stream in container.streams] == ["audio"]
        assert container.duration is not None
        assert float(container.duration) / 1e6 == pytest.approx(6, abs=0.3)
    with av.open(str(tmp_path / "storyboard.jpg")) as sheet:
        frame: Any = next(sheet.decode(video=0))
        picture = frame.to_image()
    assert picture.size == (1600, 90)
    pictures = [picture.crop((160 * number, 0, 160 * number + 160, 90)) for number in range(board.count)]
    assert all(each.convert("L").getextrema()[1] > 100 for each in pictures), "one each second"


@pytest.mark.parametrize("transfer", ["smpte2084", "arib-std-b67"])
async def test_a_film_of_high_dynamic_range_is_brought_to_the_usual_one(tmp_path: Path, transfer: str) -> None:
    tags = ("-color_primaries", "bt2020", "-color_trc", transfer, "-colorspace", "bt2020nc")
    x265 = ("-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none", "-pix_fmt", "yuv420p10le")
    source = make_clip(tmp_path / "clip.mp4", *SILENT, *tags, codecs=x265, rate=5)
    clip = await read_clip(source)
    assert clip.hdr == transfer
    [made] = await made_all(source, clip, ladder(clip), tmp_path)
    with av.open(str(made.file)) as container:
        frame = next(frame for frame in container.decode(video=0) if isinstance(frame, VideoFrame))
    assert (frame.format.name, frame.color_trc, frame.color_primaries, frame.colorspace) == ("yuv420p", 1, 1, 1)
    assert await make_poster(FFMPEG, source, clip, tmp_path) is not None


@pytest.mark.soak
@pytest.mark.parametrize("transfer", ["bt709", "smpte2084"])
async def test_a_film_of_2160p_has_all_sizes_within_the_limits(tmp_path: Path, transfer: str) -> None:
    tags = ("-color_primaries", "bt2020", "-color_trc", transfer, "-colorspace", "bt2020nc")
    source = make_clip(tmp_path / "clip.mp4", *AAC, *tags, size="3840x2160", rate=5)
    clip = await read_clip(source)
    made = await made_all(source, clip, plan_renditions(clip), tmp_path, storyboard_of(clip))
    names = ["audio", "240p", "360p", "480p", "720p", "1080p", "1440p", "2160p"]
    assert [each.plan.name for each in made] == names
    with av.open(str(made[-1].file)) as container:
        assert (container.streams.video[0].width, container.streams.video[0].height) == (3840, 2160)


async def test_nothing_about_the_author_is_left(tmp_path: Path) -> None:
    secret = "48.8584N2.2945E"
    source = make_clip(tmp_path / "clip.mp4", *AAC, "-metadata", f"comment={secret}", "-metadata", f"title={secret}")
    assert secret.encode() in source.read_bytes()
    clip = await read_clip(source)
    file, _ = await made(source, clip, ladder(clip)[-1], tmp_path)
    assert secret.encode() not in file.read_bytes()


async def test_a_poster_is_scaled_to_1280_pixels(tmp_path: Path) -> None:
    source = make_clip(tmp_path / "clip.mp4", *SILENT, size="1600x900", rate=2)
    clip = await read_clip(source)
    poster = await make_poster(FFMPEG, source, clip, tmp_path)
    assert poster is not None
    with av.open(str(poster)) as image:
        assert (image.streams.video[0].width, image.streams.video[0].height) == (1280, 720)


async def made(source: Path, clip: VideoClip, plan: RenditionPlan, folder: Path) -> tuple[Path, MediaPlaylist]:
    [only] = await made_all(source, clip, [plan], folder)
    return only.file, only.playlist


async def made_all(
    source: Path, clip: VideoClip, plans: list[RenditionPlan], folder: Path, board: Storyboard | None = None
) -> list[MadeRendition]:
    async def ignore(_: int) -> None: ...

    return await make_renditions(FFMPEG, source, clip, plans, folder, ignore, board)


def check_file(file: Path, plan: RenditionPlan, expected: Expected) -> None:
    with av.open(str(file)) as container:
        [video], audio = container.streams.video, container.streams.audio
        frames = [frame for frame in container.decode(video) if isinstance(frame, VideoFrame)]
        assert video.codec_context.name == "h264"
        assert video.codec_context.pix_fmt == "yuv420p"
        assert video.sample_aspect_ratio in (None, 1)
        assert {(frame.width, frame.height) for frame in frames} == {(plan.width, plan.height)}
        assert frames[0].rotation == 0
        assert len(frames) in expected.pictures
        assert [(each.codec_context.name, each.codec_context.layout.nb_channels) for each in audio] == (
            [("aac", 2)] if expected.sound else []
        )
        # One length of a picture after each other, whatever the source did.
        gaps = {round(later.time - earlier.time, 2) for earlier, later in pairwise(frames)}
        assert len(gaps) <= 2
        assert container.duration is not None
        assert float(container.duration) / 1e6 == pytest.approx(expected.seconds, abs=0.3)


def check_ranges(file: Path, playlist: MediaPlaylist) -> None:
    data = file.read_bytes()
    assert data[4:8] == b"ftyp"
    assert playlist.header_size + sum(segment.size for segment in playlist.segments) == len(data)
    for segment in playlist.segments:
        assert data[segment.start + 4 : segment.start + 8] in (b"styp", b"moof", b"sidx", b"prft")
    assert len(key_frames(file, playlist, 0)) >= 1


def key_frames(file: Path, playlist: MediaPlaylist, number: int) -> list[float]:
    """Times of the key frames in a segment, played with nothing but the header before it."""
    data, segment = file.read_bytes(), playlist.segments[number]
    alone = data[: playlist.header_size] + data[segment.start : segment.start + segment.size]
    times = []
    with av.open(BytesIO(alone), "r", format="mp4") as container, suppress(EOFError):
        packets = [(packet, packet.pts) for packet in container.demux(video=0) if packet.pts is not None]
        assert packets[0][0].is_keyframe
        times = [round(float(pts * packet.time_base), 2) for packet, pts in packets if packet.is_keyframe]
    return times


def check_poster(poster: Path, clip: VideoClip) -> None:
    with av.open(str(poster)) as image:
        stream = image.streams.video[0]
        assert stream.codec_context.name == "mjpeg"
        assert (stream.width, stream.height) == (clip.width, clip.height)
