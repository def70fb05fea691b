"""An ext4 file system in a file. A copy of the file is the disk as a power cut at that moment would leave it.

The file has what was written to the disk: what lies in the kernel's cache and was never synced is not in it. The
journal is committed when something is synced, and not by a timer, so a name that nobody synced is not in it either.
"""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from support.waiting import wait_until

_PATH = os.environ.get("PATH", os.defpath) + ":/usr/sbin:/sbin"
_OPTIONS = "loop,commit=300"  # seconds until the journal is committed unasked: longer than a test


def make_disk(file: Path, mebibytes: int) -> Path:
    """Makes the image; skips the test where there is no program for it."""
    mkfs = shutil.which("mkfs.ext4", path=_PATH)
    if mkfs is None:
        pytest.skip("NOT TESTED: what a power cut leaves; apt-get install e2fsprogs")
    with file.open("wb") as image:
        image.truncate(mebibytes << 20)
    subprocess.run([mkfs, "-q", "-F", str(file)], check=True)
    return file


@contextmanager
def mounted(disk: Path, folder: Path) -> Iterator[Path]:
    folder.mkdir()
    done = subprocess.run(["mount", "-o", _OPTIONS, str(disk), str(folder)], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"NOT TESTED HERE: what a power cut leaves needs the right to mount: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def cut_power(disk: Path, copy: Path, *processes: int) -> Path:
    """Copies the disk while the processes that write to it stand still."""
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    try:
        for process in processes:
            wait_until(partial(_stands_still, process))
        shutil.copyfile(disk, copy)
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)
    return copy


def _stands_still(process: int) -> bool:
    states = [
        (task / "stat").read_text().rpartition(")")[2].split()[0] for task in Path(f"/proc/{process}/task").iterdir()
    ]
    return set(states) == {"T"}
