"""Uploads of an image in one request: base64 in JSON to us, multipart/form-data to PocketBase.

No two have the same bytes. All but the first bytes of a request is the same memory each time, so that the client only
sends. Every answer is read and has to name the upload; one of each turn is downloaded and compared. What we leave for
later is done before the turn is over, off the clock: the next contender is not to pay for it.
"""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

from bench.harness.crowd import answer_of, for_seconds, measure, work_off
from bench.harness.figures import Sample, Void
from bench.harness.servers import Server
from bench.peers.pocketbase import PocketBase
from bench.peers.pocketbase_pictures import RECORDS, path_of
from bench.work.pictures import Picture

CONNECTIONS = 4
LOOK_AGAIN_SECONDS = 0.1
_BOUNDARY = "----picture"


@dataclass(frozen=True, slots=True)
class Way:
    """How one of them takes an image."""

    origin: str
    pid: int
    path: str
    headers: dict[str, str]
    before: bytes
    encode: Callable[[bytes], bytes]
    after: bytes
    status: int
    #: From the answer to where the bytes are. Raises Void if it is not that of an image of this size.
    place: Callable[[Any, int], str]
    #: Return when nothing is left to do.
    settle: Callable[[HTTPConnection], None] = lambda _: None


def into_ours(server: Server) -> Way:
    without_placeholder: list[str] = []

    def place(answer: Any, size: int) -> str:
        asset = answer["data"]
        if asset["size"] != size or asset["processingStatus"] != "ready":
            raise Void(f"the asset has {asset['size']} bytes and is {asset['processingStatus']}")
        if asset["placeholder"] is None:
            without_placeholder.append(asset["id"])
        return urlsplit(str(asset["url"])).path

    def settle(connection: HTTPConnection) -> None:
        while without_placeholder:
            connection.request("GET", f"/api/v1/media/assets/{without_placeholder[-1]}", headers=server.headers)
            if json.loads(answer_of(connection, 200)[1])["data"]["placeholder"] is not None:
                without_placeholder.pop()
            else:
                time.sleep(LOOK_AGAIN_SECONDS)

    return Way(
        server.origin, server.pid, "/api/v1/media/upload/image", server.headers | {"content-type": "application/json"},
        b'{"filename": "picture.jpg", "data": "', base64.b64encode, b'"}', 201, place,
        settle,
    )  # fmt: skip


def into_pocketbase(peer: PocketBase) -> Way:
    before = (
        f'--{_BOUNDARY}\r\ncontent-disposition: form-data; name="owner"\r\n\r\n{peer.user_id}\r\n'
        f'--{_BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="picture.jpg"\r\n'
        "content-type: image/jpeg\r\n\r\n"
    )
    headers = {"authorization": peer.user_token, "content-type": f"multipart/form-data; boundary={_BOUNDARY}"}
    return Way(
        peer.origin, peer.pid, RECORDS, headers, before.encode(), bytes, f"\r\n--{_BOUNDARY}--\r\n".encode(), 200,
        lambda record, _: path_of(record),
    )  # fmt: skip


class Uploads:
    """The turns of one contender."""

    def __init__(self, way: Way, picture: Picture, numbers: Iterator[int]) -> None:
        self._way, self._picture, self._numbers = way, picture, numbers
        self._rest = way.encode(picture.rest) + way.after
        self._size = len(picture.numbered(0))
        self._latest = (0, "")

    def __call__(self, seconds: float) -> Sample:
        numbers = (next(self._numbers) for _ in for_seconds(seconds))
        sample = measure(self._way.origin, self._way.pid, CONNECTIONS, numbers, self._upload)
        work_off(self._way.origin, 1, [self._latest], self._compare)
        work_off(self._way.origin, 1, [self._way], lambda connection, way: way.settle(connection))
        return sample

    def _upload(self, connection: HTTPConnection, number: int) -> None:
        way = self._way
        beginning = way.before + way.encode(self._picture.beginning(number))
        headers = way.headers | {"content-length": str(len(beginning) + len(self._rest))}
        connection.request("POST", way.path, [beginning, self._rest], headers)
        _, answer = answer_of(connection, way.status)
        self._latest = (number, way.place(json.loads(answer), self._size))

    def _compare(self, connection: HTTPConnection, latest: tuple[int, str]) -> None:
        number, path = latest
        connection.request("GET", path)
        _, data = answer_of(connection, 200)
        if data != self._picture.numbered(number):
            raise Void("the bytes of an upload are not those that were sent")
