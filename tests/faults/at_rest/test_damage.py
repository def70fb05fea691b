"""Bytes at rest change by themselves: it is found, told of, and nobody is given other bytes than were uploaded."""

import asyncio
import hashlib
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from stowboard.db.database import Database
from stowboard.db.open import DatabaseSettings, open_database
from stowboard.jobs.queue import enqueue
from stowboard.jobs.registry import NoArgs
from stowboard.media.damage import scrub
from stowboard_client import Asset, Client
from support.media import pictures
from support.servers.moving import at, command
from support.servers.stacks import UNLIMITED, MakeServer, Stack, on_postgres
from support.servers.stowboard import Server
from support.stored import blobs
from support.stored.events import events
from support.stored.rows import rows
from support.waiting import wait_until

pytestmark = pytest.mark.cluster_in_soak

THUMBNAIL = "thumbnail"
_number = iter(range(10_000))


@pytest.fixture(scope="module")
def server(stack: Stack, make_server: MakeServer) -> Iterator[Server]:
    server = make_server(stack() | UNLIMITED)
    yield server
    server.kill()


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    with Client(server.origin, server.admin_token) as client:
        yield client


@pytest.fixture
def data() -> bytes:
    return b"Boats at dawn, %d.\n" % next(_number) * 5000


def fetch(asset: Asset) -> httpx2.Response:
    assert asset.url is not None
    return httpx2.get(asset.url)


