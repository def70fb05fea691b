"""Large resumable uploads are written past the kernel's cache (O_DIRECT): the one place that does so.

Copying them into the cache takes more processor time than the rest of such an upload, and evicts pages of the database.
docs/decisions/0012 has the figures; the setting `direct_writes=false` turns it off. A direct write needs whole blocks,
from memory that begins at a page. So bytes are collected in a buffer, and only those before the first whole block and
after the last go through the cache. If a file system has no direct writes, all bytes go through the cache.
"""

import errno
import mmap
import os
import threading
from contextlib import suppress

from stowboard.blobs.writing import write_all

#: An upload of at least this size is large; a smaller one is read soon, and goes through the cache.
LARGE = 512 * 1024
#: The block size of every disk and file system that we know, or a multiple of it.
BLOCK = 4096
_BUFFER = 1 << 20
#: To write fewer bytes directly is not worth two more calls.
_LEAST = 64 * 1024
#: The error of a file system without direct writes.
_REFUSALS = {errno.EINVAL, errno.EOPNOTSUPP}
_buffers = threading.local()


class DirectFile:
    """A file that is open for writing. Its calls block, and are for one thread at a time."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._direct: int | None = None
        with suppress(OSError):
            self._direct = os.open(f"/proc/self/fd/{file}", os.O_WRONLY | os.O_DIRECT | os.O_CLOEXEC)

    def write(self, chunks: list[bytes], offset: int) -> int:
        """Write the chunks, and return the offset behind them."""
        buffer = _buffer()
        start = filled = offset % BLOCK
        base = offset - start
        for chunk in chunks:
            rest = memoryview(chunk)
            while rest:
                count = min(len(rest), _BUFFER - filled)
                buffer[filled : filled + count] = rest[:count]
                filled, rest = filled + count, rest[count:]
                if filled == _BUFFER:
                    self._flush(buffer, start, filled, base)
                    base, start, filled = base + filled, 0, 0
        self._flush(buffer, start, filled, base)
        return base + filled

    def close(self) -> None:
        if self._direct is not None:
            os.close(self._direct)
            self._direct = None

    def _flush(self, buffer: memoryview, start: int, end: int, base: int) -> None:
        """Write the bytes from `start` to `end`. The first byte of the buffer belongs at `base`."""
        first, last = -(-start // BLOCK) * BLOCK, end // BLOCK * BLOCK
        if self._direct is not None and last - first >= _LEAST:
            write_all(self._file, buffer[start:first], base + start)
            start = first + self._write_directly(self._direct, buffer[first:last], base + first)
        write_all(self._file, buffer[start:end], base + start)

    def _write_directly(self, direct: int, blocks: memoryview, offset: int) -> int:
        """The number of bytes that were written, perhaps 0."""
        try:
            return os.pwrite(direct, blocks, offset)
        except OSError as error:
            if error.errno not in _REFUSALS:
                raise
            self.close()  # this file system opens such files but does not write them
            return 0


def _buffer() -> memoryview:
    """The buffer of this thread. It begins at a page."""
    found: memoryview | None = getattr(_buffers, "view", None)
    if found is None:
        found = _buffers.view = memoryview(mmap.mmap(-1, _BUFFER))
    return found
