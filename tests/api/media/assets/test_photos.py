"""Photographs as phones make them: what the camera wrote about them, and who may see it."""

import hashlib
from pathlib import Path

import httpx2
import pytest

from stowboard_client import Client, Location
from support.media.exif import exif, photo
from support.media.heic import heic
from support.media.pictures import corners, noise
from support.servers.stacks import MakeServer, Stack
from support.servers.stowboard import Server

pytestmark = pytest.mark.cluster_in_soak

TAKEN_MS = 1714972089000  # 2024-05-06T07:08:09+02:00
PLACE = Location(latitude=53.545, longitude=-9.966)


def test_an_image_says_when_with_what_and_where_it_was_taken(client: Client) -> None:
    data = photo(noise(40, 30), exif())
    inline = client.uploads.image("a.jpg", data)
    assert (inline.taken_at, inline.camera, inline.location) == (TAKEN_MS, "Acme Snap 7", PLACE)
    announced = client.uploads.presigned("a.jpg", len(data))
    client.uploads.put(announced, data)
    sent = client.uploads.wait_until_ready(announced.id)
    assert (sent.taken_at, sent.camera, sent.location) == (TAKEN_MS, "Acme Snap 7", PLACE)


def test_a_heic_photo_is_taken_shown_and_says_where_it_was_taken(client: Client, tmp_path: Path) -> None:
    data = heic(corners(300, 200).write_to_memory(), 300, 200, tmp_path, exif())
    asset = client.uploads.image("IMG_1.HEIC", data)
    assert (asset.mime_type, asset.width, asset.height) == ("image/heic", 300, 200)
    assert (asset.taken_at, asset.location) == (TAKEN_MS, PLACE)
    assert asset.url is not None
    assert httpx2.get(asset.url).content == data
    assert asset.thumbnail_url is not None
    thumbnail = httpx2.get(asset.thumbnail_url)
    assert thumbnail.headers["content-type"] in ("image/jpeg", "image/png")
    assert b"Exif" not in thumbnail.content


def test_only_who_may_change_assets_sees_where_one_was_taken(client: Client, server: Server) -> None:
    asset = client.uploads.image("a.jpg", photo(noise(41, 30), exif()))
    reader = client.tokens.create("bob", scopes=["media:read"])
    with Client(server.origin, reader.token) as other:
        seen = other.assets.get(asset.id)
        assert (seen.taken_at, seen.camera, seen.location) == (TAKEN_MS, "Acme Snap 7", None)
        assert [each.location for each in other.assets.by_ids([asset.id]).items] == [None]
    assert client.assets.get(asset.id).location == PLACE


def test_other_bytes_have_another_time_and_place(client: Client) -> None:
    asset = client.uploads.image("a.jpg", photo(noise(42, 30), exif()))
    plain = photo(noise(42, 31), exif(taken="", place=None, make="", model=""))
    client.uploads.replace(asset.id, plain, mime_type="image/jpeg", original_name="b.jpg")
    after = client.uploads.wait_until_ready(asset.id)
    assert (after.taken_at, after.camera, after.location) == (None, None, None)


@pytest.mark.parametrize("limit", [1, 50])
def test_pictures_are_listed_in_the_order_in_which_they_were_taken_and_those_without_a_date_last(
    client: Client, tag: str, limit: int
) -> None:
    for name, day in (("b", 2), ("c", 3), ("a", 1)):
        data = photo(noise(30 + limit, 20 + day), exif(taken=f"2020:01:0{day} 00:00:00"))
        client.uploads.image(f"{name}.jpg", data, tags=[tag])
    client.uploads.image("none.jpg", photo(noise(30 + limit, 19), exif(taken="")), tags=[tag])
    client.uploads.file("other.txt", b"no picture at all", tags=[tag])
    forwards = client.assets.list(tags=tag, sort="takenAt", limit=limit)
    backwards = client.assets.list(tags=tag, sort="-takenAt", limit=limit)
    assert ["".join(each.filename[0] for each in found) for found in (forwards, backwards)] == ["abcon", "cbaon"]
    assert [each.filename for each in client.assets.list(tags=tag, q="none", sort="-takenAt")] == ["none.jpg"]


def test_a_picture_can_be_stored_without_its_place(client: Client) -> None:
    data = photo(noise(43, 30), exif())
    inline = client.uploads.image("a.jpg", data, strip_location=True)
    announced = client.uploads.presigned("a.jpg", len(data), strip_location=True)
    client.uploads.put(announced, data)
    sent = client.uploads.wait_until_ready(announced.id)
    for asset in (inline, sent):
        assert (asset.location, asset.taken_at, asset.size) == (None, TAKEN_MS, len(data))
        assert asset.url is not None
        stored = httpx2.get(asset.url).content
        assert (len(stored), stored != data) == (len(data), True)
        assert asset.checksum == "sha256:" + hashlib.sha256(stored).hexdigest()
        assert client.uploads.image("again.jpg", stored).location is None
    assert inline.checksum == sent.checksum


def test_an_operator_can_have_all_pictures_stored_without_their_places(make_server: MakeServer, stack: Stack) -> None:
    server = make_server(stack() | {"STOWBOARD_STRIP_LOCATION": "true"})
    with Client(server.origin, server.admin_token) as client:
        asset = client.uploads.image("a.jpg", photo(noise(44, 30), exif()))
        assert (asset.location, asset.taken_at) == (None, TAKEN_MS)
        client.uploads.replace(asset.id, photo(noise(44, 31), exif()), mime_type="image/jpeg", original_name="b.jpg")
        assert client.uploads.wait_until_ready(asset.id).location is None
