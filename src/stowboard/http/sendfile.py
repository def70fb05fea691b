"""Large files that the kernel sends, past Granian: sendfile.

Granian reads a file in blocks and writes them, which copies each byte three times. So a large file goes straight to its
connection, whose socket is found among our open files by our port and its peer, and is written to while Granian waits
for an answer. Granian writes nothing meanwhile: it takes up a request when the answer before it is with the kernel. It
cannot be told that an answer was sent, so the connection ends with it, as its head says, and what Granian is told then
goes nowhere.

Where that cannot be done nothing was sent, and Granian sends the file. It is for HTTP/1.1 without TLS, which is what
our Granian speaks.
"""

import asyncio
import os
import re
import select
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from email.utils import formatdate
from http import HTTPStatus
from io import FileIO
from typing import NamedTuple

from stowboard.http.exchange import Headers

#: From here on, a file is worth a connection.
LARGE = 16 << 20
#: What waits in the kernel for its client are pages of the file, no copies.
_MOST_UNSENT = 1 << 20
#: What one client gets before it is another one's turn, and how long a thread waits until it takes more.
_MOST_AT_ONCE = 16 << 20
_PATIENCE_MS = 2
#: What could end a line of the head, or needs an encoding, is left to Granian.
_IS_PLAIN = re.compile(r"[\t\x20-\x7e]*").fullmatch
#: The disk may have to be waited for.
_threads = ThreadPoolExecutor(8, "sendfile")


class Ends(NamedTuple):
    """Of a connection."""

    port: int
    #: As Granian writes it: `127.0.0.1:54321` or `[::1]:54321`.
    peer: str


async def send_file(ends: Ends, status: int, headers: Headers, path: str, start: int, end: int) -> bool:
    """Answer with a part of a file, and end the connection.

    False if nothing was sent. Returns early if the client has gone. Raises FileNotFoundError.
    """
    if not all(_IS_PLAIN(value) for _, value in headers):
        return False
    loop = asyncio.get_running_loop()
    with ExitStack() as closing:
        connection = await loop.run_in_executor(_threads, _find_connection, ends)
        if connection is None:
            return False
        closing.enter_context(connection)
        file = closing.enter_context(await loop.run_in_executor(_threads, FileIO, path))
        if not _begin(connection, _head(status, headers)):
            return False
        # Whatever happens from now on, nobody else may write to it.
        closing.callback(_end, connection)
        with suppress(OSError, EOFError):
            while start < end:
                start = await _send_in_thread(connection, file, start, end)
                await _room(connection)
    return True


def _find_connection(ends: Ends) -> socket.socket | None:
    """A second descriptor of it."""
    with suppress(OSError):
        for number in map(int, os.listdir("/proc/self/fd")):  # noqa: PTH208 - there may be thousands
            if _ends_of(number) == ends:
                doubled = socket.socket(fileno=os.dup(number))
                if _ends_of(doubled.fileno()) == ends:  # the number was not given to another file meanwhile
                    return doubled
                doubled.close()
    return None


def _ends_of(number: int) -> Ends | None:
    """None for what is no connection."""
    try:
        looked_at = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 0, fileno=number)
    except OSError:
        return None
    try:
        (host, port), own = looked_at.getpeername()[:2], looked_at.getsockname()[1]
    except (OSError, ValueError, IndexError):  # not connected; or a socket without ports
        return None
    finally:
        looked_at.detach()
    return Ends(own, f"[{host}]:{port}" if ":" in host else f"{host}:{port}")


def _head(status: int, headers: Headers) -> bytes:
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}"]
    lines += [f"{name}: {value}" for name, value in headers]
    return "\r\n".join([*lines, "connection: close", f"date: {formatdate(usegmt=True)}", "", ""]).encode()


def _begin(connection: socket.socket, head: bytes) -> bool:
    """False if nothing was sent."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, _MOST_UNSENT)
    try:
        sent = connection.send(head, socket.MSG_MORE)
    except OSError:  # the client has gone, or has not yet taken what it asked for before
        return False
    if sent < len(head):
        _end(connection)
    return True


def _end(connection: socket.socket) -> None:
    """The kernel still sends what it has. What the client may say yet is left to Granian, which will not read it."""
    with suppress(OSError):
        connection.shutdown(socket.SHUT_WR)


async def _send_in_thread(connection: socket.socket, file: FileIO, start: int, end: int) -> int:
    arguments = connection.fileno(), file.fileno(), start, min(end, start + _MOST_AT_ONCE)
    sending = asyncio.get_running_loop().run_in_executor(_threads, _send_some, *arguments)
    try:
        return await asyncio.shield(sending)
    except asyncio.CancelledError:
        _end(connection)  # so that the thread ends, before its files are closed
        await asyncio.wait([sending])
        raise


def _send_some(connection: int, file: int, start: int, end: int) -> int:
    """As much as the client takes. Where the next byte is; raises OSError if the client has gone."""
    poll = select.poll()
    poll.register(connection, select.POLLOUT)
    while start < end:
        try:
            sent = os.sendfile(connection, file, start, end - start)
        except BlockingIOError:
            if not poll.poll(_PATIENCE_MS):
                break
            continue
        if sent == 0:
            raise EOFError
        start += sent
    return start


async def _room(connection: socket.socket) -> None:
    loop, room = asyncio.get_running_loop(), asyncio.Event()
    loop.add_writer(connection, room.set)
    try:
        await room.wait()
    finally:
        loop.remove_writer(connection)
