"""Parts of a file, downloads that are slow, given up or cut off, and what they cost the server."""

import hashlib
import secrets
import socket
import struct
import time
from email.parser import BytesParser
from urllib.parse import urlsplit

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stowboard.blobs.recent import LONGEST
from stowboard_client import Asset, Client
from support.api.answers import error_of
from support.processes.figures import memory_mib, open_files
from support.servers.stowboard import Server
from support.stored import blobs as stored_blobs
from support.waiting import wait_until

#: Longer than what is kept in memory.
CONTENT = bytes(range(256)) * 300
SIZE = len(CONTENT)
LARGE = 64 << 20


@pytest.fixture(scope="session")
def kept() -> dict[tuple[str, str], Asset]:
    """Files that tests leave as they are, by server and name."""
    return {}


@pytest.fixture
def file(client: Client, kept: dict[tuple[str, str], Asset]) -> str:
    key = (client.base_url, "small")
    if key not in kept:
        kept[key] = client.uploads.file("bytes.bin", CONTENT)
    return _url(kept[key])


@pytest.fixture
def large(client: Client, kept: dict[tuple[str, str], Asset]) -> Asset:
    key = (client.base_url, "large")
    if key not in kept:
        kept[key] = upload_large(client)
    return kept[key]


def upload_large(client: Client) -> Asset:
    """64 MiB, too much to be anywhere but on disk."""
    block = secrets.token_bytes(1 << 20)
    blocks = (number.to_bytes(8, "big") + block[8:] for number in range(LARGE >> 20))
    upload = client.uploads.presigned("large.bin", LARGE)
    assert httpx2.put(upload.upload_url, content=blocks, headers={"content-length": str(LARGE)}).is_success
    return client.uploads.wait_until_ready(upload.id)


def get(web: httpx2.Client, url: str, wanted: str, **headers: str) -> httpx2.Response:
    return web.get(url, headers={"range": wanted, **{name.replace("_", "-"): value for name, value in headers.items()}})


@pytest.mark.parametrize(
    ("wanted", "start", "end"),
    [
        ("bytes=0-1", 0, 2),
        ("bytes=0-", 0, SIZE),
        ("bytes=100-199", 100, 200),
        ("bytes=-1", SIZE - 1, SIZE),
        ("bytes=-999999999", 0, SIZE),
        (f"bytes={SIZE - 1}-99999999999999999999", SIZE - 1, SIZE),
        ("bytes=10-19,15-29, 30-39", 10, 40),
    ],
)
def test_a_range_is_answered_with_those_bytes_alone(
    web: httpx2.Client, file: str, wanted: str, start: int, end: int
) -> None:
    answer = get(web, file, wanted)
    assert (answer.status_code, answer.content) == (206, CONTENT[start:end])
    assert answer.headers["content-range"] == f"bytes {start}-{end - 1}/{SIZE}"
    assert answer.headers["content-length"] == str(end - start)
    assert answer.headers["etag"] == web.head(file).headers["etag"]


def test_a_short_file_is_given_in_parts_like_a_long_one(web: httpx2.Client, client: Client) -> None:
    """The first time from the store, and then from memory."""
    content = secrets.token_bytes(LONGEST)
    url = _url(client.uploads.file("short.bin", content))
    for _ in range(2):
        for start, end in [(0, 1), (100, 200), (0, LONGEST), (LONGEST - 7, LONGEST)]:
            answer = get(web, url, f"bytes={start}-{end - 1}")
            assert (answer.status_code, answer.content) == (206, content[start:end])
            assert answer.headers["content-range"] == f"bytes {start}-{end - 1}/{LONGEST}"
        assert web.get(url).content == content
        assert web.head(url).headers["content-length"] == str(LONGEST)


def test_several_ranges_are_parts_of_one_answer_in_their_order(web: httpx2.Client, file: str) -> None:
    answer = get(web, file, "bytes=-5, 0-9, 5000-5009")
    assert answer.status_code == 206
    assert answer.headers["content-length"] == str(len(answer.content))
    assert "content-range" not in answer.headers
    assert parts_of(answer) == [
        (f"bytes {SIZE - 5}-{SIZE - 1}/{SIZE}", CONTENT[-5:]),
        (f"bytes 0-9/{SIZE}", CONTENT[:10]),
        (f"bytes 5000-5009/{SIZE}", CONTENT[5000:5010]),
    ]