def code(answer: httpx2.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


REFUSED = (503, "content_damaged")


def test_verify_names_what_is_damaged_and_it_is_refused_from_then_on(
    server: Server, client: Client, data: bytes
) -> None:
    asset, whole = client.uploads.file("boats.txt", data), client.uploads.file("other.txt", data + b"other")
    key = blobs.key_of(server, asset.id)
    was = blobs.flip_a_bit(server, key)
    found = command(server, "verify")
    assert found.exit_code == 1
    assert [line for line in found.output.splitlines() if asset.id in line] == [f"damaged  {key}  {asset.id} boats.txt"]
    assert whole.id not in found.output
    assert code(fetch(asset)) == REFUSED
    assert (fetch(whole).status_code, fetch(whole).content) == (200, data + b"other")
    seen = client.assets.get(asset.id)
    assert seen.processing_error is not None
    assert (seen.processing_status, seen.processing_error.code) == ("ready", "content_damaged")
    assert events(server, asset.id)[-1] == "media.asset.damaged"
    blobs.put_back(server, key, was)
    assert asset.id not in command(server, "verify").output
    assert fetch(asset).content == data
    assert client.assets.get(asset.id).processing_error is None
    assert events(server, asset.id)[-1] == "media.asset.repaired"


def test_who_uploads_the_same_bytes_again_repairs_them_for_all(server: Server, client: Client, data: bytes) -> None:
    first, second = client.uploads.file("a.txt", data), client.uploads.file("b.txt", data)
    blobs.flip_a_bit(server, blobs.key_of(server, first.id))
    assert command(server, "verify").exit_code == 1
    assert [code(fetch(asset)) for asset in (first, second)] == [REFUSED, REFUSED]
    third = client.uploads.file("c.txt", data)
    assert [fetch(asset).content for asset in (first, second, third)] == [data] * 3
    assert events(server, second.id)[-1] == "media.asset.repaired"
    assert first.id not in command(server, "verify").output


def test_wrong_bytes_are_refused_when_a_process_opens_them_first(server: Server, client: Client, data: bytes) -> None:
    asset = client.uploads.file("boats.txt", data)
    key = blobs.key_of(server, asset.id)
    was = blobs.flip_a_bit(server, key)
    assert code(fetch(asset)) == REFUSED, "nobody has read it since, and nobody is given other bytes"
    assert events(server, asset.id)[-1] == "media.asset.damaged"
    seen = server.command("doctor")
    assert (seen.returncode, asset.id in seen.stdout) == (1, True)
    blobs.put_back(server, key, was)
    command(server, "verify")
    assert fetch(asset).content == data


@pytest.mark.parametrize("place", [10, -10], ids=["at the beginning", "at the end"])
def test_of_a_large_file_the_ends_are_looked_at(server: Server, client: Client, data: bytes, place: int) -> None:
    large = data * 100
    assert len(large) > 8 << 20
    sent = client.uploads.put(client.uploads.presigned("boats.bin", len(large)), large)
    asset = client.uploads.wait_until_ready(sent.id)
    key = blobs.key_of(server, asset.id)
    wrong = bytearray(blobs.taken(server, key))
    wrong[place] ^= 1
    blobs.put_back(server, key, bytes(wrong))
    assert asset.url is not None
    assert code(httpx2.get(asset.url, headers={"range": "bytes=5000000-5000009"})) == REFUSED
    blobs.put_back(server, key, large)
    command(server, "verify")
    assert fetch(asset).content == large


def test_a_damaged_image_of_a_class_is_made_again_when_it_is_asked_for(server: Server, client: Client) -> None:
    asset = client.uploads.image("boats.png", pictures.saved(pictures.noise(640, 480 + next(_number)), ".png"))
    url = client.delivery.resolve(asset.id, transform_class="small").url
    headers = {"accept": "image/webp"}
    whole = httpx2.get(url, headers=headers).content
    [(key,)] = rows(
        server, f"SELECT blob_key FROM derived WHERE sha256 = '{(asset.checksum or '')[7:]}' AND format = 'webp'"
    )
    blobs.flip_a_bit(server, key)
    server.kill()
    server.start()
    assert httpx2.get(url, headers=headers).content == whole


def test_no_image_is_made_of_damaged_bytes(server: Server, client: Client) -> None:
    picture = pictures.saved(pictures.noise(640, 480 + next(_number)), ".png")
    asset = client.uploads.image("boats.png", picture)
    blobs.flip_a_bit(server, blobs.key_of(server, asset.id))
    url = client.delivery.resolve(asset.id, transform_class=THUMBNAIL).url
    assert code(httpx2.get(url)) == REFUSED
    assert rows(server, f"SELECT recipe FROM derived WHERE sha256 = '{digest(picture)}'") == []
    assert code(fetch(asset)) == REFUSED, "the original is known to be damaged now"
    assert events(server, asset.id)[-1] == "media.asset.damaged"


def test_a_damaged_image_of_a_class_is_made_again(server: Server, client: Client) -> None:
    asset = client.uploads.image("boats.png", pictures.saved(pictures.noise(640, 480 + next(_number)), ".png"))
    url = client.delivery.resolve(asset.id, transform_class=THUMBNAIL).url
    whole = httpx2.get(url).content
    [(key,)] = rows(server, f"SELECT blob_key FROM derived WHERE sha256 = '{(asset.checksum or '')[7:]}'")
    blobs.flip_a_bit(server, key)
    assert "made again" in command(server, "verify").output
    assert httpx2.get(url).content == whole
    assert key not in command(server, "verify").output


def test_a_missing_file_is_named(server: Server, client: Client, data: bytes) -> None:
    asset = client.uploads.file("boats.txt", data)
    key = blobs.key_of(server, asset.id)
    was = blobs.taken(server, key)
    assert f"missing  {key}  {asset.id} boats.txt" in command(server, "verify").output
    blobs.put_back(server, key, was)


def test_the_scrub_finds_it_without_being_asked(server: Server, client: Client, data: bytes) -> None:
    asset = client.uploads.file("boats.txt", data)
    blobs.flip_a_bit(server, blobs.key_of(server, asset.id))
    asyncio.run(order_scrub(server))
    wait_until(lambda: client.assets.get(asset.id).processing_error is not None)
    wait_until(lambda: rows(server, "SELECT id FROM job WHERE kind = 'media.scrub'") == [])
    assert code(fetch(asset)) == REFUSED
    said = server.command("doctor")
    assert (said.returncode, asset.id in said.stdout) == (1, True)


@pytest.mark.parametrize(("out", "back"), [("backup", "restore"), ("export", "import")])
def test_copies_name_what_is_damaged_and_so_does_who_brings_it_back(
    server: Server, client: Client, data: bytes, tmp_path: Path, out: str, back: str
) -> None:
    if out == "backup" and on_postgres(server):
        pytest.skip("PostgreSQL has tools of its own for this")
    asset = client.uploads.file("boats.txt", data)
    key = blobs.key_of(server, asset.id)
    was = blobs.flip_a_bit(server, key)
    for _ in range(2):
        made = command(server, out, str(tmp_path / "copy"))
        assert (made.exit_code, key in made.output) == (1, True), made.output
        assert "damaged" in made.output
    target = at(tmp_path / "target", {})
    brought = command(target, back, str(tmp_path / "copy"))
    assert (brought.exit_code, key in brought.output) == (1, True), brought.output
    assert asset.id in command(target, "verify").output
    blobs.put_back(server, key, was)
    command(server, "verify")
    assert key not in command(server, out, str(tmp_path / "copy")).output, "it is copied again, as it is whole again"
    fresh = at(tmp_path / "fresh", {})
    assert key not in command(fresh, back, str(tmp_path / "copy")).output


def test_a_whole_copy_is_not_replaced_by_a_damaged_one(
    server: Server, client: Client, data: bytes, tmp_path: Path
) -> None:
    asset = client.uploads.file("boats.txt", data)
    key = blobs.key_of(server, asset.id)
    command(server, "export", str(tmp_path / "copy"))
    was = blobs.flip_a_bit(server, key)
    command(server, "export", str(tmp_path / "copy"))
    assert (tmp_path / "copy" / "blobs" / key).read_bytes() == data
    blobs.put_back(server, key, was)


async def order_scrub(server: Server) -> None:
    """As the clock does once a week."""
    url = server.environment.get("STOWBOARD_DATABASE_URL", f"sqlite:///{server.data_dir}/stowboard.db")
    db: Database = await open_database(DatabaseSettings(url))
    try:
        await db.transact(enqueue, scrub.BEGIN, NoArgs(), dedup="media.begin_scrub")
    finally:
        await db.close()


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
