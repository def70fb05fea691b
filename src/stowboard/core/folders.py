"""Folders whose names are on disk: without that, a crash may take a new folder away with all that was synced in it."""

import os
from contextlib import suppress
from pathlib import Path


def make_durable_folder(folder: Path) -> None:
    """With those above it that are missing, for their owner alone. Nothing happens if it is there."""
    for missing in reversed([each for each in (folder, *folder.parents) if not each.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)  # another thread may be making it
        fsync_folder(missing.parent)


def make_private(folder: Path) -> bool:
    """A folder for its owner alone, whoever made it; says whether it is new. Raises OSError."""
    try:
        mode = folder.stat().st_mode  # mostly it is there, and to look costs a third of trying to make it
    except FileNotFoundError:
        with suppress(FileExistsError):  # another thread was faster, and has made it so
            folder.mkdir(mode=0o700)
        return True
    if mode & 0o077:
        with suppress(PermissionError):  # another's: `doctor` tells of it
            folder.chmod(0o700)
    return False


def make_private_ones(folder: Path, *, levels: int) -> None:
    """A folder and those above it, so many in all, which are not durable yet.

    Made before a file is fsynced they mostly become durable with it, and to fsync the folder above then costs nothing.
    """
    if not folder.is_dir():
        for each in reversed((folder, *folder.parents)[:levels]):
            make_private(each)


def fsync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
