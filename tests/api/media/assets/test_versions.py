"""Earlier versions of an asset: kept when it is replaced, read by signed URLs alone, and restored at once."""

import httpx2
import pytest

from stowboard_client import Client, errors
from support.api.answers import data_of, error_of
from support.clients.credentials import Issue, bearer
from support.media.unique_images import jpeg, png
from support.servers.stowboard import Server
from support.stored.blobs import stored_keys
from support.stored.events import events
from support.waiting import wait_until

ASSETS = "/api/v1/media/assets"


def replaced(client: Client, asset_id: str, data: bytes, mime_type: str = "image/png") -> None:
    client.uploads.replace(asset_id, data, mime_type=mime_type, original_name="new.png")
    client.uploads.wait_until_ready(asset_id)


def test_a_replaced_asset_goes_back_to_any_earlier_version(
    server: Server, client: Client, web: httpx2.Client, tag: str
) -> None:
    first, second = png(40, 30), jpeg(80, 60)
    asset = client.uploads.image("harbour.png", first, tags=[tag], alt="Boats", original_name="IMG_1.png")
    replaced(client, asset.id, second, "image/jpeg")
    (version,) = client.versions.list(asset.id)
    assert (version.version, version.size, version.mime_type) == (1, len(first), "image/png")
    assert (version.width, version.height, version.checksum) == (40, 30, asset.checksum)
    assert (version.original_name, version.replaced_by) == ("IMG_1.png", asset.created_by)
    before = len(events(server, asset.id))
    back = client.versions.restore(asset.id, 1)
    assert (back.version, back.processing_status, back.checksum) == (3, "ready", asset.checksum)
    assert (back.filename, back.original_name, back.placeholder) == ("harbour.png", "IMG_1.png", asset.placeholder)
    assert (back.tags, back.alt, back.width, back.created_at) == ((tag,), "Boats", 40, asset.created_at)
    assert back.replaced_at == back.updated_at
    assert back.url is not None
    assert asset.url is not None
    assert [web.get(url).content for url in (back.url, asset.url)] == [first, first]
    assert [one.version for one in client.versions.list(asset.id)] == [2, 1]
    assert events(server, asset.id)[before:] == ["media.asset.replaced", "media.asset.ready"]
    assert client.versions.restore(asset.id, 2).mime_type == "image/jpeg"


def test_bytes_of_a_version_are_signed_although_the_asset_is_public(
    client: Client, admin: httpx2.Client, web: httpx2.Client
) -> None:
    data = png(40, 30)
    asset = client.uploads.image("a.png", data)
    replaced(client, asset.id, png())
    signed = client.versions.url(asset.id, 1)
    assert signed.version == 1
    answer = web.get(signed.url)
    assert (answer.content, answer.headers["cache-control"].partition(",")[0]) == (data, "private")
    small = client.versions.url(asset.id, 1, transform_class="thumbnail").url
    assert web.get(small).status_code == 200
    plain, _, query = signed.url.partition("?")
    current = client.delivery.url(asset.id).url.partition("?")[2]
    for url in (
        plain,
        f"{plain}?{current}",
        f"{small.partition('?')[0]}?{query}",
        signed.url.replace("/r1/", "/r01/").replace("/original/", "/thumbnail/"),
    ):
        if "/r01/" not in url:
            assert error_of(web.get(url)) == (403, "signature_invalid"), url
    assert error_of(web.get(f"{plain.replace('/r1/', '/r2/')}?{query}")) == (404, "not_found")
    admin.patch(f"{ASSETS}/{asset.id}", json={"visibility": "protected"})
    assert error_of(web.get(signed.url)) == (404, "not_found"), "it ended with the asset's own"
    again = client.versions.url(asset.id, 1).url
    assert error_of(web.get(again.replace("/r1/", "/v1/"))) == (404, "not_found")
    client.assets.trash(asset.id)
    assert error_of(web.get(again)) == (404, "not_found")
    assert error_of(admin.post(f"{ASSETS}/{asset.id}/versions/1/url", json={})) == (409, "conflict")
    client.assets.restore(asset.id)
    assert web.get(again).content == data


def test_a_version_is_bound_to_the_namespaces_of_its_asset(
    server: Server, issue: Issue, client: Client, admin: httpx2.Client
) -> None:
    asset = client.uploads.image("a.png", png(), visibility="protected")
    replaced(client, asset.id, png())
    client.delivery.bind_namespaces(asset.id, ["blog"])
    for namespace, status in (("blog", 200), ("shop", 403), (None, 403)):
        with httpx2.Client(base_url=server.origin, headers=bearer(issue(owner="eve", namespace=namespace))) as other:
            answer = other.post(f"{ASSETS}/{asset.id}/versions/1/url", json={})
            assert answer.status_code == status, namespace
    assert client.versions.restore(asset.id, 1).allowed_namespaces == ("blog",)
    data_of(admin.delete(f"{ASSETS}/{asset.id}"))


def test_the_last_ten_are_kept_and_the_bytes_of_the_others_go(server: Server, client: Client) -> None:
    before = stored_keys(server)
    asset = client.uploads.file("a.txt", b"0")
    for number in range(1, 13):
        replaced(client, asset.id, f"{number} {asset.id}".encode(), "text/plain")
    assert [one.version for one in client.versions.list(asset.id)] == list(range(12, 2, -1))
    wait_until(lambda: len(stored_keys(server) - before) == 11)
    figures = client.assets.stats().versions
    client.versions.delete(asset.id, 5)
    assert [one.version for one in client.versions.list(asset.id)] == [12, 11, 10, 9, 8, 7, 6, 4, 3]
    assert client.assets.stats().versions.count == figures.count - 1
    client.assets.delete(asset.id)
    assert client.assets.stats().versions.count == figures.count - 10
    wait_until(lambda: stored_keys(server) <= before)


def test_what_is_not_a_version_is_not_found(client: Client, admin: httpx2.Client) -> None:
    asset = client.uploads.file("a.txt", b"0")
    assert client.versions.list(asset.id) == []
    for number in ("1", "2", "0", "-1", "x", "99999999999999999999", "%C2%B2"):
        one = f"{ASSETS}/{asset.id}/versions/{number}"
        for answer in (admin.post(f"{one}/url", json={}), admin.post(f"{one}/restore"), admin.delete(one)):
            assert error_of(answer) == (404, "not_found"), number
    with pytest.raises(errors.NotFound):
        client.versions.list("ast_01hf7yat000000000000000000")


def test_nothing_is_restored_while_bytes_are_processed(idle: Client) -> None:
    asset = idle.uploads.file("a.txt", b"0")
    idle.uploads.replace(asset.id, b"1", mime_type="text/plain", original_name="a.txt")
    with pytest.raises(errors.ReplaceInProgress):
        idle.versions.restore(asset.id, 1)
