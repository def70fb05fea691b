"""Threads that upload, replace and delete whatever becomes of the server, and remember what they were told."""

import contextlib
import hashlib
import random
import secrets
import threading
from types import TracebackType
from typing import Self

import httpx2

from stowboard_client import ApiError, Client, ConnectionFailed, StowboardError
from support.media.unique_images import png
from support.servers.stowboard import Server


class Uploaders:
    def __init__(self, server: Server, threads: int) -> None:
        self._server = server
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._work) for _ in range(threads)]
        #: The checksums that an asset may have, of those that were acknowledged and not asked to be deleted.
        self.acknowledged: dict[str, set[str]] = {}
        #: Requests that got no answer.
        self.broken = 0
        self.refusals: list[ApiError] = []
        #: A few that come again and again, from several threads at once.
        self._shared = [png() for _ in range(3)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        with Client(self._server.origin, self._server.admin_token) as client, httpx2.Client() as web:
            hasty = client.with_options(retries=0)
            mine: list[str] = []
            while not self._stop.is_set():
                try:
                    self._do_something(hasty, web, mine)
                except (ConnectionFailed, httpx2.TransportError):
                    self.broken += 1
                    self._stop.wait(0.02)
                except ApiError as refusal:
                    self.refusals.append(refusal)

    def _do_something(self, client: Client, web: httpx2.Client, mine: list[str]) -> None:
        data = random.choice([png(), png(), *self._shared])
        match random.randrange(5):
            case 0 | 1:
                self._note(mine, client.uploads.image("a.png", data).id, data)
            case 2:
                upload = client.uploads.presigned("b.png", len(data))
                if web.put(upload.upload_url, content=data).status_code == 200:
                    self._note(mine, upload.id, data)
            case 3 if mine:
                self._replace(client, random.choice(mine), data)
            case 4 if len(mine) > 5:
                self._delete(client, mine)

    def _note(self, mine: list[str], asset_id: str, data: bytes) -> None:
        mine.append(asset_id)
        self.acknowledged[asset_id] = {checksum(data)}

    def _replace(self, client: Client, asset_id: str, data: bytes) -> None:
        self.acknowledged[asset_id].add(checksum(data))  # it may happen without an answer
        client.uploads.replace(asset_id, data, mime_type="image/png", original_name="c.png")

    def _delete(self, client: Client, mine: list[str]) -> None:
        asset_id = mine.pop(random.randrange(len(mine)))
        del self.acknowledged[asset_id]
        with contextlib.suppress(StowboardError):
            client.assets.delete(asset_id, idempotency_key=secrets.token_hex(8))


def checksum(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()}"
