"""Files that are no images: pages and length are found out, and there is a picture of them."""

import secrets

import httpx2
import pytest

from stowboard_client import Asset, Client, Event, errors
from support.api.answers import error_of
from support.clients.credentials import Issue
from support.media.documents import LOCK, pdf, wav
from support.media.pictures import is_near, opened, pixel
from support.servers.stowboard import Server
from support.stored import blobs as stored_blobs
from support.stored.rows import rows
from support.waiting import wait_until

pytestmark = pytest.mark.cluster_in_soak

RED, BLUE = (255, 0, 0), (0, 0, 255)


def described(client: Client, asset_id: str) -> Asset:
    """Once somebody has looked into it."""
    wait_until(lambda: bool((seen := client.assets.get(asset_id)).thumbnail_url or seen.processing_error))
    return client.assets.get(asset_id)


def unique(pages: int = 1) -> bytes:
    """A PDF that nobody else has uploaded."""
    return pdf(pages) + f"% {secrets.token_hex(8)}\n".encode()


def test_a_pdf_is_served_at_once_and_soon_has_pages_and_a_thumbnail(client: Client, web: httpx2.Client) -> None:
    data = unique(7)
    asset = client.uploads.file("report.pdf", data)
    assert (asset.processing_status, asset.pages) == ("ready", None)
    assert asset.url is not None
    original = web.get(asset.url)
    assert original.content == data
    assert original.headers["content-disposition"].startswith("attachment")
    after = described(client, asset.id)
    assert (after.pages, after.duration, after.preview, after.width) == (7, None, None, None)
    assert after.placeholder is not None
    assert after.thumbnail_url is not None
    thumbnail = web.get(after.thumbnail_url)
    assert thumbnail.headers["content-type"] == "image/jpeg"
    picture = opened(thumbnail.content)
    assert (picture.width, picture.height) == (200, 200)
    assert is_near(pixel(thumbnail.content, 0.9, 0.1), BLUE), "a page is cropped to its upper part"
    found = client.delivery.resolve(asset.id, transform_class="medium")
    assert (found.mime_type, found.width, found.height) == ("image/jpeg", 768, 1086)
    page = web.get(found.url, headers={"accept": "image/avif"})
    assert (page.headers["content-type"], opened(page.content).height) == ("image/avif", 1086)
    assert is_near(pixel(page.content, 0.1, 0.95), RED)
    assert client.delivery.resolve(asset.id).mime_type == "application/pdf"


def test_a_sound_can_be_played_and_soon_has_a_length_and_a_waveform(client: Client, web: httpx2.Client) -> None:
    data = wav(1.5 + secrets.randbelow(1000) / 8000)
    announced = client.uploads.presigned("note.wav", len(data))
    client.uploads.put(announced, data)
    after = described(client, client.uploads.wait_until_ready(announced.id).id)
    assert after.duration == pytest.approx((len(data) - 44) / 16000, abs=0.001)
    assert (after.pages, after.mime_type) == (None, "audio/wav")
    assert after.thumbnail_url is not None
    thumbnail = web.get(after.thumbnail_url)
    assert thumbnail.headers["content-type"] == "image/png"
    assert pixel(thumbnail.content, 0.5, 0.01)[3] == 0, "around its waveform it is transparent"
    assert after.url is not None
    part = web.get(after.url, headers={"range": "bytes=100-199"})
    assert (part.status_code, part.content, part.headers["content-type"]) == (206, data[100:200], "audio/wav")
    assert part.headers["content-disposition"].startswith("inline")
    assert part.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in part.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("locked.pdf", pdf(trailer=LOCK), "password"),
        ("broken.pdf", b"%PDF-1.4\nnothing", "PDF is damaged"),
        ("broken.mp3", b"ID3\x04\0\0\x7f\x7f\x7f\x7f" + bytes(5000), "audio is damaged"),
    ],
)
def test_a_file_that_cannot_be_shown_says_why_and_is_served(
    client: Client, web: httpx2.Client, name: str, data: bytes, words: str
) -> None:
    asset = described(client, client.uploads.file(name, data).id)
    assert (asset.processing_status, asset.thumbnail_url) == ("ready", None)
    assert asset.processing_error is not None
    assert asset.processing_error.code == "preview_failed"
    assert words in asset.processing_error.message
    assert asset.url is not None
    assert web.get(asset.url).content == data
    refused = web.get(asset.url.replace("/original/", "/thumbnail/"))
    assert error_of(refused) == (400, "not_transformable")
    with pytest.raises(errors.ApiError, match="PDFs and audio that could be read"):
        client.delivery.resolve(asset.id, transform_class="thumbnail")


