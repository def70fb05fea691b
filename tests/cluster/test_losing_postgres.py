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

    loads, ledgers, longest = [], [], 0.0
    for number in range(ROUNDS):
        load, ledger = Load(make_http, server.admin_token, WITH_KEYS), KeylessLedger(make_http, server)
        with load, ledger, Pulse(load) as pulse:
            name = lose_primary(cluster, load, *LOSSES[number % len(LOSSES)])
        loads.append(load)
        ledgers.append(ledger)
        check(loads, ledgers, make_http)  # this loss took nothing of the rounds before either
        print(f"{number + 1}: {name}, {pulse.longest:.1f} s without writes; {load.summary()}; {ledger.summary()}")
        assert pulse.longest < LONGEST_SECONDS
        longest = max(longest, pulse.longest)
    acknowledged = sum(load.acknowledged for load in loads), sum(ledger.acknowledged for ledger in ledgers)
    print(f"{ROUNDS} rounds: {acknowledged} writes acknowledged with and without keys; at most {longest:.1f} s without")
    assert any(load.refusals for load in loads), "nothing was hit, so nothing was proven"


def lose_primary(
    cluster: PatroniCluster,
    load: Load,
    lose: Callable[[PatroniServer], None],
    bring_back: Callable[[PatroniServer], None],
) -> str:
    """Lose the primary, wait for writes on the next one, bring the server back. The name of the loss."""
    victim = cluster.find_primary()
    assert victim is not None
    lose(victim)
    wait_until(lambda: cluster.find_primary() not in (None, victim))
    load.settle()
    bring_back(victim)
    cluster.wait_until_whole()
    load.settle()
    return f"{lose.__name__} {victim.name}"


def check(loads: list[Load], ledgers: list["KeylessLedger"], make_http: Callable[[], httpx2.Client]) -> None:
    for load in loads:
        load.check(make_http)
        assert load.broken == 0
    for ledger in ledgers:
        ledger.check()


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
        self._prefix = f"keyless-{secrets.token_hex(4)}-"
        self._ending = threading.Event()
        self._threads = [threading.Thread(target=self._work) for _ in range(WITHOUT_KEYS)]

    def __enter__(self) -> None:
        for thread in self._threads:
            thread.start()

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        for thread in self._threads:
            thread.join()

    @property
    def acknowledged(self) -> int:
        return len(self._titles("done"))

    def check(self) -> None:
        found = rows(self._server, f"SELECT title FROM task WHERE title LIKE '{self._prefix}%'")
        stored = [title for (title,) in found]
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
                title = self._prefix + secrets.token_hex(8)
                answer = http.post(TASKS, json={"title": title}, headers=self._server.headers)
                if not answer.is_success:
                    check_refusal(answer)
                self._told[title] = "done" if answer.is_success else answer.json()["error"]["code"]
