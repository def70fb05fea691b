"""A process of the decoder: started confined, asked, and ended.

All of it blocks and is for threads. The process dies with ours, and with the thread that started it, as Linux has it:
that of a pool, which ends no sooner.
"""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import msgspec

from stowboard.media.base import confine
from stowboard.media.images.decoding.messages import READY, DecoderAnswer, DecoderQuestion, read_answer, write

MEBIBYTE = 1 << 20
#: Python and the library have 300 MB of addresses before the first image; fifty megapixels of the worst kind want 900.
MEMORY = 2048 * MEBIBYTE
#: On a slow machine that is very busy.
_START_S = 120.0
_PROGRAM = "stowboard.media.images.decoding.decoder"
#: For as long as there are pictures; each of them has a limit of its own.
_CPU_S = 1 << 30


class DecoderNotStarted(Exception):
    """The program cannot be run here."""


class DecoderCrash(Exception):
    """It ended without an answer."""


class DecoderTimeout(Exception):
    """It was given so much time, and took more."""


class DecoderProcess(msgspec.Struct):
    process: subprocess.Popen[bytes]
    connection: socket.socket
    #: How often it was asked.
    asked: int = 0

    def ask(self, question: DecoderQuestion, descriptor: int, wall_s: float) -> DecoderAnswer:
        """Raises Crashed or TooSlow; it is then of no use any more."""
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
        """Its exit code. If it was ending already, that stays as it was."""
        self.kill()
        self.connection.close()
        return self.process.wait()

    def kill(self) -> None:
        """For another thread: the one that asks then hears of it."""
        self.process.kill()


def start(memory: int = MEMORY, niceness: int = 0) -> DecoderProcess:
    """Return when it can be asked. Raises NotStarted."""
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
    """No settings and secrets of ours. Few arenas, for each reserves addresses; no images in files of its own."""
    kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    return kept | {"LC_ALL": "C.UTF-8", "MALLOC_ARENA_MAX": "2", "VIPS_DISC_THRESHOLD": "64g"}
