"""Media of a space: who sees it, who changes it, and where a list, a count and a search look."""

from typing import Any

import httpx2
import pytest

from support.clients.spaces import Member, SharedSpace, upload
from support.servers.stowboard import Server
from support.waiting import wait_until

NEVER = "ast_" + "0" * 26
NEVER_VIDEO = "vid_" + "0" * 26


def ids(found: list[dict[str, Any]]) -> list[str]:
    return [one["id"] for one in found]


def test_media_is_in_the_library_unless_a_space_is_named(people: dict[str, Member], space: SharedSpace) -> None:
    editor = people["editor"]
    common, own, shared = upload(editor), upload(editor, spaceId="own"), upload(editor, spaceId=space.id)
    assert [one["spaceId"] for one in (common, own, shared)] == ["spc_library", f"~{editor.name}", space.id]
    assert [one["visibility"] for one in (common, own, shared)] == ["public", "protected", "protected"]
    assert upload(editor, spaceId=space.id, visibility="public")["visibility"] == "public"
    assert {one["createdBy"] for one in (common, own, shared)} == {editor.name}


def test_a_list_is_of_one_space_and_all_of_them_are_one_list_with_exact_cursors(
    people: dict[str, Member], space: SharedSpace, tag: str
) -> None:
    editor = people["editor"]
    places = ["own", space.id, "spc_library"]
    made = [upload(editor, spaceId=places[number % 3], tags=[tag])["id"] for number in range(9)]
    for number, place in enumerate(places):
        assert ids(editor.get("/media/assets", tags=tag, spaceId=place)) == made[number::3][::-1]
    assert ids(editor.get("/media/assets", tags=tag)) == made[2::3][::-1]
    walked: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        answer = editor.http.get("/media/assets", params={"tags": tag, "spaceId": "all", "limit": 2, **cursor}).json()
        walked += ids(answer["data"])
        if not answer["meta"]["hasMore"]:
            break
        cursor = {"cursor": answer["meta"]["nextCursor"]}
    assert walked == made[::-1]
    assert editor.refusal("GET", "/media/assets", spaceId=space.id, tags=tag, **cursor) == (400, "invalid_cursor")
    assert ids(people["stranger"].get("/media/assets", tags=tag, spaceId="all")) == made[2::3][::-1]


@pytest.mark.parametrize("space_id", ["spc_" + "0" * 26, "~nobody", "nobody", "all", ""])
def test_a_space_that_is_none_is_not_found(people: dict[str, Member], space: SharedSpace, space_id: str) -> None:
    stranger, expected = people["stranger"], (400, "validation_failed") if space_id == "" else (404, "not_found")
    body = {"filename": "a.txt", "data": "aGVsbG8=", "spaceId": space_id}
    assert stranger.refusal("POST", "/media/upload/file", body) == expected
    assert (
        stranger.refusal("POST", "/media/upload/presigned", {"filename": "a", "size": 1, "spaceId": space_id})
        == expected
    )
    assert stranger.refusal("POST", "/media/videos/upload", {"title": "a", "spaceId": space_id}) == expected
    if space_id.startswith("spc_"):
        never = stranger.http.get("/media/tags", params={"spaceId": space_id})
        assert stranger.http.get("/media/tags", params={"spaceId": space.id}).content == never.content
        for path in ("/media/assets", "/media/videos", "/media/stats"):
            assert stranger.refusal("GET", path, spaceId=space.id) == (404, "not_found")


def asset_requests(asset_id: str) -> list[tuple[str, str, Any]]:
    """Those that change an asset: method, path and body."""
    path, png = f"/media/assets/{asset_id}", "aGVsbG8="
    replacement = {"mimeType": "text/plain", "originalName": "a.txt", "size": 5, "imageData": png}
    return [
        ("PATCH", path, {"alt": "x"}), ("POST", f"{path}/replace", replacement), ("DELETE", path, None),
        ("POST", "/media/upload/presigned", {"filename": "a.txt", "size": 5, "assetId": asset_id}),
    ]  # fmt: skip


def asset_reads(asset_id: str) -> list[tuple[str, str, Any]]:
    path = f"/media/assets/{asset_id}"
    return [("GET", path, None), ("GET", f"{path}/usage", None), ("POST", f"{path}/url", {})]


