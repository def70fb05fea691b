"""`cdn_redirect`: the store delivers large inert files itself, behind the same checks."""

import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest

from stowboard.media.delivery.store_links import SMALLEST_LINKED
from stowboard_client import Asset, Client
from support.api.answers import error_of
from support.servers.stacks import MakeServer, Stack
from support.servers.stowboard import Server
from support.stored import blobs

LARGE = b"Boats at dawn." * (SMALLEST_LINKED // 14 + 1)
SECONDS = 600


@pytest.fixture(scope="module")
def server(stack: Stack, make_server: MakeServer) -> Iterator[Server]:
    redirecting = {"STOWBOARD_CDN_REDIRECT": "true", "STOWBOARD_CDN_REDIRECT_SECONDS": str(SECONDS)}
    server = make_server(stack() | redirecting)
    yield server
    server.kill()


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    with Client(server.origin, server.admin_token) as client:
        yield client


@pytest.fixture
def public(client: Client) -> Asset:
    return client.uploads.file("boats.txt", LARGE, visibility="public")


@pytest.fixture
def secret(client: Client) -> Asset:
    return client.uploads.file("boats.txt", LARGE, visibility="protected")


def away(server: Server, url: str, **headers: str) -> httpx2.Response:
    """The answer with the bytes, after the redirect of a store that has links."""
    answer = httpx2.get(url, headers=headers)
    if has_links(server):
        assert answer.status_code == 307
        return httpx2.get(answer.headers["location"], headers=headers)
    return answer


def has_links(server: Server) -> bool:
    return "STOWBOARD_BLOBS_URL" in server.environment


def begin_of(link: str) -> float:
    signed = parse_qs(urlsplit(link).query)["X-Amz-Date"][0]
    return datetime.strptime(signed, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC).timestamp()


def seconds_kept(caching: str) -> int:
    return int(re.fullmatch(r".*max-age=(\d+).*", caching)[1])  # type: ignore[index]


def test_large_files_come_from_the_store_with_their_own_headers(server: Server, public: Asset) -> None:
    whole = away(server, public.url or "")
    assert whole.content == LARGE
    assert whole.headers["content-disposition"].startswith('inline; filename="boats.txt"')
    assert "immutable" in whole.headers["cache-control"]
    part = away(server, public.url or "", range="bytes=0-4")
    assert (part.status_code, part.content) == (206, b"Boats")


def test_a_public_redirect_is_one_address_for_half_of_its_life_and_caches_drop_it_before_it_ends(
    server: Server, public: Asset
) -> None:
    answer = httpx2.get(public.url or "")
    if has_links(server):
        location, caching = answer.headers["location"], answer.headers["cache-control"]
        assert f"X-Amz-Expires={SECONDS}" in location
        assert begin_of(location) % (SECONDS // 2) == 0
        left = begin_of(location) + SECONDS - time.time()
        assert caching.startswith("public, max-age=")
        assert SECONDS // 4 <= seconds_kept(caching) <= left


def test_a_signed_redirect_is_kept_by_nobody_and_ends_with_its_url(
    server: Server, client: Client, secret: Asset
) -> None:
    for lifetime, most in ((60, 120), (86_400, SECONDS)):
        answer = httpx2.get(client.delivery.url(secret.id, expires_in=lifetime).url)
        if has_links(server):
            assert answer.headers["cache-control"] == "private, no-store"
            assert answer.headers["referrer-policy"] == "no-referrer"
            kept = seconds_kept(httpx2.get(answer.headers["location"]).headers["cache-control"])
            assert 0 < kept <= most
            assert f"X-Amz-Expires={kept}" in answer.headers["location"]


def test_the_link_to_bytes_that_were_replaced_is_never_cached(server: Server, client: Client, public: Asset) -> None:
    client.uploads.replace(public.id, LARGE + b"!", mime_type="text/plain", original_name="boats.txt")
    client.uploads.wait_until_ready(public.id)
    old = httpx2.get(public.url or "")
    assert old.headers["cache-control"] == ("no-store" if has_links(server) else "no-cache")
    assert away(server, public.url or "").content == LARGE + b"!"


def test_what_could_run_and_what_is_short_is_sent_by_the_service(client: Client) -> None:
    page = client.uploads.file("page.html", b"<p>" * SMALLEST_LINKED, visibility="public")
    short = client.uploads.file("short.txt", b"Boats.", visibility="public")
    for asset in (page, short):
        answer = httpx2.get(asset.url or "")
        assert answer.status_code == 200
        assert "sandbox" in answer.headers["content-security-policy"]


def test_the_service_answers_what_moves_no_bytes(server: Server, public: Asset) -> None:
    head = httpx2.head(public.url or "")
    assert (head.status_code, head.headers["content-length"]) == (200, str(len(LARGE)))
    assert httpx2.get(public.url or "", headers={"if-none-match": head.headers["etag"]}).status_code == 304
    assert httpx2.get(public.url or "", headers={"if-match": '"other"'}).status_code == 412


def test_nobody_is_sent_to_the_store_who_may_not_read_or_to_damaged_bytes(
    server: Server, client: Client, secret: Asset
) -> None:
    assert error_of(httpx2.get(secret.url or "")) == (404, "not_found")
    damaged = client.uploads.file("damaged.txt", LARGE + b"?", visibility="protected")
    url = client.delivery.url(damaged.id).url
    blobs.flip_a_bit(server, blobs.key_of(server, damaged.id))
    assert error_of(httpx2.get(url)) == (503, "content_damaged")
    client.assets.update(secret.id, visibility="public")
    assert away(server, client.assets.get(secret.id).url or "").content == LARGE
