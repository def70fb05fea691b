"""The service as its users run it: a `stowboard` process on a free port, with a stack of its own."""

import contextlib
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import IO, Protocol

import httpx2

from support.processes.find import children_of, has_ended
from support.servers.ports import free_port
from support.waiting import wait_until

START_SECONDS = COMMAND_SECONDS = 120.0
PROGRAM = Path(sys.executable).with_name("stowboard")


class Process(Protocol):
    pid: int

    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def terminate(self) -> None: ...
    def kill(self) -> None: ...


#: A command, its environment, where it writes to, its errors too, and in which folder it runs.
Launch = Callable[[list[str], Mapping[str, str], IO[bytes], IO[bytes], Path], Process]


def launch_program(
    command: list[str], environment: Mapping[str, str], output: IO[bytes], errors: IO[bytes], folder: Path
) -> Process:
    return subprocess.Popen(command, env=environment, stdout=output, stderr=errors, cwd=folder, start_new_session=True)


def run_to_end(
    launch: Launch, words: Sequence[str], environment: Mapping[str, str], folder: Path
) -> subprocess.CompletedProcess[str]:
    command = [str(PROGRAM), *words]
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = launch(command, environment, output, errors, folder)
        try:
            code = process.wait(COMMAND_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise
        said, complained = (_text(file) for file in (output, errors))
    return subprocess.CompletedProcess(command, code, said, complained)


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()


class Server:
    """`kill` and `start` again keep the port, the data and the token."""

    def __init__(
        self, folder: Path, environment: Mapping[str, str], *options: str, launch: Launch = launch_program
    ) -> None:
        self.admin_token = "test_" + secrets.token_hex(16)
        self.port = free_port()
        self.folder = folder
        self.data_dir = folder / "data"
        self.log_file = folder / "server.log"
        self._options = options
        self._environment = clean_environment() | {"STOWBOARD_BOOTSTRAP_TOKEN": self.admin_token, **environment}
        self.launch = launch
        self._process: Process | None = None

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def base_url(self) -> str:
        return f"{self.origin}/api/v1"

    @property
    def environment(self) -> dict[str, str]:
        """The environment in which a command works on the same installation."""
        return dict(self._environment)

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.admin_token}"}

    def start(self) -> "Server":
        self.folder.mkdir(parents=True, exist_ok=True)
        options = ["--port", str(self.port), "--data-dir", str(self.data_dir), *self._options]
        with self.log_file.open("ab") as log:
            command = [str(PROGRAM), "serve", *options]
            self._process = self.launch(command, self._environment, log, log, self.folder)
        self._wait_until_it_answers()
        return self

    def command(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run another `stowboard` command on this installation."""
        words = (*words, "--data-dir", str(self.data_dir))
        return run_to_end(self.launch, words, self._environment, Path.cwd())

    def log(self) -> str:
        return self.log_file.read_text()

    def signal(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def children(self) -> list[int]:
        """The server processes below a supervisor."""
        return children_of(self.pid)

    def kill(self) -> None:
        """As a power cut would: the process and all that it started."""
        if self._process is not None:
            if self._process.poll() is None:
                self.signal(signal.SIGSTOP)  # it may be starting another
            children = self.children()
            self._process.kill()
            for child in children:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
            self._process.wait()
            for child in children:  # until then it may hold the port
                wait_until(partial(has_ended, child))
            self._process = None

    def stop(self) -> int | None:
        """Ask it to stop, and give its exit code."""
        if self._process is None:
            return None
        self._process.terminate()
        return self.wait()

    def wait(self) -> int:
        """Its exit code, once it has ended."""
        assert self._process is not None
        try:
            return self._process.wait(timeout=60)
        finally:
            self.kill()

    def _wait_until_it_answers(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while True:
            assert self._process is not None
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the server does not start:\n{self.log()[-4000:]}")
            try:
                if httpx2.get(f"{self.origin}/readyz", timeout=5).status_code == 200:
                    return
            except httpx2.TransportError:
                time.sleep(0.05)


def clean_environment() -> dict[str, str]:
    """Ours, without settings that the person who runs the tests may have."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("STOWBOARD_", "AWS_"))}
    return ours | {"PYTHONWARNINGS": "error"}
