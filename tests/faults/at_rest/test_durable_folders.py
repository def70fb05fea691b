"""A new folder's own name is on disk before a command says that it is done: else a crash takes all of it away."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from support.servers.moving import at, done
from support.servers.stowboard import Server


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> set[Path]:
    """Every folder that is fsynced from here on."""
    seen: set[Path] = set()
    fsync = os.fsync

    def seen_fsync(descriptor: int) -> None:
        seen.add(Path(f"/proc/self/fd/{descriptor}").resolve())
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", seen_fsync)
    return seen


@pytest.fixture
def source(tmp_path: Path) -> Server:
    place = at(tmp_path / "source", {})
    done(place, "upgrade")
    done(place, "token", "create", "--owner", "ann")
    return place


def copied(words: str, source: Server, target: Path) -> Path:
    done(source, words, str(target))
    return target


def backup_into(source: Server, root: Path) -> Path:
    return copied("backup", source, root / "above" / "copy")


def export_into(source: Server, root: Path) -> Path:
    return copied("export", source, root / "above" / "copy")


def restore_into(source: Server, root: Path) -> Path:
    target = at(root / "above", {})
    done(target, "restore", str(copied("backup", source, root / "copy")))
    return target.data_dir


def import_into(source: Server, root: Path) -> Path:
    target = at(root / "above", {})
    done(target, "import", str(copied("export", source, root / "copy")))
    return target.data_dir


def migrate_into(_: Server, root: Path) -> Path:
    target = at(root / "above", {})
    done(target, "upgrade")
    return target.data_dir


@pytest.mark.parametrize("make", [backup_into, export_into, restore_into, import_into, migrate_into])
def test_the_names_of_new_folders_are_on_disk(
    make: Callable[[Server, Path], Path], source: Server, tmp_path: Path, synced: set[Path]
) -> None:
    folder = make(source, tmp_path).resolve()
    assert {folder.parent, tmp_path.resolve()} <= synced
