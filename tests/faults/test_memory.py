"""Many large requests and many connections at once neither fill the memory nor end the server."""

import json
import resource
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from support.clients.raw_connection import RawConnection, head
from support.processes.figures import GIVING_BACK, memory_mib, open_files, open_files_allowed, peak_memory_mib
from support.rounds import rounds
from support.servers.stacks import UNLIMITED, MakeServer
from support.servers.stowboard import Server
from support.waiting import wait_until

AT_ONCE = 200
MEBIBYTE = 1024 * 1024
#: More than the server takes at a time.
CONNECTIONS = 4500


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A program of its own: allocators read how they are set when it starts, and a fork has started before."""
    server = Server(tmp_path, UNLIMITED | GIVING_BACK | {"STOWBOARD_BODY_MEMORY_MIB": str(6 * AT_ONCE)})
    yield server.start()
    server.kill()


def test_200_bodies_of_a_megabyte_at_once_do_not_fill_the_memory(server: Server) -> None:
    before = memory_mib(server.pid)
    for _ in range(rounds(2, 6)):
        assert upload_together(server) == {201: AT_ONCE}
        wait_until(lambda: memory_mib(server.pid) < before + 0.15 * AT_ONCE)
    assert peak_memory_mib(server.pid) < before + 2 * AT_ONCE, "a body is held about once while it is read"


def test_long_addresses_do_not_stay_in_the_memory(server: Server) -> None:
    """Lines of the log are remembered by their path."""
    body = {"title": "Once"}
    task = httpx2.post(f"{server.base_url}/taskapp/tasks", json=body, headers=server.headers).json()["data"]["id"]
    before = memory_mib(server.pid)
    with RawConnection(server.port) as raw:
        for path, status in ((f"/api/v1/taskapp/tasks/{task}?", 400), ("/api/v1/nowhere/", 404)):
            for number in range(600):
                raw.send(head("GET", f"{path}{number}={'x' * 60_000}", server.admin_token))
                assert raw.answer().status == status
    wait_until(lambda: memory_mib(server.pid) < before + 25)  # and not by the 35 MB that each kind of them was


def test_connections_beyond_what_the_server_takes_wait_and_do_no_harm(server: Server) -> None:
    before = open_files(server.pid)
    with RoomForFiles(CONNECTIONS + 500):
        crowd = [RawConnection(server.port) for _ in range(CONNECTIONS)]
        assert open_files(server.pid) < open_files_allowed(server.pid)
        for connection in crowd:
            connection.close()
    assert httpx2.get(f"{server.origin}/healthz", timeout=60).status_code == 200
    wait_until(lambda: open_files(server.pid) <= before + 5)


def test_the_server_asks_for_the_open_files_that_it_needs(make_server: MakeServer) -> None:
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, most))
    try:
        server = make_server(UNLIMITED)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, most))
    assert open_files_allowed(server.pid) > min(4096, most - 1)
    server.kill()


def upload_together(server: Server) -> Counter[int]:
    """Each body but its last byte first, so that all are in the server's hands at the same time."""
    body = json.dumps({"owner": "alice", "padding": "x" * (MEBIBYTE - 100)}).encode()
    start = head("POST", "/api/v1/access/tokens", server.admin_token, f"content-length: {len(body)}")
    connections = [RawConnection(server.port) for _ in range(AT_ONCE)]

    def in_threads(work: list[threading.Thread]) -> None:
        for thread in work:
            thread.start()
        for thread in work:
            thread.join()

    in_threads([threading.Thread(target=one.send, args=(start + body[:-1],)) for one in connections])
    statuses: Counter[int] = Counter()
    for connection in connections:
        with connection:
            connection.send(body[-1:])
            statuses[connection.answer().status] += 1
    return statuses


class RoomForFiles:
    """Lets this process open so many files, or skips the test."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._before = resource.getrlimit(resource.RLIMIT_NOFILE)

    def __enter__(self) -> None:
        allowed, most = self._before
        if most != resource.RLIM_INFINITY and most < self._count:
            pytest.skip(f"NOT TESTED HERE: this needs {self._count} open files, the limit here is {most}")
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(allowed, self._count), most))

    def __exit__(self, *_: object) -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, self._before)
