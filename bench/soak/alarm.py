"""A timer of the kernel for an event loop, good to some hundredths of a millisecond.

uvloop's own timers know whole milliseconds, which is as long as a request takes. Linux only.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import time
from collections.abc import Callable

_libc = ctypes.CDLL(None, use_errno=True)
_ABSOLUTE = 1
_FLAGS = os.O_NONBLOCK | os.O_CLOEXEC


class Alarm:
    """Calls `ring` in the loop at the time that was set last, on the clock of `time.monotonic`."""

    def __init__(self, loop: asyncio.AbstractEventLoop, ring: Callable[[], None]) -> None:
        self._loop, self._ring = loop, ring
        self._timer = _libc.timerfd_create(time.CLOCK_MONOTONIC, _FLAGS)
        if self._timer < 0:
            raise OSError(ctypes.get_errno(), "timerfd_create")
        loop.add_reader(self._timer, self._rings)

    def set(self, at: float) -> None:
        """A time that is over rings at once."""
        seconds = int(at)
        setting = _Setting(0, 0, seconds, max(1, int((at - seconds) * 1e9)))
        if _libc.timerfd_settime(self._timer, _ABSOLUTE, ctypes.byref(setting), None):
            raise OSError(ctypes.get_errno(), "timerfd_settime")

    def close(self) -> None:
        self._loop.remove_reader(self._timer)
        os.close(self._timer)

    def _rings(self) -> None:
        os.read(self._timer, 8)
        self._ring()


class _Setting(ctypes.Structure):
    """`struct itimerspec`: the interval, then the time."""

    _fields_ = (
        ("interval_seconds", ctypes.c_long),
        ("interval_nanoseconds", ctypes.c_long),
        ("seconds", ctypes.c_long),
        ("nanoseconds", ctypes.c_long),
    )
