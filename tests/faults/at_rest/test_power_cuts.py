"""The power is cut under load. What was acknowledged before is on the disk that is left: rows, bytes and offsets."""

import hashlib
import itertools
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import pytest

from support.disks.ext4 import cut_power, make_disk, mounted
from support.servers.forked import launch
from support.servers.stacks import UNLIMITED
from support.servers.stowboard import Server
from support.waiting import wait_until

DISK_MIB = 192
SMALL, LARGE, PIECE = 9_000, 700_000, 1 << 20  # a large PUT and a piece of TUS go past the kernel's cache
TUS = {"tus-resumable": "1.0.0", "content-type": "application/offset+octet-stream"}


class Acknowledged:
    """The server's answers, by kind; a copy of them is what a cut must leave."""

    def __init__(self) -> None:
        self.tasks: list[str] = []
        self.files: dict[str, bytes] = {}  # by asset, the SHA-256
        self.offsets: dict[str, int] = {}  # by the path of a resumable upload
        self.pieces: dict[str, bytes] = {}  # its content, as far as it was sent


class Load:
    """Writers of each kind, each in a thread of its own, until it is left."""

    def __init__(self, server: Server) -> None:
        self.acknowledged = Acknowledged()
        self._server = server
        self._over = threading.Event()
        self._lock = threading.Lock()
        kinds = [self._create_task, self._upload_small, self._upload_large, self._append]
        self._threads = [threading.Thread(target=self._repeat, args=[kind]) for kind in kinds]

    def __enter__(self) -> "Load":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def so_far(self) -> Acknowledged:
        with self._lock:
            return deepcopy(self.acknowledged)

    def _repeat(self, write: Callable[[httpx2.Client, int], None]) -> None:
        with client(self._server) as http:
            for number in itertools.count():
                if self._over.is_set():
                    return
                write(http, number)

    def _create_task(self, http: httpx2.Client, number: int) -> None:
        task = answered(http.post("/taskapp/tasks", json={"title": f"Task {number}"}))["id"]
        with self._lock:
            self.acknowledged.tasks.append(task)

    def _upload_small(self, http: httpx2.Client, number: int) -> None:
        content = secrets.token_bytes(SMALL)
        self._upload(http, f"small-{number}.bin", content)

    def _upload_large(self, http: httpx2.Client, number: int) -> None:
        content = secrets.token_bytes(LARGE)
        self._upload(http, f"large-{number}.bin", content)
        time.sleep(0.2)  # the disk is small

    def _upload(self, http: httpx2.Client, name: str, content: bytes) -> None:
        made = answered(http.post("/media/upload/presigned", json={"filename": name, "size": len(content)}))
        http.put(made["uploadUrl"], content=content, headers=made["headers"]).raise_for_status()
        with self._lock:
            self.acknowledged.files[made["id"]] = hashlib.sha256(content).digest()

    def _append(self, http: httpx2.Client, number: int) -> None:
        """A file in three pieces, of which the last is never sent."""
        content = secrets.token_bytes(3 * PIECE)
        made = answered(http.post("/media/upload/presigned", json={"filename": f"p{number}.bin", "size": len(content)}))
        path = httpx2.URL(made["tusUploadUrl"]).path
        for offset in (0, PIECE):
            piece = content[offset : offset + PIECE]
            headers = TUS | {"upload-offset": str(offset)}
            http.patch(made["tusUploadUrl"], content=piece, headers=headers).raise_for_status()
            with self._lock:
                self.acknowledged.offsets[path] = offset + PIECE
                self.acknowledged.pieces[path] = content
        time.sleep(0.3)


def client(server: Server) -> httpx2.Client:
    return httpx2.Client(base_url=server.base_url, headers=server.headers, timeout=120)


def answered(response: httpx2.Response) -> dict[str, Any]:
    data: dict[str, Any] = response.raise_for_status().json()["data"]
    return data


@pytest.fixture
def place() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.mark.parametrize("cuts", [2, pytest.param(25, marks=pytest.mark.soak)])
def test_a_power_cut_leaves_all_that_was_acknowledged(tmp_path: Path, cuts: int, place: ExitStack) -> None:
    disk = make_disk(tmp_path / "disk.img", DISK_MIB)
    folder = place.enter_context(mounted(disk, tmp_path / "disk"))
    server = Server(folder, UNLIMITED, launch=launch).start()
    place.callback(server.kill)
    left: list[tuple[Path, Acknowledged]] = []
    with Load(server) as load:
        for number in range(cuts):
            before = load.so_far()
            wait_until(partial(grew, before, load.acknowledged))
            promised = load.so_far()
            left.append((cut_power(disk, tmp_path / f"cut-{number}.img", server.pid, *server.children()), promised))
    server.kill()
    for image, promised in left:
        check(image, promised, tmp_path / image.stem, server)
        image.unlink()


def grew(before: Acknowledged, now: Acknowledged) -> bool:
    return (
        len(now.tasks) > len(before.tasks) + 20
        and len(now.files) > len(before.files) + 4
        and len(now.offsets) > len(before.offsets)
    )


def check(image: Path, promised: Acknowledged, folder: Path, before: Server) -> None:
    with mounted(image, folder):
        after = Server(folder, before.environment, launch=launch)
        after.admin_token = before.admin_token
        try:
            after.start()
            with client(after) as http:
                check_kept(http, after, promised)
        finally:
            after.kill()


def check_kept(http: httpx2.Client, server: Server, promised: Acknowledged) -> None:
    lost = [task for task in promised.tasks if http.get(f"/taskapp/tasks/{task}").status_code != 200]
    assert lost == []
    for asset, digest in promised.files.items():
        assert digest_of(http, server, asset) == digest, asset
    for path, offset in promised.offsets.items():
        url = server.origin + path
        kept = int(http.head(url, headers=TUS).raise_for_status().headers["upload-offset"])
        assert kept >= offset
        content = promised.pieces[path]
        done = http.patch(url, content=content[kept:], headers=TUS | {"upload-offset": str(kept)})
        assert done.raise_for_status().headers["upload-offset"] == str(len(content))
    named = {hashlib.sha256(content).hexdigest() for content in promised.pieces.values()}
    wait_until(lambda: named <= {asset["checksum"].removeprefix("sha256:") for asset in ready(http)})


def digest_of(http: httpx2.Client, server: Server, asset: str) -> bytes:
    def is_ready() -> bool:
        return bool(answered(http.get(f"/media/assets/{asset}"))["processingStatus"] == "ready")

    wait_until(is_ready)
    url = httpx2.URL(answered(http.get(f"/media/assets/{asset}"))["url"])
    return hashlib.sha256(http.get(server.origin + url.path).raise_for_status().content).digest()


def ready(http: httpx2.Client) -> list[dict[str, str]]:
    found: list[dict[str, str]] = []
    cursor = None
    while True:
        page = http.get("/media/assets", params={"limit": 100} | ({"cursor": cursor} if cursor else {})).json()
        found += [asset for asset in page["data"] if asset["processingStatus"] == "ready"]
        cursor = page["meta"]["nextCursor"]
        if cursor is None:
            return found
