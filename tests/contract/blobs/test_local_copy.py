"""Blobs as files: their own on disk, a passing copy from a bucket."""

import hashlib
import os
import random
from pathlib import Path

import pytest

from stowboard.blobs.keys import new_key
from stowboard.blobs.store import BlobNotFound, BlobStore
from stowboard.media.base.local_copy import local_copy, remove_old_copies


async def test_a_local_copy_has_the_bytes_and_is_gone_afterwards(blobs: BlobStore, tmp_path: Path) -> None:
    key, data = new_key("asset"), random.Random(2).randbytes(9_000_001)
    await blobs.put_bytes(key, data)
    async with local_copy(blobs, key, tmp_path / "a" / "work") as path:
        assert hashlib.sha256(path.read_bytes()).digest() == hashlib.sha256(data).digest()
    assert list(tmp_path.glob("a/work/*")) == []
    assert b"".join([chunk async for chunk in blobs.read(key)]) == data


async def test_a_local_copy_of_nothing_is_not_found(blobs: BlobStore, tmp_path: Path) -> None:
    with pytest.raises(BlobNotFound):
        async with local_copy(blobs, new_key("asset"), tmp_path / "work"):
            pytest.fail("there is nothing to copy")
    assert list(tmp_path.glob("work/*")) == []


def test_copies_of_a_killed_process_go_after_a_day_and_files_of_others_stay(tmp_path: Path) -> None:
    for name, age in (("copy-old", 90_000), ("copy-new", 60), ("other", 90_000)):
        (tmp_path / name).touch()
        then = (tmp_path / name).stat().st_mtime - age
        os.utime(tmp_path / name, (then, then))
    remove_old_copies(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"copy-new", "other"}
    remove_old_copies(tmp_path / "never made")
