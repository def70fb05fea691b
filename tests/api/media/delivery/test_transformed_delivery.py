"""Images of a class: the format that the client takes, made once, and nothing told about where they were taken."""

import asyncio
import secrets

import httpx2
import pytest

from stowboard_client import Asset, Client, FocalPoint
from support.api.answers import error_of
from support.media.pictures import (
    BLUE,
    GREEN,
    PLACE,
    RED,
    animated,
    corners,
    frames,
    is_near,
    opened,
    pixel,
    plain,
    with_secrets,
)
from support.servers.stowboard import Server
from support.stored import blobs as stored_blobs
from support.stored.rows import rows

BROWSER = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8"


def photo() -> bytes:
    """Pixels that nobody else has uploaded, with the place where they were taken."""
    color = (secrets.randbelow(256), secrets.randbelow(256), secrets.randbelow(256))
    picture = corners(600, 400).insert(plain(40, 40, color), secrets.randbelow(500), secrets.randbelow(300))
    return with_secrets(picture, ".jpg")


@pytest.fixture
def image(client: Client) -> Asset:
    return client.uploads.image("harbour.jpg", photo())


def address(asset: Asset, transform_class: str, edition: str = "v1") -> str:
    return f"/cdn/{asset.id}/{edition}/{transform_class}/{asset.filename}"


@pytest.mark.parametrize(
    ("accept", "mime_type", "name"),
    [
        (BROWSER, "image/avif", "harbour.avif"),
        ("image/webp,*/*", "image/webp", "harbour.webp"),
        ("*/*", "image/jpeg", "harbour.jpg"),
        ("image/avif;q=0, image/webp", "image/webp", "harbour.webp"),
        ("nonsense;;q=,", "image/jpeg", "harbour.jpg"),
    ],
)
def test_the_format_is_one_that_the_client_takes(
    web: httpx2.Client, image: Asset, accept: str, mime_type: str, name: str
) -> None:
    answer = web.get(address(image, "small"), headers={"accept": accept})
    assert answer.status_code == 200
    assert answer.headers["content-type"] == mime_type
    assert answer.headers["vary"] == "Accept"
    assert f'inline; filename="{name}"' in answer.headers["content-disposition"]
    picture = opened(answer.content)
    assert (picture.width, picture.height) == (320, 213)


@pytest.mark.parametrize("suffix", [".gif", ".webp"])
@pytest.mark.parametrize(("accept", "moves"), [(BROWSER, True), ("*/*", True), ("image/jpeg", False)])
def test_an_animation_moves_in_its_classes_for_who_can_show_it(
    client: Client, web: httpx2.Client, suffix: str, accept: str, moves: bool
) -> None:
    asset = client.uploads.image(f"wave{suffix}", animated(suffix, [RED, GREEN, BLUE], 640, 400, [100, 200, 300]))
    assert asset.frames == 3
    for name, size in (("small", (320, 200)), ("thumbnail", (200, 200))):
        answer = web.get(address(asset, name), headers={"accept": accept})
        shown, times = frames(answer.content)
        assert (shown[0].width, shown[0].height) == size
        assert (len(shown), times) == ((3, [100, 200, 300]) if moves else (1, []))


def test_an_animation_of_too_many_frames_is_delivered_as_its_first(client: Client, web: httpx2.Client) -> None:
    asset = client.uploads.image("long.gif", animated(".gif", [RED, GREEN] * 151, 8, 8))
    assert asset.frames == 302
    answer = web.get(address(asset, "thumbnail"), headers={"accept": "image/webp"})
    assert len(frames(answer.content)[0]) == 1


def test_of_an_animation_that_is_damaged_later_on_the_first_frame_is_delivered(
    client: Client, web: httpx2.Client
) -> None:
    film = bytearray(animated(".webp", [RED, GREEN, BLUE], 64, 64, lossless=True))
    second = film.index(b"VP8L", film.index(b"VP8L") + 4)
    film[second + 13 : second + 20] = b"\xff" * 7
    asset = client.uploads.image("torn.webp", bytes(film))
    assert asset.frames == 3
    answer = web.get(address(asset, "thumbnail"), headers={"accept": "image/webp"})
    assert len(frames(answer.content)[0]) == 1
    assert is_near(pixel(answer.content, 0.5, 0.5), RED)


