"""Other bytes for an asset: all of them or none, and everything else about it stays."""

import base64
import secrets
import threading
from typing import Any

import httpx2
import pytest

from stowboard_client import AssetFailed, Client, FocalPoint, errors
from support.api.answers import data_of, error_of, message_of
from support.media.unique_images import jpeg, png, svg
from support.servers.stowboard import Server
from support.servers.worker import working
from support.stored.blobs import stored_keys
from support.stored.events import events
from support.waiting import wait_until

KEPT = [
    "id", "kind", "tags", "alt", "title", "focal_point", "visibility", "allowed_namespaces", "created_by", "created_at",
]  # fmt: skip


def body_of(data: bytes, mime_type: str = "image/png", **other: Any) -> dict[str, Any]:
    text = base64.b64encode(data).decode()
    return {"mimeType": mime_type, "originalName": "new.png", "size": len(data), "imageData": text} | other


def test_a_replaced_asset_has_the_new_bytes_and_keeps_what_was_said_about_it(
    server: Server, client: Client, web: httpx2.Client
) -> None:
    old = client.uploads.image(
        "harbour.png", png(), tags=["a", "b"], alt="Boats", title="Dawn", focal_point=FocalPoint(x=0.2, y=0.8)
    )
    data = jpeg(80, 60)
    answer = client.uploads.replace(old.id, data, mime_type="image/jpeg", original_name="IMG_7.JPG")
    assert (answer.asset_id, answer.version, answer.processing_status) == (old.id, 2, "processing")
    new = client.uploads.wait_until_ready(old.id)
    assert [getattr(new, name) for name in KEPT] == [getattr(old, name) for name in KEPT]
    assert (new.version, new.mime_type, new.size, new.width, new.height) == (2, "image/jpeg", len(data), 80, 60)
    assert (new.filename, new.original_name) == ("harbour.jpg", "IMG_7.JPG")
    assert (new.checksum != old.checksum, new.placeholder != old.placeholder) == (True, True)
    assert new.replaced_at is not None
    assert new.updated_at >= new.replaced_at > old.updated_at
    assert old.url != new.url
    for url in (old.url, new.url):
        assert url is not None
        assert web.get(url).content == data
    assert events(server, old.id)[2:] == ["media.asset.replaced", "media.asset.ready"]


def test_the_old_bytes_are_served_until_the_new_ones_are_processed(
    idle_server: Server, idle: Client, web: httpx2.Client
) -> None:
    data = png()
    old = idle.uploads.image("a.png", data)
    idle.uploads.replace(old.id, png(9, 9), mime_type="image/png", original_name="b.png")
    now = idle.assets.get(old.id)
    assert (now.processing_status, now.version, now.url, now.checksum) == ("processing", 1, old.url, old.checksum)
    assert old.url is not None
    assert web.get(old.url).content == data
    with working(idle_server):
        assert idle.uploads.wait_until_ready(old.id).width == 9


def test_bytes_that_lost_their_last_version_go(server: Server, client: Client) -> None:
    before = stored_keys(server)
    asset = client.uploads.image("a.png", png())
    (first,) = stored_keys(server) - before
    client.uploads.replace(asset.id, png(), mime_type="image/png", original_name="b.png")
    client.uploads.wait_until_ready(asset.id)
    assert first in stored_keys(server)
    client.versions.delete(asset.id, 1)
    wait_until(lambda: first not in stored_keys(server))
    assert len(stored_keys(server) - before) == 1


def test_the_same_bytes_again_are_a_new_version(server: Server, client: Client) -> None:
    data, before = png(), stored_keys(server)
    asset = client.uploads.image("a.png", data)
    client.uploads.replace(asset.id, data, mime_type="image/png", original_name="a.png")
    new = client.uploads.wait_until_ready(asset.id)
    assert (new.version, new.checksum) == (2, asset.checksum)
    wait_until(lambda: len(stored_keys(server) - before) <= 1)


def test_a_file_may_become_anything(client: Client) -> None:
    asset = client.uploads.file("report.pdf", b"%PDF-1.7 hello")
    client.uploads.replace(asset.id, b"plain words", mime_type="text/plain", original_name="r.txt")
    new = client.uploads.wait_until_ready(asset.id)
    assert (new.kind, new.mime_type, new.filename) == ("file", "text/plain", "report.pdf")
    client.uploads.replace(asset.id, png(), mime_type="image/png", original_name="r.png")
    new = client.uploads.wait_until_ready(asset.id)
    assert (new.kind, new.mime_type, new.filename, new.version) == ("file", "image/png", "report.png", 3)


