"""Uploads of an image to a pre-signed address: announced in one request, sent in another.

The picture is decoded after the answer. So each turn waits until all of its pictures are ready, off the clock: the next
contender is not to pay for them.
"""

import json
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from urllib.parse import urlsplit

from bench.harness.crowd import answer_of, for_seconds, measure, work_off
from bench.harness.figures import Sample, Void
from bench.harness.servers import Server
from bench.work.image_uploads import CONNECTIONS, LOOK_AGAIN_SECONDS
from bench.work.pictures import Picture


class PresignedUploads:
    """The turns of Stowboard."""

    def __init__(self, server: Server, picture: Picture, numbers: Iterator[int]) -> None:
        self._server, self._picture, self._numbers = server, picture, numbers
        self._announcement = json.dumps(
            {"filename": "picture.jpg", "size": len(picture.numbered(0)), "kind": "image"}
        ).encode()
        self._sent: dict[int, str] = {}

    def __call__(self, seconds: float) -> Sample:
        self._sent.clear()
        numbers = (next(self._numbers) for _ in for_seconds(seconds))
        sample = measure(self._server.origin, self._server.pid, CONNECTIONS, numbers, self._upload)
        work_off(self._server.origin, 1, self._sent.items(), self._compare)
        return sample

    def _upload(self, connection: HTTPConnection, number: int) -> None:
        headers = self._server.headers | {"content-type": "application/json"}
        connection.request("POST", "/api/v1/media/upload/presigned", self._announcement, headers)
        announced = json.loads(answer_of(connection, 201)[1])["data"]
        body = [self._picture.beginning(number), self._picture.rest]
        length = str(sum(map(len, body)))
        connection.request("PUT", urlsplit(announced["uploadUrl"]).path, body, {"content-length": length})
        answer_of(connection, 200)
        self._sent[number] = announced["id"]

    def _compare(self, connection: HTTPConnection, sent: tuple[int, str]) -> None:
        number, asset_id = sent
        connection.request("GET", self._path_when_ready(connection, asset_id))
        if answer_of(connection, 200)[1] != self._picture.numbered(number):
            raise Void("the bytes of an upload are not those that were sent")

    def _path_when_ready(self, connection: HTTPConnection, asset_id: str) -> str:
        while True:
            connection.request("GET", f"/api/v1/media/assets/{asset_id}", headers=self._server.headers)
            asset = json.loads(answer_of(connection, 200)[1])["data"]
            if asset["processingStatus"] == "ready":
                return urlsplit(str(asset["url"])).path
            if asset["processingStatus"] == "failed":
                raise Void(f"a picture could not be used: {asset['processingError']}")
            time.sleep(LOOK_AGAIN_SECONDS)
