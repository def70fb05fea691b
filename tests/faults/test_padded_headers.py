"""A process remembers a bounded number of tokens, whatever is written around them."""

from support.clients.raw_connection import RawConnection
from support.processes.figures import memory_mib
from support.servers.stacks import UNLIMITED, MakeServer
from support.servers.stowboard import Server


def test_a_token_in_ever_other_headers_is_remembered_once(make_server: MakeServer) -> None:
    server = make_server(UNLIMITED)
    ask_padded(server, range(100))
    before = memory_mib(server.pid)
    ask_padded(server, range(100, 6000))
    assert memory_mib(server.pid) < before + 20, "the headers have 44 MiB together"
    server.kill()


def ask_padded(server: Server, numbers: range) -> None:
    with RawConnection(server.port) as connection:
        for number in numbers:
            padding = " " * (4_500 + number)
            line = f"authorization: Bearer {padding}{server.admin_token}"
            connection.send(f"GET /api/v1 HTTP/1.1\r\nhost: a\r\n{line}\r\n\r\n".encode())
            assert connection.answer().status == 200
