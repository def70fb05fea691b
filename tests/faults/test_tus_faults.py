"""Uploads survive cut connections, killed servers and rivals: every byte that counts is there, in its place, once."""

import fcntl
import hashlib
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress

import httpx2
import pytest

from support.clients.tus import (
    TusUpload,
    begin_patch,
    client_of,
    new_file_upload,
    sha256_when_ready,
    wait_until_durable,
)
from support.processes.figures import memory_mib, peak_memory_mib
from support.servers.fault_proxy import CutAfter, FaultProxy, Pass
from support.servers.stacks import UNLIMITED, MakeServer, Stack
from support.servers.stowboard import Server

pytestmark = pytest.mark.cluster_in_soak

MIB = 1 << 20
SIZE = 9 * MIB + 13
DATA = random.Random(7).randbytes(SIZE)
SHA256 = hashlib.sha256(DATA).hexdigest()
PATIENCE_SECONDS = 60.0


@pytest.fixture
def server(stack: Stack, make_server: MakeServer) -> Iterator[Server]:
    server = make_server(stack() | UNLIMITED)
    yield server
    server.kill()


@pytest.fixture
def two(stack: Stack, make_server: MakeServer) -> Iterator[Server]:
    """A server of two processes, either of which may get a request."""
    server = make_server(stack() | UNLIMITED, "--workers", "2")
    yield server
    server.kill()


def test_connections_that_are_cut_at_random_lose_nothing(server: Server) -> None:
    chance, cuts = random.Random(8), 0
    with client_of(server) as admin, FaultProxy("127.0.0.1", server.port) as proxy:
        upload = new_file_upload(admin, SIZE)
        through = f"http://127.0.0.1:{proxy.port}{upload.path}"
        reached = 0
        while reached < SIZE:
            proxy.fault = CutAfter(chance.choice([100, 5_000, 700_000, 3 * MIB])) if cuts < 12 else Pass()
            with httpx2.Client(timeout=120) as http, suppress(httpx2.TransportError):
                TusUpload(http, through, "").patch(reached, DATA[reached:])
            cuts += 1
            offset = upload.offset
            assert offset >= reached
            reached = offset
        assert sha256_when_ready(admin, upload.subject) == SHA256


def test_kills_of_the_server_in_the_middle_of_a_request_take_nothing_back(server: Server) -> None:
    with client_of(server) as admin:
        upload = new_file_upload(admin, SIZE)
        reached = 0
        for _ in range(3):
            with begin_patch(server.port, upload, reached, SIZE - reached) as connection:
                connection.send(DATA[reached : reached + 2 * MIB])
                wait_until_durable(server, upload, reached + 2 * MIB)
                with suppress(OSError):
                    connection.send(DATA[reached + 2 * MIB : reached + 3 * MIB])
                server.kill()
            server.start()
            assert upload.offset >= reached + 2 * MIB
            reached = upload.offset
        assert upload.patch(reached, DATA[reached:]).status_code == 204
        assert sha256_when_ready(admin, upload.subject) == SHA256


def test_an_orderly_stop_keeps_every_byte_that_came_and_does_not_wait_for_the_rest(
    stack: Stack, make_server: MakeServer
) -> None:
    server = make_server(stack() | UNLIMITED | {"STOWBOARD_STOP_SECONDS": "600"})
    exit_codes: list[int | None] = []
    with client_of(server) as admin:
        upload = new_file_upload(admin, SIZE)
        with begin_patch(server.port, upload, 0, SIZE) as connection:
            stop = threading.Thread(target=lambda: exit_codes.append(server.stop()))
            for number in range(40):
                with suppress(OSError):
                    connection.send(DATA[number * 10_000 : number * 10_000 + 10_000])
                if number == 20:
                    stop.start()
                time.sleep(0.02)
            stop.join()
        assert exit_codes == [0]
        server.start()
        assert upload.offset >= 200_000
        assert upload.patch(upload.offset, DATA[upload.offset :]).status_code == 204
        assert sha256_when_ready(admin, upload.subject) == SHA256
    server.kill()


def test_of_writers_in_two_processes_at_most_one_wins_each_time_and_all_get_on(two: Server) -> None:
    with client_of(two) as admin:
        upload = new_file_upload(admin, SIZE)
        for end in (1, 200_000, 6 * MIB, 6 * MIB + 100, SIZE):
            while (start := upload.offset) < end:
                statuses = at_once(5, upload, start, DATA[start:end])
                assert set(statuses) <= {204, 409, 423}
                # None wins if one was interrupted by the next, who then found that a part had been kept already.
                assert statuses[204] == 1 or upload.offset > start, (start, statuses)
                assert statuses[204] <= 1
            assert upload.offset == end
        assert sha256_when_ready(admin, upload.subject) == SHA256


def test_a_stalled_request_does_not_hold_up_another_process(two: Server) -> None:
    with client_of(two) as admin:
        upload = new_file_upload(admin, SIZE)
        reached = 0
        for _ in range(6):
            with begin_patch(two.port, upload, reached, SIZE - reached) as stalled:
                stalled.send(DATA[reached : reached + 100_000])
                wait_until_durable(two, upload, reached + 100_000)
                with httpx2.Client(timeout=120) as fresh:
                    other = TusUpload(fresh, upload.url, "")
                    assert other.offset == reached + 100_000
                    reached += 100_000
                    assert other.patch(reached, DATA[reached : reached + 5000]).status_code == 204
                    reached += 5000
                assert stalled.answer().status == 409
        assert upload.patch(reached, DATA[reached:]).status_code == 204
        assert sha256_when_ready(admin, upload.subject) == SHA256


@pytest.mark.parametrize("mebibytes", [128, pytest.param(1024, marks=pytest.mark.soak)])
def test_a_large_upload_does_not_fill_the_memory(server: Server, mebibytes: int) -> None:
    block, size = random.Random(9).randbytes(8 * MIB), mebibytes * MIB
    with client_of(server) as admin:
        warm = new_file_upload(admin, 24 * MIB)
        for start in range(0, 24 * MIB, 8 * MIB):
            warm.patch(start, block)
        before = memory_mib(server.pid)
        upload = new_file_upload(admin, size)
        for start in range(0, size // 2, 8 * MIB):
            assert upload.patch(start, block).status_code == 204
        assert upload.patch(size // 2, (block for _ in range(size // 2 // len(block)))).status_code == 204
        assert peak_memory_mib(server.pid) < before + 64


@pytest.mark.soak
def test_a_process_that_hangs_with_the_lock_makes_others_wait_and_give_up(make_server: MakeServer) -> None:
    server = make_server(UNLIMITED)
    with client_of(server) as admin:
        upload = new_file_upload(admin, 1000)
        upload.patch(0, DATA[:10])
        [draft] = (server.data_dir / "blobs" / ".uploading").iterdir()
        with draft.open("rb") as hanging:
            fcntl.flock(hanging, fcntl.LOCK_EX)
            answer = upload.patch(10, DATA[10:20])
            assert (answer.status_code, answer.headers["retry-after"]) == (423, "1")
        assert upload.patch(10, DATA[10:20]).status_code == 204
    server.kill()


def at_once(writers: int, upload: TusUpload, offset: int, data: bytes) -> Counter[int]:
    """How many got which status."""
    statuses: Counter[int] = Counter()

    def write() -> None:
        with httpx2.Client(timeout=PATIENCE_SECONDS) as own:
            statuses[TusUpload(own, upload.url, "").patch(offset, data).status_code] += 1

    threads = [threading.Thread(target=write) for _ in range(writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses.total() == writers
    return statuses
