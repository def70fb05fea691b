"""The one way out: requests to addresses that others chose, on real sockets and with real certificates."""

import asyncio
import itertools
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from ipaddress import ip_address
from typing import Any

import pytest

from stowboard.http.outgoing.addresses import OutgoingSettings
from stowboard.http.outgoing.client import OPERATOR, Outgoing, OutgoingReply
from stowboard.http.outgoing.failure import OutgoingFailed, OutgoingReason
from support.outgoing.forbidden_addresses import FORBIDDEN
from support.outgoing.tls_server import certificate_of, listening, trust
from support.waiting import until

LOOPBACK = OutgoingSettings(("127.0.0.0/8",))
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
_watched: list[str] | None = None


def _watch(event: str, _: tuple[Any, ...]) -> None:
    if _watched is not None and event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        _watched.append(event)


sys.addaudithook(_watch)


@pytest.fixture
def sent() -> Iterator[list[str]]:
    """The bytes that left by any socket of this process."""
    global _watched
    found: list[str] = []
    _watched = found
    yield found
    _watched = None


def answering(text: bytes) -> Callable[[bytes, asyncio.StreamWriter], Awaitable[None]]:
    async def answer(_: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(text)
        await writer.drain()

    return answer


def to_loopback(_host: str, _port: int) -> list[str]:
    return ["127.0.0.1"]


@pytest.fixture
async def client() -> AsyncIterator[Outgoing]:
    """One that may ask this machine, trusts the tests' authority, and for which every name leads here."""
    outgoing = Outgoing(LOOPBACK, to_loopback, trust)
    yield outgoing
    outgoing.close()


async def refused(outgoing: Outgoing, url: str, **how: Any) -> OutgoingFailed:
    with pytest.raises(OutgoingFailed) as failure:
        await outgoing.fetch("POST", url, body=b"{}", **how)
    return failure.value


async def test_an_answer_over_tls_is_read(client: Outgoing) -> None:
    async with listening(answering(OK), certificate_of("hooks.example.com")) as server:
        reply = await client.fetch(
            "POST",
            f"https://hooks.example.com:{server.port}/in?a=1",
            [("content-type", "application/json")],
            b'{"a":1}',
        )
    assert reply == OutgoingReply(200, {"content-length": "2"}, b"hi", chunks=reply.chunks)
    head, _, body = server.requests[0].partition(b"\r\n\r\n")
    assert body == b'{"a":1}'
    assert head.split(b"\r\n")[0] == b"POST /in?a=1 HTTP/1.1"
    assert f"host: hooks.example.com:{server.port}".encode() in head.lower()


async def test_nothing_is_sent_to_any_forbidden_address(sent: list[str]) -> None:
    for address in FORBIDDEN:
        outgoing = Outgoing(OutgoingSettings(), lambda _host, _port, found=address: [found])  # type: ignore[misc]
        assert (await refused(outgoing, "https://hooks.example.com/")).reason is OutgoingReason.FORBIDDEN
        outgoing.close()
    assert sent == []


async def test_nothing_is_sent_to_a_forbidden_address_that_is_named_itself(sent: list[str]) -> None:
    outgoing = Outgoing(OutgoingSettings())
    for address in FORBIDDEN:
        url = f"https://[{address}]/" if ":" in address else f"https://{address}/"
        assert (await refused(outgoing, url)).reason in (OutgoingReason.FORBIDDEN, OutgoingReason.NAME)
    assert (await refused(outgoing, "https://localhost/")).reason is OutgoingReason.FORBIDDEN
    outgoing.close()
    assert sent == []


async def test_one_private_address_among_public_ones_is_enough_to_refuse(sent: list[str]) -> None:
    outgoing = Outgoing(OutgoingSettings(), lambda *_: ["93.184.215.14", "2606:4700::1111", "10.0.0.1"])
    assert (await refused(outgoing, "https://hooks.example.com/")).reason is OutgoingReason.FORBIDDEN
    outgoing.close()
    assert sent == []


async def test_a_name_that_leads_elsewhere_the_second_time_is_asked_once() -> None:
    answers = itertools.chain([["127.0.0.1"]], itertools.repeat(["127.0.0.2"]))
    async with listening(answering(OK), certificate_of("hooks.example.com")) as server:
        outgoing = Outgoing(OutgoingSettings(("127.0.0.1/32",)), lambda *_: next(answers), trust)
        assert (await outgoing.fetch("GET", f"https://hooks.example.com:{server.port}/")).status == 200
        assert (await refused(outgoing, f"https://hooks.example.com:{server.port}/")).reason is OutgoingReason.FORBIDDEN
        outgoing.close()
    assert server.connections == 1


async def test_a_certificate_of_another_name_is_refused_before_anything_is_said(client: Outgoing) -> None:
    async with listening(answering(OK), certificate_of("other.example.com")) as server:
        assert (await refused(client, f"https://hooks.example.com:{server.port}/")).reason is OutgoingReason.TLS
    assert server.requests == []


async def test_an_unknown_authority_is_refused() -> None:
    outgoing = Outgoing(LOOPBACK, to_loopback)
    async with listening(answering(OK), certificate_of("hooks.example.com")) as server:
        assert (await refused(outgoing, f"https://hooks.example.com:{server.port}/")).reason is OutgoingReason.TLS
    outgoing.close()


async def test_without_tls_only_allowed_networks_are_asked(client: Outgoing) -> None:
    async with listening(answering(OK), None) as server:
        assert (await client.fetch("GET", f"http://n8n.lan:{server.port}/")).body == b"hi"
    public = Outgoing(OutgoingSettings(), lambda *_: ["93.184.215.14"])
    assert "Use https" in str(await refused(public, "http://example.com/"))
    public.close()


async def test_a_redirect_is_an_answer_like_any_other(client: Outgoing) -> None:
    away = b"HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n"
    async with listening(answering(away), certificate_of("a.example")) as server:
        assert (await client.fetch("GET", f"https://a.example:{server.port}/")).status == 302
    assert server.connections == 1


async def test_a_proxy_of_the_environment_is_not_used(client: Outgoing, monkeypatch: pytest.MonkeyPatch) -> None:
    async with listening(answering(OK), None) as proxy, listening(answering(OK), certificate_of("a.example")) as server:
        for name in ("http_proxy", "https_proxy", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        await client.fetch("GET", f"https://a.example:{server.port}/")
    assert (proxy.connections, server.connections) == (0, 1)


async def test_a_server_that_sends_a_byte_now_and_then_is_left_when_the_time_is_over(client: Outgoing) -> None:
    async def drip(_: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
        while not writer.is_closing():
            writer.write(b"x")
            await asyncio.sleep(0.01)

    async with listening(drip, certificate_of("a.example")) as server:
        failure = await refused(client, f"https://a.example:{server.port}/", seconds=0.5)
    assert failure.reason is OutgoingReason.TIMEOUT


async def test_a_server_that_never_answers_is_left_when_the_time_is_over(client: Outgoing) -> None:
    async def silent(_: bytes, writer: asyncio.StreamWriter) -> None:
        await asyncio.Event().wait()

    async with listening(silent, certificate_of("a.example")) as server:
        assert (
            await refused(client, f"https://a.example:{server.port}/", seconds=0.3)
        ).reason is OutgoingReason.TIMEOUT


async def test_headers_and_body_are_bounded(client: Outgoing) -> None:
    endless = b"HTTP/1.1 200 OK\r\n" + b"x-filler: " + b"a" * 40_000 + b"\r\n\r\n"
    async with listening(answering(endless), None) as server:
        assert (await refused(client, f"http://a.example:{server.port}/")).reason is OutgoingReason.PROTOCOL
    large = b"HTTP/1.1 200 OK\r\n\r\n" + b"a" * 300_000
    async with listening(answering(large), None) as server:
        assert (await refused(client, f"http://a.example:{server.port}/")).reason is OutgoingReason.TOO_LARGE
        reply = await client.fetch("GET", f"http://a.example:{server.port}/", most=1024, beginning=True)
        assert reply.body == b"a" * 1024


@pytest.mark.parametrize(
    "answer",
    [
        b"", b"\x00\x01\x02\r\n\r\n", b"SSH-2.0-OpenSSH_9.9\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", b"HTTP/1.1 999999 X\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ],
)  # fmt: skip
async def test_what_is_not_http_is_a_failure(client: Outgoing, answer: bytes) -> None:
    async with listening(answering(answer), None) as server:
        assert (await refused(client, f"http://a.example:{server.port}/")).reason is OutgoingReason.PROTOCOL


async def test_provisional_answers_are_passed_over(client: Outgoing) -> None:
    async with listening(answering(b"HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n" + OK), None) as server:
        assert (await client.fetch("GET", f"http://a.example:{server.port}/")).body == b"hi"


async def test_a_large_answer_can_be_read_as_it_arrives(client: Outgoing) -> None:
    large = b"HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n" + b"a" * 3_000_000
    async with (
        listening(answering(large), certificate_of("a.example")) as server,
        client.open("GET", f"https://a.example:{server.port}/") as reply,
    ):
        assert sum([len(chunk) async for chunk in reply.chunks]) == 3_000_000


async def test_the_next_address_is_tried_where_one_does_not_answer() -> None:
    async with listening(answering(OK), certificate_of("a.example")) as server:
        outgoing = Outgoing(LOOPBACK, lambda *_: ["127.0.0.9", "127.0.0.1"], trust)
        assert (await outgoing.fetch("GET", f"https://a.example:{server.port}/")).status == 200
        outgoing.close()


async def test_an_address_of_this_machine_is_not_public() -> None:
    from stowboard.http.outgoing.addresses import _is_own

    assert _is_own(ip_address("127.0.0.1"))
    assert not _is_own(ip_address("93.184.215.14"))


class HangingResolver:
    """A resolver that answers for no name until it is let go, but for those that it knows."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.go = threading.Event()

    def __call__(self, host: str, _port: int) -> list[str]:
        self.asked.append(host)
        if host.startswith("hangs"):
            self.go.wait()
            raise OSError("no answer")
        return ["127.0.0.1"]


async def test_names_that_hang_delay_only_the_owner_who_asks_for_them() -> None:
    resolver = HangingResolver()
    outgoing = Outgoing(LOOPBACK, resolver, trust)
    try:
        busy = [
            asyncio.create_task(refused(outgoing, f"https://hangs{number}.example/", owner="busy", seconds=600))
            for number in range(100)
        ]
        await until(lambda: len(resolver.asked) == 4)
        for owner in ("ann", "", OPERATOR):
            await outgoing.check("https://hooks.example.com/", owner=owner)
        assert [host for host in resolver.asked if host.startswith("hangs")] == [f"hangs{n}.example" for n in range(4)]
        literal = await refused(outgoing, "https://93.184.215.14:1/", owner="busy", seconds=0.2)
        assert literal.reason is not OutgoingReason.NAME
        assert "93.184.215.14" not in resolver.asked
    finally:
        resolver.go.set()
    assert {failure.reason for failure in await asyncio.gather(*busy)} == {OutgoingReason.NAME}
    outgoing.close()


async def test_a_look_up_that_nobody_waits_for_any_more_keeps_its_place_until_it_ends() -> None:
    resolver = HangingResolver()
    outgoing = Outgoing(LOOPBACK, resolver, trust)
    try:
        for number in range(4):
            url = f"https://hangs{number}.example/"
            assert (await refused(outgoing, url, owner="busy", seconds=0.05)).reason is OutgoingReason.TIMEOUT
        last = await refused(outgoing, "https://known.example/", owner="busy", seconds=0.05)
        assert (last.reason, "known.example" in resolver.asked) == (OutgoingReason.TIMEOUT, False)
    finally:
        resolver.go.set()
    await outgoing.check("https://known.example/", owner="busy")
    outgoing.close()


async def test_a_name_that_led_nowhere_is_not_asked_for_again_at_once() -> None:
    asked: list[str] = []

    def nowhere(host: str, _port: int) -> list[str]:
        asked.append(host)
        raise OSError("no such name")

    outgoing = Outgoing(LOOPBACK, nowhere, trust)
    for _ in range(3):
        assert (await refused(outgoing, "https://nowhere.example/")).reason is OutgoingReason.NAME
    assert asked == ["nowhere.example"]
    outgoing.close()
