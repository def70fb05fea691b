"""Server-sent events, read as they arrive. Nothing here touches the network."""

from collections.abc import Iterator
from dataclasses import dataclass

_FIRST_RETRY = 3.0


@dataclass(frozen=True, slots=True)
class Message:
    kind: str
    data: bytes


class EventStream:
    """The streams that a follower reads one after the other: its position, and the pause between two streams."""

    def __init__(self, cursor: str | None) -> None:
        #: The cursor behind the last whole message.
        self.cursor = cursor
        #: Seconds until the next stream, as the service last said.
        self.retry = _FIRST_RETRY
        self.begin()

    def begin(self) -> None:
        """Drop the unfinished part of a broken stream: the next one brings it again."""
        self._rest = b""
        self._data: list[bytes] = []
        self._kind, self._id = "message", self.cursor

    def feed(self, chunk: bytes) -> Iterator[Message]:
        """The messages that are complete with this chunk."""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            yield from self._take(line.removesuffix(b"\r"))

    def _take(self, line: bytes) -> Iterator[Message]:
        if not line:
            yield from self._end()
            return
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            self._data.append(value)
        elif name == b"event":
            self._kind = value.decode()
        elif name == b"id":
            self._id = value.decode()
        elif name == b"retry" and value.isdigit():
            self.retry = int(value) / 1000

    def _end(self) -> Iterator[Message]:
        kind, data, self._kind, self._data = self._kind, self._data, "message", []
        self.cursor = self._id
        if data:
            yield Message(kind, b"\n".join(data))
