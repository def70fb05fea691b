"""The facts of a video file that transcoding needs."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import msgspec

from stowboard.media.videos.ffmpeg.containers import ACCEPTED, DECODERS, HEAD_BYTES, find_container
from stowboard.media.videos.ffmpeg.running import (
    MEBIBYTE,
    ProgramFailed,
    ProgramLimitExceeded,
    ProgramLimits,
    read_output,
)
from stowboard.media.videos.ffmpeg.unplayable import Unplayable, UnplayableReason

#: Bounds of the pictures as they are shown.
LEAST_SIDE, LARGEST_SIDE, MOST_PIXELS = 16, 8192, 36_000_000
LONGEST_S = 12 * 3600
#: Pixels of all pictures together: 12 hours of 1080p with 30 pictures a second, or 100 minutes of 2160p with 60.
MOST_WORK = 3_000_000_000_000
#: Longer pieces make a player wait when it starts, seeks or changes renditions.
LONGEST_SEGMENT_S = 12
PROBE = Path(__file__).with_name("probe.py")
_MEMORY = 2048 * MEBIBYTE
#: Ten times what a film with a hundred tags takes. One with 60,000 takes minutes, in every program that reads it.
_LEAST_SECONDS = 15
#: A file without an index is read through: from a slow disk, at this rate.
_BYTES_A_SECOND = 20 * MEBIBYTE


class VideoClip(msgspec.Struct, frozen=True, kw_only=True):
    demuxer: str
    duration_ms: int
    #: The picture as it is shown: turned, and with square pixels.
    width: int
    height: int
    video_index: int
    #: None if there is no sound, or none that can be decoded.
    audio_index: int | None
    #: Pictures a second, as a fraction; the mean where the rate is not steady.
    rate: tuple[int, int]
    steady: bool
    #: How the light of a high dynamic range is coded, by ffmpeg's name (see `hdr.py`). None is the usual range.
    hdr: str | None = None
    #: The streams, as a playlist names them (RFC 6381), if browsers play them as they are; else None.
    codecs: str | None = None


async def read_clip(path: Path) -> VideoClip:
    """Look at the file, in a process of its own. Raises Unplayable."""
    head, size = await asyncio.to_thread(_head_and_size, path)
    container = find_container(head)
    if container is None:
        raise Unplayable(UnplayableReason.NOT_A_VIDEO, f"The file is not a video that is read here: {ACCEPTED} are.")
    seconds = _LEAST_SECONDS + size // _BYTES_A_SECOND
    limits = ProgramLimits(wall_s=2 * seconds, cpu_s=seconds, memory=_MEMORY, file_size=MEBIBYTE)
    command = [sys.executable, "-I", str(PROBE), str(path), _question(container.demuxer)]
    try:
        lines = await read_output(command, limits)
    except ProgramLimitExceeded as limit:
        raise Unplayable(UnplayableReason.LIMIT, f"To look at it takes too much of this: {limit}.") from limit
    except ProgramFailed as failed:
        if failed.returncode >= 0 or failed.returncode == -signal.SIGKILL:
            raise  # the bytes did not cause it
        raise Unplayable(UnplayableReason.MALFORMED, "The file is damaged.") from failed
    answer = msgspec.json.decode(lines[-1])
    if "refused" in answer:
        raise Unplayable(*msgspec.convert(answer["refused"], tuple[UnplayableReason, str]))
    clip = msgspec.convert(answer | {"demuxer": container.demuxer}, VideoClip)
    require_work(clip)
    return clip


def require_work(clip: VideoClip) -> None:
    """Raises Unplayable for a film whose pictures are too many and too large together."""
    pictures = clip.duration_ms * clip.rate[0] // (clip.rate[1] * 1000)
    if pictures * clip.width * clip.height > MOST_WORK:
        raise Unplayable(
            UnplayableReason.TOO_LARGE,
            f"Its {pictures:,} pictures of {clip.width} x {clip.height} have more than {MOST_WORK:,} pixels together,"
            " which is the most: 12 hours of 1080p, or 100 minutes of 2160p with 60 pictures a second.",
        )


def _head_and_size(path: Path) -> tuple[bytes, int]:
    with path.open("rb") as file:
        return file.read(HEAD_BYTES), os.fstat(file.fileno()).st_size


def _question(demuxer: str) -> str:
    question = {
        "demuxer": demuxer,
        "decoders": DECODERS,
        "least_side": LEAST_SIDE,
        "largest_side": LARGEST_SIDE,
        "most_pixels": MOST_PIXELS,
        "longest_s": LONGEST_S,
        "longest_segment_s": LONGEST_SEGMENT_S,
    }
    return msgspec.json.encode(question).decode()
