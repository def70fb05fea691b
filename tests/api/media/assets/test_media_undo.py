"""Undo of changes of media: words, the trash, bytes, and all that an agent made."""

from typing import Any

import httpx2

from stowboard_client import Client
from support.api.answers import data_of, error_of, message_of
from support.media.unique_images import png

CHANGES = "/api/v1/changes"


def latest(admin: httpx2.Client, subject: str) -> dict[str, Any]:
    change: dict[str, Any] = data_of(admin.get(CHANGES, params={"subject": subject}))[0]
    return change


def undo(admin: httpx2.Client, change: dict[str, Any]) -> httpx2.Response:
    return admin.post(f"{CHANGES}/{change['id']}/undo")


def test_words_and_tags_of_an_asset_are_brought_back_and_again(admin: httpx2.Client, client: Client, tag: str) -> None:
    asset = client.uploads.file("a.txt", b"x", tags=[tag], alt="Alt", metadata={"a": "1"})
    client.assets.update(asset.id, alt=None, tags=["other"], metadata={}, visibility="protected")
    change = latest(admin, asset.id)
    assert sorted(change["changed"]) == ["alt", "metadata", "tags", "visibility"]
    assert change["before"] == {"alt": "Alt", "tags": [tag], "metadata": {"a": "1"}, "visibility": "public"}
    shown = data_of(undo(admin, change))
    assert (shown["alt"], shown["tags"], shown["metadata"], shown["visibility"]) == ("Alt", [tag], {"a": "1"}, "public")
    assert shown == data_of(admin.get(f"/api/v1/media/assets/{asset.id}"))
    assert [one.id for one in client.assets.list(tags=tag)] == [asset.id]
    assert error_of(undo(admin, change)) == (409, "conflict")
    again = data_of(undo(admin, latest(admin, asset.id)))
    assert (again["alt"], again["tags"]) == (None, ["other"])


def test_what_was_changed_since_is_not_overwritten(admin: httpx2.Client, client: Client) -> None:
    asset = client.uploads.file("a.txt", b"x", alt="Alt")
    client.assets.update(asset.id, alt="Other", title="T")
    change = latest(admin, asset.id)
    client.assets.update(asset.id, alt="Third")
    answer = undo(admin, change)
    assert error_of(answer) == (409, "conflict")
    assert "alt" in message_of(answer)
    assert client.assets.get(asset.id).alt == "Third"


def test_trash_and_restore_are_undone(admin: httpx2.Client, client: Client) -> None:
    asset, video = client.uploads.file("a.txt", b"x"), client.videos.create("v", size=5)
    client.assets.update(asset.id, alt="x")
    edited = latest(admin, asset.id)
    client.assets.trash(asset.id)
    assert error_of(undo(admin, edited)) == (409, "conflict"), "it is in the trash"
    assert data_of(undo(admin, latest(admin, asset.id)))["trashedAt"] is None
    assert data_of(undo(admin, latest(admin, asset.id)))["trashedAt"] is not None
    client.videos.trash(video.id)
    assert data_of(undo(admin, latest(admin, video.id)))["trashedAt"] is None
    client.videos.update(video.id, title="other", tags=["a"])
    shown = data_of(undo(admin, latest(admin, video.id)))
    assert (shown["title"], shown["tags"]) == ("v", [])


def test_undoing_a_replacement_restores_the_version_before(
    admin: httpx2.Client, client: Client, web: httpx2.Client
) -> None:
    data = png()
    asset = client.uploads.image("a.png", data)
    client.uploads.replace(asset.id, png(), mime_type="image/png", original_name="b.png")
    client.uploads.wait_until_ready(asset.id)
    change = latest(admin, asset.id)
    assert (change["kind"], change["changed"], change["before"]) == (
        "media.asset.replaced",
        ["version"],
        {"version": 1},
    )
    assert change["actor"]["person"] == asset.created_by
    back = data_of(undo(admin, change))
    assert (back["version"], back["checksum"]) == (3, asset.checksum)
    assert web.get(back["url"]).content == data
    again = data_of(undo(admin, latest(admin, asset.id)))
    assert (again["version"], again["checksum"] != asset.checksum) == (4, True)
    last = latest(admin, asset.id)
    client.versions.delete(asset.id, 3)
    assert error_of(undo(admin, last)) == (404, "not_found"), "that version was deleted"


def test_deletion_for_good_takes_the_history_along(admin: httpx2.Client, client: Client) -> None:
    asset = client.uploads.file("a.txt", b"x")
    client.assets.update(asset.id, alt="x")
    client.assets.delete(asset.id)
    assert data_of(admin.get(CHANGES, params={"subject": asset.id})) == []
