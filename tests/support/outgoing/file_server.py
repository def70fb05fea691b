"""A real server with files, for uploads by URL: it answers GET as a test says."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

ALLOWED = {"STOWBOARD_OUTGOING_ALLOW": "127.0.0.0/8"}


@dataclass(frozen=True)
class File:
    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    #: Whether the length is told; without it the end of the connection ends the file.
    sized: bool = True
    #: Waited for when half of the body is out.
    midway: Callable[[], object] = lambda: None


class FileServer:
    """`files` by path, query included."""

    def __init__(self) -> None:
        self.files: dict[str, File] = {}
        self.asked: list[str] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.asked.append(self.path)
                file = server.files.get(self.path, File(status=404))
                self.send_response(file.status)
                for name, value in file.headers.items():
                    self.send_header(name, value)
                if file.sized:
                    self.send_header("content-length", str(len(file.body)))
                self.end_headers()
                half = len(file.body) // 2
                self.wfile.write(file.body[:half])
                self.wfile.flush()
                file.midway()
                self.wfile.write(file.body[half:])

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
