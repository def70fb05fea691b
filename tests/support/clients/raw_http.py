"""Requests as bytes on a socket, for what no HTTP library would send."""

import json
import socket
from dataclasses import dataclass
from typing import Any

SECONDS = 15.0


@dataclass(frozen=True)
class RawAnswer:
    """The answer that came before the server closed the connection; status 0 if none did."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def error(self) -> dict[str, Any]:
        """The error of the envelope, which must have nothing else in it."""
        content = json.loads(self.body)
        assert list(content) == ["error"]
        assert list(content["error"]) == ["code", "message"]
        error: dict[str, Any] = content["error"]
        return error


def send(port: int, data: bytes) -> RawAnswer:
    """Send the bytes and read to the end of the connection, which the request has to ask for."""
    with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as connection:
        connection.sendall(data)
        received = b""
        while chunk := connection.recv(65536):
            received += chunk
    return parse(received)


def request(
    token: str | None, method: str = "GET", target: bytes = b"/api/v1", *headers: bytes, body: bytes = b""
) -> bytes:
    """A request that is right but for what the caller puts into it."""
    lines = [method.encode() + b" " + target + b" HTTP/1.1", b"Connection: close", *headers]
    if not any(header.lower().startswith(b"host:") for header in headers):
        lines.append(b"Host: stow.test")
    if token is not None:
        lines.append(b"Authorization: Bearer " + token.encode())
    return b"\r\n".join([*lines, b"", body])


def post(token: str | None, body: bytes, *headers: bytes, target: bytes = b"/api/v1/access/tokens") -> bytes:
    return request(token, "POST", target, b"Content-Length: %d" % len(body), *headers, body=body)


def parse(received: bytes) -> RawAnswer:
    head, _, body = received.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    pairs = [line.split(": ", 1) for line in lines]
    return RawAnswer(int(first.split()[1]) if first else 0, {name.lower(): value for name, value in pairs}, body)
