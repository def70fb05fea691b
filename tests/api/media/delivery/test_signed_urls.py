"""Signed URLs: what they open, for how long, and all that makes them stop."""

import time
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx2
import pytest

from stowboard.blobs.keys import BlobKey
from stowboard.core import clock
from stowboard.core.signing import IN_USE_MS, Keyring, SigningKey
from stowboard.media.base import signed_urls
from stowboard.media.base.asset import Asset as AssetRow
from stowboard.media.base.asset import AssetId, AssetKind, AssetStatus
from stowboard_client import Asset, Client, SignedUrl
from support.api.answers import data_of, error_of
from support.servers.stowboard import Server
from support.stored.rows import rows

pytestmark = pytest.mark.cluster_in_soak

BYTES = b"A secret.\n"
INVALID, EXPIRED = (404, "not_found"), (403, "signature_expired")


@pytest.fixture
def secret(client: Client) -> Asset:
    return client.uploads.file("secret.txt", BYTES, visibility="protected")


@pytest.fixture
def signed(client: Client, secret: Asset) -> SignedUrl:
    return client.delivery.url(secret.id)


def test_a_protected_asset_is_served_by_a_signed_url_alone(
    web: httpx2.Client, secret: Asset, signed: SignedUrl
) -> None:
    assert secret.url is not None
    refused = web.get(secret.url)
    assert error_of(refused) == INVALID
    assert refused.headers["cache-control"] == "no-store"
    answer = web.get(signed.url)
    assert (answer.status_code, answer.content) == (200, BYTES)
    assert signed.url.startswith(secret.url + "?")
    assert (signed.asset_id, signed.version) == (secret.id, 1)


def test_what_is_signed_is_kept_by_one_browser_and_told_to_nobody(web: httpx2.Client, signed: SignedUrl) -> None:
    headers = web.get(signed.url).headers
    assert headers["cache-control"] == "private, max-age=3600"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-robots-tag"] == "none"


def test_a_copy_is_not_kept_for_longer_than_the_url_lives(client: Client, web: httpx2.Client, secret: Asset) -> None:
    headers = web.get(client.delivery.url(secret.id, expires_in=60).url).headers
    kept, _, age = headers["cache-control"].partition(", max-age=")
    assert kept == "private"
    assert 0 < int(age) <= 120


def test_ranges_and_conditions_work_on_signed_urls(web: httpx2.Client, signed: SignedUrl) -> None:
    part = web.get(signed.url, headers={"range": "bytes=2-7"})
    assert (part.status_code, part.content) == (206, BYTES[2:8])
    assert web.get(signed.url, headers={"if-none-match": part.headers["etag"]}).status_code == 304


@pytest.mark.parametrize("seconds", [60, 3600, 604_800])
def test_a_url_lives_as_long_as_was_asked_or_a_little_longer(client: Client, secret: Asset, seconds: int) -> None:
    before = time.time()
    expires = client.delivery.url(secret.id, expires_in=seconds).expires_at / 1000
    assert before + seconds - 1 <= expires <= time.time() + seconds + max(60, seconds / 12)


def test_asking_again_soon_gives_the_same_url(client: Client, secret: Asset) -> None:
    first, second = (client.delivery.url(secret.id, expires_in=604_800) for _ in range(2))
    assert first == second


@pytest.mark.parametrize(
    "body", [None, b"", b"{}", b'{"expiresIn": null, "transformClass": null, "disposition": null}']
)
def test_a_body_may_be_left_out(admin: httpx2.Client, web: httpx2.Client, secret: Asset, body: bytes | None) -> None:
    answer = admin.post(f"/api/v1/media/assets/{secret.id}/url", content=body)
    data = data_of(answer)
    assert list(data) == ["url", "expiresAt", "assetId", "version"]
    assert web.get(data["url"]).content == BYTES


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"expiresIn": 59}, "validation_failed"),
        ({"expiresIn": 604_801}, "validation_failed"),
        ({"expiresIn": "3600"}, "validation_failed"),
        ({"disposition": "open"}, "validation_failed"),
        ({"transformClass": "w_1"}, "unknown_transform_class"),
        ({"transformClass": "small"}, "not_transformable"),
    ],
)
def test_what_cannot_be_signed_is_refused(
    admin: httpx2.Client, secret: Asset, body: dict[str, object], code: str
) -> None:
    assert error_of(admin.post(f"/api/v1/media/assets/{secret.id}/url", json=body)) == (400, code)


