"""An ffmpeg that makes the step 360p only when it may: time to kill, stop or delete while it works."""

import sys
import textwrap
from pathlib import Path

from support.jobs.working import until
from support.media.clips import FFMPEG
from support.processes.find import find_processes


class Gate:
    """`program` is for the setting `ffmpeg`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open = folder / "open"
        self.program = folder / "ffmpeg"
        self.program.write_text(
            textwrap.dedent(f"""\
            #!{sys.executable} -IS
            import os, sys, time
            while any("360p" in word for word in sys.argv) and not os.path.exists({str(self._open)!r}):
                time.sleep(0.02)
                print("out_time_us=1", flush=True)
            os.execv({FFMPEG!r}, sys.argv)
            """)
        )
        self.program.chmod(0o755)

    def open(self) -> None:
        self._open.touch()

    def waiting(self) -> list[int]:
        return find_processes(str(self.program), "360p.mp4")

    async def reached(self) -> int:
        """The process that waits before the gate."""
        found: list[int] = []

        def look() -> bool:
            found[:] = self.waiting()
            return bool(found)

        await until(look, 60)
        return found[0]
