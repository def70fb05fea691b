"""Progress of many files: a line that is redrawn on a terminal, and elsewhere a line for each finished file."""

import shutil
import sys
import threading
import time

from stowboard_cli.output.counted import counted
from stowboard_cli.output.harmless import harmless
from stowboard_cli.output.table import cut, size

_REDRAW_SECONDS = 0.1


class Progress:
    """Threads may report at once. Bytes from an earlier run count for the amount, not for the speed."""

    def __init__(self, files: int, total: int, quiet: bool) -> None:
        self._files, self._total, self._quiet = files, total, quiet
        self._drawn = sys.stderr.isatty() and not quiet
        self._lock = threading.Lock()
        self._begun = time.monotonic()
        self._at: dict[str, int] = {}
        self._first: dict[str, int] = {}
        self._done = 0
        self._last = 0.0

    def reached(self, name: str, sent: int) -> None:
        with self._lock:
            self._first.setdefault(name, sent)
            self._at[name] = sent
            self._draw()

    def finished(self, name: str, outcome: str, length: int) -> None:
        with self._lock:
            self._first.setdefault(name, length)
            self._at[name] = length
            self._done += 1
            if not self._quiet:
                self._clear()
                sys.stderr.write(f"{outcome}  {harmless(name)}  {size(length)}\n")
            self._draw(now=True)

    def stands_at(self, done: int) -> None:
        """For work whose steps have no names and no bytes."""
        with self._lock:
            self._done = done
            self._draw()

    def end(self) -> None:
        with self._lock:
            self._clear()
            sys.stderr.flush()

    def _draw(self, now: bool = False) -> None:
        moment = time.monotonic()
        if not self._drawn or (not now and moment - self._last < _REDRAW_SECONDS):
            return
        self._last = moment
        self._clear()
        sys.stderr.write(cut(self._text(moment), shutil.get_terminal_size().columns - 1))
        sys.stderr.flush()

    def _text(self, moment: float) -> str:
        there = sum(self._at.values())
        fresh = there - sum(self._first.values())
        speed = fresh / max(moment - self._begun, 0.001)
        left = f"  {duration((self._total - there) / speed)} left" if speed > 0 and there < self._total else ""
        percent = 100 * there // self._total if self._total else 100
        files = f"{self._done} of {counted(self._files, 'file')}"
        return f"{files}  {percent} %  {size(there)} of {size(self._total)}  {size(speed)}/s{left}"

    def _clear(self) -> None:
        if self._drawn:
            sys.stderr.write("\r\x1b[K")


def duration(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"
