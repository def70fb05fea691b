"""Long answers are compressed as the client asks for, unless a secret could be told by their length."""

import gzip
from collections.abc import Callable

import brotli  # type: ignore[import-untyped]
import httpx2
import pytest
import zstandard

from support.clients import raw_http
from support.servers.stowboard import Server

pytestmark = pytest.mark.cluster_in_soak

UNPACK: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.decompress,
    "br": brotli.decompress,
    "zstd": lambda data: zstandard.ZstdDecompressor().decompressobj().decompress(data),
}


@pytest.fixture(scope="session")
def plain(shared_server: Server, admin: httpx2.Client) -> bytes:
    """A list that is long enough, as it is without compression."""
    for number in range(30):
        body = {"owner": f"compressed-{number}", "name": "a name that is rather long, and the same for all of them"}
        assert admin.post("/api/v1/access/tokens", json=body).status_code == 201
    return ask(shared_server, b"/api/v1/access/tokens", "").body


def ask(server: Server, target: bytes, accepted: str, method: str = "GET", body: bytes = b"") -> raw_http.RawAnswer:
    headers = [b"Accept-Encoding: " + accepted.encode()] if accepted else []
    if body:
        headers.append(b"Content-Length: %d" % len(body))
    return raw_http.send(server.port, raw_http.request(server.admin_token, method, target, *headers, body=body))


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip", "gzip"), ("br", "br"), ("zstd", "zstd"), ("gzip, deflate, br, zstd", "zstd"),
        ("gzip, br;q=0.9", "gzip"), ("GZIP;q=0.5", "gzip"), ("*", "zstd"), ("zstd;q=0, *;q=0.1", "br"),
        ("gzip;q=1.0, *;q=0", "gzip"),
    ],
)  # fmt: skip
def test_a_long_answer_is_compressed_as_asked(server: Server, plain: bytes, accepted: str, encoding: str) -> None:
    for _ in range(2):
        answer = ask(server, b"/api/v1/access/tokens", accepted)
        assert (answer.status, answer.headers["content-encoding"]) == (200, encoding)
        assert answer.headers["vary"] == "Accept-Encoding"
        assert len(answer.body) < len(plain) / 2
        assert UNPACK[encoding](answer.body) == plain


@pytest.mark.parametrize(
    "accepted", ["", "identity", "deflate", "gzip;q=0", "*;q=0", "gzip;q=x", ";;,,", "gzip;q=0,br;q=0"]
)
def test_who_does_not_ask_gets_it_as_it_is(server: Server, plain: bytes, accepted: str) -> None:
    answer = ask(server, b"/api/v1/access/tokens", accepted)
    assert (answer.status, answer.body) == (200, plain)
    assert "content-encoding" not in answer.headers
    assert answer.headers["vary"] == "Accept-Encoding", "caches have to know all the same"


def test_short_answers_and_errors_are_as_they_are(server: Server) -> None:
    for target in (b"/api/v1/access/token", b"/healthz", b"/api/v1/" + b"n" * 2000):
        assert "content-encoding" not in ask(server, target, "gzip").headers


def test_documents_are_compressed_and_revalidated(server: Server) -> None:
    for target in (b"/openapi.json", b"/openapi.yaml", b"/docs/errors"):
        answer = ask(server, target, "br")
        assert answer.headers["content-encoding"] == "br"
        assert "Accept-Encoding" in answer.headers["vary"]
        assert UNPACK["br"](answer.body) == ask(server, target, "").body


def test_answers_with_a_secret_are_never_compressed(server: Server) -> None:
    name = b"a" * 150
    body = b'{"owner":"compressed","name":"%b","scopes":["media:read"]}' % name
    answer = ask(server, b"/api/v1/access/tokens", "gzip", "POST", body)
    assert answer.status == 201
    assert "content-encoding" not in answer.headers


@pytest.mark.parametrize("target", [b"/openapi.json", b"/docs/errors"])
def test_each_coding_has_an_etag_of_its_own_and_all_of_them_revalidate(server: Server, target: bytes) -> None:
    tags = {coding: ask(server, target, coding).headers["etag"] for coding in ("", "gzip", "br", "zstd")}
    assert len(set(tags.values())) == 4
    for coding, tag in tags.items():
        sent = raw_http.request(
            server.admin_token, "GET", target, b"If-None-Match: " + tag.encode(), b"Accept-Encoding: " + coding.encode()
        )
        answer = raw_http.send(server.port, sent)
        assert (answer.status, answer.headers["etag"]) == (304, tag)


def test_a_change_may_name_the_version_by_the_etag_of_a_compressed_answer(server: Server, admin: httpx2.Client) -> None:
    task = admin.post("/api/v1/taskapp/tasks", json={"title": "A", "body": "a long text " * 300})
    path = task.headers["location"]
    etag = admin.get(path, headers={"accept-encoding": "gzip"}).headers["etag"]
    assert etag.endswith('-gzip"')
    assert admin.patch(path, json={"title": "B"}, headers={"if-match": etag}).status_code == 200
    assert admin.patch(path, json={"title": "C"}, headers={"if-match": etag}).status_code == 412


def test_an_answer_with_an_upload_address_beside_what_was_sent_is_never_compressed(server: Server) -> None:
    tags = ",".join(f'"{number:03}{"x" * 60}"' for number in range(50))
    body = f'{{"title":"A film","tags":[{tags}]}}'.encode()
    answer = ask(server, b"/api/v1/media/videos/upload", "gzip, br, zstd", "POST", body)
    assert (answer.status, b"tusUploadUrl" in answer.body) == (201, True)
    assert "content-encoding" not in answer.headers
