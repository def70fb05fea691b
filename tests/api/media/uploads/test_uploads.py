"""Uploads inside of the request: what is sent is there, whole, once, and at once."""

import base64
import hashlib
import secrets
from typing import Any

import httpx2
import pytest

from stowboard_client import Client, FocalPoint, errors
from support.api.answers import data_of, error_of, message_of
from support.clients.credentials import Issue, bearer
from support.media.unique_images import jpeg, png, svg
from support.servers.stowboard import Server
from support.stored.blobs import stored_keys
from support.stored.events import events
from support.stored.rows import rows
from support.waiting import wait_until

IMAGE, FILE = "/api/v1/media/upload/image", "/api/v1/media/upload/file"
INLINE_LIMIT = 10 * 1024 * 1024


def in_base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def count(server: Server, table: str) -> int:
    return int(rows(server, f"SELECT count(*) FROM {table}")[0][0])


def test_an_image_is_ready_when_its_upload_is_answered(server: Server, client: Client, web: httpx2.Client) -> None:
    data = png(40, 30)
    asset = client.uploads.image("harbour.png", data, tags=["holiday"])
    assert (asset.kind, asset.filename, asset.tags) == ("image", "harbour.png", ("holiday",))
    assert (asset.processing_status, asset.version, asset.visibility) == ("ready", 1, "public")
    assert (asset.mime_type, asset.size, asset.width, asset.height) == ("image/png", len(data), 40, 30)
    assert asset.checksum == f"sha256:{hashlib.sha256(data).hexdigest()}"
    assert asset.placeholder is not None
    assert asset == client.assets.get(asset.id)
    assert asset.url is not None
    assert web.get(asset.url).content == data
    assert events(server, asset.id) == ["media.asset.created", "media.asset.ready"]


def test_a_file_may_be_anything(client: Client, web: httpx2.Client) -> None:
    for name, data, mime_type in [
        ("notes.txt", secrets.token_hex(8).encode(), "text/plain"),
        ("drawing.svg", svg(), "image/svg+xml"),
        ("noname", secrets.token_bytes(50), "application/octet-stream"),
        ("photo.png", png(), "image/png"),
    ]:
        asset = client.uploads.file(name, data)
        assert (asset.kind, asset.mime_type, asset.processing_status) == ("file", mime_type, "ready")
        assert (asset.width, asset.placeholder) == (None, None)
        assert asset.url is not None
        assert web.get(asset.url).content == data


def test_the_type_is_that_of_the_bytes_and_not_of_the_name(client: Client) -> None:
    asset = client.uploads.image("really.png", jpeg())
    assert (asset.mime_type, asset.filename) == ("image/jpeg", "really.png")


def test_everything_that_may_be_said_about_it_is_kept(client: Client) -> None:
    asset = client.uploads.image(
        "harbour.png", png(), visibility="protected", alt="Boats", title="Dawn", focal_point=FocalPoint(x=0.25, y=1),
        original_name="IMG_1.PNG",
    )  # fmt: skip
    assert (asset.visibility, asset.alt, asset.title) == ("protected", "Boats", "Dawn")
    assert (asset.focal_point, asset.original_name) == (FocalPoint(x=0.25, y=1), "IMG_1.PNG")


def test_an_upload_tells_where_the_asset_is(server: Server, admin: httpx2.Client) -> None:
    answer = admin.post(FILE, json={"filename": "a", "data": "aGVsbG8="})
    assert answer.headers["location"] == f"{server.base_url}/media/assets/{data_of(answer, 201)['id']}"


