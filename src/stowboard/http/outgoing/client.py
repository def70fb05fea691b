"""All requests to addresses that users chose go through this client: webhooks, discovery documents, uploads by URL.

A name is resolved once, and every address of it must be allowed (`addresses.py`). The connection goes to one of these
checked addresses, so a name that resolves differently the second time changes nothing. TLS checks the certificate by
the name. There are no redirects, no proxy of the environment, no cookies, no second request on a connection. Time,
headers and body are limited; the time limit is for the whole request, however slowly its bytes come.

A look-up cannot be stopped, and takes as long as the resolver of the machine. So each owner has a few at once, of whom
the one served longest ago is next; the operator's own addresses, such as the provider's, have threads of their own; an
address needs no look-up; and a name that led nowhere is remembered for some seconds.

Not promised: that what a public address answers is harmless, or that a network the operator allowed holds no secrets.
"""

import asyncio
import socket
import ssl
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

from stowboard.core.turns import Lanes
from stowboard.http.outgoing.addresses import Network, OutgoingSettings, is_allowed, may_be_asked
from stowboard.http.outgoing.failure import OutgoingFailed, OutgoingReason, words_of
from stowboard.http.outgoing.target import OutgoingTarget, read_target

READ_BYTES = 16 * 1024
Headers: TypeAlias = Sequence[tuple[str, str]]
BODY_BYTES = 64 * 1024
SECONDS = 15.0
CONNECT_SECONDS = 5.0
#: The number of addresses of one name that are tried.
_MOST_TRIED = 3
#: Look-ups at once for people, for one of them, and for the operator.
_LOOKUPS, _LOOKUPS_OF_ONE, _LOOKUPS_OF_OPERATOR = 32, 4, 4
#: A name that led nowhere is not looked up again for this time. As many names are remembered.
_UNKNOWN_S, _MOST_UNKNOWN = 10.0, 1000
#: In place of an owner: addresses from the settings.
OPERATOR = "operator's"

#: Given a host and a port, the addresses: as `socket.getaddrinfo`, in a thread.
Resolve = Callable[[str, int], list[str]]


@dataclass(frozen=True, slots=True)
class OutgoingReply:
    status: int
    #: Names in lower case.
    headers: dict[str, str]
    #: The answer of `fetch`: the whole body, or its beginning if that was enough.
    body: bytes = b""
    #: The answer of `open`: the body as it arrives.
    chunks: AsyncIterator[bytes] = field(repr=False, default_factory=lambda: _nothing())


