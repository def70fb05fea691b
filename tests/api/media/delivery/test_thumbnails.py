"""Pictures for lists: their addresses come with the assets, and many are signed in one request."""

from urllib.parse import urlsplit

import httpx2
import pytest

from stowboard.core import clock
from stowboard.core.signing import KeyId, Keyring, SigningKey
from stowboard.media.base import signed_urls
from stowboard.media.base.asset import Asset, AssetId, AssetKind, AssetStatus
from stowboard_client import Client, errors
from support.api.answers import error_of
from support.clients.credentials import Issue, bearer
from support.media.unique_images import png
from support.servers.stowboard import Server

ASSETS = "/api/v1/media/assets"
NOBODY = "ast_01hf7yat000000000000000000"


def test_a_public_image_has_a_thumbnail_that_anybody_gets(client: Client, web: httpx2.Client) -> None:
    image = client.uploads.image("a.png", png(400, 300))
    assert image.thumbnail_url == client.delivery.resolve(image.id, transform_class="thumbnail").url
    answer = web.get(image.thumbnail_url)
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "public, max-age=31536000, immutable")


def test_a_protected_image_has_a_signed_one_in_lists_too(client: Client, web: httpx2.Client, tag: str) -> None:
    image = client.uploads.image("a.png", png(400, 300), visibility="protected", tags=[tag])
    [listed] = client.assets.list(tags=tag)
    [found] = client.assets.by_ids([image.id]).items
    for asset in (image, listed, found, client.assets.get(image.id)):
        assert asset.thumbnail_url is not None
        assert web.get(asset.thumbnail_url).headers["content-type"].startswith("image/")
    # It opens the thumbnail, and nothing else.
    assert listed.thumbnail_url is not None
    assert error_of(web.get(listed.thumbnail_url.replace("/thumbnail/", "/original/"))) == (404, "not_found")


def test_what_is_no_picture_or_has_no_bytes_has_none(client: Client) -> None:
    assert client.uploads.file("a.txt", b"a").thumbnail_url is None
    pending = client.uploads.presigned("a.png", 5, mime_type="image/png")
    assert client.assets.get(pending.id).thumbnail_url is None


def test_who_may_not_mint_gets_no_thumbnail(admin: httpx2.Client, client: Client, issue: Issue) -> None:
    image = client.uploads.image("a.png", png(), visibility="protected")
    client.delivery.bind_namespaces(image.id, ["blog"])
    blog, shop = issue(namespace="blog"), issue(namespace="shop")
    shown = [
        admin.get(f"{ASSETS}/{image.id}", headers=bearer(token)).json()["data"]["thumbnailUrl"]
        for token in (blog, shop)
    ]
    assert shown[0] is not None
    assert shown[1] is None


def test_the_address_stays_the_same_for_half_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    asset = Asset(
        id=AssetId(NOBODY), kind=AssetKind.IMAGE, filename="a", status=AssetStatus.READY, mime_type="image/png", size=1,
        space="spc_library", created_by="ann", sent_by="ann", updated_at=1,
    )  # fmt: skip
    keyring = Keyring([SigningKey(KeyId("k0"), b"x" * 32, 0)])
    start = 1_794_700_800_000  # a half hour begins

    def sign(after_minutes: float) -> signed_urls.SignedQuery:
        monkeypatch.setattr(clock, "now_ms", lambda: start + int(after_minutes * 60_000))
        return signed_urls.sign(keyring, asset, 0, "thumbnail", None, 3600, 2)

    assert sign(0.1) == sign(29.9) != sign(30.1)
    assert all(sign(at).expires_at * 1000 >= start + (at + 60) * 60_000 for at in (0.1, 15, 29.9))


def test_a_browser_that_asks_again_later_is_not_told_that_nothing_changed(admin: httpx2.Client, client: Client) -> None:
    """A signed address runs out although the asset stays as it is: the ETag is of both. For a change either will do."""
    image = client.uploads.image("a.png", png(), visibility="protected")
    tag = admin.get(f"{ASSETS}/{image.id}").headers["etag"]
    assert tag.startswith(image.etag[:-1] + "~")
    assert admin.get(f"{ASSETS}/{image.id}", headers={"if-none-match": tag}).status_code == 304
    assert admin.get(f"{ASSETS}/{image.id}", headers={"if-none-match": image.etag}).status_code == 200
    assert client.assets.update(image.id, alt="x", if_match=tag).alt == "x"


def test_many_are_signed_in_one_request_in_its_order(client: Client, web: httpx2.Client) -> None:
    first, second = (client.uploads.image("a.png", png(400, 300), visibility="protected") for _ in range(2))
    signed = client.delivery.urls([second.id, NOBODY, first.id, second.id], transform_class="small", expires_in=60)
    assert [one.asset_id for one in signed.items] == [second.id, first.id]
    assert (signed.meta.missing, signed.meta.refused) == ((NOBODY,), ())
    assert all(web.get(one.url).status_code == 200 for one in signed.items)
    assert all(urlsplit(one.url).path.split("/")[4] == "small" for one in signed.items)


def test_one_that_gives_no_url_does_not_keep_the_others_from_theirs(client: Client) -> None:
    image, file = client.uploads.image("a.png", png()), client.uploads.file("a.txt", b"a")
    pending = client.uploads.presigned("a.png", 5, mime_type="image/png")
    signed = client.delivery.urls([file.id, image.id, pending.id], transform_class="small")
    assert [one.asset_id for one in signed.items] == [image.id]
    assert [(one.id, one.code) for one in signed.meta.refused] == [
        (file.id, "not_transformable"),
        (pending.id, "asset_not_ready"),
    ]


def test_who_may_not_mint_is_refused_each_of_them(server: Server, client: Client, issue: Issue) -> None:
    image = client.uploads.image("a.png", png())
    client.delivery.bind_namespaces(image.id, [])
    with Client(server.origin, issue().token) as other:
        [refused] = other.delivery.urls([image.id]).meta.refused
    assert refused.code == "namespace_not_allowed"


def test_more_than_a_hundred_and_unknown_classes_are_refused(client: Client) -> None:
    with pytest.raises(errors.TooManyItems):
        client.delivery.urls([NOBODY] * 101)
    with pytest.raises(errors.UnknownTransformClass):
        client.delivery.urls([], transform_class="huge")
