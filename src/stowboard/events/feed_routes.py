"""`/events`: events, oldest first, for clients that poll."""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from stowboard.api.endpoint import Answer, Call, Endpoint, PageMeta
from stowboard.api.paging import PageQuery
from stowboard.core.errors import InsufficientScope
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.events.feed import CursorExpired, get_head, read_page, read_position, write_position
from stowboard.events.wanted import Subject, Types, wanted_by
from stowboard.events.wire import EventView, sample, view


class FeedQuery(PageQuery, frozen=True):
    types: Types = UNSET
    subject: Subject = UNSET
    from_: (
        Annotated[Literal["start"], Meta(description="`start` for all that is kept, else from now on. A cursor wins.")]
        | UnsetType
    ) = msgspec.field(default=UNSET, name="from")


async def list_events(tx: Tx, call: Call[None, FeedQuery]) -> Answer:
    """List events, oldest first.

    A token with `tasks:read` sees what happens to its owner's tasks and boards, one with `media:read` what happens to
    media. `meta.nextCursor` is always set: keep it, and ask again with it to see each event exactly once. While
    `meta.hasMore` is true there may be more behind the page, even if it is empty. Without a cursor the feed begins now.
    """
    query = call.query
    wanted = wanted_by(call.caller, query.types, query.subject)
    page = await read_page(tx, await _begin(tx, query), wanted, query.size)
    meta = PageMeta(limit=query.size, has_more=page.has_more, next_cursor=write_position(page.position))
    return Answer([view(event) for event in page.events], meta)


async def _begin(tx: Tx, query: FeedQuery) -> int:
    if query.cursor is not UNSET:
        return read_position(query.cursor)
    head = await get_head(tx)
    return head.position if query.from_ is UNSET else head.swept


ENDPOINTS = [
    Endpoint(
        "GET", "/events", list_events, list[EventView], query=FeedQuery, meta=PageMeta,
        errors=[InsufficientScope, CursorExpired], example=[sample(kinds.TASK_CREATED), sample(kinds.TASK_COMPLETED)],
    ),
]  # fmt: skip
