"""Promises of the disk beyond the contract of blobs: durability, full disks, lost volumes."""

import asyncio
import os
import shutil
import stat
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from io import FileIO
from pathlib import Path

import pytest

from stowboard.blobs.disk import DiskBlobs
from stowboard.blobs.draft import BlobDraft
from stowboard.blobs.keys import BlobKey, new_key
from stowboard.blobs.settings import BlobSettings
from stowboard.blobs.store import BlobStoreUnavailable, LocalFiles, SignedLinks
from support.blobs.programs import run_program
from support.blobs.upload_row import Row
from support.waiting import PATIENCE_SECONDS, until


@pytest.fixture
def root(disk_settings: BlobSettings) -> Path:
    return disk_settings.folder


@pytest.fixture
async def disk(root: Path) -> AsyncIterator[DiskBlobs]:
    store = DiskBlobs(root)
    yield store
    await store.close()


async def test_a_file_that_is_opened_when_nobody_waits_any_more_is_closed(
    disk: DiskBlobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, open_file = new_key("asset"), disk._open
    await disk.put_bytes(key, b"hello")
    begun, cancelled = threading.Event(), threading.Event()
    opened: list[FileIO] = []

    def open_late(key: BlobKey) -> FileIO:
        begun.set()
        cancelled.wait(PATIENCE_SECONDS)
        opened.append(open_file(key))
        return opened[0]

    monkeypatch.setattr(disk, "_open", open_late)
    reading = asyncio.create_task(anext(disk.read(key)))
    await until(begun.is_set)
    reading.cancel()
    await asyncio.wait([reading])
    cancelled.set()
    await disk.close()
    assert [file.closed for file in opened] == [True]


async def test_the_server_can_send_the_file_itself(disk: DiskBlobs) -> None:
    key = new_key("asset")
    await disk.put_bytes(key, b"hello")
    assert isinstance(disk, LocalFiles)
    assert not isinstance(disk, SignedLinks)
    assert disk.local_path(key).read_bytes() == b"hello"


async def test_blobs_and_folders_are_for_their_owner_alone_whatever_was_there_before(tmp_path: Path) -> None:
    key, row = new_key("asset"), Row.new()
    for folder in (tmp_path / "blobs", tmp_path / "blobs" / "asset", (tmp_path / "blobs" / key).parent):
        folder.mkdir(mode=0o755)
        folder.chmod(0o755)
    before = os.umask(0)
    try:
        disk = DiskBlobs(tmp_path / "blobs")
        await disk.put_bytes(key, b"hello")
        await disk.put(new_key("asset"), hello())
        writer = row.writer(disk)
        await writer.open()
        await writer.keep([b"he"])
        check_private(tmp_path / "blobs")
        await writer.finish([b"llo"])
        await writer.close()
        await disk.close()
    finally:
        os.umask(before)
    check_private(tmp_path / "blobs")


def check_private(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


async def test_a_blob_is_synced_before_it_has_its_name_and_the_name_before_it_is_acknowledged(
    disk: DiskBlobs, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = record_steps(monkeypatch)
    key = new_key("asset")
    await disk.put(key, hello())
    place = root / key
    folder = place.parent
    assert steps == [
        *[("sync", "draft"), ("sync", root), ("sync", folder.parent)],
        *[("rename", place), ("sync", folder)],
    ]


async def test_a_folder_that_another_process_made_is_synced_too(
    disk: DiskBlobs, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = new_key("asset")
    (root / key).parent.mkdir(parents=True)
    steps = record_steps(monkeypatch)
    await disk.put_bytes(key, b"hello")
    await disk.put_bytes(key, b"hello")
    folder = (root / key).parent
    synced, named = [("sync", "draft")], [("rename", root / key), ("sync", folder)]
    assert steps == [*synced, ("sync", root), ("sync", folder.parent), *named, *synced, *named]


def test_a_draft_that_was_discarded_is_not_begun_by_a_thread_that_comes_late(tmp_path: Path) -> None:
    draft = BlobDraft(tmp_path / "blob")
    draft.discard()
    draft.open()
    draft.write([b"hello"])
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_said_and_room_again_is_used(disk_settings: BlobSettings) -> None:
    assert run_program("fill_the_disk", disk_settings).split() == ["written"] * 2 + ["full"] * 2 + ["written"] * 2
    files = [path for path in disk_settings.folder.rglob("*") if path.is_file()]
    assert [path.stat().st_size for path in files] == [3 << 20] * 4


async def test_a_volume_that_is_gone_is_not_an_empty_store(disk: DiskBlobs, root: Path) -> None:
    key = new_key("asset")
    await disk.put_bytes(key, b"hello")
    shutil.rmtree(root)
    for attempt in (
        disk.find(key),
        anext(disk.read(key)),
        disk.put_bytes(key, b"x"),
        disk.put(key, hello()),
        disk.check(),
    ):
        with pytest.raises(BlobStoreUnavailable) as raised:
            await attempt
        assert str(root) in raised.value.reason
    assert not root.exists()


async def test_a_folder_that_was_cleaned_away_comes_back(disk: DiskBlobs, root: Path) -> None:
    key = new_key("asset")
    await disk.put_bytes(key, b"hello")
    shutil.rmtree(root / "asset")
    await disk.put_bytes(key, b"hello")
    assert disk.local_path(key).read_bytes() == b"hello"


async def test_files_of_others_are_neither_listed_nor_discarded(disk: DiskBlobs, root: Path) -> None:
    key = new_key("asset")
    await disk.put_bytes(key, b"hello")
    shard = (root / key).parent
    others = [
        root / "notes.txt",
        root / "asset" / "notes",
        shard / ".hidden",
        shard / ".name.0123abcd",
        root / "x" / "aa" / ".y",
    ]
    for path in others:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"theirs")
    assert [blob.key async for blob in disk.walk()] == [key]
    assert await disk.discard_unfinished(before_ms=1 << 60) == 0
    assert all(path.exists() for path in others)


async def test_a_store_on_disk_says_how_much_room_there_is(disk: DiskBlobs, root: Path) -> None:
    assert 0 < disk.space().free <= shutil.disk_usage(root).total


def test_a_store_on_disk_does_without_obstore(tmp_path: Path) -> None:
    code = (
        "import sys; from stowboard.blobs.open import open_blobs; from stowboard.blobs.settings import BlobSettings;"
        "open_blobs(BlobSettings(sys.argv[1])); print('obstore' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True, capture_output=True, text=True)
    assert ran.stdout.strip() == "False"


def record_steps(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Path | str]]:
    """The files that are fsynced and renamed from here on, in order."""
    steps: list[tuple[str, Path | str]] = []
    fsync, replace = os.fsync, Path.replace

    def seen_fsync(descriptor: int) -> None:
        path = Path(f"/proc/self/fd/{descriptor}").readlink()
        steps.append(("sync", "draft" if path.name.startswith(".") else path))
        fsync(descriptor)

    def seen_replace(source: Path, target: Path) -> Path:
        steps.append(("rename", target))
        return replace(source, target)

    monkeypatch.setattr(os, "fsync", seen_fsync)
    monkeypatch.setattr(Path, "replace", seen_replace)
    return steps


async def hello() -> AsyncIterator[bytes]:
    yield b"hello"
