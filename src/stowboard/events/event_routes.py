"""`/events`: events, oldest first, for clients that poll, and as they happen under `/events/stream`."""

from functools import partial
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from stowboard.api.endpoint import Answer, Call, Endpoint, PageMeta, StreamedAnswer
from stowboard.api.paging import PageQuery
from stowboard.core.errors import InsufficientScope, InvalidCursor
from stowboard.core.reach import ALL
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.events.feed import CursorExpired, EventFilter, get_head, read_in_reach, read_position, write_position
from stowboard.events.hub import Hub, TooManyStreams
from stowboard.events.wanted import Space, Subject, Types, wanted_by
from stowboard.events.wire import EventView, sample, view

_EVENT_STREAM = "text/event-stream"
#: The last one keeps nginx from buffering what is sent.
_HEADERS = (("content-type", _EVENT_STREAM), ("x-accel-buffering", "no"))


class FeedQuery(PageQuery, frozen=True, rename="camel"):
    types: Types = UNSET
    subject: Subject = UNSET
    space_id: Space = UNSET
    from_: (
        Annotated[Literal["start"], Meta(description="`start` for all that is kept, else from now on. A cursor wins.")]
        | UnsetType
    ) = msgspec.field(default=UNSET, name="from")


async def list_events(tx: Tx, call: Call[None, FeedQuery]) -> Answer:
    """List events, oldest first.

    They are of all spaces that the token reaches. With `tasks:read` it sees what happens to tasks and boards, with
    `media:read` what happens to media, and always what happens to spaces. `meta.nextCursor` is always set: keep it, and
    ask again with it to see each event exactly once. While
    `meta.hasMore` is true there may be more behind the page, even if it is empty. Without a cursor the feed begins now.
    """
    query = call.query
    wanted = wanted_by(call.access, query.types, query.subject, query.space_id or None)
    position, asked = await _begin(tx, query), _asked(query.space_id, wanted)
    living, token_id = call.use(Hub).living_tokens, call.caller.token_id
    _, page = await read_in_reach(tx, living, token_id, position, wanted, asked, query.size)
    meta = PageMeta(limit=query.size, has_more=page.has_more, next_cursor=write_position(page.position))
    return Answer([view(event) for event in page.events], meta)


async def _begin(tx: Tx, query: FeedQuery) -> int:
    if query.cursor is not UNSET:
        return read_position(query.cursor)
    head = await get_head(tx)
    return head.position if query.from_ is UNSET else head.swept


class StreamQuery(msgspec.Struct, frozen=True, rename="camel"):
    types: Types = UNSET
    subject: Subject = UNSET
    space_id: Space = UNSET
    cursor: (
        Annotated[str, Meta(description="`meta.nextCursor` of the feed, or the id of an event here.")] | UnsetType
    ) = UNSET


async def stream_events(tx: Tx, call: Call[None, StreamQuery]) -> StreamedAnswer:
    """Stream events as they happen, as server-sent events.

    The stream begins after the event that `Last-Event-ID` or `cursor` names, without either from now on. Its events are
    those of the feed, and the `id` of each is a cursor. It ends now and then, and with its token: come back with the
    last `id`. An event `reset` says that events after the cursor are no longer kept.
    """
    query, hub = call.query, call.use(Hub)
    wanted = wanted_by(call.access, query.types, query.subject, query.space_id or None)
    cursor = call.last_event_id or query.cursor
    position = (await get_head(tx)).position if cursor is UNSET else read_position(cursor)
    caller = call.caller
    hub.check_room(caller.bucket)
    asked = _asked(query.space_id, wanted)
    return StreamedAnswer(partial(hub.open, caller.token_id, caller.bucket, wanted, asked, position), _HEADERS)


def _asked(space_id: Space, wanted: EventFilter) -> frozenset[str] | None:
    """The only owners that are meant; None for all in reach."""
    return None if space_id in (UNSET, ALL) else wanted.owners


_EXAMPLE = f"""\
id: {write_position(4711)}
event: {kinds.TASK_COMPLETED.name}
data: {msgspec.json.encode(sample(kinds.TASK_COMPLETED)).decode()}

"""
ENDPOINTS = [
    Endpoint(
        "GET", "/events", list_events, list[EventView], query=FeedQuery, meta=PageMeta,
        errors=[InsufficientScope, CursorExpired], example=[sample(kinds.TASK_CREATED), sample(kinds.TASK_COMPLETED)],
    ),
    Endpoint(
        "GET", "/events/stream", stream_events, str, query=StreamQuery, media_type=_EVENT_STREAM,
        errors=[InvalidCursor, InsufficientScope, TooManyStreams], example=_EXAMPLE,
        takes={"Last-Event-ID": "The `id` of the last event that was seen; it wins over `cursor`."},
    ),
]  # fmt: skip
