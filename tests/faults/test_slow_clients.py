"""Clients that dawdle or vanish are cut off, cost little, and do not disturb the others."""

import http.client
import json
import threading
import time
from collections.abc import Iterator

import httpx2
import pytest

from support.clients.flat_out import ask
from support.clients.raw_connection import RawConnection, head
from support.clients.tus import client_of
from support.processes.figures import memory_mib, open_files
from support.servers.log_lines import errors
from support.servers.stacks import UNLIMITED, MakeServer
from support.servers.stowboard import Server
from support.stored.rows import issued
from support.waiting import PATIENCE_SECONDS, wait_until

OF_EACH_KIND = 67
PATH = "/api/v1/access/tokens"
BODY = b'{"owner":"alice","name":"never finished"}'


@pytest.fixture
def server(make_server: MakeServer) -> Iterator[Server]:
    server = make_server(UNLIMITED)
    yield server
    server.kill()


def test_200_dawdlers_are_cut_off_and_a_good_client_is_served_meanwhile(server: Server) -> None:
    before = open_files(server.pid)
    silent = [RawConnection(server.port) for _ in range(OF_EACH_KIND)]
    dribbling = Dribble([RawConnection(server.port) for _ in range(OF_EACH_KIND)])
    stuck = [begin_body(server) for _ in range(OF_EACH_KIND)]
    with dribbling, GoodClient(server) as good:
        for connection in stuck:
            answer = connection.answer()
            assert (answer.status, json.loads(answer.body)["error"]["code"]) == (408, "request_timeout")
            assert answer.headers["connection"] == "close"
            assert connection.wait_for_close() == b""
        for connection in (*silent, *dribbling.connections):
            assert b"200" not in connection.wait_for_close()
    for connection in (*silent, *dribbling.connections, *stuck):
        connection.close()
    assert set(good.statuses) == {200}
    assert len(good.statuses) > 50
    assert issued(server, "never finished") == 0
    assert errors(server) == []
    wait_until_files_are_closed(server, before)


def test_clients_that_vanish_in_the_middle_of_a_body_leave_nothing_behind(server: Server) -> None:
    before = open_files(server.pid)
    memory = []
    for _ in range(4):
        vanish(server, 1000)
        wait_until_files_are_closed(server, before)
        memory.append(memory_mib(server.pid))
    assert memory[-1] < memory[1] + 25, "what a burst of them takes is taken once"
    assert errors(server) == [], "a client that goes is no error of ours"
    assert issued(server, "never finished") == 0


def test_a_slow_form_is_408_in_the_words_of_oauth(server: Server) -> None:
    with RawConnection(server.port) as connection:
        connection.send(b"POST /oauth/token HTTP/1.1\r\nhost: a\r\ncontent-length: 40\r\n\r\ngrant_type=")
        answer = connection.answer()
        assert (answer.status, json.loads(answer.body)["error"]) == (408, "invalid_request")
        assert connection.wait_for_close() == b""
    assert errors(server) == []


def test_a_body_that_drips_ends_and_what_tus_had_of_it_is_kept(server: Server) -> None:
    with client_of(server) as admin:
        body = {"filename": "a.bin", "size": 100_000}
        asked = [admin.post("/api/v1/media/upload/presigned", json=body).json()["data"] for _ in range(2)]
        put, tus = httpx2.URL(asked[0]["uploadUrl"]).path, httpx2.URL(asked[1]["tusUploadUrl"]).path
        with RawConnection(server.port) as one, RawConnection(server.port) as other:
            one.send(head("PUT", put, "", "content-length: 100000"))
            of_tus = ["tus-resumable: 1.0.0", "upload-offset: 0", "content-type: application/offset+octet-stream"]
            other.send(head("PATCH", tus, "", "content-length: 100000", *of_tus))
            drip([one, other])
            assert (one.answer().status, other.answer().status) == (408, 408)
        offset = admin.head(tus, headers={"tus-resumable": "1.0.0"}).headers["upload-offset"]
        assert 0 < int(offset) < 15_000


def drip(connections: list[RawConnection]) -> None:
    """Some bytes five times a second, far fewer than a client with a purpose sends, until nobody takes them."""
    give_up = time.monotonic() + PATIENCE_SECONDS
    while connections:
        assert time.monotonic() < give_up
        connections = [connection for connection in connections if not connection.has_answer()]
        for connection in connections:
            connection.send(b"a" * 20)
        time.sleep(0.2)


class Dribble:
    """Sends a byte of a head on each connection, five times a second, until they are closed."""

    def __init__(self, connections: list[RawConnection]) -> None:
        self.connections = connections
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._send)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        self._thread.join()

    def _send(self) -> None:
        living = list(self.connections)
        for byte in head("GET", PATH, "t" * 2000):
            for connection in list(living):
                try:
                    connection.send(bytes([byte]))
                except OSError:
                    living.remove(connection)
            if self._ending.wait(0.2) or not living:
                return


class GoodClient:
    """Asks on a new connection each time, until the end."""

    def __init__(self, server: Server) -> None:
        self.statuses: list[int] = []
        self._server = server
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._ask)

    def __enter__(self) -> "GoodClient":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        self._thread.join()

    def _ask(self) -> None:
        while not self._ending.wait(0.05):
            connection = http.client.HTTPConnection("127.0.0.1", self._server.port, timeout=120)
            self.statuses.append(ask(connection, self._server.admin_token).status)
            connection.close()


def begin_body(server: Server) -> RawConnection:
    connection = RawConnection(server.port)
    connection.send(head("POST", PATH, server.admin_token, f"content-length: {len(BODY)}") + BODY[:10])
    return connection


def vanish(server: Server, count: int) -> None:
    chunked = head("POST", PATH, server.admin_token, "transfer-encoding: chunked") + b"a\r\n" + BODY[:10] + b"\r\n"
    for number in range(count):
        if number % 3 == 0:
            with RawConnection(server.port) as connection:
                connection.send(chunked)
        else:
            begin_body(server).close()


def wait_until_files_are_closed(server: Server, before: int) -> None:
    wait_until(lambda: open_files(server.pid) <= before + 5)
