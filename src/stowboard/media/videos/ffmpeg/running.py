"""Runs programs that read untrusted bytes: confined, timed, and never left behind.

Whatever happens (an end, a limit, a cancellation), the program and all that it started are dead when `run` is over:
they are one process group, which is killed as a whole. If this process is killed, the program dies with it.
"""

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import msgspec

from stowboard.media.base import confine

CONFINE = Path(confine.__file__)
#: Others go first: somebody waits for them.
_NICENESS = 10
MEBIBYTE = 1 << 20
_TAIL = 4096
_LONGEST_LINE = 64 * 1024
#: For pipes that a process which left the group still holds open.
_DRAIN_S = 2.0
_LIMIT_SIGNALS: dict[int, str] = {signal.SIGXCPU: "time on the processor", signal.SIGXFSZ: "the size of its output"}
_OUT_OF_MEMORY = ("Cannot allocate memory", "MemoryError")
#: The launcher's exit code if it could not become the program.
NOT_STARTED = 125

OnLine = Callable[[str], Awaitable[None]]


class ProgramLimits(msgspec.Struct, frozen=True):
    wall_s: int
    cpu_s: int
    memory: int
    file_size: int


class ProgramFailed(Exception):
    """It ended with an error, or by a signal. `stderr` is the end of what it said."""

    def __init__(self, returncode: int, stderr: str) -> None:
        self.returncode, self.stderr = returncode, stderr
        super().__init__(f"exit code {returncode}: {stderr[-500:]}")


class ProgramNotStarted(Exception):
    """The program is not there, or cannot be run."""


class ProgramLimitExceeded(Exception):
    """It wanted more than it was given. The text names what, for people."""


async def ignore_line(_: str) -> None:
    pass


async def read_output(command: Sequence[str], limits: ProgramLimits) -> list[str]:
    """Run the program, as `run` does; returns the lines of its output."""
    lines: list[str] = []

    async def keep(line: str) -> None:
        lines.append(line)

    await run(command, limits, keep)
    return lines


async def run(command: Sequence[str], limits: ProgramLimits, on_line: OnLine, folder: Path | None = None) -> None:
    """Run the program, whose path is absolute, in the folder, and hand on each line of its output.

    Raises ProgramFailed, ProgramLimitExceeded, ProgramNotStarted, and what `on_line` raises, which ends the program.
    """
    process = await _start(command, limits, folder)
    try:
        async with asyncio.timeout(limits.wall_s) as clock:
            stderr = await _follow(process, on_line)
    except TimeoutError:
        if clock.expired():
            raise ProgramLimitExceeded("time") from None
        raise
    finally:
        await _end(process)
    _require_success(process.returncode, stderr)


async def _start(command: Sequence[str], limits: ProgramLimits, folder: Path | None) -> Process:
    numbers = (os.getpid(), limits.cpu_s, limits.memory, limits.file_size, _NICENESS)
    return await asyncio.create_subprocess_exec(
        sys.executable, "-I", "-S", str(CONFINE), *map(str, numbers), *command,
        stdin=DEVNULL, stdout=PIPE, stderr=PIPE, limit=_LONGEST_LINE, env=_environment(), start_new_session=True,
        cwd=folder,
    )  # fmt: skip


def _environment() -> dict[str, str]:
    """No settings and secrets of ours.

    Few arenas, for each reserves address space, which is limited. No character sets of the system: the ffmpeg that
    comes with the service is linked statically, and crashes on MPEG-TS if it finds those of another C library.
    """
    kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    return kept | {"LC_ALL": "C", "MALLOC_ARENA_MAX": "2", "GCONV_PATH": os.devnull}


async def _follow(process: Process, on_line: OnLine) -> str:
    """Read both outputs until the program has ended; returns the end of what it said to stderr."""
    assert process.stdout is not None
    assert process.stderr is not None
    lines = asyncio.create_task(_hand_on_lines(process.stdout, on_line))
    tail = asyncio.create_task(_read_tail(process.stderr))
    ended = asyncio.create_task(_exit_of(process.pid))
    try:
        await asyncio.wait({lines, ended}, return_when=asyncio.FIRST_COMPLETED)
        if lines.done():
            lines.result()
        await ended
        _kill_group(process.pid)
        await asyncio.wait({lines, tail}, timeout=_DRAIN_S)
        if lines.done():
            lines.result()
        return tail.result() if tail.done() else ""
    finally:
        _kill_group(process.pid)
        for task in (lines, tail, ended):
            task.cancel()
        await asyncio.gather(lines, tail, ended, return_exceptions=True)


async def _hand_on_lines(stdout: asyncio.StreamReader, on_line: OnLine) -> None:
    while True:
        try:
            line = await stdout.readline()
        except ValueError:
            raise ProgramLimitExceeded("the length of a line that it may say") from None
        if not line:
            return
        await on_line(line.decode("utf-8", "replace").strip())


async def _read_tail(stderr: asyncio.StreamReader) -> str:
    tail = b""
    while chunk := await stderr.read(_LONGEST_LINE):
        tail = (tail + chunk)[-_TAIL:]
    return tail.decode("utf-8", "replace").strip()


async def _exit_of(pid: int) -> None:
    """Wait for the exit. asyncio's `Process.wait` also waits for the pipes, which others may hold open."""
    loop = asyncio.get_running_loop()
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        exited = asyncio.Event()
        loop.add_reader(handle, exited.set)
        await exited.wait()
    finally:
        loop.remove_reader(handle)
        os.close(handle)


async def _end(process: Process) -> None:
    _kill_group(process.pid)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_DRAIN_S):
            await process.wait()
    # Somebody who left the group may hold the pipes open: let go of our ends.
    process._transport.close()  # type: ignore[attr-defined]
    await process.wait()


def _kill_group(group: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def _require_success(returncode: int | None, stderr: str) -> None:
    assert returncode is not None
    if returncode == NOT_STARTED:
        raise ProgramNotStarted(stderr)
    if (limit := _LIMIT_SIGNALS.get(-returncode)) is not None:
        raise ProgramLimitExceeded(limit)
    if returncode != 0 and any(text in stderr for text in _OUT_OF_MEMORY):
        raise ProgramLimitExceeded("memory")
    if returncode != 0:
        raise ProgramFailed(returncode, stderr)
