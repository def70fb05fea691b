"""One HTTP exchange, on any server: the request, and the ways to answer it.

Two faces exist: `rsgi.py` for Granian, which the service ships with, and `asgi.py` for any other server and for tools.
Header names are lower case. A path is percent-decoded already.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any, Protocol, TypeAlias

import msgspec

Headers: TypeAlias = list[tuple[str, str]]
#: A body must arrive within this time, plus the time that its length takes at the slowest allowed rate.
BODY_GRACE_SECONDS = 10.0
SLOWEST_BYTES_PER_SECOND = 32 * 1024
#: A body that is written as it arrives may take long, but not for ever: after a while it must reach this rate.
STREAM_GRACE_SECONDS = 15.0
SLOWEST_STREAM_BYTES_PER_SECOND = 1024


class Sink(Protocol):
    """The open body of a streamed answer: its holder sends data as events happen, and needs no task for that.

    It does not show how fast the client reads. Unread data stays in memory, so the sender has to limit it.
    """

    def send(self, data: bytes) -> bool:
        """False if the client has gone. That may be noticed only some time later."""

    def close(self) -> None:
        """End the answer normally."""


class Exchange(Protocol):
    method: str
    path: str
    query: str

    @property
    def scheme(self) -> str:
        """`http` or `https`."""

    @property
    def version(self) -> str:
        """The version of HTTP: `1.0`, `1.1`, `2`."""

    @property
    def peer(self) -> str:
        """The other end of the connection: address and port, as `127.0.0.1:54321` or `[::1]:54321`."""

    @property
    def client(self) -> str:
        """The client's address; without knowledge of proxies, the peer's (see AnsweringExchange)."""

    def header(self, name: str) -> str | None:
        """A header's value; the first one, where a client sent several."""

    def has_header(self, name: str) -> bool:
        """True if the header was sent at all. `header` is also None if its bytes are not ASCII."""

    def header_count(self, name: str) -> int:
        """How many times a header was sent."""

    def header_list(self, name: str) -> list[str]:
        """All values of a header that was sent several times."""

    def header_values(self) -> list[str]:
        """The values of all headers, except those that are not ASCII."""

    def chunks(self) -> AsyncIterator[bytes]:
        """The body as it arrives, or what is left of it. A lost connection ends it: compare with Content-Length."""

    async def whole_body(self) -> bytes:
        """All of the body at once, for when its length is known to be small."""

    async def read_on(self, most: int) -> None:
        """After the answer: read and drop what is left of the body, up to so many bytes."""

    def expect_answer(self, size: int) -> None:
        """Call this before the work for a large answer. Raises Problem if it could not be sent now."""

    def respond(self, status: int, headers: Headers, body: bytes = b"") -> None:
        """Answer with bytes."""

    async def respond_stream(self, status: int, headers: Headers, chunks: AsyncIterator[bytes]) -> None:
        """Answer with chunks, as fast as the client reads them; ends early if the client has gone.

        There must be at least one chunk. With a Content-Length, the client can see that a failed stream was cut off.
        """

    def open_stream(self, status: int, headers: Headers) -> Sink:
        """Answer with bytes that are sent later, also after the handler has returned."""

    async def respond_file(self, status: int, headers: Headers, path: str, start: int, end: int) -> None:
        """Answer with the bytes of a file from start up to end. If it raises FileNotFoundError, nothing is answered."""


class Service(Protocol):
    """The application behind a server."""

    def handle(self, exchange: Exchange) -> Coroutine[Any, Any, None]:
        """Answer it, whatever happens."""

    def answers_at_once(self, exchange: Exchange) -> bool:
        """True if `handle` will almost never wait for this request. It still may."""


Handler: TypeAlias = Callable[..., Awaitable[None]]


class Route(msgspec.Struct, frozen=True):
    """A path, and what answers it.

    The handler gets the exchange and the path's parameters, and answers it itself. A GET serves HEAD as well.
    """

    method: str
    path: str
    handler: Handler
    #: True if pages of other origins may read its answers. False where a cookie counts.
    cross_origin: bool = True


def content_length(exchange: Exchange) -> int | None:
    """The announced length of the body, None if it comes in chunks of unknown number."""
    text = exchange.header("content-length")
    if text is None:
        return None if exchange.header("transfer-encoding") else 0
    return int(text) if text.isdecimal() else None


def stream_deadline(received: int) -> float:
    """Seconds after its start by which a body that is written as it arrives must have more than `received` bytes."""
    return STREAM_GRACE_SECONDS + received / SLOWEST_STREAM_BYTES_PER_SECOND


def deadline(length: int) -> float:
    """Seconds that a body of this length may take."""
    return BODY_GRACE_SECONDS + length / SLOWEST_BYTES_PER_SECOND