def test_an_asset_without_bytes_has_no_url_yet(client: Client, admin: httpx2.Client) -> None:
    pending = client.uploads.presigned("later.txt", 5)
    assert error_of(admin.post(f"/api/v1/media/assets/{pending.id}/url")) == (409, "asset_not_ready")
    unknown = "ast_01kbr2x4q8e9w6y3t7n5m1c0vz"
    assert error_of(admin.post(f"/api/v1/media/assets/{unknown}/url")) == (404, "not_found")


def test_minting_needs_the_scope_to_read_media(client: Client, web: httpx2.Client, secret: Asset) -> None:
    for scopes, status in (["media:read"], 200), (["tasks:read"], 403):
        token = client.tokens.create("ann", scopes=scopes)
        headers = {"authorization": f"Bearer {token.token}"}
        assert web.post(f"/api/v1/media/assets/{secret.id}/url", headers=headers).status_code == status


def test_a_url_can_save_instead_of_show(client: Client, web: httpx2.Client, secret: Asset) -> None:
    def shown(url: str) -> str:
        return web.get(url).headers["content-disposition"].partition(";")[0]

    assert shown(client.delivery.url(secret.id).url) == "inline"
    assert shown(client.delivery.url(secret.id, disposition="inline").url) == "inline"
    assert shown(client.delivery.url(secret.id, disposition="attachment").url) == "attachment"


def test_a_public_asset_can_be_signed_too_and_needs_no_valid_signature(client: Client, web: httpx2.Client) -> None:
    public = client.uploads.file("open.txt", b"open")
    url = client.delivery.url(public.id, disposition="attachment").url
    assert web.get(url).headers["cache-control"].startswith("private")
    spoilt = web.get(url[:-1] + "?")
    assert (spoilt.status_code, spoilt.headers["cache-control"]) == (200, "public, max-age=31536000, immutable")


def changed(url: str, **changes: str | None) -> str:
    parts = urlsplit(url)
    values = {**dict(parse_qsl(parts.query)), **changes}
    return parts._replace(
        query=urlencode({name: value for name, value in values.items() if value is not None})
    ).geturl()


def test_nothing_of_a_signed_url_can_be_changed(client: Client, web: httpx2.Client, signed: SignedUrl) -> None:
    values = dict(parse_qsl(urlsplit(signed.url).query))
    sig = values["sig"]
    other_last = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    twin = next(
        char for char in other_last if char != sig[-1] and other_last.index(char) // 4 == other_last.index(sig[-1]) // 4
    )
    for name, spoilt in {
        "later": changed(signed.url, exp=str(int(values["exp"]) + 60)),
        "zeros": changed(signed.url, exp="0" + values["exp"]),
        "sign": changed(signed.url, exp="+" + values["exp"]),
        "digits": changed(signed.url, exp=values["exp"].translate({ord("1"): "\u0661"})),
        "no number": changed(signed.url, exp="never"),
        "huge": changed(signed.url, exp="9" * 5000),
        "empty": changed(signed.url, exp=""),
        "key": changed(signed.url, kid="k9"),
        "no key": changed(signed.url, kid=""),
        "first": changed(signed.url, sig=("A" if sig[0] != "A" else "B") + sig[1:]),
        "unused bits": changed(signed.url, sig=sig[:-1] + twin),
        "shorter": changed(signed.url, sig=sig[:-1]),
        "nothing": changed(signed.url, sig=""),
        "padded": changed(signed.url, sig=sig + "="),
        "no base64": changed(signed.url, sig="!" * 43),
        "not ascii": changed(signed.url, sig="é" * 43),
        "missing sig": changed(signed.url, sig=None),
        "missing exp": changed(signed.url, exp=None),
        "missing kid": changed(signed.url, kid=None),
        "disposition": changed(signed.url, d="attachment"),
        "no disposition": changed(signed.url, d="x"),
        "more": changed(signed.url, utm="1"),
        "twice": signed.url + "&sig=" + sig,
        "twice exp": signed.url + f"&exp={values['exp']}",
        "semicolon": signed.url.replace("&", ";"),
        "ampersands": signed.url + "&&",
        "class": signed.url.replace("/original/", "/thumbnail/"),
        "escaped": signed.url + "&%73ig=" + sig,
        "bad escape": signed.url + "&d=%ff",
    }.items():
        assert error_of(web.get(spoilt)) == INVALID, name
    assert web.get(signed.url).status_code == 200


