"""The floor: Granian set up as our server sets it up, around a callable that knows one answer and looks at nothing.

It gives the status, headers and bytes that our service gave once. What is between its figure and ours is routing,
authentication, limits, the database and the log. Run as a program it serves: `bare_granian.py PORT ANSWER.json`.
"""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import httpx2
import uvloop
from granian.constants import HTTPModes
from granian.http import HTTP1Settings
from granian.server.embed import Server

START_SECONDS = 15.0
WRITTEN_BY_GRANIAN = {"server", "date", "content-length"}


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: list[tuple[str, str]]
    body: str

    @staticmethod
    def like(response: httpx2.Response) -> Answer:
        headers: Iterable[tuple[str, str]] = response.headers.multi_items()
        kept = [(name, value) for name, value in headers if name not in WRITTEN_BY_GRANIAN]
        return Answer(response.status_code, kept, response.text)


class BareGranian:
    """The program in a process of its own, as our service is."""

    def __init__(self, folder: Path, port: int, answer: Answer) -> None:
        self.origin = f"http://127.0.0.1:{port}"
        file = folder / "answer.json"
        file.write_text(json.dumps(asdict(answer)))
        self._process = subprocess.Popen([sys.executable, __file__, str(port), str(file)])
        self._wait_until_it_answers()

    @property
    def pid(self) -> int:
        return self._process.pid

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(timeout=30)

    def _wait_until_it_answers(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                httpx2.get(self.origin, timeout=5)
                return
            except httpx2.TransportError:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    self._process.kill()
                    raise
                time.sleep(0.05)


def main(port: int, file: Path) -> None:
    answer = Answer(**json.loads(file.read_text()))
    headers = [(name, value) for name, value in answer.headers]
    uvloop.run(_serve(port, answer.status, headers, answer.body.encode()))


async def _serve(port: int, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
    async def answer(_scope: Any, protocol: Any) -> None:
        protocol.response_bytes(status, headers, body)

    server = Server(
        answer,
        address="127.0.0.1",
        port=port,
        http=HTTPModes.http1,
        websockets=False,
        backlog=1024,
        backpressure=4096,
        http1_settings=HTTP1Settings(header_read_timeout=10_000, max_buffer_size=64 * 1024),
        log_enabled=False,
    )
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, server.stop)
    await server.serve()


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
