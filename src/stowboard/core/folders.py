"""Makes folders durable: otherwise a crash may remove a new folder with all files that were synced in it."""

import os
from contextlib import suppress
from pathlib import Path


def make_durable_folder(folder: Path) -> None:
    """Make the folder, and missing ones above it, for their owner alone. Does nothing if it exists."""
    for missing in reversed([each for each in (folder, *folder.parents) if not each.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)  # another thread may be making it
        fsync_folder(missing.parent)


def make_private(folder: Path) -> bool:
    """Make the folder private to its owner, also one that exists; True if it is new. Raises OSError."""
    try:
        mode = folder.stat().st_mode  # it mostly exists, and stat costs a third of mkdir
    except FileNotFoundError:
        with suppress(FileExistsError):  # another thread has just made it
            folder.mkdir(mode=0o700)
        return True
    if mode & 0o077:
        with suppress(PermissionError):  # it belongs to another user: `doctor` reports it
            folder.chmod(0o700)
    return False


def make_private_ones(folder: Path, *, levels: int) -> None:
    """Make a folder and those above it, `levels` in all. They are not durable yet.

    The fsync of a file in them mostly makes them durable too, and to fsync the folder above then costs nothing.
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