@pytest.mark.parametrize("text", ["data:text/plain;base64,aGVsbG8=", "aGVsbG8", "aGVs\nbG8=\r\n", " aGVsbG8="])
def test_common_ways_to_write_base64_are_understood(admin: httpx2.Client, text: str) -> None:
    asset = data_of(admin.post(FILE, json={"filename": "a.txt", "data": text}), 201)
    assert asset["checksum"] == f"sha256:{hashlib.sha256(b'hello').hexdigest()}"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../../etc/passwd", "passwd"),
        ("C:\\temp\\evil.txt", "evil.txt"),
        ("x" * 300 + ".txt", "x" * 251 + ".txt"),
        ("تقرير.txt", "تقرير.txt"),
        ("..", "file"),
    ],
)
def test_hostile_and_foreign_names_become_harmless_ones(
    client: Client, web: httpx2.Client, given: str, kept: str
) -> None:
    asset = client.uploads.file(given, b"hello")
    assert (asset.filename, asset.original_name) == (kept, kept)
    assert asset.url is not None
    answer = web.get(asset.url)
    assert (answer.status_code, answer.content) == (200, b"hello")
    assert "set-cookie" not in answer.headers


def test_the_largest_text_is_taken_and_a_longer_one_names_the_way_for_it(admin: httpx2.Client) -> None:
    assert data_of(admin.post(FILE, json={"filename": "a", "data": "A" * INLINE_LIMIT}), 201)["size"] == 7864320
    for text in ("A" * (INLINE_LIMIT + 4), "A" * (INLINE_LIMIT + 2**21)):
        answer = admin.post(FILE, json={"filename": "a", "data": text})
        assert error_of(answer) == (413, "payload_too_large")
        assert "POST /media/upload/presigned" in message_of(answer)


def test_identical_bytes_are_stored_once_and_live_as_long_as_one_asset_has_them(
    server: Server, client: Client, web: httpx2.Client
) -> None:
    data, before = png(), stored_keys(server)
    first = client.uploads.image("one.png", data, tags=["a"])
    second = client.uploads.file("two.bin", data)
    third = client.uploads.image("three.png", data)
    assert len(stored_keys(server) - before) == 1
    client.assets.delete(first.id)
    client.assets.delete(third.id)
    assert second.url is not None
    assert web.get(second.url).content == data
    client.assets.delete(second.id)
    assert web.get(second.url).status_code == 404
    again = client.uploads.image("four.png", data)
    assert again.url is not None
    assert web.get(again.url).content == data


def test_bytes_that_are_there_are_kept_once_and_no_job_tidies_up(idle_server: Server, idle: Client) -> None:
    data, before = png(), stored_keys(idle_server)
    assets = [idle.uploads.image(name, data) for name in ("one.png", "two.png", "three.png")]
    # A further copy is stored, and removed once its request is done (test_same_work).
    wait_until(lambda: len(stored_keys(idle_server) - before) == 1)
    assert [httpx2.get(asset.url or "").content for asset in assets] == [data] * 3


def test_a_retry_under_the_same_key_gives_the_same_asset(server: Server, admin: httpx2.Client) -> None:
    key = {"idempotency-key": secrets.token_hex(8)}
    body = {"filename": "a.png", "data": in_base64(png())}
    first = admin.post(IMAGE, json=body, headers=key)
    stored, assets = stored_keys(server), count(server, "asset")
    again = admin.post(IMAGE, json=body, headers=key)
    assert again.content == first.content
    assert again.headers["idempotent-replayed"] == "true"
    assert (stored_keys(server), count(server, "asset")) == (stored, assets)
    other = admin.post(IMAGE, json=body | {"filename": "b.png"}, headers=key)
    assert error_of(other) == (422, "idempotency_key_reused")


@pytest.mark.parametrize("blank", ["", " ", "\t\n", "\u3000\u2003"])
def test_a_blank_name_is_refused_wherever_one_is_given(server: Server, admin: httpx2.Client, blank: str) -> None:
    asset = data_of(admin.post(FILE, json={"filename": "a.txt", "data": "YQ=="}), 201)
    before = stored_keys(server)
    address, image = f"/api/v1/media/assets/{asset['id']}", in_base64(png())
    replacement = {"mimeType": "text/plain", "originalName": blank, "size": 1, "imageData": "Yg=="}
    for member, answer in (
        ("filename", admin.post(FILE, json={"filename": blank, "data": "YQ=="})),
        ("filename", admin.post(IMAGE, json={"filename": blank, "data": image})),
        ("originalName", admin.post(IMAGE, json={"filename": "a.png", "originalName": blank, "data": image})),
        ("filename", admin.post("/api/v1/media/upload/presigned", json={"filename": blank, "size": 1})),
        ("originalName", admin.post(f"{address}/replace", json=replacement)),
        ("filename", admin.patch(address, json={"filename": blank})),
    ):
        assert error_of(answer) == (400, "validation_failed")
        assert message_of(answer) == f"{member}: expected at least one character that is not a space."
    assert stored_keys(server) == before
    assert data_of(admin.get(address)) == asset


