"""Tags of media: in one form, however they were typed, and never more than fifty."""

import unicodedata

import httpx2
import pytest

from stowboard_client import Client
from support.api.answers import data_of, error_of, message_of

V1 = "/api/v1"
FILE = {"filename": "a.txt", "data": "YQ=="}
FIFTY_ONE = [f"t{n}" for n in range(51)]


def test_a_tag_is_found_however_it_was_typed(client: Client, tag: str) -> None:
    composed = unicodedata.normalize("NFC", f"{tag} Frühstück ﾊﾟ")
    apart = unicodedata.normalize("NFD", composed)
    assert composed != apart
    asset = client.uploads.file("a.txt", b"a", tags=[apart, composed])
    video = client.videos.create("Breakfast", tags=[apart])
    assert asset.tags == video.tags == (composed,)
    for typed in (composed, apart):
        assert [one.id for one in client.assets.list(tags=[typed])] == [asset.id]
        assert [one.id for one in client.videos.list(tags=[typed])] == [video.id]
    assert client.assets.update(asset.id, tags=[apart, tag]).tags == (composed, tag)
    client.assets.batch_tags("remove", [asset.id], [apart])
    assert client.assets.get(asset.id).tags == (tag,)


@pytest.mark.parametrize("tags", [FIFTY_ONE, [str(n) for n in range(5000)]])
def test_a_51st_tag_has_one_code_everywhere(admin: httpx2.Client, tags: list[str]) -> None:
    asset = data_of(admin.post(V1 + "/media/upload/file", json=FILE | {"tags": FIFTY_ONE[:50]}), 201)
    video = data_of(admin.post(V1 + "/media/videos/upload", json={"title": "a"}), 201)
    for answer in (
        admin.post(V1 + "/media/upload/file", json=FILE | {"tags": tags}),
        admin.post(V1 + "/media/upload/presigned", json={"filename": "a.txt", "size": 1, "tags": tags}),
        admin.post(V1 + "/media/videos/upload", json={"title": "a", "tags": tags}),
        admin.patch(f"{V1}/media/assets/{asset['id']}", json={"tags": tags}),
        admin.patch(f"{V1}/media/videos/{video['id']}", json={"tags": tags}),
        admin.post(f"{V1}/media/assets/batch-tags", json={"action": "add", "ids": [asset["id"]], "tags": tags}),
        admin.post(f"{V1}/media/assets/batch-tags", json={"action": "add", "ids": [asset["id"]], "tags": ["one more"]}),
        admin.get(V1 + "/media/assets", params={"tags": ",".join(FIFTY_ONE)}),
        admin.get(V1 + "/media/videos", params={"tags": ",".join(FIFTY_ONE)}),
    ):
        assert error_of(answer) == (400, "too_many_items")
        assert "at most 50" in message_of(answer)
    assert data_of(admin.get(f"{V1}/media/assets/{asset['id']}"))["tags"] == FIFTY_ONE[:50]
