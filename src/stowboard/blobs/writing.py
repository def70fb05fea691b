"""Writes all bytes to a file: a nearly full disk takes a part of them, and the next call gets the error."""

import os

#: The most chunks that the kernel takes in one call.
_MOST_CHUNKS = 1024


def write_chunks(file: int, chunks: list[bytes], offset: int) -> int:
    """Write the chunks at the offset and return the offset behind them. Blocks."""
    for begin in range(0, len(chunks), _MOST_CHUNKS):
        group = chunks[begin : begin + _MOST_CHUNKS]
        size = sum(map(len, group))
        written = os.pwritev(file, group, offset)
        if written < size:
            write_all(file, memoryview(b"".join(group))[written:], offset + written)
        offset += size
    return offset


def write_all(file: int, rest: memoryview, offset: int) -> None:
    while rest:
        written = os.pwrite(file, rest, offset)
        rest, offset = rest[written:], offset + written