@pytest.mark.parametrize("wanted", [f"bytes={SIZE}-", "bytes=-0", "bytes=999999999-", f"bytes={SIZE}-, -0"])
def test_a_range_without_bytes_is_refused_with_the_size(web: httpx2.Client, file: str, wanted: str) -> None:
    answer = get(web, file, wanted)
    assert error_of(answer) == (416, "range_not_satisfiable")
    assert answer.headers["content-range"] == f"bytes */{SIZE}"


@pytest.mark.parametrize(
    "wanted",
    [
        "bytes=-5--1",
        "bytes=5-4",
        "bytes=-",
        "bytes=a-z",
        "lines=1-2",
        "bytes=0-0" + ",0-0" * 4000,
        "bytes=" + ",".join(f"{n}-{n}" for n in range(0, 34, 2)),
        "bytes=" + ",".join(f"{n}-{n}" for n in range(0, 3000, 2)),
        "bytes=" + ",".join(f"{n}-" for n in range(2500)),
        "bytes=" + "9" * 16_000 + "-",
    ],
    ids=lambda wanted: wanted[:20],
)
def test_nonsense_and_too_many_ranges_get_the_whole_file(web: httpx2.Client, file: str, wanted: str) -> None:
    answer = get(web, file, wanted)
    assert (answer.status_code, answer.content) == (200, CONTENT)


def test_a_range_is_only_for_who_has_the_same_bytes(web: httpx2.Client, file: str) -> None:
    head = web.head(file).headers
    for condition, status in [
        (head["etag"], 206),
        (head["last-modified"], 206),
        (f"W/{head['etag']}", 200),
        ('"other"', 200),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 200),
        ("", 200),
    ]:
        answer = get(web, file, "bytes=0-9", if_range=condition)
        assert (answer.status_code, len(answer.content)) == (status, 10 if status == 206 else SIZE), condition


def test_who_has_the_bytes_gets_304_whatever_range_was_asked_for(web: httpx2.Client, file: str) -> None:
    assert get(web, file, "bytes=99999999-", if_none_match="*").status_code == 304


def test_head_knows_no_ranges(web: httpx2.Client, file: str) -> None:
    answer = web.head(file, headers={"range": "bytes=0-9"})
    assert (answer.status_code, answer.headers["content-length"]) == (200, str(SIZE))


spans = st.tuples(st.integers(0, SIZE + 50), st.integers(0, 300)).map(lambda pair: f"{pair[0]}-{pair[0] + pair[1]}")


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(wanted=st.lists(st.one_of(spans, st.integers(1, 300).map(lambda n: f"-{n}")), min_size=1, max_size=6))
def test_the_parts_are_the_bytes_that_they_say(web: httpx2.Client, file: str, wanted: list[str]) -> None:
    answer = get(web, file, "bytes=" + ",".join(wanted))
    if answer.status_code == 416:
        return
    assert answer.status_code == 206
    several = answer.headers["content-type"].startswith("multipart/byteranges")
    found = parts_of(answer) if several else [(answer.headers["content-range"], answer.content)]
    for said, content in found:
        first, last = said.removeprefix("bytes ").partition("/")[0].split("-")
        assert content == CONTENT[int(first) : int(last) + 1]


def test_a_large_file_comes_like_others_and_behind_others(server: Server, web: httpx2.Client, large: Asset) -> None:
    """Two requests at once on one connection; the second file may end it, but not before it is whole."""
    target = urlsplit(_url(large)).path
    asked = [f"GET {target} HTTP/1.1\r\nhost: stow.test\r\nrange: bytes={span}\r\n\r\n" for span in ("1-999999", "5-")]
    with socket.create_connection(("127.0.0.1", server.port), timeout=120) as connection:
        connection.sendall("".join(asked).encode())
        with connection.makefile("rb") as stream:
            for start, end in ((1, 1_000_000), (5, LARGE)):
                head = b"".join(iter(stream.readline, b"\r\n")).decode()
                assert head.startswith("HTTP/1.1 206 ")
                assert f"content-range: bytes {start}-{end - 1}/{LARGE}\r\n" in head
                assert f"content-length: {end - start}\r\n" in head
                assert "x-content-type-options: nosniff\r\n" in head
                body = stream.read(end - start)
            assert large.checksum is not None
            first = get(web, target, "bytes=0-4").content
            assert "sha256:" + hashlib.sha256(first + body).hexdigest() == large.checksum


