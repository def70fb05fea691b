"""An upload keeps a reduction of a large JPEG, so that its small images need not be made of all of it."""

import secrets
from functools import cache

import httpx2
import pytest

from stowboard.blobs.keys import BlobKey
from stowboard.media.base.classes import TransformClasses, output_size
from stowboard.media.images.transforms.formats import ImageFormat
from stowboard_client import Asset, Client
from support.api.answers import error_of
from support.media.derived_images import derived
from support.media.pictures import corners, opened, plain, saved, turned
from support.servers.stowboard import Server
from support.stored import blobs as stored_blobs
from support.stored.rows import rows
from support.waiting import wait_until

#: An eighth of it has another shape, by less than a pixel: small images must not become 320 x 238.
WIDTH, HEIGHT = 3850, 2857
SMALL = ["thumbnail", "small"]


@cache
def pixels(orientation: int) -> bytes:
    return turned(corners(WIDTH, HEIGHT).insert(plain(400, 400), 700, 900), orientation)


def large(orientation: int = 1) -> bytes:
    """A file that nobody else has uploaded; what is behind its end does not count."""
    return pixels(orientation) + secrets.token_bytes(16)


def address(asset: Asset, transform_class: str) -> str:
    return f"/cdn/{asset.id}/v{asset.version}/{transform_class}/{asset.filename}"


def reductions(server: Server, asset: Asset) -> list[BlobKey]:
    sql = (
        "SELECT d.blob_key FROM derived AS d JOIN asset AS a ON a.sha256 = d.sha256"
        f" WHERE a.id = '{asset.id}' AND d.recipe LIKE '%:eighth'"
    )
    return [BlobKey(key) for (key,) in rows(server, sql)]


def described(client: Client, asset: Asset) -> Asset:
    """The asset once the job has looked at it, which keeps the reduction."""
    wait_until(lambda: client.assets.get(asset.id).placeholder is not None)
    return client.assets.get(asset.id)


def wait_until_gone(server: Server, key: BlobKey) -> None:
    wait_until(lambda: key not in stored_blobs.stored_keys(server, "derived"))


def difference(one: bytes, other: bytes) -> float:
    """The mean over all channels of all pixels, of 255."""
    return float((opened(one).cast("float") - opened(other)).abs().avg())


@pytest.mark.cluster_in_soak
@pytest.mark.parametrize("orientation", [1, 6])
def test_small_images_look_like_those_of_the_original(web: httpx2.Client, client: Client, orientation: int) -> None:
    data = large(orientation)
    asset = described(client, client.uploads.image("large.jpg", data))
    assert (asset.width, asset.height) == (WIDTH, HEIGHT)
    for name in [*SMALL, "medium", "square"]:
        shown = web.get(address(asset, name), headers={"accept": "image/jpeg"}).content
        picture = opened(shown)
        assert (picture.width, picture.height) == output_size(TransformClasses().get(name), WIDTH, HEIGHT)
        assert difference(shown, derived(data, name, ImageFormat.JPEG).data) < 3


def test_small_images_are_made_without_the_original_and_large_ones_are_not(
    web: httpx2.Client, client: Client, server: Server
) -> None:
    asset = described(client, client.uploads.image("large.jpg", large()))
    assert len(reductions(server, asset)) == 1
    stored_blobs.remove(server, stored_blobs.key_of(server, asset.id))
    for name in SMALL:
        assert web.get(address(asset, name)).status_code == 200
    for name in ("medium", "square"):
        assert error_of(web.get(address(asset, name)))[0] == 404


@pytest.mark.cluster_in_soak
@pytest.mark.parametrize("left", [None, b"", b"damaged"])
def test_one_that_is_gone_or_damaged_is_done_without(
    web: httpx2.Client, client: Client, server: Server, left: bytes | None
) -> None:
    asset = described(client, client.uploads.image("large.jpg", large()))
    [key] = reductions(server, asset)
    stored_blobs.remove(server, key)
    if left is not None:
        stored_blobs.put_back(server, key, left)
    for name in SMALL:
        assert web.get(address(asset, name)).status_code == 200


@pytest.mark.cluster_in_soak
@pytest.mark.parametrize(("width", "height", "suffix"), [(3000, 2000, ".jpg"), (4000, 3000, ".png")])
def test_there_is_none_where_it_would_save_nothing(
    client: Client, server: Server, width: int, height: int, suffix: str
) -> None:
    data = saved(corners(width, height), suffix)
    assert reductions(server, described(client, client.uploads.image("picture", data))) == []


def test_the_same_bytes_have_one_and_it_goes_with_them(client: Client, server: Server) -> None:
    data = large()
    one, other = (described(client, client.uploads.image(name, data)) for name in ("one.jpg", "other.jpg"))
    [key] = reductions(server, one)
    assert reductions(server, other) == [key]
    client.assets.delete(one.id)
    assert key in stored_blobs.stored_keys(server, "derived")
    client.assets.delete(other.id)
    wait_until_gone(server, key)


def test_bytes_that_are_processed_later_have_one_too(client: Client, server: Server) -> None:
    data = large()
    upload = client.uploads.presigned("large.jpg", len(data), kind="image")
    assert httpx2.put(upload.upload_url, content=data).is_success
    asset = described(client, client.uploads.wait_until_ready(upload.id))
    [old] = reductions(server, asset)
    client.uploads.replace(asset.id, large(), mime_type="image/jpeg", original_name="new.jpg")
    asset = described(client, client.uploads.wait_until_ready(asset.id))
    [key] = reductions(server, asset)
    assert key != old
    client.versions.delete(asset.id, 1)
    wait_until_gone(server, old)
