"""One open stream of server-sent events (WHATWG HTML, "Server-sent events"), and what is written to it."""

import time
from collections.abc import Iterable

import msgspec

from stowboard.events.feed import Event, EventFilter, write_position
from stowboard.events.wire import view
from stowboard.http.exchange import Sink

MOST_BYTES = 256 * 1024
LONGEST_SECONDS = 600.0
#: How long a client waits before it comes back: normally, after a stream that was used up, and after a stopped server.
RETRY_MS, RETRY_SOON_MS, RETRY_STOPPED_MS = 3000, 50, 1000
RESET = b'event: reset\ndata: {"reason":"cursor_expired"}\n\n'
PROBE, KEEP_ALIVE = b":\n\n", b": keep-alive\n"
_encode = msgspec.json.Encoder().encode


class Stream:
    """We cannot see how fast a client reads, so a stream ends after a number of bytes, and after some minutes anyway.

    This bounds the memory that a stalled client can hold. Each event carries the cursor after it, and clients come back
    with the last one they saw: an end costs a request and loses nothing.
    """

    __slots__ = ("_left", "_until", "asked", "bucket", "checked", "open", "position", "sink", "token_id", "wanted")

    def __init__(
        self, sink: Sink, token_id: str, bucket: str, wanted: EventFilter, asked: frozenset[str] | None, position: int
    ) -> None:
        self.sink, self.token_id, self.bucket, self.wanted = sink, token_id, bucket, wanted
        #: The owners that it is about, of those in reach of the token; None for all.
        self.asked = asked
        #: All matching events up to here were sent.
        self.position = position
        #: The position at the last look at its token.
        self.checked = position
        self.open = True
        self._left = MOST_BYTES
        self._until = time.monotonic() + LONGEST_SECONDS
        self.send(b"retry: %d\n\n" % RETRY_MS + mark(position))

    def send(self, data: bytes) -> None:
        """Ends the stream if the client has gone, or has had its number of bytes."""
        if not self.open:
            return
        self._left -= len(data)
        if not self.sink.send(data):
            self.open = False
        elif self._left <= 0:
            self.end(RETRY_SOON_MS)

    def end(self, retry_ms: int) -> None:
        """End the stream, and tell the client when to come back."""
        if self.open:
            self.sink.send(b"retry: %d\n\n" % retry_ms)
            self.open = False
        self.sink.close()

    @property
    def is_over(self) -> bool:
        return time.monotonic() > self._until


def frame(event: Event) -> bytes:
    cursor, kind = write_position(event.position).encode(), event.type.encode()
    return b"id: %b\nevent: %b\ndata: %b\n\n" % (cursor, kind, _encode(view(event)))


def frames(events: Iterable[Event]) -> bytes:
    return b"".join(frame(event) for event in events)


def mark(position: int) -> bytes:
    """A message with the position alone, without an event: clients keep the cursor of the last `id`."""
    return b"id: %b\n\n" % write_position(position).encode()
