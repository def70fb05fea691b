"""Duplicates that run at the same time: one of them has the effect."""

import json
import secrets
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest

from support.clients.raw_connection import RawAnswer, RawConnection, head
from support.servers.stacks import UNLIMITED, MakeServer, Stack
from support.servers.stowboard import Server
from support.stored.rows import issued, rows

TOKENS = "/access/tokens"
DUPLICATES = 50


@pytest.fixture(scope="module")
def two_processes(stack: Stack, make_server: MakeServer) -> Server:
    return make_server(stack() | UNLIMITED, "--workers", "2")


def test_of_50_duplicates_at_once_one_has_the_effect_and_all_get_its_answer(two_processes: Server) -> None:
    name = secrets.token_hex(8)
    answers = at_once(two_processes, [(name, name)] * DUPLICATES)
    check_one_effect(two_processes, name, answers)


def test_a_storm_of_keys_and_duplicates_has_one_effect_for_each_key(two_processes: Server) -> None:
    names = [secrets.token_hex(8) for _ in range(20)]
    answers = at_once(two_processes, [(name, name) for _ in range(15) for name in names])
    for name in names:
        check_one_effect(two_processes, name, answers)


def test_of_different_requests_at_once_under_one_key_one_is_done_and_the_others_are_refused(
    two_processes: Server,
) -> None:
    key = secrets.token_hex(8)
    names = [f"{key}-{number}" for number in range(20)]
    answers = at_once(two_processes, [(key, name) for name in names])
    statuses = Counter(answer.status for group in answers.values() for answer in group)
    assert statuses[201] == 1
    assert set(statuses) <= {201, 409, 422}
    [(effects,)] = rows(two_processes, f"SELECT count(*) FROM access_token WHERE name LIKE '{key}-%'")
    assert effects == 1


def test_deletes_at_once_under_one_key_are_all_successes(two_processes: Server) -> None:
    with httpx2.Client(base_url=two_processes.base_url, headers=two_processes.headers) as http:
        token_id = http.post(TOKENS, json={"owner": "alice"}).json()["data"]["id"]

    def delete(http: httpx2.Client) -> int:
        return http.delete(f"{TOKENS}/{token_id}", headers={"idempotency-key": token_id}).status_code

    with (
        httpx2.Client(base_url=two_processes.base_url, headers=two_processes.headers, timeout=60) as http,
        ThreadPoolExecutor(20) as pool,
    ):
        statuses = Counter(pool.map(lambda _: delete(http), range(20)))
    assert set(statuses) <= {200, 409}
    assert statuses[200] >= 1


def at_once(server: Server, requests: list[tuple[str, str]]) -> dict[str, list[RawAnswer]]:
    """Send each (key, name) on a connection of its own, as near together as threads can; the answers by name.

    Who is told that there are too many tries again: one process may be given more of them than it takes of an address.
    """
    answers: dict[str, list[RawAnswer]] = {name: [] for _, name in requests}
    start = threading.Barrier(len(requests))

    def send(request: tuple[str, str]) -> None:
        key, name = request
        body = json.dumps({"owner": "alice", "name": name}).encode()
        lines = f"idempotency-key: {key}", f"content-length: {len(body)}"
        message = head("POST", "/api/v1" + TOKENS, server.admin_token, *lines) + body
        with RawConnection(server.port) as connection:
            start.wait()
            answer = answer_to(connection, message)
        while answer.status == 503:
            assert answer.headers["retry-after"] == "1"
            time.sleep(1)
            with RawConnection(server.port) as connection:
                answer = answer_to(connection, message)
        answers[name].append(answer)

    with ThreadPoolExecutor(len(requests)) as pool:
        list(pool.map(send, requests))
    return answers


def answer_to(connection: RawConnection, message: bytes) -> RawAnswer:
    connection.send(message)
    return connection.answer()


def check_one_effect(server: Server, name: str, answers: dict[str, list[RawAnswer]]) -> None:
    done = [answer for answer in answers[name] if answer.status == 201]
    assert {answer.status for answer in answers[name]} <= {201, 409}
    assert len({answer.body for answer in done}) == 1
    assert sum("idempotent-replayed" not in answer.headers for answer in done) == 1
    assert issued(server, name) == 1
