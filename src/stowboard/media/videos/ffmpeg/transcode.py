"""Makes several renditions of a video in one reading of its source.

Each is one file of fragments (fMP4, H.264 and AAC) and the playlist into it. Pictures are decoded once, and scaled from
each rendition to the next smaller one; the sound is encoded once, for all of them. All renditions have their key frames
at the same times, every two seconds, so that a player can change between them at any segment. A picture rate that
varies is made steady.
"""

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import msgspec

from stowboard.core.errors import InsufficientStorage
from stowboard.media.videos.ffmpeg.clip import LONGEST_S, MOST_PIXELS, VideoClip
from stowboard.media.videos.ffmpeg.containers import DECODERS
from stowboard.media.videos.ffmpeg.encoder import ENCODERS
from stowboard.media.videos.ffmpeg.hdr import tone_mapping
from stowboard.media.videos.ffmpeg.ladder import AUDIO_BITS, PIXELS_1080P, RenditionPlan
from stowboard.media.videos.ffmpeg.playlist import MediaPlaylist, read_playlist
from stowboard.media.videos.ffmpeg.running import (
    MEBIBYTE,
    OnLine,
    ProgramFailed,
    ProgramLimitExceeded,
    ProgramLimits,
    ignore_line,
    run,
)  # fmt: skip
from stowboard.media.videos.ffmpeg.storyboard import STORYBOARD_OUTPUT, storyboard_filters
from stowboard.media.videos.ffmpeg.unplayable import Unplayable, UnplayableReason
from stowboard.media.videos.video import Storyboard

KEY_FRAME_S, SEGMENT_S = 2, 4
THREADS = min(8, len(os.sched_getaffinity(0)))
#: For pictures of 36 megapixels, of which a decoder may keep 16, and an encoder of 1080p with its look ahead.
MEMORY = 4096 * MEBIBYTE
#: Added for each further 1080p of pixels that the largest rendition has.
_MEMORY_EACH = 1536 * MEBIBYTE
#: A video may take this many times its length, on a slow machine.
_SLOWNESS = 40
_LEAST_SECONDS = 300
#: However long it lasts.
_MOST_SECONDS = 12 * 3600
_STALL_SECONDS = 300
#: Bytes a second that a slow disk reads and writes.
_COPIED_A_SECOND = 10 * MEBIBYTE
#: Beyond the length that was found, for what follows the last time stamp.
_OVERTIME_S = 10
#: The sheet of small pictures, in the folder and among the filters.
STORYBOARD, _BOARD = "storyboard.jpg", "board"

#: The part of the output that is one rendition: its streams, as a playlist with one file.
_PART = (
    "[select=\\'{streams}\\':f=hls:hls_time="
    f"{SEGMENT_S}:hls_playlist_type=vod:hls_segment_type=fmp4:hls_flags=single_file:"
    "hls_segment_filename={name}.mp4]{name}.m3u8"
)

OnProgress = Callable[[int], Awaitable[None]]


class MadeRendition(msgspec.Struct, frozen=True):
    plan: RenditionPlan
    file: Path
    playlist: MediaPlaylist


async def make_renditions(
    ffmpeg: str,
    source: Path,
    clip: VideoClip,
    plans: Sequence[RenditionPlan],
    folder: Path,
    on_progress: OnProgress,
    board: Storyboard | None = None,
    encoder: str = "libx264",
) -> list[MadeRendition]:
    """Make files in the folder, `STORYBOARD` among them if one is wanted. `on_progress` gets percents.

    If there turns out to be no sound, it is left out. Raises Unplayable.
    """
    mapping = await tone_mapping(ffmpeg, clip)
    command = [
        ffmpeg, *ENCODERS[encoder].before, *input_options(source, clip),
        *_graph(clip, plans, mapping, board, ENCODERS[encoder].filters), *_pictures(clip, plans, encoder),
    ]  # fmt: skip
    if clip.audio_index is not None:
        command += ["-map", f"0:{clip.audio_index}", "-c:a", "aac", "-b:a", str(AUDIO_BITS), "-ac", "2", "-ar", "48000"]
    command += _output(clip, plans)
    if board is not None:
        command += ["-map", f"[{_BOARD}]", *STORYBOARD_OUTPUT, STORYBOARD]
    bounds = limits(clip, plans)
    if (memory := ENCODERS[encoder].memory) is not None:
        bounds = msgspec.structs.replace(bounds, memory=memory)
    await run_ffmpeg(command, bounds, _Listener(clip, on_progress).hear, folder)
    made = [await asyncio.to_thread(_read, plan, folder) for plan in plans]
    return [each for each in made if each is not None]


