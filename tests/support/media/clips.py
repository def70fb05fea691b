"""Small videos, made by the ffmpeg that is installed with the service."""

import os
import subprocess
from pathlib import Path

from stowboard.media.videos.ffmpeg.program import get_ffmpeg
from support.waiting import PATIENCE_SECONDS

FFMPEG = get_ffmpeg(None)
H264 = ("-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p")
AAC = ("-c:a", "aac")
SILENT = ("-an",)


def make_clip(
    path: Path, *options: str, size: str = "320x240", seconds: float = 1, rate: int = 10, codecs: tuple[str, ...] = H264
) -> Path:
    """A test picture and a tone. The name's ending says which container."""
    pictures = ("-f", "lavfi", "-i", f"testsrc=s={size}:r={rate}:d={seconds}")
    tone = ("-f", "lavfi", "-i", f"sine=r=44100:d={seconds}")
    return ffmpeg(*pictures, *tone, *codecs, *options, str(path))


def ffmpeg(*words: str) -> Path:
    """Run it; the last word is the file that it makes."""
    # As the service does: with the character sets of some systems this ffmpeg crashes on MPEG-TS.
    environment = {**os.environ, "GCONV_PATH": os.devnull}
    command = [FFMPEG, "-nostdin", "-y", "-loglevel", "error", *words]
    subprocess.run(command, check=True, timeout=PATIENCE_SECONDS, env=environment)
    return Path(words[-1])
