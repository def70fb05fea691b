"""Absolute links: where they point to, and that a hostile Host header bends none of them."""

import httpx2
import pytest

from support.api.answers import data_of
from support.clients import raw_http
from support.servers.stacks import MakeServer, Stack
from support.servers.stowboard import Server

pytestmark = pytest.mark.cluster_in_soak


def links_of(document: dict[str, list[dict[str, str]]]) -> list[str]:
    return [link["href"] for link in document["documents"]]


@pytest.mark.parametrize("host", ["stow.test", "stow.test:8443", "10.0.0.7:80", "[::1]:8080", "a_b.test"])
def test_links_begin_with_the_host_of_the_request(admin: httpx2.Client, host: str) -> None:
    answer = admin.get("/api/v1", headers={"host": host})
    assert all(link.startswith(f"http://{host}/") for link in links_of(data_of(answer)))
    refused = httpx2.get(answer.url, headers={"host": host})
    assert f'resource_metadata="http://{host}/' in refused.headers["www-authenticate"]


@pytest.mark.parametrize(
    "host",
    [
        b'evil.test"><script>', b"evil.test/path", b"evil.test?x", b"evil.test#x", b"user@evil.test", b"evil.test, b",
        b"evil.test\\@x", b"a" * 300, b"evil.test:99999999", b"[::1", b"evil test", b"\xff.test", b"", b"evil.test:",
        b'", error="x',
    ],
)  # fmt: skip
def test_a_host_that_is_none_appears_in_no_link_and_no_header(server: Server, host: bytes) -> None:
    for token in (server.admin_token, None):
        answer = raw_http.send(server.port, raw_http.request(token, "GET", b"/api/v1", b"Host: " + host))
        assert answer.status in (200, 401, 400)
        if answer.status != 400:
            seen = answer.body + "".join(answer.headers.values()).encode("latin-1")
            assert b"http://localhost/" in seen
            assert host == b"" or host not in seen


def test_a_request_without_a_host_is_answered_all_the_same(server: Server) -> None:
    request = b"GET /api/v1 HTTP/1.0\r\nAuthorization: Bearer %b\r\n\r\n" % server.admin_token.encode()
    answer = raw_http.send(server.port, request)
    assert answer.status == 200
    assert b"http://localhost/openapi.json" in answer.body


def test_a_public_url_wins_over_every_host(stack: Stack, make_server: MakeServer) -> None:
    server = make_server(stack() | {"STOWBOARD_PUBLIC_URL": "https://stow.example.org/"})
    headers = server.headers | {"host": "evil.test"}
    index = data_of(httpx2.get(server.base_url, headers=headers))
    assert all(link.startswith("https://stow.example.org/") for link in links_of(index))
    refused = httpx2.get(server.base_url, headers={"host": "evil.test"})
    assert "evil.test" not in refused.headers["www-authenticate"]
    metadata = httpx2.get(f"{server.origin}/.well-known/oauth-authorization-server", headers={"host": "evil.test"})
    assert metadata.json()["issuer"] == "https://stow.example.org"
    assert "evil.test" not in httpx2.get(f"{server.origin}/openapi.json", headers={"host": "evil.test"}).text
    server.kill()
