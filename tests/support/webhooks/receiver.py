"""A real receiver of webhooks: an HTTP server in threads that answers as a test says and remembers what came."""

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self, TypeAlias

ALLOWED = {"STOWBOARD_OUTGOING_ALLOW": "127.0.0.0/8"}


@dataclass(frozen=True)
class Received:
    headers: dict[str, str]
    body: bytes
    at: float = field(default_factory=time.monotonic)
    method: str = "POST"
    path: str = ""

    @property
    def event(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]


@dataclass(frozen=True)
class Answer:
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b"ok"


Behaviour: TypeAlias = Callable[[Received], Answer]


class Receiver:
    """`answer` may be replaced at any time; it may block, for each request has a thread."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        #: The subjects in the order in which requests for them began and ended, and how many were at once.
        self.most_at_once = 0
        self.answer: Behaviour = lambda _: Answer()
        self._now = 0
        self._lock = threading.Lock()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["content-length"])
                body = self.rfile.read(length)
                if len(body) == length:  # else its sender was killed in the middle of it: nothing has arrived
                    headers = {name.lower(): text for name, text in self.headers.items()}
                    receiver._take(self, Received(headers, body, method=self.command, path=self.path))

            do_PUT = do_POST  # noqa: N815

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_port
        self.url = f"http://127.0.0.1:{self.port}/in"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def ids(self) -> list[str]:
        """The ids of messages that were answered by success or not, in the order of arrival."""
        return [each.id for each in self.received]

    def _take(self, handler: BaseHTTPRequestHandler, received: Received) -> None:
        with self._lock:
            self.received.append(received)
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
        answer = self.answer(received)
        with self._lock:
            self._now -= 1
        try:
            handler.send_response(answer.status)
            for name, text in answer.headers.items():
                handler.send_header(name, text)
            handler.end_headers()
            handler.wfile.write(answer.body)
        except OSError:
            pass  # whoever asked has gone
