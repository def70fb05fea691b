"""Assets and videos go to another space, whole or not at all; copies share the bytes."""

from functools import partial
from typing import Any

import httpx2
import pytest

from support.clients.people import audit_of
from support.clients.spaces import Member, SharedSpace, upload
from support.servers.stowboard import Server
from support.stored.rows import rows
from support.waiting import wait_until

TRANSFER = "/media/assets/transfer"


def test_an_asset_goes_to_another_space_with_its_id_and_its_counts(
    web: httpx2.Client, people: dict[str, Member], space: SharedSpace, tag: str
) -> None:
    editor, stranger = people["editor"], people["stranger"]
    asset = upload(editor, f"{tag}.txt", "hello", tags=[tag], metadata={"order": tag})
    signed = editor.post(f"/media/assets/{asset['id']}/url")["url"]
    (moved,) = editor.post(TRANSFER, ids=[asset["id"]], spaceId=space.id)
    assert (moved["id"], moved["spaceId"], moved["visibility"]) == (asset["id"], space.id, "protected")
    assert [web.get(url).status_code for url in (asset["url"], signed)] == [404, 404]
    assert stranger.refusal("GET", f"/media/assets/{asset['id']}") == (404, "not_found")
    assert editor.get("/media/tags", spaceId=space.id) == [{"tag": tag, "count": 1}]
    assert tag not in [one["tag"] for one in editor.get("/media/tags", limit=100)]
    assert editor.get("/media/stats", spaceId=space.id)["assets"]["bytes"] == 5
    for found in ({"tags": tag}, {"metadata": f"order:{tag}"}, {"q": tag}):
        assert [one["id"] for one in editor.get("/media/assets", spaceId=space.id, **found)] == [asset["id"]], found
        assert editor.get("/media/assets", **found) == [], found
    (back,) = editor.post(TRANSFER, ids=[asset["id"]], spaceId="spc_library")
    assert (back["spaceId"], back["visibility"], back["createdBy"]) == ("spc_library", "protected", editor.name)


def is_ready(editor: Member, asset_id: str) -> bool:
    return bool(editor.get(f"/media/assets/{asset_id}")["processingStatus"] == "ready")


def test_only_the_present_version_travels_unless_the_others_are_asked_for(
    server: Server, people: dict[str, Member], space: SharedSpace
) -> None:
    editor, viewer = people["editor"], people["viewer"]
    for said, kept in (({}, []), ({"versions": True}, [1])):
        asset = upload(editor, "a.txt", "old secret", spaceId="own")
        body = {"mimeType": "text/plain", "originalName": "b.txt", "size": 3, "imageData": "bmV3"}
        editor.post(f"/media/assets/{asset['id']}/replace", **body)
        wait_until(partial(is_ready, editor, asset["id"]))
        editor.post(TRANSFER, ids=[asset["id"]], spaceId=space.id, **said)
        versions = viewer.get(f"/media/assets/{asset['id']}/versions")
        assert [version["version"] for version in versions] == kept
        content = f"SELECT 1 FROM content WHERE sha256 = '{asset['checksum'].removeprefix('sha256:')}'"
        assert len(rows(server, content)) == len(kept), "what stays behind ends"
        assert viewer.refusal("POST", f"/media/assets/{asset['id']}/versions/2/url", {}) == (404, "not_found")


def test_of_several_assets_all_are_transferred_or_none(people: dict[str, Member], space: SharedSpace) -> None:
    editor, viewer, stranger = people["editor"], people["viewer"], people["stranger"]
    mine, shared = upload(editor)["id"], upload(editor, spaceId=space.id)["id"]
    private = upload(stranger, spaceId="own")["id"]
    assert editor.refusal("POST", TRANSFER, {"ids": [mine, private], "spaceId": space.id}) == (404, "not_found")
    assert viewer.refusal("POST", TRANSFER, {"ids": [mine], "spaceId": space.id}) == (403, "insufficient_role")
    assert viewer.refusal("POST", TRANSFER, {"ids": [mine, shared], "spaceId": "own"}) == (403, "insufficient_role")
    assert stranger.refusal("POST", TRANSFER, {"ids": [mine], "spaceId": space.id}) == (404, "not_found")
    pending = editor.post("/media/upload/presigned", filename="a.txt", size=5)["id"]
    assert editor.refusal("POST", TRANSFER, {"ids": [mine, pending], "spaceId": space.id}) == (409, "asset_not_ready")
    assert editor.get(f"/media/assets/{mine}")["spaceId"] == "spc_library"


