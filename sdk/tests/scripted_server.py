"""A peer on a real socket that answers as the test wrote down, and remembers what it was asked.

Each request takes the next answer of the script; a request beyond its end is answered 500 `script_ended`.
"""

import json
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit


@dataclass(frozen=True)
class Answer:
    status: int
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)
    #: Bytes of the body after which the connection is cut, although Content-Length promised them all.
    cut_after: int | None = None


@dataclass(frozen=True)
class HangUp:
    """The connection ends without a byte of answer."""


@dataclass(frozen=True)
class Seen:
    method: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class ScriptedServer:
    url: str = ""
    script: deque[Answer | HangUp] = field(default_factory=deque)
    seen: list[Seen] = field(default_factory=list)

    def will(self, *answers: Answer | HangUp) -> None:
        self.script.extend(answers)

    def next_answer(self, seen: Seen) -> Answer | HangUp:
        self.seen.append(seen)
        return self.script.popleft() if self.script else error(500, "script_ended")


def data(value: object, meta: object = None, status: int = 200, **headers: str) -> Answer:
    return Answer(status, json.dumps({"data": value, "meta": meta or {}}).encode(), _named(headers))


def error(status: int, code: str, message: str = "No.", **headers: str) -> Answer:
    return Answer(status, json.dumps({"error": {"code": code, "message": message}}).encode(), _named(headers))


def document(status: int, value: object) -> Answer:
    return Answer(status, json.dumps(value).encode())


@contextmanager
def serving() -> Iterator[ScriptedServer]:
    state = ScriptedServer()

    class Handler(_Handler):
        server_state = state

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = False  # so that closing waits for them, and no socket outlives its test
    state.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _named(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


class _Handler(BaseHTTPRequestHandler):
    server_state: ClassVar[ScriptedServer]
    protocol_version = "HTTP/1.1"
    timeout = 5
    wbufsize = -1  # head and body leave in one segment

    def _answer(self) -> None:
        address = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        answer = self.server_state.next_answer(Seen(self.command, address.path, parse_qs(address.query), headers, body))
        if isinstance(answer, HangUp):
            self.close_connection = True
            return
        self.send_response(answer.status)
        for name, value in {"content-length": str(len(answer.body)), **answer.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer.body[: answer.cut_after])
        self.wfile.flush()
        self.close_connection = self.close_connection or answer.cut_after is not None

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = _answer  # noqa: N815  the names that http.server looks for

    def log_message(self, *_: object) -> None:
        pass
