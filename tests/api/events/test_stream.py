"""The stream: what the feed tells, as it happens, for as long as the token holds and the client reads."""

import asyncio
from collections.abc import AsyncIterator, Callable

import httpx2
import pytest

from stowboard_client import Client
from support.api.answers import error_of
from support.clients.listening import Listener
from support.clients.people import fresh_name, invited
from support.clients.task_owner import Owner
from support.servers.stacks import UNLIMITED, MakeServer, Stack
from support.servers.stowboard import Server
from support.stored.rows import rows
from support.waiting import until


async def done(work: Callable[..., object], *args: object) -> None:
    await asyncio.to_thread(work, *args)


@pytest.fixture
async def stream(ann: Owner) -> AsyncIterator[Listener]:
    listener = await Listener.open(ann.server, ann.token)
    yield listener
    listener.close()


async def test_what_happens_is_told_at_once_and_in_order(ann: Owner, stream: Listener) -> None:
    begin = (await asyncio.to_thread(ann.http.get, "/events")).json()["meta"]["nextCursor"]
    [task] = await asyncio.to_thread(ann.create, "a")
    await done(ann.tasks.archive, task.id)
    await done(ann.tasks.delete, task.id)
    await until(lambda: len(stream.messages) >= 3)
    assert stream.kinds == ["task.created", "task.archived", "task.deleted"]
    feed = await asyncio.to_thread(ann.http.get, f"/events?cursor={begin}&subject={task.id}")
    assert [data for _, data in stream.messages] == feed.json()["data"]


async def test_the_answer_is_one_that_nobody_keeps_back(ann: Owner, stream: Listener) -> None:
    head = await asyncio.to_thread(ann.http.head, "/events/stream")
    assert head.status_code == 200
    assert head.headers["content-type"] == "text/event-stream"
    assert head.headers["cache-control"] == "no-store"
    assert head.headers["x-accel-buffering"] == "no"
    assert stream.raw.startswith(b"retry: 3000\n\nid: p")


async def test_a_stream_goes_on_where_the_last_one_was(ann: Owner, stream: Listener) -> None:
    await done(ann.create, "abc")
    await until(lambda: len(stream.messages) >= 3)
    events = [block for block in stream.raw.split(b"\n\n") if b"\ndata: " in block]  # not what only keeps it open
    second = events[1].split(b"\n")[0].removeprefix(b"id: ").decode()
    resumed = await Listener.open(ann.server, ann.token, "cursor=p0", f"last-event-id: {second}")
    by_query = await Listener.open(ann.server, ann.token, f"cursor={second}")
    await done(ann.create, "d")
    for listener in (resumed, by_query):
        await until(lambda listener=listener: len(listener.messages) >= 2)
        listener.close()
    await until(lambda: len(stream.messages) >= 4)
    assert resumed.sequences == by_query.sequences == stream.sequences[2:]


async def test_a_stream_that_begins_in_the_past_misses_nothing_of_the_present(ann: Owner) -> None:
    await done(ann.create, "ab" * 60)
    writing = asyncio.create_task(done(ann.create, "cd" * 60))
    [(swept,)] = await asyncio.to_thread(rows, ann.server, "SELECT swept FROM feed_head")
    listener = await Listener.open(ann.server, ann.token, f"cursor=p{swept}&types=task.*")
    await writing
    await until(lambda: len(listener.messages) >= 240)
    listener.close()
    stored = await asyncio.to_thread(
        rows, ann.server, f"SELECT position FROM event WHERE owner = '{ann.name}' ORDER BY position"
    )
    assert listener.sequences == [position for (position,) in stored]


async def test_only_what_one_may_see_and_asks_for_is_told(ann: Owner, ben: Owner, stream: Listener) -> None:
    [task] = await asyncio.to_thread(ann.create, "a")
    await until(lambda: len(stream.messages) >= 1)
    of_task = await Listener.open(ann.server, ann.token, f"subject={task.id}")
    boards = await Listener.open(ann.server, ann.token, "types=board.*")
    theirs = await Listener.open(ann.server, ben.token, "types=task.*")
    await done(ben.create, "x")
    await done(ann.boards.create, "House")
    await done(ann.create, "b")
    await done(ann.tasks.complete, task.id)
    await until(lambda: len(stream.messages) >= 4 and bool(of_task.messages) and bool(boards.messages))
    await until(lambda: len(theirs.messages) >= 1)
    assert stream.kinds == ["task.created", "board.created", "task.created", "task.completed"]
    assert of_task.kinds == ["task.completed"]
    assert boards.kinds == ["board.created"]
    assert theirs.kinds == ["task.created"]
    for listener in (of_task, boards, theirs):
        listener.close()


async def test_a_cursor_that_is_too_old_is_told_and_the_stream_goes_on(ann: Owner) -> None:
    listener = await Listener.open(ann.server, ann.token, "cursor=p999999999999999999")
    await until(lambda: bool(listener.messages))
    await done(ann.create, "a")
    await until(lambda: len(listener.messages) >= 2)
    assert listener.messages[0] == ("reset", {"reason": "cursor_expired"})
    assert listener.kinds[-1] == "task.created"
    listener.close()


async def test_revoking_the_token_ends_the_stream(ann: Owner, client: Client) -> None:
    token = await asyncio.to_thread(client.tokens.create, ann.name)
    listener, others = await Listener.open(ann.server, token.token), await Listener.open(ann.server, ann.token)
    await done(client.tokens.revoke, token.id)
    await listener.until_ended()
    await done(ann.create, "a")
    await until(lambda: others.kinds == ["task.created"])
    assert listener.messages == []
    others.close()


async def test_the_stream_ends_with_its_token(ann: Owner, client: Client) -> None:
    token = await asyncio.to_thread(lambda: client.tokens.create(ann.name, expires_in=2))
    listener = await Listener.open(ann.server, token.token)
    await listener.until_ended()
    refused = await asyncio.to_thread(
        lambda: httpx2.get(ann.http.base_url.join("events"), headers={"authorization": f"Bearer {token.token}"})
    )
    assert error_of(refused) == (401, "token_expired")


@pytest.fixture(scope="module")
def strict_server(stack: Stack, make_server: MakeServer) -> Server:
    return make_server(stack() | UNLIMITED | {"STOWBOARD_STREAMS_PER_TOKEN": "3"})


async def test_a_token_has_so_many_streams_and_a_client_that_leaves_makes_room(strict_server: Server) -> None:
    server = strict_server
    listeners = [await Listener.open(server, server.admin_token) for _ in range(3)]
    refused = await asyncio.to_thread(lambda: httpx2.get(f"{server.base_url}/events/stream", headers=server.headers))
    assert error_of(refused) == (429, "too_many_streams")
    assert refused.headers["retry-after"] == "5"
    listeners[0].close()

    async def is_taken() -> bool:
        listeners[0] = await Listener.open(server, server.admin_token)
        return listeners[0].status == 200

    await until(is_taken)
    for listener in listeners:
        listener.close()


async def test_all_bearers_of_a_browser_share_its_streams(strict_server: Server) -> None:
    browser = await asyncio.to_thread(invited, strict_server, fresh_name("ann"))
    bearers = [await asyncio.to_thread(browser.token) for _ in range(4)]
    listeners = [await Listener.open(strict_server, token) for token in bearers]
    assert [listener.status for listener in listeners] == [200, 200, 200, 429]
    for listener in listeners:
        listener.close()
