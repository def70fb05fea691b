"""A stream that goes as fast as its client takes it, for Granian.

What Granian is given to stream it keeps in memory, however much that is and however slow the client, and it does not
say that the client has gone. A file it reads as the client takes it. So a stream is given to it as a file that is a
pipe: while the pipe is full, the source waits; when the client goes, Granian closes its end and the next write fails.

The pipe has a name, for as long as Granian needs to open it. Waiting for bytes holds one of Granian's threads for
files, of which there are 512.
"""

import asyncio
import os
import secrets
import select
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

#: Granian opens a file at once, or never if the client has gone before.
_OPEN_SECONDS = 3.0
_FIRST_LOOK_SECONDS, _LAST_LOOK_SECONDS = 0.0005, 0.05


async def stream_through_pipe(answer_with_file: Callable[[str], None], chunks: AsyncIterator[bytes]) -> None:
    """Answer with the chunks. Returns early if the client has gone; the caller closes the source."""
    with _pipe() as (path, writer):
        answer_with_file(str(path))
        try:
            await asyncio.wait_for(_reader(writer), _OPEN_SECONDS)
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
        # Without a reader, there is no opening it for writing.
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


async def _reader(writer: int) -> None:
    """Wait until somebody reads. Until then the system calls it an error, and does not tell when it is none."""
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
            await _room(writer)


async def _room(writer: int) -> None:
    loop, room = asyncio.get_running_loop(), asyncio.Event()
    loop.add_writer(writer, room.set)
    try:
        await room.wait()
    finally:
        loop.remove_writer(writer)