def test_writing_needs_its_scope(web: httpx2.Client, issue: Issue) -> None:
    reader = bearer(issue(scopes=["media:read"]))
    for path in (IMAGE, FILE, "/api/v1/media/upload/presigned"):
        assert error_of(web.post(path, json={}, headers=reader)) == (403, "insufficient_scope")


BAD_BODIES: list[tuple[dict[str, Any], str]] = [
    ({"data": "aGVsbG8="}, "validation_failed"),
    ({"filename": "a"}, "validation_failed"),
    ({"filename": "a", "data": 5}, "validation_failed"),
    ({"filename": 5, "data": "aGVsbG8="}, "validation_failed"),
    ({"filename": "x" * 1001, "data": "aGVsbG8="}, "validation_failed"),
    ({"filename": "a", "data": "aGVsbG8=", "tags": ["a,b"]}, "validation_failed"),
    ({"filename": "a", "data": "aGVsbG8=", "visibility": "secret"}, "validation_failed"),
    ({"filename": "a", "data": "aGVsbG8=", "focalPoint": {"x": 1.5, "y": 0}}, "validation_failed"),
    ({"filename": "a", "data": "aGVsbG8=", "alt": "x" * 2001}, "validation_failed"),
    ({"filename": "a", "data": ""}, "invalid_base64"),
    ({"filename": "a", "data": "not base64!"}, "invalid_base64"),
    ({"filename": "a", "data": "_-_-"}, "invalid_base64"),
]


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize("path", [IMAGE, FILE])
@pytest.mark.parametrize(("body", "code"), BAD_BODIES)
def test_a_body_that_makes_no_sense_is_refused_and_leaves_nothing(
    server: Server, admin: httpx2.Client, path: str, body: dict[str, Any], code: str
) -> None:
    before = count(server, "asset")
    assert error_of(admin.post(path, json=body)) == (400, code)
    assert count(server, "asset") == before


NOT_IMAGES = {
    "text": b"hello",
    "one byte": b"x",
    "a truncated PNG": png(400, 300)[:-200],
    "the head of a PNG": png()[:40],
    "a truncated JPEG": jpeg(400, 300)[:3000],
    "a signature alone": b"\x89PNG\r\n\x1a\n",
    "an SVG": svg(),
    "a PDF": b"%PDF-1.7\n" + png(),
    "a page that begins like a GIF": b"GIF89a/*<html><script>alert(1)</script>*/=0;",
    "a page with an image behind it": b"<html><!--" + png(),
    "a PostScript program": b"%!PS-Adobe-3.0 EPSF-3.0\n",
    "an XBM": b"#define i_width 1\n#define i_height 1\nstatic char i_bits[] = {0x0};",
    "a playlist": b"#EXTM3U\nhttp://127.0.0.1/\n",
}


@pytest.mark.parametrize("data", NOT_IMAGES.values(), ids=NOT_IMAGES)
def test_only_what_decodes_as_an_image_is_one(server: Server, client: Client, data: bytes) -> None:
    before = stored_keys(server)
    with pytest.raises(errors.InvalidMedia, match="POST /media/upload/file"):
        client.uploads.image("a.png", data)
    assert stored_keys(server) <= before


def test_an_image_with_a_program_behind_it_is_delivered_as_an_image_alone(client: Client, web: httpx2.Client) -> None:
    asset = client.uploads.image("a.html", png() + b"<script>alert(1)</script>")
    assert asset.mime_type == "image/png"
    assert asset.url is not None
    answer = web.get(asset.url)
    assert (answer.headers["content-type"], answer.headers["x-content-type-options"]) == ("image/png", "nosniff")
