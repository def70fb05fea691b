"""Clients that write without pause, each write under a key of its own and retried until it is answered."""

import secrets
import threading
import time
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

import httpx2

from support.servers.stowboard import Server

TOKENS = "/access/tokens"
GIVE_UP_SECONDS = 60.0


@dataclass
class Write:
    name: str
    #: Its answers in order: the first that came, and those of retries made on purpose.
    answers: list[bytes] = field(default_factory=list)


class Writers:
    """Use as a context; on leaving it every write that was begun is answered.

    What else than a lost connection came in between is in `refusals`, with its headers.
    """

    def __init__(self, server: Server, threads: int) -> None:
        self.run = secrets.token_hex(6)
        self.writes: list[Write] = []
        self.refusals: list[httpx2.Response] = []
        self.broken = 0
        self._server = server
        self._ending = threading.Event()
        self._failures: list[BaseException] = []
        self._threads = [threading.Thread(target=self._work, args=(number,)) for number in range(threads)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ending.set()
        for thread in self._threads:
            thread.join()
        if self._failures and error is None:
            raise self._failures[0]

    def _work(self, thread: int) -> None:
        try:
            with httpx2.Client(base_url=self._server.base_url, headers=self._server.headers, timeout=120) as http:
                number = 0
                while not self._ending.is_set():
                    number += 1
                    self._write(http, Write(f"{self.run}-{thread}-{number}"))
        except BaseException as error:
            self._failures.append(error)

    def _write(self, http: httpx2.Client, write: Write) -> None:
        write.answers.append(self._until_answered(http, write.name))
        self.writes.append(write)
        if len(self.writes) % 10 == 0:
            write.answers.append(self._until_answered(http, write.name))

    def _until_answered(self, http: httpx2.Client, name: str) -> bytes:
        give_up = time.monotonic() + GIVE_UP_SECONDS
        while time.monotonic() < give_up:
            try:
                answer = http.post(TOKENS, json={"owner": "w", "name": name}, headers={"idempotency-key": name})
            except httpx2.TransportError:
                self.broken += 1
                time.sleep(0.02)
                continue
            if answer.status_code == 201:
                return answer.content
            self.refusals.append(answer)
            time.sleep(0.05)
        raise TimeoutError(f"{name} was not answered")


def retried(server: Server, writes: list[Write]) -> None:
    """Send each write once more, and add the answer to it."""
    with httpx2.Client(base_url=server.base_url, headers=server.headers, timeout=120) as http:
        for write in writes:
            answer = http.post(TOKENS, json={"owner": "w", "name": write.name}, headers={"idempotency-key": write.name})
            assert answer.headers["idempotent-replayed"] == "true"
            write.answers.append(answer.content)