def test_each_format_has_a_tag_of_its_own(web: httpx2.Client, image: Asset) -> None:
    tags = [web.get(address(image, "small"), headers={"accept": each}).headers["etag"] for each in (BROWSER, "*/*")]
    assert tags[0] != tags[1]
    same = {"accept": BROWSER, "if-none-match": tags[0]}
    assert web.get(address(image, "small"), headers=same).status_code == 304
    assert web.get(address(image, "small"), headers=same | {"accept": "*/*"}).status_code == 200
    part = web.get(address(image, "small"), headers={"accept": BROWSER, "range": "bytes=0-9", "if-range": tags[0]})
    assert (part.status_code, len(part.content)) == (206, 10)


def test_a_class_tells_nothing_of_where_it_was_taken_and_the_original_is_untouched(
    client: Client, web: httpx2.Client
) -> None:
    taken = photo()
    assert PLACE.encode() in taken
    asset = client.uploads.image("holiday.jpg", taken)
    assert web.get(address(asset, "original"), headers={"accept": BROWSER}).content == taken
    for accept in (BROWSER, "image/webp", "*/*"):
        content = web.get(address(asset, "thumbnail"), headers={"accept": accept}).content
        assert PLACE.encode() not in content
        assert not [field for field in opened(content).get_fields() if "GPS" in field]


async def test_however_many_ask_at_once_an_image_is_made_once(server: Server, client: Client) -> None:
    asset = client.uploads.image("busy.jpg", photo())
    before = await asyncio.to_thread(stored_blobs.count, server, "derived")
    limits = httpx2.Limits(max_connections=100)
    async with httpx2.AsyncClient(base_url=server.origin, limits=limits, timeout=60) as web:
        answers = await asyncio.gather(*(web.get(address(asset, "og")) for _ in range(100)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({(answer.headers["etag"], answer.content) for answer in answers}) == 1
    assert await asyncio.to_thread(stored_blobs.count, server, "derived") == before + 1
    checksum = (asset.checksum or "").removeprefix("sha256:")
    made = await asyncio.to_thread(rows, server, f"SELECT count(*) FROM derived WHERE sha256 = '{checksum}'")
    assert made == [(1,)]


def test_another_focal_point_is_another_edition_and_old_links_get_the_new_crop(
    client: Client, web: httpx2.Client, image: Asset
) -> None:
    old = client.delivery.resolve(image.id, transform_class="thumbnail").url
    before = web.get(old)
    client.assets.update(image.id, focal_point=FocalPoint(x=0.0, y=0.0))
    new = client.delivery.resolve(image.id, transform_class="thumbnail").url
    assert "/v1-1/thumbnail/" in new
    healed, after = web.get(old), web.get(new)
    assert before.content != after.content == healed.content
    assert healed.headers["cache-control"] == "no-cache"
    assert after.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert client.delivery.resolve(image.id).url == image.url


def test_a_signed_url_of_a_class_opens_that_class_alone(client: Client, web: httpx2.Client) -> None:
    asset = client.uploads.image("secret.jpg", photo(), visibility="protected")
    url = client.delivery.url(asset.id, transform_class="thumb").url
    assert "/thumbnail/" in url
    answer = web.get(url)
    assert (answer.status_code, answer.headers["vary"]) == (200, "Accept")
    assert answer.headers["cache-control"].startswith("private, max-age=")
    assert web.get(url.replace("/thumbnail/", "/thumb/")).status_code == 200
    for other in ("original", "square", "og"):
        assert error_of(web.get(url.replace("/thumbnail/", f"/{other}/"))) == (404, "not_found")
    assert error_of(web.get(address(asset, "thumbnail"))) == (404, "not_found")


def test_an_image_that_was_lost_from_the_store_is_made_again(server: Server, web: httpx2.Client, image: Asset) -> None:
    path = address(image, "thumbnail")
    first = web.get(path)
    [[key]] = rows(server, f"SELECT d.blob_key FROM derived d JOIN asset a USING (sha256) WHERE a.id = '{image.id}'")
    stored_blobs.remove(server, key)
    again = web.get(path)
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.content == again.content
