"""Programs in Python that misbehave, run as those are that read untrusted bytes."""

import sys
from pathlib import Path

from stowboard.media.videos.ffmpeg.running import MEBIBYTE, ProgramLimits, run

ROOMY = ProgramLimits(wall_s=600, cpu_s=20, memory=512 * MEBIBYTE, file_size=MEBIBYTE)


async def lines_of(code: str, limits: ProgramLimits = ROOMY) -> list[str]:
    """The program's output. Raises what `run` does."""
    lines: list[str] = []

    async def keep(line: str) -> None:
        lines.append(line)

    await run([sys.executable, "-I", "-S", "-c", code], limits, keep)
    return lines


def is_alive(pid: int) -> bool:
    """True if there is such a process, and it is not only waiting to be buried."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
