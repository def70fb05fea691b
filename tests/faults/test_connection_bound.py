"""One address cannot take all connections: beyond its bound they are closed, and others are served."""

import select
import socket
from contextlib import ExitStack

import httpx2

from support.servers.stacks import UNLIMITED, MakeServer
from support.servers.stowboard import Server
from support.waiting import wait_until

BOUND, SILENT = 80, 200
SETTINGS = UNLIMITED | {"STOWBOARD_CONNECTIONS_PER_ADDRESS": str(BOUND)}


def test_silent_connections_beyond_the_bound_are_closed_and_the_others_stay(make_server: MakeServer) -> None:
    server = make_server(SETTINGS)
    with ExitStack() as closing:
        silent = [closing.enter_context(_connect(server)) for _ in range(SILENT)]
        wait_until(lambda: len(_closed(silent)) >= SILENT - BOUND)
        assert len(_closed(silent)) == SILENT - BOUND, "and not all of them, as when their time for a head is over"
        with httpx2.Client(transport=httpx2.HTTPTransport(local_address="127.0.0.2")) as other:
            assert other.get(f"{server.origin}/healthz").status_code == 200
    server.kill()


def test_a_trusted_proxy_may_have_more(make_server: MakeServer) -> None:
    server = make_server(SETTINGS | {"STOWBOARD_TRUSTED_PROXIES": "127.0.0.1"})
    with ExitStack() as closing:
        silent = [closing.enter_context(_connect(server)) for _ in range(SILENT)]
        others = [closing.enter_context(_connect(server, "127.0.0.2")) for _ in range(SILENT)]
        wait_until(lambda: len(_closed(others)) == SILENT - BOUND)
        assert not _closed(silent)
    server.kill()


def _connect(server: Server, address: str = "127.0.0.1") -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=60, source_address=(address, 0))


def _closed(connections: list[socket.socket]) -> list[socket.socket]:
    """Those whose other end has gone: nothing else makes a silent connection readable."""
    poll = select.poll()
    for connection in connections:
        poll.register(connection, select.POLLIN)
    readable = {number for number, _ in poll.poll(0)}
    return [connection for connection in connections if connection.fileno() in readable]
