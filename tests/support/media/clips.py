"""Small videos, made by the ffmpeg that is installed with the service."""

import os
import subprocess
from pathlib import Path

from stowboard.media.videos.ffmpeg.program import get_ffmpeg

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
    """Run it as the service does, without the system's character sets; the last word is the file that it makes."""
    environment = os.environ | {"GCONV_PATH": os.devnull}
    subprocess.run([FFMPEG, "-nostdin", "-y", "-loglevel", "error", *words], check=True, timeout=60, env=environment)
    return Path(words[-1])
