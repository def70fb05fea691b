"""One process of the decoder: start it confined, ask it, end it.

All functions block: call them in threads. On Linux the process dies with the thread that started it, so start it in a
thread of a pool, which lives as long as ours.
"""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import msgspec

from stowboard.core.settings.memory import memory_allowed
from stowboard.media.base import confine
from stowboard.media.images.decoding.messages import READY, DecoderAnswer, DecoderQuestion, read_answer, write

MEBIBYTE = 1 << 20
#: Python and libvips take 300 MB of addresses before the first image, fifty megapixels of the worst kind 900. On a
#: small machine such an image is refused, and takes nobody's memory.
MEMORY = min(2048 * MEBIBYTE, max(640 * MEBIBYTE, memory_allowed()))
#: Enough for a slow and busy machine.
_START_S = 120.0
_PROGRAM = "stowboard.media.images.decoding.decoder"
#: For its whole life; each question has a limit of its own.
_CPU_S = 1 << 30


class DecoderNotStarted(Exception):
    """The program cannot be run here."""


class DecoderCrash(Exception):
    """It ended without an answer."""


class DecoderTimeout(Exception):
    """It took more time than it may."""


class DecoderProcess(msgspec.Struct):
    process: subprocess.Popen[bytes]
    connection: socket.socket
    #: Counts its questions.
    asked: int = 0

    def ask(self, question: DecoderQuestion, descriptor: int, wall_s: float) -> DecoderAnswer:
        """Raises DecoderCrash or DecoderTimeout; the process cannot be used after that."""
        self.asked += 1
        self.connection.settimeout(wall_s)
        try:
            socket.send_fds(self.connection, [write(question)], [descriptor])
            return read_answer(self.connection)
        except TimeoutError:
            raise DecoderTimeout from None
        except (EOFError, OSError, msgspec.MsgspecError) as error:
            raise (DecoderTimeout if self.end() == -signal.SIGXCPU else DecoderCrash) from error

    def end(self) -> int:
        """End the process; returns its exit code. One that was ending already keeps its own code."""
        self.process.kill()
        self.connection.close()
        return self.process.wait()


def start(memory: int = MEMORY, niceness: int = 0) -> DecoderProcess:
    """Start a process, and return when it can be asked. Raises DecoderNotStarted."""
    ours, theirs = socket.socketpair()
    with theirs:
        numbers = (os.getpid(), _CPU_S, memory, 0, niceness)
        process = subprocess.Popen(  # noqa: S603 (it is ours)
            [
                sys.executable, "-I", "-S", str(Path(confine.__file__)), *map(str, numbers),
                sys.executable, "-I", "-m", _PROGRAM, str(theirs.fileno()),
            ],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=[theirs.fileno()], env=_environment(),
            start_new_session=True,
        )  # fmt: skip
    child = DecoderProcess(process, ours)
    try:
        _wait_until_ready(child)
    except BaseException:
        child.end()
        raise
    return child


def _wait_until_ready(child: DecoderProcess) -> None:
    child.connection.settimeout(_START_S)
    try:
        said = child.connection.recv(len(READY))
    except OSError as error:
        raise DecoderNotStarted(f"it said nothing for {_START_S:g} seconds") from error
    if said != READY:
        raise DecoderNotStarted(f"it ended with the code {child.end()}")


def _environment() -> dict[str, str]:
    """Without our settings and secrets. Few arenas, since each reserves addresses; no temporary files of libvips."""
    kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    return kept | {"LC_ALL": "C.UTF-8", "MALLOC_ARENA_MAX": "2", "VIPS_DISC_THRESHOLD": "64g"}
