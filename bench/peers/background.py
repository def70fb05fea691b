"""A peer as a process in the background: its output goes to a file, it is ready once its port takes connections.

It has a session of its own, so that `stop` also ends the processes that it started.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from bench.harness.install import Missing, node_modules, program

START_SECONDS = 30.0
STOP_SECONDS = 10.0


class Background:
    """Started by being made. Raises Missing if it does not come up."""

    def __init__(self, command: Sequence[str | Path], port: int, log: Path) -> None:
        self.origin = f"http://127.0.0.1:{port}"
        self._port, self._log = port, log
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                command, stdout=output, stderr=output, start_new_session=True,
                env=os.environ | {"NODE_ENV": "production"},
            )  # fmt: skip
        self._wait_until_it_listens()

    @property
    def pid(self) -> int:
        return self._process.pid

    def stop(self) -> None:
        self._signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(STOP_SECONDS)
        self._signal(signal.SIGKILL)
        self._process.wait()

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, number)

    def _wait_until_it_listens(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not _listens(self._port):
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise Missing(f"it does not start: {self._log.read_text()[-400:].strip()}")
            time.sleep(0.05)


def node_script(folder: Path, name: str, port: int, *words: str) -> Background:
    """A script of bench/peers, copied beside the packages: Node looks for them from where a script lies."""
    packages = folder / "node_modules"
    if not packages.exists():
        packages.symlink_to(node_modules())
    script = shutil.copy(Path(__file__).parent / name, folder)
    return Background([program("node"), script, str(port), *words], port, folder / f"{Path(name).stem}.log")


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
