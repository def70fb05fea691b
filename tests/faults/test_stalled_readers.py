"""Clients that ask for large answers and do not read them: bounded, cut off, and no harm to others."""

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack

import httpx2
import pytest

from stowboard.http.granian.unread import peers_of
from stowboard_client import Client
from support.clients.stalled_readers import StalledReaders
from support.processes.figures import memory_mib
from support.servers.log_lines import errors
from support.servers.stacks import UNLIMITED, MakeServer, Stack
from support.servers.stowboard import Server
from support.waiting import wait_until

pytestmark = pytest.mark.cluster_in_soak

MIB = 1 << 20
#: By default, for one address and for all.
PER_ADDRESS, AT_ONCE = 100, 256
#: For each of those that are answered: S3 is read in blocks of 4 MiB.
MOST_MIB = {"embedded": 0.8, "cluster": 4.0}


@pytest.fixture
def server(make_server: MakeServer, stack: Stack) -> Iterator[Server]:
    server = make_server(stack() | UNLIMITED)
    yield server
    server.kill()


def test_of_one_address_some_are_answered_and_the_rest_told_to_wait(server: Server) -> None:
    with StalledReaders(server, large_file(server)) as readers:
        readers.add(3 * PER_ADDRESS)
        assert Counter(readers.statuses()) == {200: PER_ADDRESS, 503: 2 * PER_ADDRESS}
        assert served(server, large_file(server), "127.0.0.2") == 200, "another address is not concerned"
    wait_until_served(server, large_file(server))
    assert errors(server) == []


def test_who_takes_no_byte_is_cut_off_and_makes_room(server: Server) -> None:
    path = large_file(server)
    with StalledReaders(server, path) as readers:
        readers.add(PER_ADDRESS)
        assert set(readers.statuses()) == {200}
        assert served(server, path) == 503
        wait_until_closed(server)
        wait_until_served(server, path)


def test_clients_that_read_are_never_told_to_wait(server: Server) -> None:
    path = large_file(server, MIB)
    with httpx2.Client(base_url=server.origin) as kept:
        assert {kept.get(path).status_code for _ in range(2 * PER_ADDRESS)} == {200}
    assert {served(server, path) for _ in range(2 * PER_ADDRESS)} == {200}, "on a new connection each time"


@pytest.mark.parametrize("count", [600, pytest.param(5000, marks=pytest.mark.soak)])
def test_others_are_served_beside_thousands_who_do_not_read(server: Server, stack: Stack, count: int) -> None:
    path = large_file(server)
    before = memory_mib(server.pid)
    statuses: Counter[int] = Counter()
    most = 0.0
    with ExitStack() as closing:
        for number in range(1, 11):
            readers = closing.enter_context(StalledReaders(server, path, f"127.0.1.{number}"))
            readers.add(count // 10)
            check_that_others_are_served(server)
            statuses.update(readers.statuses())
        for _ in range(20):
            check_that_others_are_served(server)
            most = max(most, memory_mib(server.pid) - before)
    assert statuses[200] <= AT_ONCE
    assert set(statuses) == {200, 503}
    assert most < AT_ONCE * MOST_MIB[stack.name]
    print(f"{count} readers: {dict(statuses)}, {most:.0f} MiB more")


def large_file(server: Server, size: int = 7 * MIB) -> str:
    """The path of a public file."""
    with Client(server.origin, server.admin_token) as client:
        asset = client.uploads.file("a.bin", bytes(size), visibility="public")
    assert asset.url is not None
    return httpx2.URL(asset.url).path


def served(server: Server, path: str, address: str = "127.0.0.1") -> int:
    transport = httpx2.HTTPTransport(local_address=address)
    with httpx2.Client(base_url=server.origin, transport=transport) as client:
        return client.get(path).status_code


def check_that_others_are_served(server: Server) -> None:
    transport = httpx2.HTTPTransport(local_address="127.0.0.9")
    with httpx2.Client(base_url=server.origin, headers=server.headers, transport=transport) as client:
        assert client.get("/healthz").status_code == 200
        assert client.get("/api/v1/access/tokens").status_code == 200


def wait_until_served(server: Server, path: str) -> None:
    """Those that went make room, within a moment."""
    wait_until(lambda: served(server, path) == 200)


def wait_until_closed(server: Server) -> None:
    wait_until(lambda: len(peers_of(server.port) or {}) <= PER_ADDRESS // 2)
