"""An ffmpeg that makes one rendition only when it is released: time to kill, stop or delete while it works."""

import sys
import textwrap
from pathlib import Path

from support.media.clips import FFMPEG
from support.processes.find import find_processes
from support.waiting import until


class HeldFfmpeg:
    """`program` is for the setting `ffmpeg`."""

    def __init__(self, folder: Path, rendition: str = "360p") -> None:
        self._rendition = rendition
        self._released = folder / "released"
        self.program = folder / "ffmpeg"
        self.program.write_text(
            textwrap.dedent(f"""\
            #!{sys.executable} -IS
            import os, sys, time
            while any({rendition!r} in word for word in sys.argv) and not os.path.exists({str(self._released)!r}):
                time.sleep(0.02)
                print("out_time_us=1", flush=True)
            os.execv({FFMPEG!r}, sys.argv)
            """)
        )
        self.program.chmod(0o755)

    def release(self) -> None:
        self._released.touch()

    def waiting(self) -> list[int]:
        return find_processes(str(self.program), f"{self._rendition}.mp4")

    async def reached(self) -> int:
        """The process that waits to be released."""
        found: list[int] = []

        def look() -> bool:
            found[:] = self.waiting()
            return bool(found)

        await until(look)
        return found[0]
