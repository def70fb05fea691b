"""Bytes of a resumable upload are on the disk, with their file's name, before anybody is told that they are kept."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from stowboard.blobs.direct import LARGE
from stowboard.blobs.open import open_blobs
from stowboard.blobs.resumable_disk import draft_path
from stowboard.blobs.settings import BlobSettings
from support.blobs.upload_row import Row


class Disk:
    """Records what the system was told to write out: how much of each file and folder outlasts a power cut."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lasting: dict[Path, int] = {}
        for name in ("fsync", "fdatasync"):
            monkeypatch.setattr(os, name, self._seen(getattr(os, name)))

    def _seen(self, sync: Callable[[int], None]) -> Callable[[int], None]:
        def synced(descriptor: int) -> None:
            sync(descriptor)
            self.lasting[Path(f"/proc/self/fd/{descriptor}").resolve()] = os.fstat(descriptor).st_size

        return synced


@pytest.mark.parametrize("most", [LARGE - 1, 1 << 30], ids=["through the cache", "past the cache"])
async def test_what_was_kept_lasts(disk_settings: BlobSettings, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    disk, blobs, row = Disk(monkeypatch), open_blobs(disk_settings), Row.new()
    draft = draft_path(disk_settings.folder.resolve(), row.key)
    writer = row.writer(blobs, most)
    await writer.open()
    await writer.write([b"a" * 100_000])
    row.commit(await writer.keep([b"b" * 5]))
    assert disk.lasting[draft] == row.received == 100_005
    assert draft.parent in disk.lasting, "a file without a name is lost"
    assert draft.parent.parent in disk.lasting, "so is a folder"
    disk.lasting.clear()
    row.commit(await writer.keep([b"c" * 7]))
    assert disk.lasting == {draft: 100_012}, "the name lasts already"
    await writer.finish([b"d"])
    await writer.close()
    target = disk_settings.folder.resolve() / row.key
    assert disk.lasting[draft] == 100_013, "before it was renamed"
    assert {target.parent, target.parent.parent} <= set(disk.lasting)
    await blobs.close()