def test_an_image_that_turns_out_to_be_damaged_fails_and_the_old_one_stays(
    server: Server, client: Client, web: httpx2.Client
) -> None:
    data, before = png(), stored_keys(server)
    asset = client.uploads.image("a.png", data)
    client.uploads.replace(asset.id, png(300, 300)[:-150], mime_type="image/png", original_name="b.png")
    with pytest.raises(AssetFailed, match="invalid_media"):
        client.uploads.wait_until_ready(asset.id)
    failed = client.assets.get(asset.id)
    assert (failed.processing_status, failed.version, failed.checksum) == ("failed", 1, asset.checksum)
    assert asset.url is not None
    assert web.get(asset.url).content == data
    assert events(server, asset.id)[2:] == ["media.asset.failed"]
    client.uploads.replace(asset.id, png(20, 20), mime_type="image/png", original_name="b.png")
    ready = client.uploads.wait_until_ready(asset.id)
    assert (ready.processing_error, ready.version, ready.width) == (None, 2, 20)
    wait_until(lambda: len(stored_keys(server) - before) <= 2)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (body_of(png()) | {"size": 1}, "size_mismatch"),
        (body_of(png()) | {"size": 0}, "validation_failed"),
        (body_of(png()) | {"size": "5"}, "validation_failed"),
        (body_of(png(), "pictures"), "validation_failed"),
        (body_of(png()) | {"imageData": "%%%"}, "invalid_base64"),
        (body_of(png()) | {"imageData": ""}, "invalid_base64"),
        (body_of(b"hello", "image/png"), "invalid_media"),
        (body_of(b"%PDF-1.7 hello", "application/pdf"), "invalid_media"),
        (body_of(svg(), "image/svg+xml"), "invalid_media"),
        (body_of(png(), "application/pdf"), "invalid_media"),
        (body_of(png(), "video/mp4"), "invalid_media"),
        ({"mimeType": "image/png"}, "validation_failed"),
    ],
)
def test_what_can_be_told_at_once_is_refused_at_once(
    admin: httpx2.Client, client: Client, body: dict[str, Any], code: str
) -> None:
    asset = client.uploads.image("a.png", png())
    assert error_of(admin.post(f"/api/v1/media/assets/{asset.id}/replace", json=body)) == (400, code)
    assert client.assets.get(asset.id) == asset


def test_a_type_that_says_nothing_or_another_of_the_family_is_no_contradiction(client: Client) -> None:
    asset = client.uploads.image("a.png", png())
    for mime_type in ("application/octet-stream", "image/jpeg", "image/png; q=1"):
        client.uploads.replace(asset.id, png(), mime_type=mime_type, original_name="a.png")
        assert client.uploads.wait_until_ready(asset.id).mime_type == "image/png"


def test_an_asset_that_is_not_there_cannot_be_replaced(client: Client, admin: httpx2.Client) -> None:
    gone = client.uploads.image("a.png", png())
    client.assets.delete(gone.id)
    for asset_id in (gone.id, "ast_nonsense", "%2e%2e"):
        answer = admin.post(f"/api/v1/media/assets/{asset_id}/replace", json=body_of(png()))
        assert error_of(answer) == (404, "not_found")


def test_a_body_beyond_the_limit_names_the_way_for_it(client: Client, admin: httpx2.Client) -> None:
    asset = client.uploads.file("a", b"x")
    for length in (10 * 2**20 + 4, 12 * 2**20):
        body = body_of(b"") | {"size": 5, "imageData": "A" * length}
        answer = admin.post(f"/api/v1/media/assets/{asset.id}/replace", json=body)
        assert error_of(answer) == (413, "payload_too_large")
        assert "POST /media/upload/presigned" in message_of(answer)


def test_of_two_replaces_at_once_one_wins(idle_server: Server, idle: Client) -> None:
    asset = idle.uploads.image("a.png", png())
    outcomes: list[str] = []
    start = threading.Barrier(4)

    def replace(width: int) -> None:
        with Client(idle_server.origin, idle_server.admin_token) as mine:
            start.wait()
            try:
                mine.uploads.replace(asset.id, png(width, 9), mime_type="image/png", original_name="b.png")
                outcomes.append(str(width))
            except errors.ReplaceInProgress:
                outcomes.append("refused")

    threads = [threading.Thread(target=replace, args=(width,)) for width in (11, 12, 13, 14)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes)[1:] == ["refused"] * 3
    with working(idle_server):
        ready = idle.uploads.wait_until_ready(asset.id)
    assert (ready.version, str(ready.width)) == (2, sorted(outcomes)[0])


def test_a_retry_under_the_same_key_replaces_once(admin: httpx2.Client, client: Client) -> None:
    asset = client.uploads.image("a.png", png())
    path, body, key = (
        f"/api/v1/media/assets/{asset.id}/replace",
        body_of(png()),
        {"idempotency-key": secrets.token_hex(9)},
    )
    first = admin.post(path, json=body, headers=key)
    assert data_of(first)["version"] == 2
    again = admin.post(path, json=body, headers=key)
    assert (again.content, again.headers["idempotent-replayed"]) == (first.content, "true")
    client.uploads.wait_until_ready(asset.id)
    assert admin.post(path, json=body, headers=key).content == first.content
    assert client.uploads.wait_until_ready(asset.id).version == 2


def test_an_asset_that_is_deleted_while_it_is_processed_is_gone(idle_server: Server, idle: Client) -> None:
    said = len(idle_server.log())  # of other tests too
    asset = idle.uploads.image("a.png", png())
    idle.uploads.replace(asset.id, png(), mime_type="image/png", original_name="b.png")
    idle.assets.delete(asset.id)
    other = idle.uploads.image("c.png", png())
    idle.uploads.replace(other.id, png(7, 7), mime_type="image/png", original_name="d.png")
    with working(idle_server):
        idle.uploads.wait_until_ready(other.id)
    with pytest.raises(errors.NotFound):
        idle.assets.get(asset.id)
    assert "failed" not in idle_server.log()[said:]