async def copy_streams(ffmpeg: str, source: Path, clip: VideoClip, plan: RenditionPlan, folder: Path) -> MadeRendition:
    """Make such a file of the streams as they are. Its segments begin at the source's own key frames.

    Messages between the pictures (SEI) are left out: cameras write places and serial numbers there. Raises Unplayable.
    """
    size = (await asyncio.to_thread(source.stat)).st_size
    sound = [] if clip.audio_index is None else ["-map", f"0:{clip.audio_index}"]
    command = [
        ffmpeg, *input_options(source, clip), "-map", f"0:{clip.video_index}", *sound, "-c", "copy",
        "-bsf:v", "filter_units=remove_types=6", *_output(clip, [plan]),
    ]  # fmt: skip
    seconds = _LEAST_SECONDS + size // _COPIED_A_SECOND
    bounds = ProgramLimits(wall_s=seconds, cpu_s=seconds, memory=MEMORY, file_size=64 * MEBIBYTE + 2 * size)
    await run_ffmpeg(command, bounds, ignore_line, folder)
    made = await asyncio.to_thread(_read, plan, folder)
    assert made is not None
    return made


def input_options(source: Path, clip: VideoClip, *seek: str) -> list[str]:
    """Options that every reading of untrusted bytes has: one file, one format, known decoders."""
    return [
        "-nostdin", "-hide_banner", "-loglevel", "error", "-nostats", "-progress", "pipe:1", "-stats_period", "0.5",
        "-filter_threads", str(THREADS), *seek,
        "-protocol_whitelist", "file", "-format_whitelist", clip.demuxer,
        "-codec_whitelist", DECODERS,
        "-max_pixels", str(MOST_PIXELS), "-threads", str(THREADS), "-f", clip.demuxer,
        "-i", f"file:{source}",
    ]  # fmt: skip


async def run_ffmpeg(command: list[str], limits: ProgramLimits, on_line: OnLine, folder: Path | None = None) -> None:
    """Raises Unplayable if another attempt would end the same, else what went wrong."""
    try:
        await run(command, limits, on_line, folder)
    except ProgramLimitExceeded as limit:
        raise Unplayable(UnplayableReason.LIMIT, f"To transcode it takes too much of this: {limit}.") from limit
    except ProgramFailed as failed:
        if "No space left on device" in failed.stderr:
            raise InsufficientStorage from failed
        if failed.returncode == -signal.SIGKILL:
            raise  # killed by somebody, or for lack of memory
        raise Unplayable(UnplayableReason.MALFORMED, "The file cannot be decoded; it is damaged.") from failed


