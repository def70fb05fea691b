"""Files that the kernel sends on a connection that belongs to somebody else: the very one, or nothing is touched."""

import asyncio
import os
import secrets
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from stowboard.http.sendfile import Ends, send_file
from support.processes.figures import open_files
from support.waiting import until

CONTENT = secrets.token_bytes(8 << 20)
HEADERS = [("content-length", str(len(CONTENT))), ("x-name", "value")]


class Pair:
    """A connection, both of whose ends are here."""

    def __init__(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listening:
            self.client = socket.create_connection(listening.getsockname())
            self.server, _ = listening.accept()
        self.server.setblocking(False)
        host, port = self.client.getsockname()
        self.ends = Ends(self.server.getsockname()[1], f"{host}:{port}")

    def received(self) -> bytes:
        pieces = []
        while piece := self.client.recv(1 << 20):
            pieces.append(piece)
        return b"".join(pieces)

    def close(self) -> None:
        self.client.close()
        self.server.close()


@pytest.fixture
def pair() -> Iterator[Pair]:
    pair = Pair()
    yield pair
    pair.close()


@pytest.fixture
def path(tmp_path: Path) -> str:
    file = tmp_path / "file"
    file.write_bytes(CONTENT)
    return str(file)


@pytest.mark.parametrize(("start", "end"), [(0, len(CONTENT)), (1, 2), (5_000_000, 8_000_000)])
async def test_a_part_of_a_file_is_a_whole_answer_and_ends_the_connection(
    pair: Pair, path: str, start: int, end: int
) -> None:
    reading = asyncio.create_task(asyncio.to_thread(pair.received))
    assert await send_file(pair.ends, 206, HEADERS, path, start, end)
    head, _, body = (await reading).partition(b"\r\n\r\n")
    assert body == CONTENT[start:end]
    lines = head.decode().split("\r\n")
    assert lines[0] == "HTTP/1.1 206 Partial Content"
    assert {"x-name: value", "connection: close"} < set(lines)


async def test_only_the_very_connection_is_written_to(pair: Pair, path: str) -> None:
    for other in (Ends(pair.ends.port + 1, pair.ends.peer), Ends(pair.ends.port, "127.0.0.1:1")):
        assert not await send_file(other, 200, HEADERS, path, 0, 10)
    pair.client.setblocking(False)
    with pytest.raises(BlockingIOError):
        pair.client.recv(1)


async def test_a_file_that_is_gone_leaves_the_connection_for_another_answer(pair: Pair, path: str) -> None:
    Path(path).unlink()
    with pytest.raises(FileNotFoundError):
        await send_file(pair.ends, 200, HEADERS, path, 0, 10)
    pair.server.send(b"something else")
    assert pair.client.recv(100) == b"something else"


async def test_a_client_that_has_not_taken_the_answer_before_is_left_to_others(pair: Pair, path: str) -> None:
    with suppress(BlockingIOError):
        while True:
            pair.server.send(b"x" * 65536)
    assert not await send_file(pair.ends, 200, HEADERS, path, 0, 10)
    pair.server.close()
    assert set(await asyncio.to_thread(pair.received)) == {ord("x")}


async def test_a_file_that_is_shorter_than_was_said_ends_the_answer_early(pair: Pair, path: str) -> None:
    os.truncate(path, 1000)
    assert await send_file(pair.ends, 200, HEADERS, path, 0, len(CONTENT))
    assert pair.received().partition(b"\r\n\r\n")[2] == CONTENT[:1000]


@pytest.mark.parametrize("given_up", [True, False])
async def test_who_goes_or_is_given_up_leaves_no_file_open(path: str, given_up: bool) -> None:
    await send_file(Ends(0, ""), 200, [], path, 0, 1)  # a thread may open what it needs
    files, pair = open_files(os.getpid()), Pair()
    sending = asyncio.create_task(send_file(pair.ends, 200, HEADERS, path, 0, len(CONTENT)))
    assert await asyncio.to_thread(pair.client.recv, 1)
    if given_up:
        sending.cancel()
        await asyncio.wait([sending])
        assert sending.cancelled()
        with pytest.raises(BrokenPipeError):
            pair.server.send(b"nobody can write behind it")
    else:
        pair.client.close()
        assert await sending
    pair.close()
    await until(lambda: open_files(os.getpid()) <= files)


@pytest.mark.parametrize("value", ["a\r\nset-cookie: b", "a\nb", "\x00", "ü"])
async def test_a_header_that_could_be_another_is_never_sent(pair: Pair, path: str, value: str) -> None:
    assert not await send_file(pair.ends, 200, [*HEADERS, ("x-name", value)], path, 0, len(CONTENT))
    pair.server.close()
    assert pair.received() == b""