def test_what_only_claims_to_be_a_pdf_is_not_looked_into(client: Client, server: Server) -> None:
    asset = client.uploads.file("bomb.pdf", b"PK\x03\x04" + bytes(500))
    assert (asset.mime_type, asset.pages, asset.processing_error) == ("application/zip", None, None)
    assert rows(server, f"SELECT 1 FROM job WHERE dedup = '{asset.id}'") == []


def test_a_text_shows_how_it_begins_and_a_binary_that_claims_to_be_one_does_not(client: Client) -> None:
    lines = [f"line {number} <b>ä</b>" for number in range(500)]
    text = client.uploads.file("notes.md", "\n".join(lines).encode())
    assert text.preview == "\n".join(lines[:20])
    assert client.uploads.file("empty.txt", b"\n").preview is None
    assert client.uploads.file("fake.txt", b"\x01\x02\x03\x00\xfe" * 100).preview is None
    announced = client.uploads.presigned("long.txt", 9000, mime_type="text/plain")
    client.uploads.put(announced, "ä".encode() * 4500)
    assert client.uploads.wait_until_ready(announced.id).preview == "ä" * 1000


def test_who_may_not_have_the_bytes_does_not_see_how_they_begin(client: Client, server: Server, issue: Issue) -> None:
    asset = client.uploads.file("secret.txt", b"The code is 4711.\n", visibility="protected")
    with Client(server.origin, issue("bob", scopes=["media:read"]).token) as other:
        assert other.assets.get(asset.id).preview == "The code is 4711."
        client.delivery.bind_namespaces(asset.id, ["vault"])
        assert other.assets.get(asset.id).preview is None
        assert [each.preview for each in other.assets.by_ids([asset.id]).items] == [None]


def test_other_bytes_have_other_pages_and_a_text_has_none(client: Client) -> None:
    asset = described(client, client.uploads.file("a.pdf", unique(2)).id)
    client.uploads.replace(asset.id, unique(3), mime_type="application/pdf", original_name="b.pdf")
    wait_until(lambda: client.assets.get(asset.id).pages == 3)
    client.uploads.replace(asset.id, b"plain words", mime_type="text/plain", original_name="c.txt")
    after = client.uploads.wait_until_ready(asset.id)
    assert (after.pages, after.thumbnail_url, after.placeholder, after.preview) == (None, None, None, "plain words")


def test_an_event_tells_what_was_found_out(client: Client) -> None:
    asset = described(client, client.uploads.file("a.pdf", unique()).id)

    def told() -> list[Event]:
        return list(client.events.list(from_start=True, subject=asset.id))

    wait_until(lambda: len(told()) == 3)
    assert [each.type for each in told()] == ["media.asset.created", "media.asset.ready", "media.asset.updated"]
    assert told()[-1].data["changed"] == ["pages", "placeholder", "thumbnailUrl"]


def test_a_poster_that_is_gone_is_made_again(client: Client, web: httpx2.Client, server: Server) -> None:
    asset = described(client, client.uploads.file("a.pdf", unique()).id)
    assert asset.checksum is not None
    sha256 = asset.checksum.removeprefix("sha256:")
    [(key,)] = rows(server, f"SELECT blob_key FROM derived WHERE sha256 = '{sha256}'")
    stored_blobs.remove(server, key)
    assert asset.thumbnail_url is not None
    answer = web.get(asset.thumbnail_url)
    assert (answer.status_code, opened(answer.content).width) == (200, 200)
