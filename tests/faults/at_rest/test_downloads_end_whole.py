"""A download that has begun ends whole, although its asset is replaced or deleted meanwhile."""

import secrets
from collections.abc import Callable, Iterator

import httpx2
import pytest

from stowboard_client import Asset, Client
from support.servers.stacks import UNLIMITED, MakeServer, Stack
from support.servers.stowboard import Server
from support.stored import blobs
from support.stored.rows import rows
from support.waiting import wait_until

SIZE = 24 << 20


@pytest.fixture(scope="module")
def server(stack: Stack, make_server: MakeServer) -> Iterator[Server]:
    """As it is shipped: a bucket keeps what was deleted for a while."""
    server = make_server(stack() | UNLIMITED | {"STOWBOARD_BUCKET_GRACE_SECONDS": "21600"})
    yield server
    server.kill()


def delete(client: Client, asset: Asset) -> None:
    client.assets.delete(asset.id)


def replace(client: Client, asset: Asset) -> None:
    client.uploads.replace(asset.id, b"other bytes", mime_type="text/plain", original_name="other.txt")
    client.uploads.wait_until_ready(asset.id)
    client.versions.delete(asset.id, 1)


@pytest.mark.parametrize("end", [delete, replace])
def test_it_ends_whole(server: Server, end: Callable[[Client, Asset], None]) -> None:
    data = secrets.token_bytes(SIZE)
    with Client(server.origin, server.admin_token) as client:
        asset = client.uploads.put(client.uploads.presigned("film.bin", len(data)), data)
        asset = client.uploads.wait_until_ready(asset.id)
        assert asset.url is not None
        with httpx2.stream("GET", asset.url, timeout=120) as answer:
            chunks = answer.iter_bytes(1 << 16)
            received = [next(chunks)]
            end(client, asset)
            wait_until(lambda: nobody_names(server, asset))
            received += chunks
    assert b"".join(received) == data


def nobody_names(server: Server, asset: Asset) -> bool:
    """And the job that removes the bytes has been looked at."""
    content = rows(server, f"SELECT 1 FROM content WHERE sha256 = '{(asset.checksum or '')[7:]}'")
    return content == [] and rows(server, "SELECT 1 FROM job WHERE kind = 'media.discard' AND due <= created_at") == []


def test_what_was_deleted_is_gone_from_a_bucket_after_the_grace(server: Server) -> None:
    with Client(server.origin, server.admin_token) as client:
        asset = client.uploads.file("note.txt", secrets.token_bytes(2000))
        key = blobs.key_of(server, asset.id)
        client.assets.delete(asset.id)
        wait_until(lambda: nobody_names(server, asset))
        if "STOWBOARD_BLOBS_URL" in server.environment:
            assert key in blobs.stored_keys(server)
            rows(server, "UPDATE job SET due = 1 WHERE kind = 'media.discard'")
        wait_until(lambda: key not in blobs.stored_keys(server))
