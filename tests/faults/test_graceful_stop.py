"""A stop lets requests that run finish, takes no new ones, and ends with success within its bound."""

import json
import os
import secrets
import signal
import time

import httpx2
import pytest

from support.clients.raw_connection import RawAnswer, RawConnection, head
from support.clients.writers import Writers
from support.processes.find import has_ended
from support.servers.stacks import UNLIMITED, MakeServer, Stack
from support.servers.stowboard import Server
from support.stored.rows import issued
from support.waiting import PATIENCE_SECONDS, wait_until

pytestmark = pytest.mark.cluster_in_soak


@pytest.fixture(params=["1", "2"], ids=["one process", "two processes"])
def server_of_both_kinds(request: pytest.FixtureRequest, stack: Stack, make_server: MakeServer) -> Server:
    return make_server(stack() | UNLIMITED, "--workers", str(request.param))


def test_requests_that_run_finish_and_no_new_ones_are_taken(server_of_both_kinds: Server) -> None:
    server = server_of_both_kinds
    uploads = [Upload(server) for _ in range(20)]
    wait_until_begun(server, uploads)
    server.signal(signal.SIGTERM)
    wait_until_refused(server)
    answers = [upload.finish() for upload in uploads]
    assert {answer.status for answer in answers} == {201}
    assert {answer.headers["connection"] for answer in answers} == {"close"}
    assert server.wait() == 0
    assert [issued(server, upload.name) for upload in uploads] == [1] * len(uploads)


def test_under_load_every_answer_until_the_end_is_a_success(server_of_both_kinds: Server) -> None:
    server = server_of_both_kinds
    with Writers(server, threads=6) as writers:
        wait_until(lambda: len(writers.writes) >= 30)
        server.signal(signal.SIGTERM)
        assert server.wait() == 0
        server.start()
    assert not writers.refusals
    assert all(issued(server, write.name) == 1 for write in writers.writes[-30:])
    server.kill()


def test_a_second_signal_does_no_harm(own_server: Server) -> None:
    upload = Upload(own_server)
    wait_until_begun(own_server, [upload])
    for number in (signal.SIGTERM, signal.SIGTERM, signal.SIGINT):
        own_server.signal(number)
        wait_until_refused(own_server)
    assert upload.finish().status == 201
    assert own_server.wait() == 0


def test_signals_that_come_until_the_end_change_nothing(server_of_both_kinds: Server) -> None:
    server = server_of_both_kinds
    while not has_ended(server.pid):
        server.signal(signal.SIGTERM)
    assert server.wait() == 0
    assert "Traceback" not in server.log()


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_in_a_terminal_is_a_stop_too(make_server: MakeServer, workers: str) -> None:
    """The terminal signals the whole group at once."""
    server = make_server({}, "--workers", workers)
    os.killpg(server.pid, signal.SIGINT)
    assert server.wait() == 0
    assert "Traceback" not in server.log()
    assert "died" not in server.log()


def test_a_request_that_never_ends_does_not_hold_up_the_stop(stack: Stack, make_server: MakeServer) -> None:
    server = make_server(stack() | {"STOWBOARD_STOP_SECONDS": "1"})
    upload = Upload(server)
    wait_until_begun(server, [upload])
    server.signal(signal.SIGTERM)
    assert server.wait() == 0
    assert not upload.give_up().startswith(b"HTTP/1.1 2")
    assert issued(server, upload.name) == 0
    assert "Traceback" not in server.log()


def test_while_it_drains_it_serves_and_says_that_it_is_not_ready(stack: Stack, make_server: MakeServer) -> None:
    server = make_server(stack() | {"STOWBOARD_DRAIN_SECONDS": "6"})
    with httpx2.Client(timeout=120) as http:
        server.signal(signal.SIGTERM)
        give_up = time.monotonic() + PATIENCE_SECONDS
        while (ready := http.get(f"{server.origin}/readyz")).status_code == 200:
            assert time.monotonic() < give_up
        assert ready.status_code == 503
        assert ready.json()["status"] == "draining"
        assert http.get(f"{server.origin}/healthz").status_code == 200
        assert (
            http.post(f"{server.base_url}/access/tokens", json={"owner": "a"}, headers=server.headers).status_code
            == 201
        )
    assert server.wait() == 0


class Upload:
    """A request of which all but the last byte was sent."""

    def __init__(self, server: Server) -> None:
        self.name = secrets.token_hex(8)
        body = json.dumps({"owner": "alice", "name": self.name}).encode()
        self._connection = RawConnection(server.port)
        length = f"content-length: {len(body)}"
        self._connection.send(head("POST", "/api/v1/access/tokens", server.admin_token, length) + body[:-1])
        self._rest = body[-1:]

    def finish(self) -> RawAnswer:
        with self._connection:
            self._connection.send(self._rest)
            return self._connection.answer()

    def give_up(self) -> bytes:
        """The server's last words before it closed the connection."""
        with self._connection:
            return self._connection.wait_for_close()


def wait_until_begun(server: Server, uploads: list[Upload]) -> None:
    """Requests that come behind them on connections of their own are answered, so these have been taken up."""
    for _ in range(2 * len(uploads) + 10):
        with RawConnection(server.port) as connection:
            connection.send(head("GET", "/api/v1", server.admin_token, "connection: close"))
            assert connection.answer().status == 200


def wait_until_refused(server: Server) -> None:
    give_up = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < give_up:
        try:
            RawConnection(server.port).close()
        except ConnectionRefusedError:
            return
        except ConnectionResetError:
            pass  # at the very moment
        time.sleep(0.01)
    raise AssertionError("it still takes connections")