def test_only_the_parsed_values_count_not_their_spelling(web: httpx2.Client, signed: SignedUrl) -> None:
    assert web.get(signed.url.replace("exp=", "%65xp=")).status_code == 200
    assert web.get(signed.url.replace("secret.txt", "other%20name")).status_code == 200
    assert web.get(signed.url.replace("/v1/", "/v0/")).headers["cache-control"] == "private, no-cache"


def test_the_signature_of_another_asset_opens_nothing(client: Client, web: httpx2.Client, signed: SignedUrl) -> None:
    other = client.uploads.file("secret.txt", BYTES, visibility="protected")
    assert error_of(web.get(signed.url.replace(signed.asset_id, other.id))) == INVALID


def test_a_url_ends_when_it_says_so(
    server: Server, web: httpx2.Client, secret: Asset, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = clock.now_ms()
    for seconds_ago, outcome in (7260, EXPIRED), (3960, EXPIRED), (1800, None):
        monkeypatch.setattr(clock, "now_ms", lambda ago=seconds_ago: now - 1000 * ago)
        query = signed_urls.sign(keyring_of(server), row_of(secret), 0, "original", None, 3600).text
        answer = web.get(f"{secret.url}?{query}")
        assert (error_of(answer) if answer.is_error else None) == outcome, seconds_ago


def test_a_signature_for_another_purpose_or_epoch_opens_nothing(
    server: Server, web: httpx2.Client, secret: Asset
) -> None:
    for epoch, space_epoch in ((1, 0), (0, 1)):
        query = signed_urls.sign(keyring_of(server), row_of(secret, epoch), space_epoch, "original", None, 3600).text
        assert error_of(web.get(f"{secret.url}?{query}")) == INVALID


def test_making_an_asset_protected_stops_every_url_that_is_out(client: Client, web: httpx2.Client) -> None:
    asset = client.uploads.file("open.txt", b"was open")
    assert asset.url is not None
    signed = client.delivery.url(asset.id)
    assert [web.get(url).status_code for url in (asset.url, signed.url)] == [200, 200]
    client.assets.update(asset.id, visibility="protected")
    assert [error_of(web.get(url)) for url in (asset.url, signed.url)] == [INVALID, INVALID]
    assert web.get(client.delivery.url(asset.id).url).content == b"was open"


def test_deleting_an_asset_stops_its_urls(client: Client, web: httpx2.Client, signed: SignedUrl) -> None:
    client.assets.delete(signed.asset_id)
    assert error_of(web.get(signed.url)) == (404, "not_found")


def test_after_a_replacement_a_signed_url_gets_the_new_bytes(
    client: Client, web: httpx2.Client, signed: SignedUrl
) -> None:
    client.uploads.replace(signed.asset_id, b"Another.\n", mime_type="text/plain", original_name="other.txt")
    client.uploads.wait_until_ready(signed.asset_id)
    answer = web.get(signed.url)
    assert (answer.content, answer.headers["cache-control"]) == (b"Another.\n", "private, no-cache")


def test_urls_outlive_one_rotation_of_the_keys_and_end_with_the_second(own_server: Server) -> None:
    with Client(own_server.origin, own_server.admin_token) as client:
        asset = client.uploads.file("secret.txt", BYTES, visibility="protected")
        signed = client.delivery.url(asset.id)
    for outcome in (200, 404):
        assert own_server.command("keys", "rotate").returncode == 0
        rows(own_server, f"UPDATE signing_key SET created_at = created_at - {IN_USE_MS}")  # by now it is in use
        own_server.stop()
        own_server.start()  # it reads its keys then, and every 15 seconds
        assert httpx2.get(signed.url).status_code == outcome
    assert error_of(httpx2.get(signed.url)) == INVALID


def keyring_of(server: Server) -> Keyring:
    found = rows(server, "SELECT id, secret, created_at FROM signing_key WHERE purpose = 'sign'")
    return Keyring([SigningKey(*row) for row in found])


def row_of(asset: Asset, epoch: int = 0) -> AssetRow:
    return AssetRow(
        id=AssetId(asset.id), space="spc_library", kind=AssetKind.FILE, filename=asset.filename,
        status=AssetStatus.READY, mime_type="text/plain", size=1, created_by="x", sent_by="x", updated_at=0,
        epoch=epoch, blob_key=BlobKey("asset/00/x"),
    )  # fmt: skip
