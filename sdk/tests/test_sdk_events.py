"""Events: a feed that is asked page by page, and a stream that is followed through all its ends."""

import json
from itertools import islice
from typing import Any

import pytest
from both_faces import Face, collected
from hypothesis import given
from hypothesis import strategies as st
from scripted_server import Answer, HangUp, ScriptedServer, data, error

from stowboard_client import Event, errors
from stowboard_client.events.event_stream import EventStream, Message


def event(number: int) -> dict[str, Any]:
    return {
        "id": f"evt_{number}", "type": "task.created", "timestamp": "2026-11-15T16:00:00.000Z", "sequence": number,
        "subject": f"tsk_{number}", "data": {"taskId": f"tsk_{number}", "version": 1}, "memberOfTheFuture": 1,
    }  # fmt: skip


def frame(number: int) -> str:
    return f"id: p{number}\nevent: task.created\ndata: {json.dumps(event(number))}\n\n"


def stream(*parts: str, cut_after: int | None = None) -> Answer:
    return Answer(200, "".join(parts).encode(), {"content-type": "text/event-stream"}, cut_after)


async def first(followed: Any, count: int) -> list[Event]:
    if hasattr(followed, "__aiter__"):
        iterator = aiter(followed)
        found = [await anext(iterator) for _ in range(count)]
        await iterator.aclose()
        return found
    return list(islice(followed, count))


async def test_a_feed_is_read_to_its_end_though_it_always_has_a_cursor(face: Face, server: ScriptedServer) -> None:
    more, end = {"hasMore": True, "nextCursor": "p2", "limit": 2}, {"hasMore": False, "nextCursor": "p3", "limit": 2}
    server.will(data([event(1), event(2)], more), data([], more), data([event(3)], end))
    listed = face.client().events.list(from_start=True, types=["task.*", "board.*"], subject="tsk_1", limit=2)
    found = await collected(listed)
    assert [one.sequence for one in found] == [1, 2, 3]
    assert isinstance(found[0], Event)
    assert found[0].data == {"taskId": "tsk_1", "version": 1}
    asked = {"from": ["start"], "types": ["task.*,board.*"], "subject": ["tsk_1"], "limit": ["2"]}
    assert [seen.query for seen in server.seen] == [asked, {**asked, "cursor": ["p2"]}, {**asked, "cursor": ["p2"]}]
    assert server.seen[0].path == "/api/v1/events"


async def test_following_goes_on_where_a_stream_ended(face: Face, server: ScriptedServer) -> None:
    server.will(
        stream("retry: 3000\n\nid: p7\n\n", frame(8), frame(9), "retry: 50\n\n"),
        stream(": nothing new\nid: p12\n\n"),
        stream(frame(13)),
    )
    follower = face.client().events.follow(types=["task.*"])
    found = await first(follower, 3)
    assert [one.sequence for one in found] == [8, 9, 13]
    assert [seen.query.get("cursor") for seen in server.seen] == [None, ["p9"], ["p12"]]
    assert {seen.path for seen in server.seen} == {"/api/v1/events/stream"}
    assert {seen.headers["accept"] for seen in server.seen} == {"text/event-stream"}
    assert face.naps == [0.05, 0.05]


async def test_an_event_that_was_cut_off_comes_whole_with_the_next_stream(face: Face, server: ScriptedServer) -> None:
    whole = frame(1) + frame(2)
    server.will(stream(whole, cut_after=len(frame(1)) + 30), HangUp(), stream(frame(2), frame(3)))
    follower = face.client().events.follow(cursor="p0")
    assert [one.sequence for one in await first(follower, 3)] == [1, 2, 3]
    assert [seen.query["cursor"] for seen in server.seen] == [["p0"], ["p1"], ["p1"]]


async def test_a_reset_is_raised(face: Face, server: ScriptedServer) -> None:
    server.will(stream('event: reset\ndata: {"reason":"cursor_expired"}\n\n'))
    with pytest.raises(errors.CursorExpired):
        await first(face.client().events.follow(cursor="p1"), 1)


async def test_what_the_service_refuses_is_raised(face: Face, server: ScriptedServer) -> None:
    server.will(error(401, "invalid_token"))
    with pytest.raises(errors.InvalidToken):
        await first(face.client().events.follow(), 1)


@given(st.lists(st.integers(1, 20), max_size=60), st.booleans())
def test_messages_are_the_same_however_the_bytes_are_cut(cuts: list[int], windows: bool) -> None:
    text = "retry: 10\n\n: a comment\nid: a\n\ndata: 1\ndata:2\nevent: x\n\nid: b\ndata: last\n\nid: c\ndata: unfin"
    raw = (text.replace("\n", "\r\n") if windows else text).encode()
    parser, found = EventStream(None), []
    for size in [*cuts, len(raw)]:
        found += list(parser.feed(raw[:size]))
        raw = raw[size:]
    assert found == [Message("x", b"1\n2"), Message("message", b"last")]
    assert (parser.cursor, parser.retry) == ("b", 0.01)
