"""Clients that ask as fast as they can, with one token, over ever new connections."""

import http.client
import threading
import time
from dataclasses import dataclass, field

from stowboard.api.limits.valkey import ANSWER_SECONDS
from support.servers.stowboard import Server

PATH = "/api/v1"
#: The limit by default: at once, and per second.
BURST = 100
RATE = 10.0
#: Of 130. Valkey's clock is the wall's, which may be set meanwhile. A limit per process would admit a hundred more.
SPARE = 3
#: After so many late answers a host goes on without Valkey for a while.
LATE_ANSWERS = 3
#: New connections find their way to every server process.
REQUESTS_PER_CONNECTION = 25


@dataclass(frozen=True)
class Seen:
    status: int
    headers: dict[str, str]
    asked: float
    answered: float


@dataclass
class FlatOut:
    servers: list[Server]
    token: str
    threads: int = 8
    seen: list[Seen] = field(default_factory=list)
    lost_connections: int = 0

    def run(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        workers = [
            threading.Thread(target=self._ask, args=(self.servers[number % len(self.servers)], end))
            for number in range(self.threads)
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()

    @property
    def admitted(self) -> int:
        return sum(one.status == 200 for one in self.seen)

    @property
    def longest(self) -> float:
        """Seconds from before the first request to after the last answer."""
        return max(one.answered for one in self.seen) - min(one.asked for one in self.seen)

    @property
    def shortest(self) -> float:
        """Seconds in which there was surely a request at all times."""
        return max(one.asked for one in self.seen) - min(one.answered for one in self.seen)

    @property
    def processes(self) -> int:
        """How many server processes answered; each has its own prefix for the ids of requests."""
        return len({one.headers["x-request-id"][:-8] for one in self.seen})

    @property
    def decided_alone(self) -> float:
        """How many requests may have been admitted by a host's own table, because Valkey's answer came too late.

        On a starved machine that happens, and such a request took at least as long as an answer is waited for.
        """
        if not any("STOWBOARD_VALKEY_URL" in server.environment for server in self.servers):
            return 0
        late = sum(one.answered - one.asked >= ANSWER_SECONDS for one in self.seen)
        return late if late < LATE_ANSWERS else len(self.servers) * (BURST + RATE * self.longest)

    def _ask(self, server: Server, end: float) -> None:
        while time.monotonic() < end:
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
            try:
                for _ in range(REQUESTS_PER_CONNECTION):
                    self.seen.append(ask(connection, self.token))
            except (OSError, http.client.HTTPException):
                self.lost_connections += 1
            finally:
                connection.close()


def check_exact(load: FlatOut) -> None:
    """All that the default limit admits was admitted, and no more."""
    assert {one.status for one in load.seen} == {200, 429}
    assert load.lost_connections == 0
    assert load.admitted <= BURST + RATE * load.longest + SPARE + load.decided_alone
    assert load.admitted >= 0.99 * (BURST + RATE * load.shortest) - 1


def ask(connection: http.client.HTTPConnection, token: str, path: str = PATH) -> Seen:
    asked = time.monotonic()
    connection.request("GET", path, headers={"authorization": f"Bearer {token}"})
    response = connection.getresponse()
    response.read()
    headers = {name.lower(): value for name, value in response.getheaders()}
    return Seen(response.status, headers, asked, time.monotonic())
