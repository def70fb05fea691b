"""One picture of a video, to show before it plays: a JPEG of the moment that was chosen.

Without a choice it is from a tenth into the video, since the first moment is often black.
"""

from pathlib import Path

from stowboard.media.videos.ffmpeg.clip import VideoClip
from stowboard.media.videos.ffmpeg.hdr import tone_mapping
from stowboard.media.videos.ffmpeg.running import MEBIBYTE, ProgramLimits, ignore_line
from stowboard.media.videos.ffmpeg.transcode import MEMORY, THREADS, input_options, run_ffmpeg

LARGEST_SIDE = 1280
_SECONDS = 120
_LIMITS = ProgramLimits(wall_s=_SECONDS, cpu_s=_SECONDS * THREADS, memory=MEMORY, file_size=16 * MEBIBYTE)


async def make_poster(
    ffmpeg: str, source: Path, clip: VideoClip, folder: Path, chosen_ms: int | None = None
) -> Path | None:
    """The file, in the folder; None if no picture was found. Raises Unplayable, InsufficientStorage."""
    file, mapping = folder / "poster.jpg", await tone_mapping(ffmpeg, clip)
    wanted = clip.duration_ms // 10 if chosen_ms is None else min(chosen_ms, clip.duration_ms)
    for at_ms in (wanted, max(0, wanted - 1000), 0):  # a moment after the last picture has none
        seek = ("-ss", f"{at_ms / 1000:.3f}")
        command = [ffmpeg, *input_options(source, clip, *seek), *_output(clip, mapping, file)]
        await run_ffmpeg(command, _LIMITS, ignore_line)
        if file.exists():
            return file
    return None


def _output(clip: VideoClip, mapping: str, file: Path) -> list[str]:
    factor = min(1.0, LARGEST_SIDE / max(clip.width, clip.height))
    width, height = (max(1, round(side * factor)) for side in (clip.width, clip.height))
    return [
        "-map", f"0:{clip.video_index}", "-an", "-sn", "-dn", "-map_metadata", "-1", "-frames:v", "1",
        "-filter:v", f"scale={width}:{height},{mapping}scale=out_range=full,setsar=1,format=yuvj420p",
        "-c:v", "mjpeg", "-q:v", "3", "-f", "image2", "-update", "1", str(file),
    ]  # fmt: skip