def test_only_members_see_an_asset_and_only_editors_change_it(people: dict[str, Member], space: SharedSpace) -> None:
    asset_id = upload(people["editor"], spaceId=space.id)["id"]
    stranger = people["stranger"]
    for method, path, body in [*asset_reads(asset_id), *asset_requests(asset_id)]:
        refused = stranger.http.request(method, path, json=body)
        never = stranger.http.request(method, path.replace(asset_id, NEVER), json=_swapped(body, asset_id, NEVER))
        assert (refused.status_code, refused.content) == (404, never.content), path
    for role in ("viewer", "commenter"):
        for method, path, body in asset_requests(asset_id):
            assert people[role].refusal(method, path, body) == (403, "insufficient_role"), path
        for method, path, body in asset_reads(asset_id):
            assert not people[role].http.request(method, path, json=body).is_error, path
    assert not people["editor"].http.patch(f"/media/assets/{asset_id}", json={"alt": "x"}).is_error
    assert people["manager"].http.delete(f"/media/assets/{asset_id}").status_code == 200


def _swapped(body: Any, old: str, new: str) -> Any:
    return {name: new if value == old else value for name, value in body.items()} if body else body


def test_batches_pass_over_what_is_out_of_reach_and_refuse_what_may_not_be_changed(
    people: dict[str, Member], space: SharedSpace
) -> None:
    asset_id, common = upload(people["editor"], spaceId=space.id)["id"], upload(people["viewer"])["id"]
    both, tagging = [asset_id, common], {"action": "add", "tags": ["x"]}
    stranger, viewer = people["stranger"], people["viewer"]
    assert stranger.http.post("/media/assets/by-ids", json={"ids": both}).json()["meta"]["missing"] == [asset_id]
    assert stranger.http.post("/media/assets/urls", json={"ids": both}).json()["meta"]["missing"] == [asset_id]
    assert stranger.post("/media/assets/batch-tags", ids=both, **tagging)["missing"] == [asset_id]
    assert viewer.refusal("POST", "/media/assets/batch-tags", {"ids": both, **tagging | {"tags": ["y"]}})[0] == 403
    assert viewer.refusal("POST", "/media/assets/batch-delete", {"ids": both}) == (403, "insufficient_role")
    assert viewer.get(f"/media/assets/{common}")["tags"] == ["x"]
    assert ids(viewer.post("/media/assets/by-ids", ids=both)) == both


def test_tags_figures_and_search_are_those_of_the_space(
    people: dict[str, Member], space: SharedSpace, tag: str
) -> None:
    editor, stranger = people["editor"], people["stranger"]
    asset = upload(editor, f"{tag}.txt", "hello", spaceId=space.id, tags=[tag])
    assert editor.get("/media/tags", spaceId=space.id) == [{"tag": tag, "count": 1}]
    assert tag not in [one["tag"] for one in editor.get("/media/tags", limit=100)]
    assert editor.get("/media/stats", spaceId=space.id)["assets"]["byStatus"]["ready"] == {"count": 1, "bytes": 5}
    assert editor.get("/media/stats", spaceId="own")["assets"]["count"] == 0
    wait_until(lambda: ids(editor.get("/media/assets", q=tag, spaceId=space.id)) == [asset["id"]])
    assert ids(editor.get("/media/assets", q=tag, spaceId="all")) == [asset["id"]]
    assert ids(editor.get("/media/assets", q=tag, sort="filename", spaceId="all")) == [asset["id"]]
    for one in (editor, stranger):
        assert one.get("/media/assets", q=tag) == one.get("/search", q=tag, types="asset") == []
    for named in (space.id, "all"):
        assert [hit["asset"]["id"] for hit in editor.get("/search", q=tag, spaceId=named, types="asset")] == [
            asset["id"]
        ]
    assert stranger.get("/media/assets", q=tag, spaceId="all") == []
    assert editor.get("/media/assets", checksum=asset["checksum"], spaceId=space.id, tags=tag) != []
    assert stranger.get("/media/assets", checksum=asset["checksum"], spaceId="all", tags=tag) == []
    renamed = editor.post("/media/tags/rename", **{"from": tag, "to": "new", "spaceId": space.id})
    assert renamed["done"] == 1
    assert people["viewer"].refusal("POST", "/media/tags/rename", {"from": "new", "to": "x", "spaceId": space.id}) == (
        403, "insufficient_role",
    )  # fmt: skip
    assert stranger.post("/media/tags/rename", **{"from": "new", "to": "x"})["done"] == 0
    assert editor.get("/media/tags", spaceId=space.id) == [{"tag": "new", "count": 1}]


