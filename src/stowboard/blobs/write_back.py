"""Asks the system to begin writing a file to the disk now, while more bytes still arrive.

Otherwise it would begin at the sync, which would then wait for all bytes at once. This is a hint and promises nothing:
only fdatasync makes bytes durable, and it also reports errors of earlier writes. Where the system has no such call (it
is Linux's own), or refuses it, nothing happens.
"""

import ctypes
import mmap

#: SYNC_FILE_RANGE_WRITE alone: begin, wait for nothing.
_BEGIN = 2
_sync_file_range = getattr(ctypes.CDLL(None), "sync_file_range", None)
if _sync_file_range is not None:
    _sync_file_range.argtypes = (ctypes.c_int, ctypes.c_int64, ctypes.c_int64, ctypes.c_uint)


def begin_write_back(file: int, start: int, end: int) -> None:
    """Begin with the bytes from start up to end, without a page that is not full yet: it would be written twice."""
    size = end - end % mmap.PAGESIZE - start
    if size > 0 and _sync_file_range is not None:
        _sync_file_range(file, start, size, _BEGIN)
