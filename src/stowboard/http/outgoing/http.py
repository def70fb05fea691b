"""HTTP/1.1 over one connection: a request, and its answer as it arrives."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager

import h11

from stowboard.http.outgoing.failure import OutgoingFailed, OutgoingReason, words_of
from stowboard.http.outgoing.target import OutgoingTarget

HEADER_BYTES = 16 * 1024
READ_BYTES = 16 * 1024


class Http:
    """Raises OutgoingFailed, or TimeoutError of the time limit around it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=HEADER_BYTES)

    async def send(self, method: str, target: OutgoingTarget, headers: Sequence[tuple[str, str]], body: bytes) -> None:
        ours = [("host", target.authority), ("connection", "close"), ("accept-encoding", "identity")]
        length = [("content-length", str(len(body)))] if body or method in ("POST", "PUT", "PATCH") else []
        with _translated():
            request = h11.Request(method=method, target=target.path, headers=[*ours, *headers, *length])
            for event in (request, h11.Data(data=body), h11.EndOfMessage()):
                self._writer.write(self._connection.send(event) or b"")
            await self._writer.drain()

    async def response(self) -> tuple[int, dict[str, str]]:
        """Status and headers. Provisional answers are passed over."""
        while True:
            event = await self._next_event()
            if isinstance(event, h11.Response):
                named = {name.decode("latin-1"): value.decode("latin-1") for name, value in event.headers}
                return event.status_code, named

    async def body(self) -> AsyncIterator[bytes]:
        while isinstance(event := await self._next_event(), h11.Data):
            yield bytes(event.data)

    async def _next_event(self) -> object:
        with _translated():
            while (event := self._connection.next_event()) is h11.NEED_DATA:
                data = await self._reader.read(READ_BYTES)
                if not data and self._connection.their_state is h11.SEND_RESPONSE:
                    raise OutgoingFailed(OutgoingReason.PROTOCOL, "The connection ended without an answer.")
                self._connection.receive_data(data)
        return event


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except h11.ProtocolError as error:
        raise OutgoingFailed(OutgoingReason.PROTOCOL, f"The exchange was not HTTP: {error}.") from None
    except TimeoutError:
        raise
    except OSError as error:
        raise OutgoingFailed(OutgoingReason.PROTOCOL, f"The connection was lost: {words_of(error)}.") from None
