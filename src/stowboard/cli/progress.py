"""The progress of a long command: one line on standard error, redrawn on a terminal; nothing elsewhere."""

import sys
import time
from typing import Literal, Self

_REDRAW_SECONDS = 0.1
_UNITS = ("kB", "MB", "GB", "TB")


class ProgressLine:
    def __init__(self) -> None:
        self._shown = sys.stderr.isatty()
        self._what, self._unit = "", "rows"
        self._done = self._total = 0
        self._begun = self._drawn = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._write("")

    def begin(self, what: str, total: int, unit: Literal["rows", "bytes"]) -> None:
        self._what, self._total, self._unit, self._done = what, total, unit, 0
        self._begun, self._drawn = time.monotonic(), 0.0
        self.advance(0)

    def advance(self, amount: int) -> None:
        self._done += amount
        now = time.monotonic()
        if self._shown and now - self._drawn >= _REDRAW_SECONDS:
            self._drawn = now
            self._write(f"{self._what}  {self._amount()}{self._time_left(now)}")

    def _amount(self) -> str:
        percent = 100 * self._done // self._total if self._total else 100
        if self._unit == "bytes":
            return f"{percent} %  {size(self._done)} of {size(self._total)}"
        return f"{percent} %  {self._done:,} of {self._total:,} rows"

    def _time_left(self, now: float) -> str:
        if not 0 < self._done < self._total:
            return ""
        minutes, seconds = divmod(int((now - self._begun) * (self._total - self._done) / self._done), 60)
        return f"  {minutes} min left" if minutes else f"  {seconds} s left"

    def _write(self, text: str) -> None:
        if self._shown:
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()


def size(number: int) -> str:
    """In decimal units, as disks are sold."""
    if number < 1000:
        return f"{number} byte{'' if number == 1 else 's'}"
    step = min((len(str(number)) - 1) // 3, len(_UNITS))
    return f"{number / 1000**step:,.1f} {_UNITS[step - 1]}"
