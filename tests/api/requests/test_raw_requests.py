"""Bytes that are hardly HTTP: never a 500, never a hang, and the next client is served as if nothing had been."""

import contextlib
import socket

import httpx2
import pytest

from support.api.answers import data_of
from support.clients import raw_http
from support.clients.raw_http import post, request
from support.servers.stowboard import Server

pytestmark = pytest.mark.cluster_in_soak

CHUNKED = b"Transfer-Encoding: chunked"
TOKENS = b"/api/v1/access/tokens"
#: What the HTTP library under us refuses: with an answer of its own, without a body.
MALFORMED = [
    b"GARBAGE\r\n\r\n", b"GET /api/v1\r\n\r\n", b"GET  /api/v1 HTTP/1.1\r\n\r\n", b"GET /api/v1 HTTP/9.9\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"\x00" * 64 + b"\r\n\r\n",
    b"GET /api/v1/\xff HTTP/1.1\r\nHost: a\r\n\r\n", b"GET /api/v1/\x00 HTTP/1.1\r\nHost: a\r\n\r\n",
    request(None, "GET", b"/api/v1", b"X-Folded: a\r\n b"), request(None, "GET", b"/api/v1", b"X-Space : a"),
    request(None, "GET", b"/api/v1", b"X-Nul: a\x00b"), request(None, "GET", b"/api/v1", b"No colon"),
    request(None, "GET", b"/api/v1", b"X-Large: " + b"a" * 1_000_000),
    request(None, "GET", b"/api/v1", *[b"X-Many-%d: a" % n for n in range(300)]),
    request(None, "GET", b"/api/v1/" + b"a" * 1_000_000),
    request(None, "POST", TOKENS, b"Content-Length: 3", b"Content-Length: 4", body=b"{}  "),
    request(None, "POST", TOKENS, b"Content-Length: -1", body=b"{}"),
    request(None, "POST", TOKENS, b"Content-Length: +2", body=b"{}"),
    request(None, "POST", TOKENS, b"Content-Length: 2, 2", body=b"{}"),
    request(None, "POST", TOKENS, b"Content-Length: " + b"9" * 30, body=b"{}"),
    request(None, "POST", TOKENS, b"Transfer-Encoding: gzip", body=b"{}"),
    request(None, "POST", TOKENS, b"Transfer-Encoding: chunked, gzip", body=b"0\r\n\r\n"),
]  # fmt: skip


@pytest.mark.parametrize("data", MALFORMED, ids=range(len(MALFORMED)))
def test_what_is_not_http_is_refused_and_the_next_client_is_served(
    server: Server, admin: httpx2.Client, data: bytes
) -> None:
    with contextlib.suppress(ConnectionError):  # closed while we were still sending
        assert raw_http.send(server.port, data).status in (400, 414, 431, 505)
    data_of(admin.get("/api/v1"))


@pytest.mark.parametrize(
    ("chunks", "status"),
    [
        (b'd\r\n{"owner":"a"}\r\n0\r\n\r\n', 201),
        (b'd;ext=1\r\n{"owner":"a"}\r\n0\r\nTrailer: x\r\n\r\n', 201),
        (b"0\r\n\r\n", 400),
        (b"zz\r\n{}\r\n0\r\n\r\n", 400),
        (b"-1\r\n{}\r\n0\r\n\r\n", 400),
        (b"ffffffffffffffffff\r\n{}\r\n0\r\n\r\n", 400),
        (b"2\r\n{}XX0\r\n\r\n", 400),
    ],
)
def test_chunks_are_read_and_broken_ones_refused(server: Server, chunks: bytes, status: int) -> None:
    answer = raw_http.send(server.port, request(server.admin_token, "POST", TOKENS, CHUNKED, body=chunks))
    assert answer.status == status
    if status == 400:
        assert answer.error["code"] in ("invalid_json", "validation_failed")


def test_a_length_beside_chunks_does_not_smuggle_a_second_request(server: Server) -> None:
    hidden = request(server.admin_token, "GET", b"/api/v1/hidden")
    for length in (b"0", b"3", b"9999"):
        smuggling = request(
            server.admin_token, "POST", TOKENS, b"Content-Length: " + length, CHUNKED, body=b"0\r\n\r\n" + hidden
        )
        answer = raw_http.send(server.port, smuggling)
        assert answer.status == 400
        assert b"route_not_found" not in answer.body
        assert answer.body.count(b"HTTP/1.1") == 0


def test_a_request_after_one_whose_body_was_not_read_is_answered_as_itself(server: Server) -> None:
    first = request(server.admin_token, "GET", b"/api/v1/first", b"Content-Length: 5", body=b"GET /").replace(
        b"Connection: close\r\n", b""
    )
    answer = raw_http.send(server.port, first + request(server.admin_token, "GET", b"/api/v1"))
    assert answer.status == 404
    assert b"HTTP/1.1 200 OK" in answer.body


@pytest.mark.parametrize("half", [b"", b"GET /api", post("t", b'{"owner":"alice"}')[:-3]], ids=["none", "head", "body"])
def test_a_client_that_goes_away_halfway_leaves_no_trace(server: Server, admin: httpx2.Client, half: bytes) -> None:
    before = server.log().count("request failed")
    half = half.replace(b"Bearer t", b"Bearer " + server.admin_token.encode())
    for _ in range(5):
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            connection.sendall(half)
    data_of(admin.get("/api/v1"))
    assert server.log().count("request failed") == before


def test_a_client_that_waits_to_be_asked_for_its_large_body_is_refused_at_once(server: Server) -> None:
    waiting = request(
        server.admin_token, "POST", TOKENS, b"Content-Length: 20000000", b"Expect: 100-continue", body=b""
    )
    answer = raw_http.send(server.port, waiting)
    assert (answer.status, answer.error["code"]) == (413, "payload_too_large")


@pytest.mark.parametrize(
    "data",
    [
        b"OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        b"CONNECT a:443 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        request(None, "GET", b"http://elsewhere.test/nothing"),
    ],
)
def test_unusual_forms_of_a_target_are_answered(server: Server, data: bytes) -> None:
    answer = raw_http.send(server.port, data)
    assert (answer.status, answer.error["code"]) == (404, "route_not_found")


def test_methods_are_told_apart_by_case(server: Server) -> None:
    assert raw_http.send(server.port, request(server.admin_token, "get")).error["code"] == "method_not_allowed"
