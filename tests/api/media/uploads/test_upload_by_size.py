"""`client.upload`: one call for files of any size, whichever way they go."""

import secrets
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Literal

import httpx2
import pytest

from stowboard_client import AssetFailed, AsyncClient, Client, FocalPoint
from stowboard_client.media import upload_by_size
from support.media.unique_images import jpeg
from support.servers.stowboard import Server

pytestmark = pytest.mark.cluster_in_soak

INLINE, PUT, TUS = 900, 2000, 9000
SIZES = {"inline": INLINE, "one PUT": PUT, "in pieces": TUS}
of_every_size = pytest.mark.parametrize("size", list(SIZES.values()), ids=list(SIZES))


@pytest.fixture(autouse=True)
def _a_thousand_bytes_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload_by_size, "INLINE", 1000)
    monkeypatch.setattr(upload_by_size, "AT_ONCE", 3000)


@pytest.fixture
def asked() -> list[str]:
    """Method and beginning of the path of each request of `watched`."""
    return []


@pytest.fixture
def watched(server: Server, asked: list[str]) -> Iterator[Client]:
    def note(request: httpx2.Request) -> None:
        asked.append(f"{request.method} {'/'.join(request.url.path.removeprefix('/api/v1').split('/')[:4])}")

    with Client(server.origin, server.admin_token, http=httpx2.Client(event_hooks={"request": [note]})) as client:
        yield client


def waited(asked: list[str]) -> list[str]:
    """Without the questions whether it is ready."""
    return [each for each in asked if not each.startswith("GET")]


def token_of(path: str) -> str:
    return path.rpartition("/")[0]


def test_the_size_decides_how_it_goes(watched: Client, asked: list[str], tmp_path: Path) -> None:
    ways = {
        INLINE: ["POST /media/upload/file"],
        PUT: ["POST /media/upload/presigned", "PUT /uploads/put"],
        TUS: ["POST /media/upload/presigned", "HEAD /uploads/tus", "PATCH /uploads/tus"],
    }
    for size, way in ways.items():
        file = tmp_path / f"{size}.bin"
        file.write_bytes(secrets.token_bytes(size))
        asked.clear()
        watched.upload(file)
        sent = waited(asked)
        assert [each if "/uploads/" not in each else token_of(each) for each in sent] == way


@of_every_size
def test_whatever_its_size_the_asset_is_the_same(
    client: Client, web: httpx2.Client, tmp_path: Path, tag: str, size: int
) -> None:
    file, seen = tmp_path / "talk.bin", list[tuple[int, int]]()
    file.write_bytes(secrets.token_bytes(size))
    asset = client.upload(
        file, tags=[tag], visibility="public", alt="A talk", title="Talk", progress=lambda *sent: seen.append(sent)
    )
    assert (asset.processing_status, asset.filename, asset.kind, asset.size) == ("ready", "talk.bin", "file", size)
    assert (asset.tags, asset.alt, asset.title) == ((tag,), "A talk", "Talk")
    assert asset.url is not None
    assert web.get(asset.url).content == file.read_bytes()
    assert seen == sorted(seen)
    assert seen[-1] == (size, size)


@of_every_size
def test_the_same_key_again_makes_no_second_asset(client: Client, tag: str, size: int) -> None:
    content, key = secrets.token_bytes(size), secrets.token_hex(8)
    first = client.upload(content, filename="a.bin", tags=[tag], idempotency_key=key)
    again = client.upload(content, filename="a.bin", tags=[tag], idempotency_key=key)
    assert [asset.id for asset in client.assets.list(tags=[tag])] == [first.id] == [again.id]


@pytest.mark.parametrize("size", [PUT, TUS])
def test_a_program_that_ended_midway_goes_on_with_its_key(client: Client, tag: str, size: int) -> None:
    content, key = secrets.token_bytes(size), secrets.token_hex(8)

    def end(_sent: int, _size: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        client.upload(content, filename="a.bin", tags=[tag], idempotency_key=key, progress=end)
    asset = client.upload(content, filename="a.bin", tags=[tag], idempotency_key=key)
    assert [found.id for found in client.assets.list(tags=[tag])] == [asset.id]


def test_a_name_says_what_is_an_image_unless_it_is_said(client: Client) -> None:
    picture = jpeg(40, 30)
    ways: list[tuple[str, Literal["image"] | None, str]] = [
        ("a.JPG", None, "image"), ("a", None, "file"), ("a", "image", "image"),
    ]  # fmt: skip
    for name, kind, expected in ways:
        asset = client.upload(BytesIO(picture), filename=name, kind=kind, focal_point=FocalPoint(x=0.5, y=0.5))
        assert (asset.kind, asset.width) == (expected, 40 if expected == "image" else None)


def test_what_is_no_image_is_told_after_it_was_sent(client: Client) -> None:
    with pytest.raises(AssetFailed, match="invalid_media"):
        client.upload(secrets.token_bytes(PUT), filename="a.png")
    processing = client.upload(secrets.token_bytes(PUT), filename="b.png", wait=None)
    assert processing.processing_status in ("processing", "failed")


def test_bytes_need_a_name(client: Client) -> None:
    with pytest.raises(ValueError, match="filename"):
        client.upload(b"x")


@of_every_size
async def test_the_async_client_does_it_too(server: Server, size: int) -> None:
    async with AsyncClient(server.origin, server.admin_token) as client:
        asset = await client.upload(secrets.token_bytes(size), filename="a.bin")
        assert (asset.processing_status, asset.size) == ("ready", size)
