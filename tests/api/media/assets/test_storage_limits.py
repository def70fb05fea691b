"""Uploads that cannot fit are refused when they are announced: on the disk, in the installation, and of an owner."""

import base64
from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import pytest

from support.api.answers import data_of, error_of, message_of
from support.clients.tus import TusUpload, client_of
from support.servers.stacks import UNLIMITED, MakeServer, Stack, on_postgres
from support.servers.stowboard import Server
from support.waiting import wait_until

MIB = 1 << 20
PRESIGNED, FILE, VIDEO, STATS = "upload/presigned", "upload/file", "videos/upload", "stats"


@pytest.fixture(scope="module")
def limited(stack: Stack, make_server: MakeServer) -> Server:
    limits = {"STOWBOARD_STORAGE_LIMIT_MIB": "4", "STOWBOARD_STORAGE_LIMIT_PER_OWNER_MIB": "2"}
    return make_server(stack() | UNLIMITED | limits)


@pytest.fixture
def owner(limited: Server, request: pytest.FixtureRequest) -> Iterator[httpx2.Client]:
    with client_of(limited) as admin:
        name = request.node.name.partition("[")[0][-40:]
        with another(limited, admin, name) as client:
            yield client
            for asset in data_of(client.get("/api/v1/media/assets")):
                client.delete(f"/api/v1/media/assets/{asset['id']}")
            for video in data_of(client.get("/api/v1/media/videos")):
                client.delete(f"/api/v1/media/videos/{video['id']}")


@pytest.fixture
def stranger(limited: Server, request: pytest.FixtureRequest) -> Iterator[httpx2.Client]:
    with (
        client_of(limited) as admin,
        another(limited, admin, "b-" + request.node.name.partition("[")[0][-38:]) as client,
    ):
        yield client


def another(limited: Server, admin: httpx2.Client, name: str) -> httpx2.Client:
    token = data_of(admin.post("/api/v1/access/tokens", json={"owner": name}), 201)["token"]
    return httpx2.Client(base_url=limited.origin, headers={"authorization": f"Bearer {token}"})


def post(client: httpx2.Client, path: str, **body: Any) -> httpx2.Response:
    return client.post(f"/api/v1/media/{path}", json=body)


def used(client: httpx2.Client) -> int:
    return int(data_of(client.get("/api/v1/media/stats"))["storage"]["owner"]["bytes"])


def replace_inline(client: httpx2.Client, asset_id: str, size: int) -> httpx2.Response:
    body = {"size": size, "originalName": "b.bin", "mimeType": "application/octet-stream", "imageData": file_of(size)}
    return post(client, f"assets/{asset_id}/replace", **body)


def replace_by_put(client: httpx2.Client, asset_id: str, size: int) -> httpx2.Response:
    announced = post(client, PRESIGNED, filename="b.bin", size=size, assetId=asset_id)
    return client.put(announced.json()["data"]["uploadUrl"], content=bytes(size)) if announced.is_success else announced


def replace_by_tus(client: httpx2.Client, asset_id: str, size: int) -> httpx2.Response:
    announced = post(client, PRESIGNED, filename="b.bin", size=size, assetId=asset_id)
    if not announced.is_success:
        return announced
    return TusUpload(client, announced.json()["data"]["tusUploadUrl"], asset_id).patch(0, bytes(size))


def wait_for_version(client: httpx2.Client, asset_id: str, number: int) -> None:
    def is_ready() -> bool:
        asset = data_of(client.get(f"/api/v1/media/assets/{asset_id}"))
        return (asset["version"], asset["processingStatus"]) == (number, "ready")

    wait_until(is_ready)


def file_of(size: int) -> str:
    return base64.b64encode(bytes(size)).decode()


def test_an_owner_has_its_limit_and_is_told_of_it(owner: httpx2.Client) -> None:
    data_of(post(owner, FILE, filename="a.bin", data=file_of(MIB)), 201)
    stored = data_of(owner.get("/api/v1/media/stats"))["storage"]
    assert stored["owner"] == {"bytes": MIB, "limit": 2 * MIB}
    assert (stored["bytes"], stored["limit"]) == (MIB, 4 * MIB)
    for answer in (
        post(owner, FILE, filename="b.bin", data=file_of(MIB + 1)),
        post(owner, PRESIGNED, filename="b.bin", size=MIB + 1),
        post(owner, VIDEO, title="b", size=MIB + 1),
    ):
        assert error_of(answer) == (507, "insufficient_storage")
        assert f"at most {2 * MIB} bytes" in message_of(answer)
    announced = data_of(post(owner, PRESIGNED, filename="b.bin", size=MIB), 201)
    assert error_of(post(owner, FILE, filename="c.txt", data="YQ=="))[0] == 507, "what is announced counts"
    owner.delete(f"/api/v1/media/assets/{announced['id']}")
    data_of(post(owner, FILE, filename="c.txt", data="YQ=="), 201)


