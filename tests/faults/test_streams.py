"""Many streams, streams that are not read, and servers that end while streams are open."""

import asyncio
import signal
import time
from collections.abc import Iterator
from functools import partial

import pytest

from stowboard_client import Client, Event, task_operation
from support.clients.listening import Listener
from support.processes.figures import memory_mib, threads
from support.servers.stacks import UNLIMITED, MakeServer, Stack
from support.servers.stowboard import Server
from support.stored.rows import rows
from support.waiting import until

pytestmark = pytest.mark.cluster_in_soak

TOLD = 1500
MANY = {"STOWBOARD_STREAMS_PER_TOKEN": "2048", "STOWBOARD_CONNECTIONS_PER_ADDRESS": "4096"}


@pytest.fixture
def server(stack: Stack, make_server: MakeServer) -> Iterator[Server]:
    server = make_server(stack() | UNLIMITED | MANY)
    yield server
    server.kill()


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    with Client(server.origin, server.admin_token) as client:
        yield client


def positions(server: Server) -> list[int]:
    return [position for (position,) in rows(server, "SELECT position FROM event ORDER BY position")]


@pytest.mark.parametrize("count", [200, pytest.param(2000, marks=pytest.mark.soak)])
async def test_many_streams_need_no_thread_each_and_little_memory(server: Server, client: Client, count: int) -> None:
    before = memory_mib(server.pid), threads(server.pid)
    listeners = [await Listener.open(server, server.admin_token) for _ in range(count)]
    opened = memory_mib(server.pid), threads(server.pid)
    began = time.monotonic()
    await asyncio.to_thread(client.tasks.create, "for all")
    await until(lambda: all(listener.messages for listener in listeners))
    print(f"{count} streams: {before} -> {opened} MiB and threads; all had an event {time.monotonic() - began:.3f} s")
    assert {tuple(listener.kinds) for listener in listeners} == {("task.created",)}
    assert opened[1] < before[1] + 20
    assert memory_mib(server.pid) < 150
    for listener in listeners:
        listener.close()


async def test_a_reader_that_stalls_is_cut_off_and_goes_on_without_a_loss(server: Server, client: Client) -> None:
    stalled = await Listener.open(server, server.admin_token, "cursor=p0", reads=False)
    lively = asyncio.create_task(read_on(server, "p0", TOLD))
    await asyncio.to_thread(write_much, client)
    seen = await lively
    stalled.read()
    await stalled.until_ended()  # only now it sees that it was cut off, long ago
    assert len(stalled.raw) < 300_000
    assert stalled.retry < 1
    assert stalled.cursor is not None
    told = stalled.sequences + await read_on(server, stalled.cursor, TOLD - len(stalled.messages))
    assert told == seen == await asyncio.to_thread(positions, server)


async def read_on(server: Server, cursor: str | None, count: int) -> list[int]:
    """So many events after the cursor, out of as many streams as it takes."""
    told: list[int] = []
    while len(told) < count:
        stream = await Listener.open(server, server.admin_token, f"cursor={cursor}")
        await until(partial(is_enough, stream, count - len(told)))
        stream.close()
        told, cursor = told + stream.sequences, stream.cursor
    return told


def is_enough(stream: Listener, count: int) -> bool:
    return stream.ended or len(stream.messages) >= count


def write_much(client: Client) -> None:
    for _ in range(TOLD // 100):
        client.tasks.batch([task_operation("create", title="t") for _ in range(100)])


async def test_a_stop_ends_streams_and_says_when_to_come_back(server: Server) -> None:
    listeners = [await Listener.open(server, server.admin_token) for _ in range(20)]
    server.signal(signal.SIGTERM)
    for listener in listeners:
        await listener.until_ended()
        assert listener.retry == 1
    assert await asyncio.to_thread(server.wait) == 0


def test_who_follows_sees_everything_once_although_the_server_is_killed(server: Server, client: Client) -> None:
    follower = client.events.follow(cursor="p0")
    events: Iterator[Event] = iter(follower)
    seen = []
    for number in range(3):
        for title in range(10):
            client.tasks.create(f"{number}.{title}")
        seen += [next(events) for _ in range(10)]
        if number == 1:
            server.signal(signal.SIGTERM)
            server.wait()
        else:
            server.kill()
        server.start()
    client.tasks.create("the last")
    seen.append(next(events))
    assert [event.sequence for event in seen] == positions(server) == list(range(1, 32))
    assert follower.cursor == "p31"
