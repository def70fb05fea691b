"""Processes of `stowboard` that are forks of a loaded one, and so need not be loaded each time."""

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from support.servers.stowboard import clean_environment

_PROGRAM = Path(__file__).with_name("forked_program.py")


class Forker:
    """Its first process starts with the first command."""

    def __init__(self) -> None:
        self._control: socket.socket | None = None
        self._lock = threading.Lock()

    def launch(
        self,
        command: list[str],
        environment: Mapping[str, str],
        output: IO[bytes],
        errors: IO[bytes],
        folder: Path,
    ) -> "ForkedProcess":
        assert _for_python(environment) == _for_python(clean_environment()), "it was loaded without these"
        order = {"command": command, "environment": dict(environment), "folder": str(folder)}
        return ForkedProcess(self, self.ask(order, [output.fileno(), errors.fileno()]))

    def ask(self, order: dict[str, Any], files: list[int]) -> int:
        with self._lock:
            if self._control is None:
                self._start()
            assert self._control is not None
            socket.send_fds(self._control, [json.dumps(order).encode()], files)
            return int(self._control.recv(100))

    def close(self) -> None:
        assert self._control is not None
        self._control.close()
        self._process.wait()

    def _start(self) -> None:
        atexit.register(self.close)
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            command = [sys.executable, "-P", str(_PROGRAM), str(theirs.fileno())]
            self._process = subprocess.Popen(command, env=clean_environment(), pass_fds=[theirs.fileno()])


def _for_python(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if name.startswith("PYTHON")}


class ForkedProcess:
    """As subprocess has them."""

    def __init__(self, forker: Forker, pid: int) -> None:
        self.pid = pid
        self._forker = forker
        self._descriptor = os.pidfd_open(pid)
        self._code: int | None = None

    def poll(self) -> int | None:
        return self._find_code(0)

    def wait(self, timeout: float | None = None) -> int:
        code = self._find_code(timeout)
        if code is None:
            assert timeout is not None
            raise subprocess.TimeoutExpired(f"stowboard {self.pid}", timeout)
        return code

    def terminate(self) -> None:
        self._signal(signal.SIGTERM)

    def kill(self) -> None:
        self._signal(signal.SIGKILL)

    def _signal(self, number: signal.Signals) -> None:
        if self._code is None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._descriptor, number)

    def _find_code(self, timeout: float | None) -> int | None:
        if self._code is None and self._has_ended(timeout):
            self._code = self._forker.ask({"ended": self.pid}, [])
            os.close(self._descriptor)
        return self._code

    def _has_ended(self, timeout: float | None) -> bool:
        ending = select.poll()  # which takes any number: some tests hold thousands of connections
        ending.register(self._descriptor, select.POLLIN)
        return bool(ending.poll(None if timeout is None else timeout * 1000))


#: One for all tests of this process.
launch = Forker().launch