def test_the_trash_counts_an_upload_is_told_what_comes_free_and_restoring_is_allowed(owner: httpx2.Client) -> None:
    first = data_of(post(owner, FILE, filename="a.bin", data=file_of(MIB)), 201)["id"]
    second = data_of(post(owner, FILE, filename="b.bin", data=file_of(MIB)), 201)["id"]
    data_of(post(owner, f"assets/{first}/trash"))
    refused = post(owner, FILE, filename="c.txt", data="YQ==")
    assert error_of(refused) == (507, "insufficient_storage")
    assert f"{MIB} bytes come free" in message_of(refused)
    stats = data_of(owner.get("/api/v1/media/stats"))
    assert (stats["storage"]["owner"]["bytes"], stats["trash"]) == (2 * MIB, {"count": 1, "bytes": MIB})
    data_of(post(owner, f"assets/{first}/restore"))
    data_of(post(owner, f"assets/{second}/trash"))
    owner.delete(f"/api/v1/media/assets/{second}")
    data_of(post(owner, FILE, filename="c.txt", data="YQ=="), 201)


@pytest.mark.parametrize("replace", [replace_inline, replace_by_put, replace_by_tus])
def test_a_version_counts_for_whoever_sent_it(
    owner: httpx2.Client, stranger: httpx2.Client, replace: Callable[[httpx2.Client, str, int], httpx2.Response]
) -> None:
    asset_id = data_of(post(owner, FILE, filename="a.bin", data=file_of(MIB)), 201)["id"]
    assert error_of(replace(stranger, asset_id, 2 * MIB + 1)) == (507, "insufficient_storage")
    assert replace(stranger, asset_id, MIB // 2).is_success
    assert (used(owner), used(stranger)) == (MIB, MIB // 2)
    wait_for_version(owner, asset_id, 2)
    assert (used(owner), used(stranger)) == (MIB, MIB // 2), "the first bytes are a version of their sender"
    assert replace(owner, asset_id, MIB // 4).is_success, "a stranger's bytes fill nobody's room but their own"
    wait_for_version(owner, asset_id, 3)
    assert (used(owner), used(stranger)) == (MIB + MIB // 4, MIB // 2)
    assert error_of(replace(stranger, asset_id, 2 * MIB - 1)) == (507, "insufficient_storage")
    owner.delete(f"/api/v1/media/assets/{asset_id}")
    assert (used(owner), used(stranger)) == (0, 0)


def test_a_version_that_is_restored_counts_for_whoever_restores_it(
    owner: httpx2.Client, stranger: httpx2.Client
) -> None:
    asset_id = data_of(post(owner, FILE, filename="a.bin", data=file_of(MIB)), 201)["id"]
    assert replace_inline(stranger, asset_id, 1).is_success
    wait_for_version(owner, asset_id, 2)
    data_of(post(stranger, f"assets/{asset_id}/versions/1/restore"))
    assert (used(owner), used(stranger)) == (MIB, MIB + 1)
    refused = post(stranger, f"assets/{asset_id}/versions/1/restore")
    assert error_of(refused) == (507, "insufficient_storage"), "nor can anybody restore without end"


def test_several_uploads_for_one_asset_count_each(owner: httpx2.Client) -> None:
    announced = data_of(post(owner, PRESIGNED, filename="b.bin", size=MIB), 201)
    data_of(post(owner, PRESIGNED, filename="b.bin", size=1, assetId=announced["id"]), 201)
    assert used(owner) == MIB + 1
    owner.delete(f"/api/v1/media/assets/{announced['id']}")
    assert used(owner) == 0


def test_a_video_says_its_length_later_and_is_refused_then(owner: httpx2.Client) -> None:
    video = data_of(post(owner, VIDEO, title="a film"), 201)
    headers = {"tus-resumable": "1.0.0", "upload-length": str(3 * MIB)}
    assert error_of(owner.post(video["tusUploadUrl"], headers=headers)) == (507, "insufficient_storage")
    assert owner.post(video["tusUploadUrl"], headers=headers | {"upload-length": str(MIB)}).status_code == 201


def test_the_installation_has_one_too(limited: Server, owner: httpx2.Client) -> None:
    with client_of(limited) as admin:
        data_of(post(admin, PRESIGNED, filename="a.bin", size=2 * MIB), 201)
        data_of(post(owner, FILE, filename="b.bin", data=file_of(MIB)), 201)
        other = data_of(admin.post("/api/v1/access/tokens", json={"owner": "third"}), 201)["token"]
        headers = {"authorization": f"Bearer {other}"}
        refused = admin.post("/api/v1/media/upload/presigned", json={"filename": "c", "size": 2 * MIB}, headers=headers)
        assert error_of(refused) == (507, "insufficient_storage")
        assert "The installation would have" in message_of(refused)


def test_what_does_not_fit_on_the_disk_beside_its_reserve_is_refused_at_once(
    stack: Stack, make_server: MakeServer
) -> None:
    server = make_server(stack() | UNLIMITED | {"STOWBOARD_STORAGE_RESERVE_MIB": "1000000000"})
    with client_of(server) as admin:
        announced = post(admin, PRESIGNED, filename="a.bin", size=5)
        if on_postgres(server):
            data_of(announced, 201)  # a bucket has no end
        else:
            assert error_of(announced) == (507, "insufficient_storage")
            assert error_of(post(admin, FILE, filename="a.bin", data="YQ=="))[0] == 507
            assert error_of(post(admin, VIDEO, title="a", size=5))[0] == 507
            assert data_of(admin.get("/api/v1/media/stats"))["storage"]["free"] < 0
    server.kill()
