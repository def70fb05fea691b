"""Our API for media, as far as the comparisons need it to have something to download."""

from __future__ import annotations

import base64
import time
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2

from bench.harness.crowd import answer_of, send_file
from bench.harness.servers import Server

READY_SECONDS = 60.0


class OurMedia:
    """Its addresses are public ones, without a token."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._client = httpx2.Client(base_url=f"{server.base_url}/media", headers=server.headers, timeout=60)

    def close(self) -> None:
        self._client.close()

    def add_image(self, data: bytes) -> str:
        """The id of a new image, once nothing is left to find out about it."""
        body = {"filename": "picture.jpg", "data": base64.b64encode(data).decode()}
        asset_id: str = self._data(self._client.post("/upload/image", json=body))["id"]
        self._wait_until(asset_id, lambda asset: asset["placeholder"] is not None)
        return asset_id

    def add_file(self, file: Path) -> str:
        """The id of a new file, which is announced and then sent."""
        size = file.stat().st_size
        announced = self._data(self._client.post("/upload/presigned", json={"filename": file.name, "size": size}))
        connection = HTTPConnection(urlsplit(self._server.origin).netloc)
        send_file(connection, "PUT", urlsplit(announced["uploadUrl"]).path, announced["headers"], file, range(size))
        answer_of(connection, 200)
        connection.close()
        self._wait_until(announced["id"], lambda asset: asset["processingStatus"] == "ready")
        asset_id: str = announced["id"]
        return asset_id

    def path_of(self, asset_id: str, transform_class: str = "original") -> str:
        """Where its bytes are, or an image that is made of it when it is first asked for."""
        answer = self._client.get(f"/assets/{asset_id}/resolve", params={"transformClass": transform_class})
        url: str = self._data(answer)["url"]
        return urlsplit(url).path

    def _wait_until(self, asset_id: str, holds: Callable[[Any], bool]) -> None:
        deadline = time.monotonic() + READY_SECONDS
        while not holds(asset := self._data(self._client.get(f"/assets/{asset_id}"))):
            if asset["processingError"] is not None or time.monotonic() > deadline:
                raise RuntimeError(f"an uploaded file is {asset['processingStatus']}: {asset['processingError']}")
            time.sleep(0.05)

    @staticmethod
    def _data(answer: httpx2.Response) -> Any:
        return answer.raise_for_status().json()["data"]
