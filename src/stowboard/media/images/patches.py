"""Patches of a file: other bytes at a position. Nothing in the file moves."""

from collections.abc import AsyncIterable, AsyncIterator, Sequence
from typing import TypeAlias

Patch: TypeAlias = tuple[int, bytes]


def patched(data: bytes, patches: Sequence[Patch], at: int = 0) -> bytes:
    """`data` is the part of the file that begins at `at`."""
    inside = [(start - at, new) for start, new in patches if start < at + len(data) and start + len(new) > at]
    if not inside:
        return data
    copy = bytearray(data)
    for start, new in inside:
        first, last = max(start, 0), min(start + len(new), len(data))
        copy[first:last] = new[first - start : last - start]
    return bytes(copy)


async def patched_chunks(chunks: AsyncIterable[bytes], patches: Sequence[Patch]) -> AsyncIterator[bytes]:
    at = 0
    async for chunk in chunks:
        yield patched(chunk, patches, at)
        at += len(chunk)
