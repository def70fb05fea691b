"""One picture of a video, to show before it plays: a JPEG from a tenth into it, for the first moment is often black."""

from pathlib import Path

from stowboard.media.videos.ffmpeg.clip import Clip
from stowboard.media.videos.ffmpeg.running import MEBIBYTE, Limits
from stowboard.media.videos.ffmpeg.transcode import MEMORY, THREADS, input_options, run_ffmpeg

LARGEST_SIDE = 1280
_SECONDS = 120
_LIMITS = Limits(wall_s=_SECONDS, cpu_s=_SECONDS * THREADS, memory=MEMORY, file_size=16 * MEBIBYTE)


async def make_poster(ffmpeg: str, source: Path, clip: Clip, folder: Path) -> Path | None:
    """The file, in the folder; None if no picture was found. Raises Unplayable, InsufficientStorage."""
    file = folder / "poster.jpg"
    for at_ms in (clip.duration_ms // 10, 0):
        command = [ffmpeg, *input_options(source, clip, "-ss", f"{at_ms / 1000:.3f}"), *_output(clip, file)]
        await run_ffmpeg(command, _LIMITS, _ignore)
        if file.exists():
            return file
    return None


def _output(clip: Clip, file: Path) -> list[str]:
    factor = min(1.0, LARGEST_SIDE / max(clip.width, clip.height))
    width, height = (max(1, round(side * factor)) for side in (clip.width, clip.height))
    return [
        "-map", f"0:{clip.video_index}", "-an", "-sn", "-dn", "-map_metadata", "-1", "-frames:v", "1",
        "-filter:v", f"scale={width}:{height}:out_range=full,setsar=1,format=yuvj420p",
        "-c:v", "mjpeg", "-q:v", "3", "-f", "image2", "-update", "1", str(file),
    ]  # fmt: skip


async def _ignore(_: str) -> None:
    pass
