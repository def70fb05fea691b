"""The server under strace: to see in which order it writes and syncs, or to have one of its system calls fail."""

import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import pytest

from support.servers.stowboard import Launch, Process, launch_program

WRITES = "write,pwrite64,writev,pwritev,pwritev2,ftruncate"
NAMES = "openat,rename,renameat,renameat2,link,linkat,mkdir,mkdirat"
SYNCS = "fsync,fdatasync"
_CALL = re.compile(r"^\d+ +(?P<time>\d+\.\d+) (?:<\.\.\. )?(?P<name>\w+)(?: resumed>)?(?P<rest>.*)$")
_FILE = re.compile(r"\d+<(/[^>]*)>")
_TEXT = re.compile(r'(?:(?:AT_FDCWD|\d+)<(/[^>]*)>, )?"([^"]*)"')


def find_strace() -> str:
    """The program; skips the test where there is none, or where no process may be traced."""
    strace = shutil.which("strace")
    if strace is None:
        pytest.skip("NOT TESTED: the order of system calls, and what their failures do; apt-get install strace")
    if subprocess.run([strace, "-qq", "-e", "trace=none", "true"], capture_output=True).returncode:
        pytest.skip("NOT TESTED HERE: no process may be traced")
    return strace


def under_strace(*options: str) -> Launch:
    """Starts the program with strace before it."""
    strace = find_strace()

    def launch(
        command: list[str], environment: Mapping[str, str], output: IO[bytes], errors: IO[bytes], folder: Path
    ) -> Process:
        return launch_program([strace, "-f", "-qq", *options, *command], environment, output, errors, folder)

    return launch


@dataclass(frozen=True, slots=True)
class FileCall:
    """One system call on a file or a name below the folder that was asked for."""

    time: float
    kind: str  # write, name or sync
    path: str


def file_calls(log: Path, below: Path) -> Iterator[FileCall]:
    """The calls in the log of `strace -f -y -ttt`, by the time at which each began."""
    top = str(below.resolve())
    for line in log.read_text(errors="replace").splitlines():
        found = _CALL.match(line)
        if found is None or "resumed>" in line or " = -1 E" in line:
            continue
        time, name, rest = float(found["time"]), found["name"], found["rest"]
        for kind, path in _paths(name, rest):
            if path.startswith(top):
                yield FileCall(time, kind, path)


def _paths(name: str, rest: str) -> Iterator[tuple[str, str]]:
    if name in WRITES.split(",") or name in SYNCS.split(","):
        if file := _FILE.search(rest):
            yield "sync" if name in SYNCS.split(",") else "write", file[1].removesuffix("(deleted)")
    elif name != "openat" or "O_CREAT" in rest:
        texts = [str(Path(folder or "/", text)) for folder, text in _TEXT.findall(rest)]
        if texts:
            yield "name", texts[-1]


def unsynced(calls: list[FileCall], until: float) -> set[str]:
    """The files and folders that would not be whole after a power cut at that time.

    A file is whole when it was synced after its last write, a name when its folder was synced after it was made. A name
    that was renamed away is the business of the new one.
    """
    dirty: set[str] = set()
    for call in calls:
        if call.time >= until:
            break
        if call.kind == "sync":
            dirty.discard(call.path)
        elif call.kind == "write":
            dirty.add(call.path)
        else:
            dirty.add(str(Path(call.path).parent))
    return dirty


@contextmanager
def failing(process: int, call: str, error: str, nth: int) -> Iterator[None]:
    """Each thread's nth such call fails, from now until the end of the block."""
    with _injecting(process, f"inject={call}:error={error}:when={nth}", call):
        yield


@contextmanager
def killing(process: int, call: str, nth: int) -> Iterator[None]:
    """The process is killed (SIGKILL) as a thread begins its nth such call, within the block."""
    with _injecting(process, f"inject={call}:signal=SIGKILL:when={nth}", call):
        yield


@contextmanager
def _injecting(process: int, what: str, call: str) -> Iterator[None]:
    words = [find_strace(), "-f", "-o", "/dev/null", "-p", str(process), "-e", f"trace={call}", "-e", what]
    tracer = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        assert tracer.stderr is not None
        tracer.stderr.readline()  # it says that it is attached
        yield
    finally:
        tracer.kill()  # the kernel lets go of those that it traced; asked to end, it may wait for one that is dead
        tracer.communicate()
