"""A large upload passes through the server without staying in its memory."""

from collections.abc import Iterator

import httpx2
import pytest

from stowboard_client import Client
from support.processes.figures import memory_mib, peak_memory_mib
from support.servers.stacks import UNLIMITED, MakeServer, Stack
from support.servers.stowboard import Server

MEBIBYTE = 1 << 20
#: A few parts on their way to the store, each of them twice while it is sent.
MOST_MIB = 96


@pytest.mark.cluster_in_soak
def test_160_mebibytes_in_one_put_take_little_memory(stack: Stack, make_server: MakeServer) -> None:
    send(make_server(stack() | UNLIMITED), 160)


@pytest.mark.soak
def test_a_gibibyte_in_one_put_takes_no_more(stack: Stack, make_server: MakeServer) -> None:
    send(make_server(stack() | UNLIMITED), 1024)


def send(server: Server, mebibytes: int) -> None:
    try:
        with Client(server.origin, server.admin_token) as client:
            warm_up(client)
            before = memory_mib(server.pid)
            upload = client.uploads.presigned("large.bin", mebibytes * MEBIBYTE)
            headers = {"content-length": str(mebibytes * MEBIBYTE)}
            answer = httpx2.put(upload.upload_url, content=zeros(mebibytes), headers=headers, timeout=120)
            assert answer.status_code == 200
            client.uploads.wait_until_ready(upload.id)
            assert peak_memory_mib(server.pid) < before + MOST_MIB
    finally:
        server.kill()


def warm_up(client: Client) -> None:
    """Make one upload, so that what the first one loads is not counted."""
    upload = client.uploads.presigned("small.bin", MEBIBYTE)
    client.uploads.put(upload, bytes(MEBIBYTE))
    client.uploads.wait_until_ready(upload.id)


def zeros(mebibytes: int) -> Iterator[bytes]:
    block = bytes(MEBIBYTE)
    for _ in range(mebibytes):
        yield block
