"""The bytes of public assets: what they come with, which addresses have them, and when they are gone."""

import re
from email.utils import formatdate
from urllib.parse import unquote

import httpx2
import pytest

from stowboard_client import Asset, Client
from support.api.answers import error_of
from support.servers.stowboard import Server
from support.stored import blobs as stored_blobs

TEXT = b"Boats at dawn.\n" * 100
FOR_EVER = "public, max-age=31536000, immutable"


@pytest.fixture
def note(client: Client) -> Asset:
    return client.uploads.file("note.txt", TEXT)


def address(asset: Asset, edition: str = "v1", transform_class: str = "original", name: str = "x") -> str:
    return f"/cdn/{asset.id}/{edition}/{transform_class}/{name}"


def url_of(asset: Asset) -> str:
    assert asset.url is not None
    return asset.url


def test_a_public_asset_is_served_byte_for_byte_and_may_be_kept_for_ever(web: httpx2.Client, note: Asset) -> None:
    answer = web.get(url_of(note))
    assert (answer.status_code, answer.content) == (200, TEXT)
    assert answer.headers["content-type"] == "text/plain"
    assert answer.headers["content-length"] == str(len(TEXT))
    assert answer.headers["cache-control"] == FOR_EVER
    assert note.checksum is not None
    assert answer.headers["etag"] == f'"{note.checksum.removeprefix("sha256:")}"'
    assert answer.headers["accept-ranges"] == "bytes"
    assert answer.headers["last-modified"] == formatdate(note.created_at // 1000, usegmt=True)


def test_every_answer_keeps_its_bytes_from_doing_anything(web: httpx2.Client, note: Asset) -> None:
    headers = web.get(url_of(note)).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-security-policy"] == (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
    )
    assert headers["cross-origin-resource-policy"] == "cross-origin"
    assert headers["access-control-allow-origin"] == "*"
    assert "set-cookie" not in headers


def test_head_has_the_headers_and_no_body(web: httpx2.Client, note: Asset) -> None:
    head, get = web.head(url_of(note)), web.get(url_of(note))
    assert (head.status_code, head.content) == (200, b"")
    differing = {"x-request-id", "date"}
    assert {k: v for k, v in head.headers.items() if k not in differing} == {
        k: v for k, v in get.headers.items() if k not in differing
    }


def test_who_has_the_bytes_is_not_sent_them_again(web: httpx2.Client, note: Asset) -> None:
    first = web.get(url_of(note))
    etag = first.headers["etag"]
    for tags in (etag, f"W/{etag}", f'"other", {etag}', "*"):
        answer = web.get(url_of(note), headers={"if-none-match": tags})
        assert (answer.status_code, answer.content) == (304, b"")
        assert answer.headers["etag"] == etag
        assert answer.headers["cache-control"] == FOR_EVER
    assert web.get(url_of(note), headers={"if-none-match": '"other"'}).status_code == 200


