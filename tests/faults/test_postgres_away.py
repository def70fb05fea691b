"""PostgreSQL dies and comes back under load: clients see only 503 with Retry-After, and nothing is lost."""

import threading
from collections.abc import Iterator

import httpx2
import pytest

from support.clients.acknowledged import check_refusal
from support.clients.writers import Writers, retried
from support.servers.postgres import PostgresServer
from support.servers.stacks import UNLIMITED, MakeServer
from support.servers.stowboard import Server
from support.stored.rows import rows
from support.waiting import wait_until

THREADS = 5


@pytest.fixture(scope="module")
def mortal() -> Iterator[PostgresServer]:
    """A PostgreSQL of these tests' own, to be killed."""
    server = PostgresServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def service(mortal: PostgresServer, make_server: MakeServer) -> Iterator[Server]:
    server = make_server({"STOWBOARD_DATABASE_URL": mortal.create_database()} | UNLIMITED)
    yield server
    server.kill()


def test_a_kill_and_restart_is_only_503_and_loses_nothing(mortal: PostgresServer, service: Server) -> None:
    with Writers(service, THREADS) as writers:
        for _ in range(2):
            wait_for_writes(writers, 10 * THREADS)
            mortal.kill()
            wait_for_refusals(writers, THREADS)
            mortal.start()
        wait_until_ready(service)
        wait_for_writes(writers, 10 * THREADS)  # those that asked while it was away are answered by then
        settled = len(writers.refusals)
        wait_for_writes(writers, 40 * THREADS)
    assert len(writers.refusals) == settled, "it is back to normal by itself"
    check(service, writers)


def test_lost_connections_are_only_503_and_lose_nothing(mortal: PostgresServer, service: Server) -> None:
    with Writers(service, THREADS) as writers:
        for number in range(100):
            wait_for_writes(writers, THREADS)
            mortal.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'stowboard'")
            if number >= 10 and writers.refusals:
                break
    check(service, writers)


def test_without_its_database_the_server_is_alive_and_not_ready(mortal: PostgresServer, service: Server) -> None:
    with httpx2.Client(base_url=service.origin, timeout=120) as http:
        assert http.get("/readyz").status_code == 200
        mortal.kill()
        try:
            alive, ready = http.get("/healthz"), http.get("/readyz")
            read = http.get("/api/v1/access/tokens", headers=service.headers)
        finally:
            mortal.start()
        assert alive.status_code == 200
        assert ready.status_code == 503
        assert ready.json() == {"status": "unavailable", "checks": {"database": "service_unavailable", "blobs": "ok"}}
        assert ready.headers["retry-after"] == "1"
        check_refusal(read)
        wait_until_ready(service)
        assert http.get("/api/v1/access/tokens", headers=service.headers).status_code == 200


def test_requests_that_wait_for_a_dead_database_do_not_wait_for_ever(mortal: PostgresServer, service: Server) -> None:
    """More requests than the pool has connections, at the moment of the kill."""
    answers: list[httpx2.Response] = []

    def ask() -> None:
        with httpx2.Client(base_url=service.base_url, headers=service.headers, timeout=60) as http:
            answers.append(http.post("/access/tokens", json={"owner": "alice"}))

    mortal.kill()
    threads = [threading.Thread(target=ask) for _ in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    mortal.start()
    wait_until_ready(service)
    assert len(answers) == 30
    for answer in answers:
        check_refusal(answer)


def wait_for_writes(writers: Writers, more: int) -> None:
    wanted = len(writers.writes) + more
    wait_until(lambda: len(writers.writes) >= wanted)


def wait_for_refusals(writers: Writers, more: int) -> None:
    wanted = len(writers.refusals) + more
    wait_until(lambda: len(writers.refusals) >= wanted)


def check(service: Server, writers: Writers) -> None:
    assert writers.refusals, "nothing was hit, so nothing was proven"
    assert writers.broken == 0, "no connection of a client was lost"
    for refusal in writers.refusals:
        check_refusal(refusal)
    stored = rows(service, f"SELECT name FROM access_token WHERE name LIKE '{writers.run}-%'")
    assert sorted(name for (name,) in stored) == sorted(write.name for write in writers.writes)
    retried(service, writers.writes[:200])
    for write in writers.writes:
        assert len(set(write.answers)) == 1


def wait_until_ready(service: Server) -> None:
    wait_until(lambda: httpx2.get(f"{service.origin}/readyz", timeout=120).status_code == 200)