class Outgoing:
    """The guarded client. One for the whole process."""

    def __init__(
        self,
        settings: OutgoingSettings,
        resolve: Resolve | None = None,
        trust: Callable[[], ssl.SSLContext] = ssl.create_default_context,
    ) -> None:
        self._allowed: list[Network] = settings.networks
        self._resolve = resolve or addresses_of
        self._make_trust = trust
        self._trust: ssl.SSLContext | None = None
        self._threads = ThreadPoolExecutor(_LOOKUPS, "outgoing")
        self._operators_threads = ThreadPoolExecutor(_LOOKUPS_OF_OPERATOR, "operator's")
        self._lanes = Lanes(_LOOKUPS, _LOOKUPS_OF_ONE)
        #: Names that led nowhere, and when they may be looked up again.
        self._unknown: dict[str, float] = {}

    def close(self) -> None:
        for threads in (self._threads, self._operators_threads):
            threads.shutdown(wait=False, cancel_futures=True)

    async def check(self, url: str, *, owner: str = "") -> None:
        """Raises OutgoingFailed if the URL could not be asked now. Sends nothing."""
        async with in_time(CONNECT_SECONDS):
            await self._addresses(read_target(url), owner)

    async def fetch(
        self,
        method: str,
        url: str,
        headers: Headers = (),
        body: bytes = b"",
        *,
        most: int = BODY_BYTES,
        beginning: bool = False,
        seconds: float = SECONDS,
        owner: str = "",
    ) -> OutgoingReply:
        """Ask and read the answer. Raises OutgoingFailed above `most` bytes, unless their `beginning` is enough.

        `owner` is the person or space that chose the address.
        """
        async with self.open(method, url, headers, body, seconds=seconds, owner=owner) as reply:
            read = bytearray()
            async for chunk in reply.chunks:
                read += chunk
                if len(read) > most:
                    if beginning:
                        break
                    raise OutgoingFailed(OutgoingReason.TOO_LARGE, f"The answer is larger than {most} bytes.")
            return OutgoingReply(reply.status, reply.headers, bytes(read[:most]))

    @asynccontextmanager
    async def open(
        self,
        method: str,
        url: str,
        headers: Headers = (),
        body: bytes = b"",
        *,
        seconds: float = SECONDS,
        owner: str = "",
    ) -> AsyncIterator[OutgoingReply]:
        """Ask, and give the answer with a body that is read as it arrives. `seconds` bounds all of it."""
        from stowboard.http.outgoing.http import Http  # loaded at the first request, as few installations make one

        target = read_target(url)
        async with in_time(seconds):
            reader, writer = await self._connect(target, owner)
            try:
                http = Http(reader, writer)
                await http.send(method, target, headers, body)
                status, named = await http.response()
                yield OutgoingReply(status, named, chunks=http.body())
            finally:
                writer.transport.abort()  # at once: nothing more is expected from the other end

    async def _connect(self, target: OutgoingTarget, owner: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        addresses = await self._addresses(target, owner)
        trust = await self._trusted() if target.scheme == "https" else None
        failure: OutgoingFailed | None = None
        for address in addresses[:_MOST_TRIED]:
            try:
                return await _connect_to(address, target, trust)
            except OutgoingFailed as error:
                failure = error
        assert failure is not None
        raise failure

    async def _addresses(self, target: OutgoingTarget, owner: str) -> list[str]:
        """The addresses of the name. Raises OutgoingFailed if one of them is not allowed."""
        found = [target.host] if target.is_address else await self._looked_up(target, owner)
        if not found:
            raise OutgoingFailed(OutgoingReason.NAME, f"The name {target.host} has no address.")
        if not all(may_be_asked(address, self._allowed) for address in found):
            raise OutgoingFailed(
                OutgoingReason.FORBIDDEN,
                f"{target.host} leads to an address that is not public. An operator can allow networks with"
                " STOWBOARD_OUTGOING_ALLOW.",
            )
        if target.scheme == "http" and not all(is_allowed(each, self._allowed) for each in found):
            raise OutgoingFailed(OutgoingReason.FORBIDDEN, "Use https; http is for networks that the operator allows.")
        return found

    async def _looked_up(self, target: OutgoingTarget, owner: str) -> list[str]:
        """The addresses of a name, none if it has none. The place is taken until the thread is free again."""
        if self._unknown.get(target.host, 0.0) > time.monotonic():
            return []
        loop, release = asyncio.get_running_loop(), None
        if owner is not OPERATOR:
            await self._lanes.take(owner)
            release = partial(self._lanes.leave, owner)
        threads = self._operators_threads if release is None else self._threads
        looking = loop.run_in_executor(threads, self._look_up, target.host, target.port)
        looking.add_done_callback(lambda _: release() if release is not None else None)
        return await asyncio.shield(looking)

    def _look_up(self, host: str, port: int) -> list[str]:
        try:
            found = self._resolve(host, port)
        except (OSError, UnicodeError):
            found = []
        if not found:
            if len(self._unknown) >= _MOST_UNKNOWN:
                self._unknown.clear()
            self._unknown[host] = time.monotonic() + _UNKNOWN_S
        return found

    async def _trusted(self) -> ssl.SSLContext:
        if self._trust is None:  # reads every certificate of the host: tens of milliseconds
            self._trust = await asyncio.to_thread(self._make_trust)
        return self._trust


def addresses_of(host: str, port: int) -> list[str]:
    """The addresses of a name, in the host's order of preference, each once."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


@asynccontextmanager
async def in_time(seconds: float) -> AsyncIterator[None]:
    """One clock for all that happens in the block. Raises OutgoingFailed."""
    try:
        async with asyncio.timeout(seconds) as limit:
            yield
    except TimeoutError:
        if not limit.expired():
            raise
        raise OutgoingFailed(OutgoingReason.TIMEOUT, f"There was no whole answer within {seconds:g} seconds.") from None


async def _connect_to(
    address: str, target: OutgoingTarget, trust: ssl.SSLContext | None
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to exactly this address; the certificate must be for the name."""
    name = target.host if trust is not None else None
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            return await asyncio.open_connection(
                address, target.port, limit=READ_BYTES, ssl=trust, server_hostname=name
            )
    except ssl.SSLError as error:
        raise OutgoingFailed(
            OutgoingReason.TLS, f"TLS failed: {getattr(error, 'verify_message', '') or error.reason}."
        ) from None
    except TimeoutError:
        raise OutgoingFailed(OutgoingReason.CONNECT, f"No connection within {CONNECT_SECONDS:g} seconds.") from None
    except OSError as error:
        raise OutgoingFailed(OutgoingReason.CONNECT, f"No connection: {words_of(error)}.") from None


async def _nothing() -> AsyncIterator[bytes]:
    return
    yield b""
