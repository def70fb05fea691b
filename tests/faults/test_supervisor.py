"""Several server processes: each may die, and so may the one that watches them."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from support.clients.raw_connection import RawConnection, head
from support.servers.stacks import UNLIMITED, MakeServer
from support.servers.stowboard import Server
from support.waiting import wait_until


@pytest.fixture
def supervised(make_server: MakeServer) -> Iterator[Server]:
    server = make_server(UNLIMITED, "--workers", "2")
    wait_until(lambda: processes_that_answer(server) == 2)
    yield server
    server.kill()


def test_a_process_that_dies_is_replaced(supervised: Server) -> None:
    before = supervised.children()
    os.kill(before[0], signal.SIGKILL)
    wait_until(lambda: len(set(supervised.children()) - set(before)) == 1)
    assert before[1] in supervised.children(), "the other one is left alone"
    wait_until(lambda: processes_that_answer(supervised) == 2)
    assert supervised.stop() == 0


def test_processes_that_die_again_and_again_are_replaced_again_and_again(supervised: Server) -> None:
    for _ in range(3):
        before = supervised.children()
        for child in before:
            os.kill(child, signal.SIGKILL)
        wait_until(lambda before=before: len(set(supervised.children()) - set(before)) == 2)  # type: ignore[misc]
    wait_until(lambda: processes_that_answer(supervised) == 2)
    assert supervised.stop() == 0


def test_a_stop_between_a_death_and_its_replacement_is_a_stop(supervised: Server) -> None:
    for child in supervised.children():
        os.kill(child, signal.SIGKILL)
    wait_until(lambda: not supervised.children())
    assert supervised.stop() == 0


def test_without_the_supervisor_its_processes_finish_and_end(supervised: Server) -> None:
    children = supervised.children()
    body = b'{"owner":"alice","name":"orphan"}'
    with RawConnection(supervised.port) as connection:
        length = f"content-length: {len(body)}"
        connection.send(head("POST", "/api/v1/access/tokens", supervised.admin_token, length) + body[:-1])
        assert processes_that_answer(supervised) == 2
        supervised.signal(signal.SIGKILL)
        wait_until(lambda: sum(alive(child) for child in children) == 1)
        connection.send(body[-1:])
        assert connection.answer().status == 201
    wait_until(lambda: not any(alive(child) for child in children))
    supervised.kill()
    supervised.start()
    wait_until(lambda: processes_that_answer(supervised) == 2)


def processes_that_answer(server: Server) -> int:
    """Each process has its own prefix for the ids of requests; the kernel spreads new connections."""
    seen = set()
    for _ in range(40):
        try:
            answer = httpx2.get(f"{server.origin}/healthz", headers={"connection": "close"})
        except httpx2.TransportError:
            continue
        seen.add(answer.headers["x-request-id"][:-8])
    return len(seen)


def alive(pid: int) -> bool:
    """A zombie is not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
