"""The head of a request is bounded, and says once for which host it is."""

import httpx2
import pytest

from support.api.answers import data_of
from support.clients import raw_http
from support.clients.raw_connection import RawConnection
from support.clients.raw_http import request
from support.servers.stowboard import Server

pytestmark = pytest.mark.cluster_in_soak

TOKENS = b"/api/v1/access/tokens"
EVERYWHERE = [b"/api/v1", b"/healthz", b"/cdn/nothing"]


@pytest.mark.parametrize("target", EVERYWHERE)
@pytest.mark.parametrize(
    "headers",
    [[b"X-Long: " + b"a" * 17_000], [b"X-%d: " % number + b"a" * 14_000 for number in range(5)]],
    ids=["one line", "all together"],
)
def test_headers_that_are_too_large_are_431(server: Server, target: bytes, headers: list[bytes]) -> None:
    answer = raw_http.send(server.port, request(server.admin_token, "GET", target, *headers))
    assert (answer.status, answer.error["code"]) == (431, "headers_too_large")


def test_headers_within_the_limits_are_taken(server: Server) -> None:
    headers = [b"X-%d: " % number + b"a" * 15_000 for number in range(4)]
    assert raw_http.send(server.port, request(server.admin_token, "GET", b"/api/v1", *headers)).status == 200


@pytest.mark.parametrize("target", EVERYWHERE)
@pytest.mark.parametrize(
    "hosts", [b"", b"Host: a\r\nHost: b\r\n", b"Host: a\r\nHost: a\r\n"], ids=["none", "two", "same"]
)
def test_no_host_and_two_hosts_are_400(server: Server, target: bytes, hosts: bytes) -> None:
    answer = raw_http.send(server.port, b"GET " + target + b" HTTP/1.1\r\nConnection: close\r\n" + hosts + b"\r\n")
    assert (answer.status, answer.error["code"]) == (400, "invalid_parameter")
    assert "Host" in answer.error["message"]


def test_http_1_0_needs_no_host(server: Server) -> None:
    assert raw_http.send(server.port, b"GET /healthz HTTP/1.0\r\n\r\n").status == 200


@pytest.mark.parametrize("lines", [b"Content-Length: 5\r\nTransfer-Encoding: chunked", b"Transfer-Encoding: chunked"])
@pytest.mark.parametrize("target", [TOKENS, b"/oauth/token"])
def test_nothing_behind_a_body_in_chunks_is_a_request(
    server: Server, admin: httpx2.Client, target: bytes, lines: bytes
) -> None:
    head = b"POST " + target + b" HTTP/1.1\r\nHost: a\r\n" + lines + b"\r\n"
    token = b"Authorization: Bearer " + server.admin_token.encode() + b"\r\n\r\n"
    with RawConnection(server.port) as connection:
        connection.send(head + token + b"0\r\n\r\n" + request(server.admin_token, "GET", b"/api/v1/smuggled"))
        received = connection.wait_for_close()
    assert received.count(b"HTTP/1.1 ") == 1
    data_of(admin.get("/api/v1"))


def test_an_address_over_64_kib_is_refused_by_the_server_below_us(server: Server) -> None:
    """hyper answers it before Granian calls anybody, with an empty body: it cannot have our envelope."""
    answer = raw_http.send(server.port, request(server.admin_token, "GET", b"/api/v1/" + b"a" * 70_000))
    assert (answer.status, answer.body) == (414, b"")
    longest = raw_http.send(server.port, request(server.admin_token, "GET", b"/api/v1/" + b"a" * 60_000))
    assert (longest.status, longest.error["code"]) == (404, "route_not_found"), "any shorter one has it"
