"""One client sends the most expensive requests that it may; another one is answered between them.

No time is measured. While a request holds up the whole process, another client gets one answer for it at most; here it
gets several for each.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import httpx2
import pytest

from support.servers.stacks import UNLIMITED, MakeServer, Stack
from support.servers.stowboard import Server

pytestmark = pytest.mark.cluster_in_soak

TIMES = 6
MARKS = "a" + "́" * 99_000
LONG = "plant water garden " * 5_000


@pytest.fixture(scope="module")
def server(stack: Stack, make_server: MakeServer) -> Server:
    server = make_server(stack() | UNLIMITED)
    with client(server) as http:
        for _ in range(40):
            http.post("/taskapp/tasks", json={"title": "A task", "body": LONG}).raise_for_status()
        http.post("/taskapp/task-index/backfill").raise_for_status()
    return server


def client(server: Server) -> httpx2.Client:
    return httpx2.Client(base_url=server.base_url, headers=server.headers, timeout=120)


def write_marks(http: httpx2.Client) -> httpx2.Response:
    return http.post("/taskapp/tasks", json={"title": "A task", "body": MARKS})


def search(http: httpx2.Client) -> httpx2.Response:
    words = " ".join(f"-word{number}" for number in range(10))
    return http.get("/search", params={"q": f"plant {words}"})


def send_fractions(http: httpx2.Client) -> httpx2.Response:
    """Answered 200: a fraction like 3.0 is an integer."""
    operations = [{"op": "create", "title": "A", "body": "x" * 60_000, "dueAt": 3} for _ in range(80)]
    body = json.dumps({"operations": operations}).replace('"dueAt": 3', '"dueAt": 3.0')
    return http.post("/taskapp/tasks/batch", content=body, headers={"content-type": "application/json"})


class Reader:
    """Asks whether the server is alive, again and again, while the block runs."""

    def __init__(self, server: Server) -> None:
        self.answers = 0
        self._server = server
        self._over = threading.Event()

    @contextmanager
    def reading(self) -> Iterator[None]:
        thread = threading.Thread(target=self._read)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join()

    def _read(self) -> None:
        with client(self._server) as http:
            while not self._over.is_set():
                http.get(f"{self._server.origin}/healthz").raise_for_status()
                self.answers += 1


@pytest.mark.parametrize("expensive", [write_marks, search, send_fractions], ids=lambda one: one.__name__)
def test_expensive_requests_let_others_be_answered(server: Server, expensive: object) -> None:
    assert callable(expensive)
    reader = Reader(server)
    with client(server) as http, reader.reading():
        for _ in range(TIMES):
            answer = expensive(http)
            assert answer.status_code < 300, answer.text[:300]
    assert reader.answers > 1.5 * TIMES
