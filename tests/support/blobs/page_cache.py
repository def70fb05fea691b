"""The pages of a file that the system still has to write out, where it tells (Linux 6.5 or later)."""

import ctypes

_CACHESTAT = 451


class _Range(ctypes.Structure):
    _fields_ = (("offset", ctypes.c_uint64), ("length", ctypes.c_uint64))


class _Stat(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint64) for name in ("cached", "dirty", "in_writing", "evicted", "lately_evicted"))


def dirty_pages(file: int) -> int | None:
    """Pages that nobody has begun to write out; None if the system does not say."""
    stat = _Stat()
    failed = ctypes.CDLL(None).syscall(_CACHESTAT, file, ctypes.byref(_Range(0, 0)), ctypes.byref(stat), 0)
    return None if failed else int(stat.dirty)
