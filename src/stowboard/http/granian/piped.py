"""Streams that go as fast as their client reads.

Granian keeps streamed data in memory, however much it is and however slow the client, and does not say when the client
has gone. But it reads a file at the client's pace. So we give Granian a stream as a file that is a pipe. While the pipe
is full, the source waits; when the client goes, Granian closes its end and the next write fails.

The pipe has a name until Granian has opened it. A stream holds one of Granian's 512 threads for files.
"""

import asyncio
import os
import secrets
import select
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from stowboard.http.exchange import Headers
from stowboard.http.granian.rsgi import RsgiExchange

#: Granian opens a file at once, or never if the client has gone before.
_OPEN_SECONDS = 3.0
_FIRST_LOOK_SECONDS, _LAST_LOOK_SECONDS = 0.0005, 0.05


class PipedExchange(RsgiExchange):
    __slots__ = ()

    async def respond_stream(self, status: int, headers: Headers, chunks: AsyncIterator[bytes]) -> None:
        def answer_with_file(path: str) -> None:
            self._protocol.response_file(status, headers, path)

        await _stream_through_pipe(answer_with_file, chunks)


async def _stream_through_pipe(answer_with_file: Callable[[str], None], chunks: AsyncIterator[bytes]) -> None:
    """Answer with the chunks. Returns early if the client has gone; the caller closes the source."""
    with _pipe() as (path, writer):
        answer_with_file(str(path))
        try:
            await asyncio.wait_for(_wait_for_reader(writer), _OPEN_SECONDS)
        except TimeoutError:
            return
        path.unlink()
        with suppress(BrokenPipeError):
            async for chunk in chunks:
                await _write(writer, chunk)


@contextmanager
def _pipe() -> Iterator[tuple[Path, int]]:
    """A pipe that nobody reads yet: its name, and the end that is written to."""
    path = Path(tempfile.gettempdir(), f"stowboard-{secrets.token_hex(16)}")
    os.mkfifo(path, 0o600)
    try:
        # A pipe without a reader cannot be opened for writing.
        reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        try:
            writer = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        finally:
            os.close(reader)
        try:
            yield path, writer
        finally:
            os.close(writer)
    finally:
        path.unlink(missing_ok=True)


async def _wait_for_reader(writer: int) -> None:
    """Polls in a loop: without a reader poll() reports an error, and nothing signals that a reader has come."""
    poll = select.poll()
    poll.register(writer, select.POLLOUT)
    pause = _FIRST_LOOK_SECONDS
    while poll.poll(0)[0][1] & select.POLLERR:
        await asyncio.sleep(pause)
        pause = min(2 * pause, _LAST_LOOK_SECONDS)


async def _write(writer: int, data: bytes) -> None:
    """Raises BrokenPipeError when nobody reads any more."""
    rest = memoryview(data)
    while rest:
        try:
            rest = rest[os.write(writer, rest) :]
        except BlockingIOError:
            await _wait_for_space(writer)


async def _wait_for_space(writer: int) -> None:
    loop, space = asyncio.get_running_loop(), asyncio.Event()
    loop.add_writer(writer, space.set)
    try:
        await space.wait()
    finally:
        loop.remove_writer(writer)
