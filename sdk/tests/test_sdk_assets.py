"""Assets, their tags and figures, as the client asks for them and gives them back."""

from typing import Any

import pytest
from both_faces import Face, collected, settled
from scripted_server import ScriptedServer, data, error

from stowboard_client import Asset, FocalPoint, MediaStats, errors

ASSET: dict[str, Any] = {
    "id": "ast_1", "kind": "image", "filename": "a.png", "originalName": None, "url": "https://x/cdn/ast_1",
    "tags": ["x"], "mimeType": "image/png", "size": 5, "checksum": "sha256:00", "width": 1, "height": 2, "alt": None,
    "title": None, "focalPoint": {"x": 0.5, "y": 0.25}, "placeholder": {"thumbhash": "AA==", "dominantColor": "#fff"},
    "processingStatus": "failed", "processingError": {"code": "invalid_media", "message": "No."},
    "visibility": "public", "allowedNamespaces": ["blog"], "version": 3, "createdBy": "ada", "createdAt": 1,
    "updatedAt": 7, "replacedAt": None,
}  # fmt: skip
META = {"nextCursor": None, "hasMore": False, "limit": 50}
BASE = "/api/v1/media/assets"


async def test_an_asset_is_read_changed_and_deleted(face: Face, server: ScriptedServer) -> None:
    server.will(data(ASSET), data(ASSET), data({"id": "ast_1", "deleted": True}))
    assets = face.client().assets
    asset = await settled(assets.get("ast_1"))
    assert isinstance(asset, Asset)
    assert (asset.focal_point, asset.allowed_namespaces) == (FocalPoint(x=0.5, y=0.25), ("blog",))
    assert asset.placeholder is not None
    assert asset.processing_error is not None
    assert (asset.placeholder.dominant_color, asset.processing_error.code) == ("#fff", "invalid_media")
    point = FocalPoint(x=1, y=0)
    assert await settled(assets.update("ast_1", alt=None, focal_point=point, if_match=asset.etag)) == asset
    assert (await settled(assets.delete("ast_1", if_match=asset.etag))).deleted
    assert [(asked.method, asked.path) for asked in server.seen] == [
        ("GET", f"{BASE}/ast_1"), ("PATCH", f"{BASE}/ast_1"), ("DELETE", f"{BASE}/ast_1"),
    ]  # fmt: skip
    assert server.seen[1].json == {"alt": None, "focalPoint": {"x": 1, "y": 0}}
    assert [asked.headers.get("if-match") for asked in server.seen] == [None, '"3-7"', '"3-7"']


async def test_a_list_sends_its_filters_with_every_page(face: Face, server: ScriptedServer) -> None:
    server.will(data([ASSET], {**META, "nextCursor": "c1", "hasMore": True}), data([ASSET], META))
    listed = face.client().assets.list(
        kind="image", tags=["x", "y"], mime_type="image/*", visibility="public", processing_status="ready", q="a",
        created_after=1, created_before=2, sort="-size", limit=1,
    )  # fmt: skip
    assert len(await collected(listed)) == 2
    first = {
        "kind": ["image"], "tags": ["x,y"], "mimeType": ["image/*"], "visibility": ["public"],
        "processingStatus": ["ready"], "q": ["a"], "createdAfter": ["1"], "createdBefore": ["2"], "sort": ["-size"],
        "limit": ["1"],
    }  # fmt: skip
    assert [asked.query for asked in server.seen] == [first, {**first, "cursor": ["c1"]}]


async def test_a_look_up_by_ids_tells_what_is_missing(face: Face, server: ScriptedServer) -> None:
    server.will(data([ASSET], {"missing": ["ast_2"]}))
    found = await settled(face.client().assets.by_ids(["ast_1", "ast_2"]))
    assert ([asset.id for asset in found.items], found.meta.missing) == (["ast_1"], ("ast_2",))
    assert server.seen[0].json == {"ids": ["ast_1", "ast_2"]}


async def test_batches_say_how_many_and_which_were_missing(face: Face, server: ScriptedServer) -> None:
    server.will(data({"updated": 1, "missing": ["b"]}), data({"deleted": 0, "missing": ["a"]}))
    assets = face.client().assets
    tagged = await settled(assets.batch_tags("add", ["a", "b"], ["x"]))
    deleted = await settled(assets.batch_delete(["a"], idempotency_key="mine"))
    assert (tagged.updated, tagged.missing, deleted.deleted, deleted.missing) == (1, ("b",), 0, ("a",))
    assert [asked.json for asked in server.seen] == [
        {"action": "add", "ids": ["a", "b"], "tags": ["x"]}, {"ids": ["a"]},
    ]  # fmt: skip
    assert server.seen[1].headers["idempotency-key"] == "mine"


async def test_tags_and_figures_come_back_typed(face: Face, server: ScriptedServer) -> None:
    figures = {"count": 1, "bytes": 5}
    stats = {
        "assets": {**figures, "byKind": {"image": figures}, "byStatus": {"ready": figures}},
        "videos": {**figures, "byStatus": {"ready": figures}},
        "uploads": {"active": 2, "bytes": 7},
        "storage": {"bytes": 5, "limit": None, "free": 100, "owner": {"bytes": 5, "limit": 50}},
    }
    server.will(data([{"tag": "x", "count": 1}], META), data(stats))
    assets = face.client().assets
    assert [(one.tag, one.count) for one in await collected(assets.tags(limit=5))] == [("x", 1)]
    found = await settled(assets.stats())
    assert isinstance(found, MediaStats)
    assert (found.assets.by_kind["image"].bytes, found.videos.by_status["ready"].count) == (5, 1)
    assert found.uploads.active == 2
    assert (found.storage.free, found.storage.owner.limit) == (100, 50)


async def test_too_many_ids_have_an_error_of_their_own(face: Face, server: ScriptedServer) -> None:
    server.will(error(400, "too_many_items", "ids: expected at most 100."))
    with pytest.raises(errors.TooManyItems, match="100"):
        await settled(face.client().assets.by_ids(["a"] * 101))
