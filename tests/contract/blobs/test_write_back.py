"""Bytes begin their way to the disk before anybody waits for them. Where the system cannot tell, this is skipped."""

import mmap
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from stowboard.blobs.disk import DiskBlobs
from stowboard.blobs.settings import BlobSettings
from stowboard.blobs.write_back import begin_write_back
from support.blobs.page_cache import dirty_pages
from support.blobs.upload_row import Row

MIB = 1 << 20
PAGE = mmap.PAGESIZE


@pytest.fixture
def file(tmp_path: Path) -> Iterator[int]:
    file = os.open(tmp_path / "file", os.O_RDWR | os.O_CREAT)
    yield file
    os.close(file)


def test_full_pages_begin_and_one_that_will_grow_waits(file: int) -> None:
    for number in range(4):  # at once they might be kept as one, and begin as one
        os.pwrite(file, bytes(PAGE), number * PAGE)
    os.pwrite(file, bytes(10), 4 * PAGE)
    require_dirty(file, 5)
    begin_write_back(file, 2 * PAGE, 4 * PAGE + 10)
    assert dirty_pages(file) == 3
    begin_write_back(file, 0, 4 * PAGE + 10)
    assert dirty_pages(file) == 1


def test_where_it_is_refused_nothing_happens() -> None:
    reader, writer = os.pipe()
    begin_write_back(writer, 0, PAGE)
    os.close(reader)
    os.close(writer)
    begin_write_back(-1, 0, PAGE)


async def test_an_upload_does_not_wait_with_its_bytes_until_they_have_to_be_durable(
    disk_settings: BlobSettings, file: int
) -> None:
    os.pwrite(file, bytes(PAGE), 0)
    require_dirty(file, 1)
    blobs, row = DiskBlobs(disk_settings.folder), Row.new()
    writer = row.writer(blobs)
    await writer.open()
    for _ in range(3):
        await writer.write([bytes(MIB), bytes(5)])
    [draft] = (disk_settings.folder / ".uploading").iterdir()
    with draft.open("rb") as reader:
        assert (dirty_pages(reader.fileno()) or 0) * PAGE < MIB // 4, "but for the end, which is still to grow"
        row.commit(await writer.keep([]))
        assert dirty_pages(reader.fileno()) == 0
    assert row.received == 3 * (MIB + 5)
    await writer.close()
    await blobs.close()


def require_dirty(file: int, pages: int) -> None:
    """Skip on an old system, and on a file system in memory."""
    if dirty_pages(file) != pages:
        pytest.skip("NOT TESTED HERE: the system does not tell which pages are dirty")
