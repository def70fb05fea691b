"""PostgreSQL's primary is killed, frozen and cut off under twenty writers; Patroni makes a standby the primary.

Every acknowledged write is there afterwards, once. A write that was refused as unavailable is not there; of one whose
outcome is unknown, nobody was told anything.
"""

import secrets
import threading
import time
from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest

from support.clients.acknowledged import TASKS, Load, check_refusal
from support.rounds import rounds
from support.servers.forked import launch
from support.servers.patroni import PatroniCluster, PatroniServer, require_programs
from support.servers.stacks import UNLIMITED
from support.servers.stowboard import Server
from support.stored.rows import rows
from support.waiting import PATIENCE_SECONDS, wait_until

ROUNDS = rounds(3, 20)
WITH_KEYS, WITHOUT_KEYS = 16, 4
LONGEST_SECONDS = 30.0
#: Each way to lose a primary, and to get the server back.
LOSSES: list[tuple[Callable[[PatroniServer], None], Callable[[PatroniServer], None]]] = [
    (PatroniServer.kill, PatroniServer.start),
    (PatroniServer.cut_off, PatroniServer.join),
    (PatroniServer.freeze, PatroniServer.thaw),
]


@pytest.mark.soak
def test_no_lost_primary_takes_an_acknowledged_write_with_it(tmp_path: Path) -> None:
    require_programs()
    with PatroniCluster() as cluster:
        server = Server(tmp_path, UNLIMITED | {"STOWBOARD_DATABASE_URL": cluster.url("postgres")}, launch=launch)
        server.start()
        try:
            lose_primaries(cluster, server)
        finally:
            server.kill()


def lose_primaries(cluster: PatroniCluster, server: Server) -> None:
    def make_http() -> httpx2.Client:
        return httpx2.Client(base_url=server.origin, timeout=PATIENCE_SECONDS)

    ledger = KeylessLedger(make_http, server)
    with Load(make_http, server.admin_token, WITH_KEYS) as load, ledger, Pulse(load) as pulse:
        for number in range(ROUNDS):
            lose, bring_back = LOSSES[number % len(LOSSES)]
            victim = cluster.find_primary()
            assert victim is not None
            longest, pulse.longest = pulse.longest, 0.0
            lose(victim)
            wait_until(lambda: cluster.find_primary() not in (None, victim))  # noqa: B023
            load.settle()
            bring_back(victim)
            cluster.wait_until_whole()
            load.settle()
            print(f"{lose.__name__} {victim.name}: {pulse.longest:.1f} s without writes; {load.summary()}")
            pulse.longest = max(longest, pulse.longest)
    load.check(make_http)
    ledger.check()
    print(f"{ROUNDS} rounds, at most {pulse.longest:.1f} s without writes; {load.summary()}; {ledger.summary()}")
    assert load.refusals, "nothing was hit, so nothing was proven"
    assert load.broken == 0
    assert pulse.longest < LONGEST_SECONDS


class Pulse:
    """Measures the longest time without an acknowledged write."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self.longest = 0.0

    def __enter__(self) -> "Pulse":
        wait_until(lambda: self._latest() > 0)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._ending.wait(0.05):
            self.longest = max(self.longest, time.monotonic() - self._latest())

    def _latest(self) -> float:
        return max(writer.last_write for writer in self._load.writers)


class KeylessLedger:
    """Threads that create tasks without a key, each once, and note what they were told."""

    def __init__(self, make_http: Callable[[], httpx2.Client], server: Server) -> None:
        self._make_http, self._server = make_http, server
        self._told: dict[str, str] = {}
        self._ending = threading.Event()
        self._threads = [threading.Thread(target=self._work) for _ in range(WITHOUT_KEYS)]

    def __enter__(self) -> None:
        for thread in self._threads:
            thread.start()

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        for thread in self._threads:
            thread.join()

    def check(self) -> None:
        stored = [title for (title,) in rows(self._server, "SELECT title FROM task WHERE title LIKE 'keyless-%'")]
        assert len(stored) == len(set(stored))
        assert self._titles("done") <= set(stored)
        assert not self._titles("service_unavailable") & set(stored)
        assert set(stored) <= self._titles("done") | self._titles("outcome_unknown")

    def summary(self) -> str:
        told = {code: len(self._titles(code)) for code in ("done", "outcome_unknown", "service_unavailable")}
        return f"without keys {told}"

    def _titles(self, told: str) -> set[str]:
        return {title for title, code in self._told.items() if code == told}

    def _work(self) -> None:
        with self._make_http() as http:
            while not self._ending.wait(0.05):
                title = f"keyless-{secrets.token_hex(8)}"
                answer = http.post(TASKS, json={"title": title}, headers=self._server.headers)
                if not answer.is_success:
                    check_refusal(answer)
                self._told[title] = "done" if answer.is_success else answer.json()["error"]["code"]