def limits(clip: VideoClip, plans: Sequence[RenditionPlan]) -> ProgramLimits:
    """The limits, by the largest rendition. Beyond 1080p they grow with the number of its pixels."""
    largest = max(plans, key=lambda plan: plan.video_bits)
    factor = max(1, -(-largest.width * largest.height // PIXELS_1080P))
    seconds = clip.duration_ms // 1000 + 1
    wall_s = min(_MOST_SECONDS, _LEAST_SECONDS + _SLOWNESS * factor * seconds)
    file_size = 64 * MEBIBYTE + 2 * (largest.video_bits + AUDIO_BITS) // 8 * seconds
    memory = MEMORY + (factor - 1) * _MEMORY_EACH
    return ProgramLimits(wall_s=wall_s, cpu_s=wall_s * THREADS, memory=memory, file_size=file_size)


def _graph(
    clip: VideoClip, plans: Sequence[RenditionPlan], mapping: str, board: Storyboard | None, last: str
) -> list[str]:
    """The filters from the source to the largest rendition, and from each to the next smaller one.

    `last` stands before the encoder.
    """
    shown = _shown(plans)
    if not shown:
        return []
    chains, before = [], f"[0:{clip.video_index}]fps={shown[0].rate},"
    for number, plan in enumerate(shown):
        after, before_next = f"[{plan.name}]", f"[from{plan.name}]"
        scaled = f"{before}scale={plan.width}:{plan.height},{mapping}setsar=1,format=yuv420p"
        goes_on = number + 1 < len(shown) or board is not None
        if goes_on and last:
            chains.append(f"{scaled},split[for{plan.name}]{before_next};[for{plan.name}]{last[1:]}{after}")
        else:
            chains.append(f"{scaled},split{after}{before_next}" if goes_on else f"{scaled}{last}{after}")
        before, mapping = before_next, ""
    if board is not None:
        chains.append(f"{before}{storyboard_filters(board)}[{_BOARD}]")
    return ["-filter_complex_threads", str(THREADS), "-filter_complex", ";".join(chains)]


def _pictures(clip: VideoClip, plans: Sequence[RenditionPlan], encoder: str) -> list[str]:
    shown = _shown(plans)
    if not shown:
        return []
    colours = ("-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709") if clip.hdr else ()
    words = [
        *colours, "-c:v", encoder, *ENCODERS[encoder].options,
        "-force_key_frames:v", f"expr:gte(t,n_forced*{KEY_FRAME_S})", "-threads:v", str(THREADS),
    ]  # fmt: skip
    for number, plan in enumerate(shown):
        words += [
            "-map", f"[{plan.name}]", f"-level:v:{number}", f"{plan.level / 10:.1f}",
            f"-maxrate:v:{number}", str(plan.video_bits), f"-bufsize:v:{number}", str(plan.video_bits),
        ]  # fmt: skip
        if not ENCODERS[encoder].by_quality:
            words += [f"-b:v:{number}", str(plan.video_bits * 3 // 4)]
    return words


def _output(clip: VideoClip, plans: Sequence[RenditionPlan]) -> list[str]:
    """One output for all renditions. Files have plain names in the folder that ffmpeg runs in."""
    longest = min(LONGEST_S, clip.duration_ms / 1000 + _OVERTIME_S)
    shown, sound = _shown(plans), ["a"] if clip.audio_index is not None else []
    parts = []
    for plan in plans:
        pictures = [f"v:{shown.index(plan)}"] if plan.has_pictures else []
        parts.append(_PART.format(streams=",".join(pictures + sound), name=plan.name))
    return [
        "-sn", "-dn", "-map_metadata", "-1", "-map_chapters", "-1", "-t", f"{longest:.3f}",
        "-max_muxing_queue_size", "2048", "-flags", "+global_header", "-f", "tee", "|".join(parts),
    ]  # fmt: skip


def _shown(plans: Sequence[RenditionPlan]) -> list[RenditionPlan]:
    """The renditions with pictures, the largest first."""
    return sorted((plan for plan in plans if plan.has_pictures), key=lambda plan: plan.video_bits, reverse=True)


class _Listener:
    """Hears ffmpeg's lines, and ends ffmpeg if it runs on without progress."""

    def __init__(self, clip: VideoClip, on_progress: OnProgress) -> None:
        self._duration_ms = clip.duration_ms
        self._on_progress = on_progress
        self._reached_us = -1
        self._moved = time.monotonic()

    async def hear(self, line: str) -> None:
        name, _, value = line.partition("=")
        if name != "out_time_us":
            return
        now, reached_us = time.monotonic(), int(value) if value.isdecimal() else 0
        if reached_us > self._reached_us:
            self._reached_us, self._moved = reached_us, now
        elif now - self._moved > _STALL_SECONDS:
            raise ProgramLimitExceeded(f"time: no picture for {_STALL_SECONDS} s")
        await self._on_progress(min(99, reached_us // (10 * self._duration_ms)))


def _read(plan: RenditionPlan, folder: Path) -> MadeRendition | None:
    """None if there turned out to be no sound. Raises Unplayable."""
    file, index = folder / f"{plan.name}.mp4", folder / f"{plan.name}.m3u8"
    if not index.exists() or not file.exists():
        if not plan.has_pictures:
            return None
        raise Unplayable(UnplayableReason.MALFORMED, "There are no pictures in it that could be shown.")
    return MadeRendition(plan, file, read_playlist(index.read_text(), file.name, file.stat().st_size))
