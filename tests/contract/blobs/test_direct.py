"""Bytes that go past the kernel's cache are the same bytes at the same places, wherever they begin and end."""

import fcntl
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stowboard.blobs import direct
from stowboard.blobs.direct import BLOCK, DirectFile

# Around what a disk takes directly, and around what is gathered at a time.
SIZES = st.one_of(
    st.integers(0, 3 * BLOCK),
    st.integers(64 * 1024 - 5, 64 * 1024 + BLOCK),
    st.integers((1 << 20) - BLOCK - 5, (1 << 20) + BLOCK + 5),
)
STREAM = os.urandom(8 << 20)


def written(file: Path, groups: list[list[int]]) -> bytes:
    """The file's bytes after groups of chunks of these sizes were written one behind the other."""
    file.unlink(missing_ok=True)
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    target, offset = DirectFile(descriptor), 0
    try:
        for sizes in groups:
            chunks, at = [], offset
            for size in sizes:
                chunks.append(STREAM[at : at + size])
                at += size
            offset = target.write(chunks, offset)
            assert offset == at
        os.fdatasync(descriptor)
    finally:
        target.close()
        os.close(descriptor)
    return file.read_bytes()


@given(groups=st.lists(st.lists(SIZES, max_size=3), max_size=2))
def test_what_was_written_is_what_is_read(groups: list[list[int]], tmp_path_factory: pytest.TempPathFactory) -> None:
    size = sum(map(sum, groups))
    assert written(tmp_path_factory.getbasetemp() / "direct", groups) == STREAM[:size]


def test_bytes_that_were_there_stay(tmp_path: Path) -> None:
    """Others' blocks are not touched, nor the ends of those that are shared."""
    file = tmp_path / "file"
    file.write_bytes(STREAM[: 1 << 20])
    descriptor = os.open(file, os.O_RDWR)
    target = DirectFile(descriptor)
    start, new = 5 * BLOCK + 7, b"x" * (200 * 1024 + 1)
    assert target.write([new], start) == start + len(new)
    target.close()
    os.close(descriptor)
    assert file.read_bytes() == STREAM[:start] + new + STREAM[start + len(new) : 1 << 20]


def test_where_the_disk_refuses_a_direct_write_the_bytes_take_the_other_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = direct._buffer()
    monkeypatch.setattr(direct, "_BUFFER", (1 << 20) - BLOCK)
    monkeypatch.setattr(direct, "_buffer", lambda: usual[1:])  # no disk takes memory that begins at an odd place
    assert written(tmp_path / "file", [[300_000, 2_000_000], [70_000]]) == STREAM[:2_370_000]


@pytest.fixture
def past_the_cache(tmp_path: Path) -> Path:
    """A folder in which files can be written so."""
    descriptor = os.open(tmp_path / "probe", os.O_RDWR | os.O_CREAT, 0o600)
    os.write(descriptor, STREAM[: 1 << 20])
    os.fsync(descriptor)
    assert is_in_memory(descriptor)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    is_possible = DirectFile(descriptor)._direct is not None and not is_in_memory(descriptor)
    os.close(descriptor)
    if not is_possible:
        pytest.skip("NOT TESTED HERE: this file system is one of memory, or knows no direct writes")
    return tmp_path


def test_large_blocks_leave_no_trace_in_the_cache(past_the_cache: Path) -> None:
    """Otherwise all of this would be in vain."""
    descriptor = os.open(past_the_cache / "file", os.O_RDWR | os.O_CREAT, 0o600)
    target = DirectFile(descriptor)
    target.write([STREAM[: 1 << 20]], 0)
    assert not is_in_memory(descriptor)
    target.close()
    os.close(descriptor)


def test_a_disk_that_takes_a_part_of_a_direct_write_gets_the_rest(
    past_the_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a disk does that is nearly full, or a file system between two extents."""
    pwrite, short = os.pwrite, []

    def takes_a_part(file: int, data: memoryview, offset: int) -> int:
        if fcntl.fcntl(file, fcntl.F_GETFL) & os.O_DIRECT and len(data) > BLOCK:
            short.append(offset)
            return pwrite(file, data[: len(data) // 2 // BLOCK * BLOCK], offset)
        return pwrite(file, data, offset)

    monkeypatch.setattr(os, "pwrite", takes_a_part)
    assert written(past_the_cache / "file", [[300_000, 2_000_000], [70_000]]) == STREAM[:2_370_000]
    assert short


def is_in_memory(file: int, offset: int = 1 << 19) -> bool:
    """True if a block in the middle can be read without asking the disk."""
    try:
        return os.preadv(file, [bytearray(BLOCK)], offset, os.RWF_NOWAIT) > 0
    except BlockingIOError:
        return False