def test_bytes_that_are_not_those_that_the_client_wants_are_412(web: httpx2.Client, note: Asset) -> None:
    first = web.get(url_of(note))
    etag, modified = first.headers["etag"], first.headers["last-modified"]
    earlier = formatdate(note.created_at // 1000 - 60, usegmt=True)
    for wanted in (
        {"if-match": etag}, {"if-match": f'"other", {etag}'}, {"if-match": "*"}, {"if-unmodified-since": modified},
        {"if-match": etag, "if-unmodified-since": earlier}, {"if-unmodified-since": "no date"},
    ):  # fmt: skip
        assert web.get(url_of(note), headers=wanted).status_code == 200, wanted
    for unwanted in ({"if-match": '"other"'}, {"if-match": f"W/{etag}"}, {"if-unmodified-since": earlier}):
        for method in ("GET", "HEAD"):
            assert web.request(method, url_of(note), headers=unwanted).status_code == 412, unwanted
        assert error_of(web.get(url_of(note), headers=unwanted | {"if-none-match": etag}))[0] == 412, "it comes first"
        assert web.get(url_of(note), headers=unwanted | {"range": "bytes=0-1"}).status_code == 412


def test_the_date_counts_where_there_is_no_tag(web: httpx2.Client, note: Asset) -> None:
    modified = web.get(url_of(note)).headers["last-modified"]
    answers = [
        web.get(url_of(note), headers={"if-modified-since": modified}),
        web.get(url_of(note), headers={"if-modified-since": "Thu, 01 Jan 1970 00:00:00 GMT"}),
        web.get(url_of(note), headers={"if-modified-since": "yesterday"}),
        web.get(url_of(note), headers={"if-modified-since": modified, "if-none-match": '"other"'}),
    ]
    assert [answer.status_code for answer in answers] == [304, 200, 200, 200]


def test_a_token_is_neither_needed_nor_looked_at(web: httpx2.Client, note: Asset) -> None:
    assert web.get(url_of(note), headers={"authorization": "Bearer nonsense"}).status_code == 200


@pytest.mark.parametrize("name", ["note.txt", "other", "a/b/c.html", "%00%0d%0aset-cookie:x", "..%2f..%2fetc%2fpasswd"])
def test_the_name_at_the_end_means_nothing(web: httpx2.Client, note: Asset, name: str) -> None:
    answer = web.get(f"/cdn/{note.id}/v1/original/{name}")
    assert (answer.status_code, answer.content) == (200, TEXT)
    assert 'filename="note.txt"' in answer.headers["content-disposition"]


@pytest.mark.parametrize(
    "edition", ["v0", "latest", "v", "v-1", "V1", "v1-0", "v01", "v1.0", "%20", "v1%00", "v" + "0" * 500]
)
def test_an_edition_that_is_not_the_present_one_gets_the_present_bytes_and_has_to_ask_again(
    web: httpx2.Client, note: Asset, edition: str
) -> None:  # fmt: skip
    answer = web.get(address(note, edition))
    assert (answer.status_code, answer.content) == (200, TEXT)
    assert answer.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("edition", ["v2", "v1-1", "v999999999999"])
def test_a_future_edition_is_not_there_yet(web: httpx2.Client, note: Asset, edition: str) -> None:
    answer = web.get(address(note, edition))
    assert error_of(answer) == (404, "not_found")
    assert answer.headers["cache-control"] == "no-store"


def test_after_a_replacement_old_links_get_the_new_bytes(client: Client, web: httpx2.Client, note: Asset) -> None:
    client.uploads.replace(note.id, b"Boats at dusk.\n", mime_type="text/plain", original_name="dusk.txt")
    replaced = client.uploads.wait_until_ready(note.id)
    assert url_of(replaced) != url_of(note)
    old, new = web.get(url_of(note)), web.get(url_of(replaced))
    assert old.content == new.content == b"Boats at dusk.\n"
    assert old.headers["etag"] == new.headers["etag"]
    assert (old.headers["cache-control"], new.headers["cache-control"]) == ("no-cache", FOR_EVER)


@pytest.mark.parametrize("asset_id", ["ast_01kbr2x4q8e9w6y3t7n5m1c0vz", "nothing", "%00", "..", "ast_'OR'1'='1"])
def test_what_does_not_exist_is_not_found(web: httpx2.Client, asset_id: str) -> None:
    assert error_of(web.get(f"/cdn/{asset_id}/v1/original/x"))[0] == 404


def test_only_named_classes_exist_and_only_images_have_them(web: httpx2.Client, note: Asset) -> None:
    assert error_of(web.get(address(note, transform_class="w_9999"))) == (400, "unknown_transform_class")
    assert error_of(web.get(address(note, transform_class="small"))) == (400, "not_transformable")


def test_bytes_that_have_not_arrived_are_to_be_asked_for_again(client: Client, web: httpx2.Client) -> None:
    pending = client.uploads.presigned("later.txt", 5)
    answer = web.get(f"/cdn/{pending.id}/v1/original/later.txt")
    assert error_of(answer) == (404, "not_found")
    assert int(answer.headers["retry-after"]) >= 1


def test_a_deleted_asset_is_gone_at_once(client: Client, web: httpx2.Client, note: Asset) -> None:
    assert web.get(url_of(note)).status_code == 200
    client.assets.delete(note.id)
    assert error_of(web.get(url_of(note))) == (404, "not_found")
    assert error_of(web.get(url_of(note), headers={"if-none-match": "*"})) == (404, "not_found")


@pytest.mark.parametrize("headers", [{}, {"range": "bytes=0-1"}, {"range": "bytes=0-1, 4-5"}])
def test_bytes_that_the_store_has_lost_are_not_found(
    client: Client, server: Server, web: httpx2.Client, headers: dict[str, str]
) -> None:
    asset = client.uploads.file("lost.txt", repr(headers).encode() * 10)
    stored_blobs.remove(server, stored_blobs.key_of(server, asset.id))
    assert error_of(web.get(url_of(asset), headers=headers)) == (404, "not_found")
    assert web.head(url_of(asset)).status_code == 404


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_delivery_only_reads(web: httpx2.Client, note: Asset, method: str) -> None:
    answer = web.request(method, url_of(note))
    assert error_of(answer) == (405, "method_not_allowed")
    assert answer.headers["allow"] == "GET, HEAD, OPTIONS"


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ('say "hi".txt', None),
        ("set-cookie: x=1 <b>.txt", None),
        ("写真 👩\u200d👩\u200d👧 كتاب.txt", "写真 👩\u200d👩\u200d👧 كتاب.txt"),
        ("100% résumé; a=b.txt", "100% résumé; a=b.txt"),
        ("../../etc/passwd", "passwd"),
    ],
)
def test_names_of_files_stay_names(client: Client, web: httpx2.Client, given: str, name: str | None) -> None:
    asset = client.uploads.file(given, b"text")
    answer = web.get(url_of(asset))
    assert answer.content == b"text"
    assert "set-cookie" not in answer.headers
    header = re.fullmatch(
        r"(?:inline|attachment); filename=\"[ !#-$&-.0-\[\]-~]+\"; filename\*=UTF-8''([A-Za-z0-9!#$&+.^_`|~%-]+)",
        answer.headers["content-disposition"],
    )
    assert header
    assert not re.search("[\x00-\x1f\u202e/\\\\]", unquote(header[1]))
    if name is not None:
        assert unquote(header[1]) == name