def test_an_asset_that_a_task_elsewhere_has_attached_stays(
    server: Server, people: dict[str, Member], space: SharedSpace
) -> None:
    editor = people["editor"]
    asset = upload(editor)["id"]
    editor.post("/taskapp/tasks", title="t", attachments=[asset])
    assert editor.refusal("POST", TRANSFER, {"ids": [asset], "spaceId": space.id}) == (409, "conflict")
    assert editor.post(TRANSFER, ids=[asset], spaceId="own")[0]["spaceId"] == f"~{editor.name}"
    assert rows(server, f"SELECT space FROM asset WHERE id = '{asset}'") == [(editor.name,)]


def test_a_copy_has_the_bytes_and_outlives_the_original(
    web: httpx2.Client, people: dict[str, Member], space: SharedSpace
) -> None:
    editor, viewer = people["editor"], people["viewer"]
    asset = upload(editor, text="the same", spaceId=space.id, tags=["x"], alt="words")
    path = f"/media/assets/{asset['id']}/copy"
    copy = viewer.post(path, spaceId="own")
    told = ("checksum", "size", "tags", "alt", "filename", "visibility")
    assert [copy[name] for name in told] == [asset[name] for name in told]
    assert (copy["spaceId"], copy["createdBy"], copy["version"]) == (f"~{viewer.name}", viewer.name, 1)
    assert viewer.refusal("POST", path, {"spaceId": space.id}) == (403, "insufficient_role")
    assert people["stranger"].refusal("POST", path, {"spaceId": "own"}) == (404, "not_found")
    assert editor.refusal("POST", path, {"spaceId": "spc_" + "0" * 26}) == (404, "not_found")
    assert editor.http.delete(f"/media/assets/{asset['id']}").status_code == 200
    assert web.get(viewer.post(f"/media/assets/{copy['id']}/url")["url"]).text == "the same"


def test_who_may_not_mint_may_neither_copy_nor_transfer(
    admin: httpx2.Client, people: dict[str, Member], space: SharedSpace
) -> None:
    editor = people["editor"]
    asset = upload(editor)["id"]
    bound = admin.post(f"/api/v1/media/assets/{asset}/namespaces", json={"allowedNamespaces": ["shop"]})
    assert bound.status_code == 200
    expected = (403, "namespace_not_allowed")
    assert editor.refusal("POST", f"/media/assets/{asset}/copy", {"spaceId": "own"}) == expected
    assert editor.refusal("POST", TRANSFER, {"ids": [asset], "spaceId": "own"}) == expected


def test_a_video_goes_to_another_space_once_its_bytes_are_there(
    server: Server, people: dict[str, Member], space: SharedSpace
) -> None:
    editor, viewer = people["editor"], people["viewer"]
    video = editor.post("/media/videos/upload", title="t", tags=["x"])
    path = f"/media/videos/{video['id']}/transfer"
    assert editor.refusal("POST", path, {"spaceId": space.id}) == (409, "upload_incomplete")
    assert viewer.refusal("POST", path, {"spaceId": space.id}) == (403, "insufficient_role")
    rows(server, f"UPDATE video SET status = 'failed' WHERE id = '{video['id']}'")
    assert editor.post(path, spaceId=space.id)["spaceId"] == space.id
    [entry] = audit_of(server, action="video.transfer", subject=video["id"])
    assert entry["data"] == {"spaceId": space.id}
    assert viewer.refusal("POST", path, {"spaceId": "own"}) == (403, "insufficient_role")
    assert people["stranger"].refusal("POST", path, {"spaceId": "own"}) == (404, "not_found")
    assert [one["id"] for one in viewer.get("/media/videos", spaceId=space.id, tags="x")] == [video["id"]]


