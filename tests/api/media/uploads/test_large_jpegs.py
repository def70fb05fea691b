"""A large plain JPEG is answered without being decoded, and described by a job at once after."""

import secrets
from collections.abc import Iterator
from functools import cache

import httpx2
import pytest

from stowboard.media.images.inspection import describe_image
from stowboard_client import Client, errors
from support.media.pictures import noise, opened, saved
from support.media.unique_images import jpeg
from support.servers.stacks import MakeServer, Stack
from support.servers.stowboard import Server
from support.servers.worker import NO_JOBS, working
from support.stored.blobs import stored_keys
from support.stored.events import events
from support.stored.rows import rows
from support.waiting import wait_until

pytestmark = pytest.mark.cluster_in_soak

WIDTH, HEIGHT = 3240, 904


@cache
def pixels() -> bytes:
    return saved(noise(WIDTH, HEIGHT), ".jpg", Q=40)


def unique() -> bytes:
    """A large JPEG that nobody else has uploaded; what is behind its end does not count."""
    return pixels() + secrets.token_bytes(16)


@pytest.fixture
def server(stack: Stack, make_server: MakeServer) -> Server:
    """It leaves its jobs to a worker."""
    return make_server(stack() | NO_JOBS)


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    with Client(server.origin, server.admin_token) as client:
        yield client


def test_a_large_image_is_ready_at_once_and_gets_its_placeholder_later(server: Server, client: Client) -> None:
    data = unique()
    asset = client.uploads.image("harbour.jpg", data)
    assert (asset.processing_status, asset.width, asset.height, asset.placeholder) == ("ready", WIDTH, HEIGHT, None)
    assert asset.url is not None
    assert httpx2.get(asset.url).content == data
    small = httpx2.get(client.delivery.resolve(asset.id, transform_class="small").url)
    assert opened(small.content).width == 320, "it is made of the original"
    with working(server):
        wait_until(lambda: client.assets.get(asset.id).placeholder is not None)
    after = client.assets.get(asset.id)
    expected = describe_image(data).placeholder
    assert after.placeholder is not None
    assert after.placeholder.thumbhash == expected.thumbhash
    assert after.updated_at > asset.updated_at
    assert events(server, asset.id) == ["media.asset.created", "media.asset.ready", "media.asset.updated"]
    reductions = rows(server, "SELECT width, height FROM derived WHERE recipe LIKE '%:eighth'")
    assert reductions == [(405, 113)]


def test_bytes_that_are_there_twice_are_looked_at_for_each_of_their_assets(server: Server, client: Client) -> None:
    data = unique()
    ids = [client.uploads.image(name, data).id for name in ("one.jpg", "other.jpg")]
    client.uploads.image("gone.jpg", data)
    with working(server):
        wait_until(lambda: all(client.assets.get(asset_id).placeholder is not None for asset_id in ids))
    assert len(rows(server, "SELECT sha256 FROM derived WHERE recipe LIKE '%:eighth'")) == 1


def test_one_that_is_deleted_before_it_was_looked_at_leaves_nothing(server: Server, client: Client) -> None:
    client.assets.delete(client.uploads.image("gone.jpg", unique()).id)
    with working(server):
        wait_until(lambda: rows(server, "SELECT id FROM job WHERE queue IN ('image', 'sweep')") == [])
    assert stored_keys(server, "derived") == set()


def test_what_ends_too_early_is_refused_all_the_same(server: Server, client: Client) -> None:
    for share in (0.1, 0.5, 0.999):
        with pytest.raises(errors.InvalidMedia):
            client.uploads.image("half.jpg", pixels()[: int(len(pixels()) * share)])
    assert list(client.assets.list()) == []
    assert stored_keys(server, "asset") == set()
    assert client.uploads.image("small.jpg", jpeg()).placeholder is not None, "where little is to be done it is done"
