"""Uploads count against the limits of storage while they are open: announced lengths, arrived bytes, and parts."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from support.api.answers import data_of, error_of
from support.clients.tus import TusUpload, client_of, new_file_upload, new_video_upload
from support.outgoing.file_server import ALLOWED, File, FileServer
from support.servers.stacks import UNLIMITED, MakeServer, Stack, on_postgres
from support.servers.stowboard import Server
from support.stored.blobs import settings_of
from support.waiting import wait_until

MIB = 1 << 20
FULL = (507, "insufficient_storage")


@pytest.fixture
def server(stack: Stack, make_server: MakeServer) -> Iterator[Server]:
    server = make_server(stack() | UNLIMITED | ALLOWED | {"STOWBOARD_STORAGE_LIMIT_PER_OWNER_MIB": "2"})
    yield server
    server.kill()


@pytest.fixture
def owner(server: Server) -> Iterator[httpx2.Client]:
    with client_of(server) as admin:
        yield admin


def used(owner: httpx2.Client) -> int:
    stats = data_of(owner.get("/api/v1/media/stats"))
    assert stats["storage"]["owner"]["bytes"] == stats["storage"]["bytes"], "there is one owner"
    return int(stats["storage"]["bytes"])


def uploading(owner: httpx2.Client) -> int:
    return int(data_of(owner.get("/api/v1/media/stats"))["uploads"]["bytes"])


def on_disk(server: Server) -> int:
    return sum(file.stat().st_size for file in Path(settings_of(server).url).rglob("*") if file.is_file())


def test_a_body_without_a_length_ends_where_the_storage_is_full(server: Server, owner: httpx2.Client) -> None:
    video = new_video_upload(owner)
    assert video.patch(0, bytes(MIB)).status_code == 204
    assert (used(owner), uploading(owner)) == (MIB, MIB)
    for _ in range(3):
        refused = video.patch(video.offset, bytes(20 * MIB))
        assert error_of(refused) == FULL
        assert int(refused.headers["upload-offset"]) == video.offset
    assert MIB <= used(owner) <= 2 * MIB
    if not on_postgres(server):
        assert on_disk(server) <= 2 * MIB
    second = new_video_upload(owner)
    assert error_of(second.patch(0, bytes(MIB + 1))) == FULL, "of two, the second has what the first leaves"
    assert video.delete().status_code == 204
    assert used(owner) == 0
    assert second.patch(0, bytes(MIB + 1)).status_code == 204


def test_a_length_that_is_told_late_is_refused_or_reserved(owner: httpx2.Client) -> None:
    video, other = new_video_upload(owner), new_video_upload(owner)
    assert error_of(video.patch(0, b"x", upload_length=str(3 * MIB))) == FULL
    assert video.patch(0, b"x", upload_length=str(MIB)).status_code == 204
    assert used(owner) == MIB, "what was announced counts before it has come"
    assert error_of(other.patch(0, bytes(MIB + 1))) == FULL
    assert error_of(other.post(upload_length=str(MIB + 1))) == FULL
    assert other.post(upload_length=str(MIB)).status_code == 201
    assert used(owner) == 2 * MIB
    assert video.patch(1, bytes(MIB - 1)).status_code == 204, "it was reserved"
    assert (used(owner), uploading(owner)) == (2 * MIB, MIB), "a complete one counts as a video"


def test_parts_count_once_with_the_upload_that_they_are_for(owner: httpx2.Client) -> None:
    video = new_video_upload(owner)
    halves = [part(video, MIB), part(video, MIB)]
    assert (used(owner), uploading(owner)) == (2 * MIB, 2 * MIB)
    assert error_of(video.post(upload_length="1", upload_concat="partial")) == FULL
    assert error_of(video.post(b"x", upload_defer_length="1", upload_concat="partial", content_type=OCTETS)) == FULL
    joined = video.post(upload_concat="final;" + " ".join(half.url for half in halves))
    assert (joined.status_code, joined.headers["upload-offset"]) == (201, str(2 * MIB))
    assert (used(owner), uploading(owner)) == (2 * MIB, 0)


def test_an_announced_file_may_be_sent_in_parts_and_counts_once(owner: httpx2.Client) -> None:
    file = new_file_upload(owner, 2 * MIB)
    assert (used(owner), uploading(owner)) == (2 * MIB, 2 * MIB), "the asset has none besides"
    halves = [part(file, MIB), part(file, MIB)]
    assert used(owner) == 2 * MIB
    assert file.post(upload_concat="final;" + " ".join(half.url for half in halves)).status_code == 201
    wait_until(lambda: used(owner) == 2 * MIB)


def test_bytes_that_replace_others_count_beside_them(owner: httpx2.Client) -> None:
    asset = data_of(owner.post("/api/v1/media/upload/file", json={"filename": "a.txt", "data": "YQ=="}), 201)
    body = {"filename": "b.txt", "size": MIB, "assetId": asset["id"]}
    data_of(owner.post("/api/v1/media/upload/presigned", json=body), 201)
    assert used(owner) == MIB + 1
    body["size"] = MIB
    assert error_of(owner.post("/api/v1/media/upload/presigned", json=body)) == FULL


@pytest.mark.parametrize("sized", [True, False], ids=["with a length", "without a length"])
def test_a_file_that_is_fetched_has_to_fit(server: Server, owner: httpx2.Client, sized: bool) -> None:
    with FileServer() as files:
        files.files["/large.bin"] = File(bytes(2 * MIB + 1), sized=sized)
        files.files["/small.bin"] = File(bytes(2 * MIB), sized=sized)
        large = fetched(owner, f"{files.origin}/large.bin")
        assert (large["status"], large["error"]["code"]) == ("failed", "insufficient_storage")
        assert used(owner) == 0
        assert fetched(owner, f"{files.origin}/small.bin")["status"] == "ready"
        assert used(owner) == 2 * MIB
        if not on_postgres(server):
            wait_until(lambda: on_disk(server) == 2 * MIB)


OCTETS = "application/offset+octet-stream"


def part(whole: TusUpload, size: int) -> TusUpload:
    answer = whole.post(upload_length=str(size), upload_concat="partial")
    assert answer.status_code == 201, answer.text
    begun = whole.at(answer.headers["location"])
    assert begun.patch(0, bytes(size)).status_code == 204
    return begun


def fetched(owner: httpx2.Client, url: str) -> Any:
    found = [data_of(owner.post("/api/v1/media/upload/from-url", json={"url": url}), 201)]

    def is_over() -> bool:
        found[0] = data_of(owner.get(f"/api/v1/media/upload/from-url/{found[0]['id']}"))
        return found[0]["status"] in ("ready", "failed")

    wait_until(is_over)
    return found[0]