def video_requests(video_id: str) -> list[tuple[str, str, Any]]:
    path = f"/media/videos/{video_id}"
    captions = {"language": "en", "text": "WEBVTT\n\n00:00:01.000 --> 00:00:04.000\nGood morning.\n"}
    return [
        ("PATCH", path, {"title": "x"}), ("POST", f"{path}/finalize", None), ("POST", f"{path}/poster", {"time": 1}),
        ("POST", f"{path}/captions", captions), ("DELETE", f"{path}/captions/en", None), ("DELETE", path, None),
    ]  # fmt: skip


def test_only_members_see_a_video_and_only_editors_change_it(people: dict[str, Member], space: SharedSpace) -> None:
    editor, viewer, stranger = people["editor"], people["viewer"], people["stranger"]
    video = editor.post("/media/videos/upload", title="Harbour", spaceId=space.id)
    path, play = f"/media/videos/{video['id']}", f"/media/videos/{video['providerVideoId']}/signed-url"
    assert (video["spaceId"], video["visibility"]) == (space.id, "protected")
    for method, changing, body in [("GET", path, None), *video_requests(video["id"])]:
        refused = stranger.http.request(method, changing, json=body)
        never = stranger.http.request(method, changing.replace(video["id"], NEVER_VIDEO), json=body)
        assert (refused.status_code, refused.content) == (404, never.content), changing
    assert stranger.refusal("POST", play, {}) == (404, "not_found")
    for method, changing, body in video_requests(video["id"]):
        assert viewer.refusal(method, changing, body) == (403, "insufficient_role"), changing
    assert viewer.get(path)["title"] == "Harbour"
    assert viewer.post(play)["status"] == "awaiting_upload"
    assert ids(viewer.get("/media/videos", spaceId=space.id)) == [video["id"]]
    assert video["id"] not in ids(editor.get("/media/videos"))
    assert video["id"] in ids(editor.get("/media/videos", spaceId="all"))
    assert video["id"] not in ids(stranger.get("/media/videos", spaceId="all"))
    assert editor.http.delete(path).status_code == 200


def test_a_token_of_before_reaches_its_own_space_and_the_library_alone(
    server: Server, people: dict[str, Member], space: SharedSpace
) -> None:
    asset_id = upload(people["editor"], spaceId=space.id)["id"]
    narrow = Member(server, "own spc_library")
    space.put(narrow, "editor")
    assert narrow.refusal("GET", f"/media/assets/{asset_id}") == (404, "not_found")
    assert narrow.refusal("GET", "/media/assets", spaceId=space.id) == (404, "not_found")
    narrow.http.close()


def test_urls_end_with_the_membership_and_the_space(
    web: httpx2.Client, people: dict[str, Member], space: SharedSpace
) -> None:
    editor, viewer = people["editor"], people["viewer"]
    asset = upload(editor, text="secret", spaceId=space.id)
    video = editor.post("/media/videos/upload", title="t", spaceId=space.id)
    play = f"/media/videos/{video['providerVideoId']}/signed-url"
    old = [viewer.post(f"/media/assets/{asset['id']}/url")["url"], viewer.post(play)["url"]]
    assert [web.get(url).status_code for url in old] == [200, 404]  # nothing was sent of the video
    space.remove(viewer)
    assert [web.get(url).json()["error"]["code"] for url in old] == ["not_found"] * 2
    wait_until(lambda: viewer.http.get(f"/media/assets/{asset['id']}").status_code == 404)
    wait_until(lambda: web.get(editor.post(f"/media/assets/{asset['id']}/url")["url"]).text == "secret")
    public = upload(editor, spaceId=space.id, visibility="public")["url"]
    new = editor.post(f"/media/assets/{asset['id']}/url")["url"]
    space.trash()
    assert [web.get(url).status_code for url in (new, public)] == [404, 404]
