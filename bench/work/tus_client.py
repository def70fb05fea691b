"""A TUS client that costs little: the kernel sends the file, and every answer is checked.

Creation is the only thing that servers do differently: `TusServer.create` does it and returns the path of the upload.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

from bench.harness.crowd import answer_of, send_file
from bench.harness.figures import Void
from bench.harness.servers import Server
from bench.peers.background import Background
from bench.peers.tus_server import ENDPOINT

TUS = {"tus-resumable": "1.0.0"}


@dataclass(frozen=True, slots=True)
class TusServer:
    origin: str
    pid: int
    stored: Path  # the folder that has the bytes, as one file each
    create: Callable[[HTTPConnection, int], str]


def ours(server: Server) -> TusServer:
    """A video, since it is what takes such files; it is never finalized, so nothing is made of it."""

    def create(connection: HTTPConnection, size: int) -> str:
        body = json.dumps({"title": "Upload", "size": size})
        headers = server.headers | {"content-type": "application/json"}
        connection.request("POST", "/api/v1/media/videos/upload", body, headers)
        _, answer = answer_of(connection, 201)
        url: str = json.loads(answer)["data"]["tusUploadUrl"]
        return urlsplit(url).path

    return TusServer(server.origin, server.pid, server.data_dir, create)


def theirs(peer: Background, uploads: Path) -> TusServer:
    def create(connection: HTTPConnection, size: int) -> str:
        connection.request("POST", ENDPOINT, headers=TUS | {"upload-length": str(size)})
        response, _ = answer_of(connection, 201)
        return urlsplit(response.headers["location"]).path

    return TusServer(peer.origin, peer.pid, uploads, create)


def upload(connection: HTTPConnection, server: TusServer, file: Path, span: range, piece: int) -> str:
    """Create an upload and send this part of the file, so many bytes a PATCH. The path of the upload."""
    path = server.create(connection, len(span))
    for start in range(0, len(span), piece):
        part = span[start : start + piece]
        headers = TUS | {"upload-offset": str(start), "content-type": "application/offset+octet-stream"}
        send_file(connection, "PATCH", path, headers, file, part)
        response, _ = answer_of(connection, 204)
        _check_offset(response.headers["upload-offset"], start + len(part))
    return path


def check(connection: HTTPConnection, path: str, size: int) -> None:
    """Check that the server says that all is there. Raises Void."""
    connection.request("HEAD", path, headers=TUS)
    response, _ = answer_of(connection, 200)
    _check_offset(response.headers["upload-offset"], size)


def terminate(connection: HTTPConnection, path: str) -> None:
    connection.request("DELETE", path, headers=TUS)
    answer_of(connection, 204)


def _check_offset(said: str | None, expected: int) -> None:
    if said != str(expected):
        raise Void(f"the upload stands at {said} instead of {expected}")