def test_an_upload_address_ends_with_the_membership_of_its_maker(
    web: httpx2.Client, people: dict[str, Member], space: SharedSpace
) -> None:
    editor, manager = people["editor"], people["manager"]
    body: dict[str, Any] = {"filename": "a.txt", "size": 5, "spaceId": space.id}
    mine, others = editor.post("/media/upload/presigned", **body), manager.post("/media/upload/presigned", **body)
    video = editor.post("/media/videos/upload", title="t", spaceId=space.id)
    space.remove(editor)
    assert web.put(mine["uploadUrl"], content=b"hello").status_code == 404
    assert web.head(video["tusUploadUrl"], headers={"tus-resumable": "1.0.0"}).status_code == 404
    assert web.put(others["uploadUrl"], content=b"hello").status_code == 200
    space.trash()
    waiting = people["commenter"].post("/media/upload/presigned", filename="a.txt", size=5)  # in the Library
    assert web.put(waiting["uploadUrl"], content=b"hello").status_code == 200


def test_an_upload_address_ends_when_its_maker_may_only_look(
    server: Server, web: httpx2.Client, people: dict[str, Member], space: SharedSpace
) -> None:
    editor = people["editor"]
    mine = editor.post("/media/upload/presigned", filename="a.txt", size=5, spaceId=space.id)
    rows(server, f"UPDATE space_member SET role = 'viewer' WHERE member = '{editor.name}'")
    assert web.put(mine["uploadUrl"], content=b"hello").status_code == 404


def test_uploads_end_when_a_manager_removes_their_maker(server: Server, people: dict[str, Member]) -> None:
    manager, editor = Member(server, scopes=["media:read", "media:write", "spaces:manage"]), people["editor"]
    space = SharedSpace(server, {"manager": manager, "editor": editor})
    body: dict[str, Any] = {"filename": "a.txt", "size": 5, "spaceId": space.id}
    mine, others = [one.post("/media/upload/presigned", **body)["id"] for one in (editor, manager)]
    assert manager.http.delete(f"/spaces/{space.id}/members/{editor.name}").status_code == 200
    ended = f"SELECT subject FROM upload WHERE space = '{space.id}' AND generation = 1"
    assert rows(server, ended) == [(mine,)]
    wait_until(lambda: editor.http.get(f"/media/assets/{mine}").status_code == 404)
    assert manager.get(f"/media/assets/{others}")["processingStatus"] == "pending"
    manager.http.close()


def test_a_deleted_space_takes_its_media_along(server: Server, web: httpx2.Client) -> None:
    scopes = ["media:read", "media:write", "media:delete", "tasks:delete", "spaces:manage"]
    manager = Member(server, scopes=scopes)
    space = SharedSpace(server, {"manager": manager})
    asset = upload(manager, spaceId=space.id, visibility="public", tags=["x"])
    manager.post("/media/videos/upload", title="t", spaceId=space.id)
    manager.post(f"/spaces/{space.id}/trash")
    assert web.get(asset["url"]).status_code == 404
    assert manager.http.delete(f"/spaces/{space.id}").status_code == 200
    wait_until(lambda: rows(server, f"SELECT id FROM video WHERE space = '{space.id}'") == [])
    for table in ("asset", "asset_tag", "asset_tag_part"):
        assert rows(server, f"SELECT 1 FROM {table} WHERE space = '{space.id}'") == []
    manager.http.close()


@pytest.mark.parametrize("space_id", ["own", "spc_library"])
def test_a_poster_is_an_image_of_the_videos_space_or_of_the_library(people: dict[str, Member], space_id: str) -> None:
    editor = people["editor"]
    asset = upload(editor, spaceId="own")["id"]
    video = editor.post("/media/videos/upload", title="t", spaceId=space_id)
    path = f"/media/videos/{video['id']}/poster"
    answer = editor.http.post(path, json={"assetId": asset})
    assert answer.status_code == 400
    assert ("another space" in answer.text) is (space_id == "spc_library")
