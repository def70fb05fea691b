"""One connection to a Valkey or Redis server, as small as the rate limit needs it.

Commands are written as they come and answered in order (RESP2), so many requests share the connection without waiting
for one another. Only replies of one line are understood: status, integer, error. A command that is not answered in
`ANSWER_SECONDS` fails and keeps its place in the line. A connection that failed three times within a second is given
up: it is closed, and every command on it fails at once. Connecting again is left to the owner.

Not here: a cluster, sentinels, subscriptions, replies of several parts.
"""

import asyncio
import ssl
from collections import deque
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias, cast
from urllib.parse import unquote, urlsplit

from stowboard.core.settings.values import url_of_each_host

ANSWER_SECONDS = 0.1
#: The extra wait when the timer fires: time to read answers that came while this process was blocked.
_READ_FIRST_SECONDS = 0.001
CONNECT_SECONDS = 1.0
STRIKES = 3
STRIKES_WITHIN_SECONDS = 1.0
_TLS = {"redis": False, "valkey": False, "rediss": True, "valkeys": True}
_EXPECTED = "expected redis://[[user]:password@]host[:port][,host[:port]…][/database], with rediss:// for TLS"

Reply: TypeAlias = int | bytes


class ValkeyError(Exception):
    """No usable answer: too late, connection gone, or an error from the server."""


class ReplyError(ValkeyError):
    """The server answered with an error."""


@dataclass(frozen=True)
class ValkeyAddress:
    host: str
    port: int
    tls: bool
    database: int
    username: str | None
    password: str | None

    @cached_property
    def tls_context(self) -> ssl.SSLContext | None:
        """Made once: reading the system's certificates takes milliseconds."""
        return ssl.create_default_context() if self.tls else None

    @classmethod
    def parse(cls, url: str) -> "ValkeyAddress":
        """From `redis://[[user]:password@]host[:port][/database]`; `rediss` is TLS. Raises ValueError."""
        parts = urlsplit(url)
        try:
            tls, port, database = _TLS[parts.scheme], parts.port or 6379, int(parts.path.strip("/") or "0")
        except (KeyError, ValueError):
            raise ValueError(_EXPECTED) from None  # the cause can quote a password
        if not parts.hostname or database < 0:
            raise ValueError(_EXPECTED)
        username, password = (unquote(text) if text else None for text in (parts.username, parts.password))
        return cls(parts.hostname, port, tls, database, username, password)

    @classmethod
    def parse_all(cls, url: str) -> "list[ValkeyAddress]":
        """The same for a URL that may name several hosts, separated by commas."""
        return [cls.parse(each) for each in url_of_each_host(url)]

    def __str__(self) -> str:
        return f"{self.host}:{self.port}/{self.database}"


async def connect(address: ValkeyAddress, probe: bytes) -> "ValkeyConnection":
    """A connection, authenticated and in its database, that answered the probe. Raises OSError or ValkeyError."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(CONNECT_SECONDS):
        _, connection = await loop.create_connection(
            ValkeyConnection, address.host, address.port, ssl=address.tls_context
        )
    try:
        for command in (*_introduction(address), probe):
            await connection.send(command)
    except BaseException:
        connection.close()
        raise
    return connection


class ValkeyConnection(asyncio.Protocol):
    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        #: Set when the connection is gone, for whatever reason.
        self.gone = asyncio.Event()
        self._waiting: deque[tuple[float, asyncio.Future[Reply]]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._strikes: deque[float] = deque(maxlen=STRIKES)
        self._rest = b""

    def send(self, command: bytes) -> asyncio.Future[Reply]:
        """Send an encoded command; the future has its reply, or a ValkeyError."""
        reply: asyncio.Future[Reply] = self._loop.create_future()
        if self.gone.is_set():
            reply.set_exception(ValkeyError("the connection is gone"))
            return reply
        # One timer for all commands, set again only when it has fired: cheaper than one for each command.
        self._waiting.append((self._loop.time() + ANSWER_SECONDS, reply))
        if self._timer is None:
            self._timer = self._loop.call_later(ANSWER_SECONDS, self._ring)
        self._transport.write(command)
        return reply

    def strike(self) -> None:
        """Count a failure; the third within a second closes the connection."""
        now = self._loop.time()
        self._strikes.append(now)
        if len(self._strikes) == STRIKES and now - self._strikes[0] <= STRIKES_WITHIN_SECONDS:
            self.close()

    def close(self) -> None:
        # `close` would wait for the peer, which may be frozen.
        self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\r\n")
        try:
            for line in lines:
                answer = _decoded(line)
                _, reply = self._waiting.popleft()
                if reply.done():
                    continue  # it was given up
                if isinstance(answer, ReplyError):
                    reply.set_exception(answer)
                else:
                    reply.set_result(answer)
        except (ValueError, IndexError):  # a line that we do not know, or an answer without a question
            self.close()

    def connection_lost(self, error: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self.gone.set()
        for _, reply in self._waiting:
            if not reply.done():
                reply.set_exception(ValkeyError(f"the connection was lost: {error or 'closed'}"))

    def _ring(self) -> None:
        # A loop that was blocked runs its timers before it reads: the answers may already be in the socket.
        self._timer = self._loop.call_later(_READ_FIRST_SECONDS, self._give_up_the_late)

    def _give_up_the_late(self) -> None:
        self._timer = None
        now, late = self._loop.time(), False
        for deadline, reply in self._waiting:
            if deadline > now:
                self._timer = self._loop.call_at(deadline, self._ring)
                break
            if not reply.done():
                reply.set_exception(ValkeyError("no answer in time"))
                late = True
        if late:
            self.strike()  # only one, however many were late: perhaps one pause of ours made all of them late


def encode(*parts: bytes) -> bytes:
    """A command as the server reads it."""
    return b"*%d\r\n" % len(parts) + b"".join([b"$%d\r\n%b\r\n" % (len(part), part) for part in parts])


def _introduction(address: ValkeyAddress) -> list[bytes]:
    commands = []
    if address.password is not None:
        user = (address.username.encode(),) if address.username else ()
        commands.append(encode(b"AUTH", *user, address.password.encode()))
    if address.database:
        commands.append(encode(b"SELECT", b"%d" % address.database))
    return commands


def _decoded(line: bytes) -> Reply | ReplyError:
    kind, text = line[:1], line[1:]
    if kind == b":":
        return int(text)
    if kind == b"+":
        return text
    if kind == b"-":
        return ReplyError(text.decode(errors="replace"))
    raise ValueError(kind)
