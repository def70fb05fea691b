"""One client sends the most expensive requests that it may; another one is answered between them.

No time is measured. While a request holds up the whole process, another client gets one or two answers for it; here it
gets some seventy for each. What must not be expensive at all is compared with a usual request by its processor time.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import httpx2
import pytest

from support.processes.figures import processor_seconds
from support.servers.stacks import UNLIMITED, MakeServer, Stack
from support.servers.stowboard import Server

pytestmark = pytest.mark.cluster_in_soak

TIMES = 6
LETTERS = "é" * 99_000
#: Normalising sorts them, which takes the square of their number: several seconds.
MARKS = "א" + "\u05b4\u05b0" * 49_500
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


@pytest.mark.parametrize("expensive", [search, send_fractions], ids=lambda one: one.__name__)
def test_expensive_requests_let_others_be_answered(server: Server, expensive: object) -> None:
    assert callable(expensive)
    reader = Reader(server)
    with client(server) as http, reader.reading():
        for _ in range(TIMES):
            answer = expensive(http)
            assert answer.status_code < 300, answer.text[:300]
    assert reader.answers > 3 * TIMES


def test_a_text_of_marks_costs_little_more_than_one_of_letters(server: Server) -> None:
    with client(server) as http:
        letters, marks = (cost_of_writing(http, server, text) for text in (LETTERS, MARKS))
    assert marks < 10 * letters


def cost_of_writing(http: httpx2.Client, server: Server, text: str) -> float:
    before = processor_seconds(server.pid)
    for _ in range(TIMES):
        http.post("/taskapp/tasks", json={"title": "A task", "body": text}).raise_for_status()
    return processor_seconds(server.pid) - before
