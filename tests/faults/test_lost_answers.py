"""Connections break anywhere in a request or its answer; the client library retries, and each write is done once."""

import random
import secrets
from collections.abc import Iterator

import httpx2
import pytest

from stowboard_client import Client, ConnectionFailed
from support.servers.fault_proxy import CutAfter, FaultProxy, Pass
from support.servers.stowboard import Server
from support.stored.rows import rows

WRITES = 80
#: A request here has about 450 bytes and its answer 800, so cuts fall into both and just behind them.
LONGEST_CUT = 1300


@pytest.fixture
def proxy(server: Server) -> Iterator[FaultProxy]:
    with FaultProxy("127.0.0.1", server.port) as proxy:
        yield proxy


def test_every_write_is_done_once_whereever_its_connections_break(server: Server, proxy: FaultProxy) -> None:
    chance = random.Random(7)
    run = secrets.token_hex(6)
    cuts = 0

    def cut_somewhere() -> None:
        nonlocal cuts
        cuts += 1
        proxy.fault = CutAfter(chance.randrange(1, LONGEST_CUT))

    def instead_of_sleeping(_: float) -> None:
        """The next attempt fares no better, one time in three."""
        if chance.random() < 0.33:
            cut_somewhere()
        else:
            proxy.fault = Pass()

    replayed = 0
    with Client(f"http://127.0.0.1:{proxy.port}", server.admin_token, sleep=instead_of_sleeping) as client:
        patient = client.with_options(retries=20)
        for number in range(WRITES):
            cut_somewhere()
            answer = patient.raw("POST", "/access/tokens", body={"owner": "alice", "name": f"{run}-{number}"})
            replayed += "idempotent-replayed" in answer.headers
    effects = rows(server, f"SELECT name FROM access_token WHERE name LIKE '{run}-%'")
    assert sorted(name for (name,) in effects) == sorted(f"{run}-{number}" for number in range(WRITES))
    assert 0 < replayed < WRITES, "the cuts must fall both before and behind the effect"


def test_the_answer_that_was_lost_is_the_one_that_the_retry_gets(server: Server, proxy: FaultProxy) -> None:
    """The proxy keeps what the server said; the client saw none of it."""
    name = secrets.token_hex(8)
    headers = server.headers | {"idempotency-key": name}
    body = {"owner": "alice", "name": name}
    with httpx2.Client(timeout=120) as http:
        request = http.build_request(
            "POST", f"http://127.0.0.1:{proxy.port}/api/v1/access/tokens", json=body, headers=headers
        )
        size = len(request.content) + sum(len(name) + len(value) + 4 for name, value in request.headers.raw)
        proxy.fault = CutAfter(size + 150)
        with pytest.raises(httpx2.TransportError):
            http.send(request)
        proxy.fault = Pass()
        retry = http.post(f"{server.base_url}/access/tokens", json=body, headers=headers)
    assert retry.status_code == 201
    assert retry.headers["idempotent-replayed"] == "true"
    assert rows(server, f"SELECT id FROM access_token WHERE name = '{name}'") == [(retry.json()["data"]["id"],)]


def test_a_write_that_failed_is_done_once_if_it_is_repeated_with_the_key_of_its_error(
    server: Server, proxy: FaultProxy
) -> None:
    """The request arrives, and its answer is cut off."""
    name = secrets.token_hex(6)
    with Client(f"http://127.0.0.1:{proxy.port}", server.admin_token) as client:
        hasty = client.with_options(retries=0)
        proxy.fault = CutAfter(LONGEST_CUT - 400)
        with pytest.raises(ConnectionFailed) as failed:
            hasty.tokens.create("alice", name=name)
        proxy.fault = Pass()
        key = failed.value.idempotency_key
        assert key
        assert hasty.tokens.create("alice", name=name, idempotency_key=key).name == name
    assert len(rows(server, f"SELECT name FROM access_token WHERE name = '{name}'")) == 1
