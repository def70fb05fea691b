"""An upload by TUS as its client sees it: requests as they are written, answers as they came."""

import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx2

from support.clients.raw_connection import RawConnection
from support.servers.stowboard import Server
from support.stored.rows import rows
from support.waiting import wait_until

BYTES = "application/offset+octet-stream"
_READY_SECONDS = 60.0


@dataclass
class TusUpload:
    """`subject` is the id of the video or the asset."""

    http: httpx2.Client
    url: str
    subject: str

    @property
    def path(self) -> str:
        return urlsplit(self.url).path

    def at(self, url: str) -> "TusUpload":
        """The same upload at another address."""
        return TusUpload(self.http, url, self.subject)

    def request(self, method: str, headers: dict[str, str], content: Any = None) -> httpx2.Response:
        """Headers that are empty are left out."""
        every = {"tus-resumable": "1.0.0", **headers}
        given = {name: value for name, value in every.items() if value or name == "upload-metadata"}
        return self.http.request(method, self.url, headers=given, content=content)

    def patch(self, offset: int | str, data: Any = b"", **headers: str) -> httpx2.Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.request("PATCH", {"upload-offset": str(offset), "content-type": BYTES, **named}, data)

    def post(self, data: Any = None, **headers: str) -> httpx2.Response:
        return self.request("POST", {name.replace("_", "-"): value for name, value in headers.items()}, data)

    def head(self) -> httpx2.Response:
        return self.request("HEAD", {})

    def delete(self) -> httpx2.Response:
        return self.request("DELETE", {})

    @property
    def offset(self) -> int:
        answer = self.head()
        assert answer.status_code == 200, answer.status_code
        return int(answer.headers["upload-offset"])


def begin_patch(port: int, upload: TusUpload, offset: int, length: int, *lines: str) -> RawConnection:
    """A PATCH whose body is still to be sent."""
    head = [
        f"PATCH {upload.path} HTTP/1.1", "host: stowboard.test", "tus-resumable: 1.0.0", f"content-type: {BYTES}",
        f"upload-offset: {offset}", f"content-length: {length}", *lines,
    ]  # fmt: skip
    connection = RawConnection(port)
    connection.send(("\r\n".join(head) + "\r\n\r\n").encode())
    return connection


def wait_until_durable(server: Server, upload: TusUpload, size: int) -> None:
    """Wait until the bytes before a pause are acknowledged, though their request still runs."""
    wait_until(lambda: rows(server, f"SELECT received FROM upload WHERE subject = '{upload.subject}'") == [(size,)])


def new_video_upload(admin: httpx2.Client, size: int | None = None) -> TusUpload:
    """The upload address of a new video: any length goes, also a deferred one."""
    body = {"title": "A film"} | ({"size": size} if size is not None else {})
    data = _created(admin.post("/api/v1/media/videos/upload", json=body))
    return TusUpload(admin, data["tusUploadUrl"], data["id"])


def new_file_upload(admin: httpx2.Client, size: int) -> TusUpload:
    """The upload address of a new asset: its length is fixed."""
    body = {"filename": "data.bin", "size": size, "kind": "file"}
    data = _created(admin.post("/api/v1/media/upload/presigned", json=body))
    return TusUpload(admin, data["tusUploadUrl"], data["id"])


def sha256_when_ready(admin: httpx2.Client, asset_id: str) -> str:
    """The digest of the bytes that the asset serves, once it does."""
    give_up = time.monotonic() + _READY_SECONDS
    while True:
        asset = admin.get(f"/api/v1/media/assets/{asset_id}").json()["data"]
        if asset["processingStatus"] == "ready":
            return str(asset["checksum"]).removeprefix("sha256:")
        assert asset["processingStatus"] != "failed", asset
        assert time.monotonic() < give_up, asset
        time.sleep(0.05)


def client_of(server: Server) -> httpx2.Client:
    """With the admin token; close it."""
    return httpx2.Client(base_url=server.origin, headers=server.headers, timeout=60)


def _created(answer: httpx2.Response) -> Any:
    assert answer.status_code == 201, answer.text
    return answer.json()["data"]