@pytest.mark.cluster_in_soak
def test_slow_clients_of_a_large_file_cost_the_server_no_memory(server: Server, large: Asset) -> None:
    before = memory_mib(server.pid)
    downloads = [Download(server, large) for _ in range(4)]
    try:
        for _ in range(10):  # all that could be read ahead has been by then
            time.sleep(0.1)
            assert memory_mib(server.pid) - before < LARGE / (1 << 20) / 2
        assert large.checksum is not None
        assert "sha256:" + hashlib.sha256(downloads[0].rest()).hexdigest() == large.checksum
    finally:
        for download in downloads:
            download.close()


def test_a_client_that_goes_leaves_nothing_behind(server: Server, web: httpx2.Client, large: Asset) -> None:
    files, said = open_files(server.pid) + 5, len(server.log())  # to the database and the store there may be more
    for number in range(30):
        # Some before they get anything, some while they do; two ranges are never sent from the file itself.
        target = urlsplit(_url(large)).path
        asked = f"GET {target} HTTP/1.1\r\nhost: stow.test\r\nrange: bytes=0-999999,2000000-\r\n\r\n"
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.sendall(asked.encode())
            if number % 3:
                connection.recv(number)
    for _ in range(5):
        Download(server, large).close()
    wait_until(lambda: open_files(server.pid) <= files)
    assert web.get("/healthz").status_code == 200
    assert "Traceback" not in server.log()[said:]
    assert "request failed" not in server.log()[said:]


def test_a_file_that_vanishes_while_it_is_sent_ends_the_answer_and_no_more(
    server: Server, web: httpx2.Client, client: Client
) -> None:
    large, said = upload_large(client), len(server.log())
    download = Download(server, large)
    stored_blobs.remove(server, stored_blobs.key_of(server, large.id))
    received = download.rest()
    download.close()
    assert len(received) <= LARGE
    assert error_of(web.get(_url(large))) == (404, "not_found")
    assert "Traceback" not in server.log()[said:]


class Download:
    """A connection on which the head of the answer was read, and nothing else yet."""

    def __init__(self, server: Server, asset: Asset) -> None:
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 64 * 1024)
        self._socket.settimeout(60)
        self._socket.connect(("127.0.0.1", server.port))
        target = urlsplit(_url(asset)).path
        self._socket.sendall(f"GET {target} HTTP/1.1\r\nhost: stow.test\r\nconnection: close\r\n\r\n".encode())
        head = b""
        while b"\r\n\r\n" not in head:
            head += self._socket.recv(1024)
        assert head.startswith(b"HTTP/1.1 200"), head
        self._first = head.partition(b"\r\n\r\n")[2]

    def rest(self) -> bytes:
        pieces = [self._first]
        while piece := self._socket.recv(1 << 20):
            pieces.append(piece)
        return b"".join(pieces)

    def close(self) -> None:
        self._socket.close()


def parts_of(answer: httpx2.Response) -> list[tuple[str, bytes]]:
    head = f"content-type: {answer.headers['content-type']}\r\n\r\n".encode()
    message = BytesParser().parsebytes(head + answer.content)
    assert message.is_multipart()
    assert not message.defects
    boundary = f"--{message.get_boundary()}".encode()
    found = []
    # The parser is for text; the bytes are cut out by hand.
    for piece in answer.content.split(boundary)[1:-1]:
        fields, _, content = piece.partition(b"\r\n\r\n")
        [said] = [line for line in fields.decode().split("\r\n") if line.lower().startswith("content-range: ")]
        found.append((said.partition(": ")[2], content.removesuffix(b"\r\n")))
    return found


def _url(asset: Asset) -> str:
    assert asset.url is not None
    return asset.url
