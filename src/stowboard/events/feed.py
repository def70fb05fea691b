"""The feed: events in the order of their effects. Each has a position, and a reader who goes on from one misses none.

Positions are dense and appear in order: once a head is committed, so is every event up to it. On SQLite an event has
its position from the start, on PostgreSQL the sequencer gives it. So a reader needs a number and nothing else, and a
page looks at a bounded number of positions, whatever is searched for in them.
"""

import re
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import NamedTuple, TypeAlias

import msgspec

from stowboard.core.errors import InvalidCursor, InvalidToken, Problem
from stowboard.core.ids import least_id
from stowboard.core.reach import joined_owners, reached
from stowboard.db.database import Row, Tx

#: The positions that one page looks at: about a millisecond.
LOOKED_AT = 1000
#: Returns the owners in reach of each token that is still valid. The composition root gives it.
LivingTokens: TypeAlias = Callable[[Tx, Collection[str]], Awaitable[dict[str, frozenset[str]]]]
_CURSOR = re.compile(r"p(0|[1-9][0-9]{0,17})")


class CursorExpired(Problem):
    status, code = 410, "cursor_expired"
    message = (
        "Events after this cursor are no longer kept. Read the present state of what you follow, then go on without a"
        " cursor, or with from=start for what is kept."
    )
    advice = "Read the present state of what you follow, then follow the feed again, without a cursor."


class Event(NamedTuple):
    position: int
    id: str
    type: str
    owner: str
    subject: str
    #: As JSON.
    data: bytes
    created_at: int
    #: In words, as `outbox.emit` has written them; None for the service itself.
    actor: str | None = None


class FeedHead(NamedTuple):
    """The last position that was given, and the last one whose event is no longer kept."""

    position: int
    swept: int


class EventFilter(msgspec.Struct, frozen=True):
    """A filter for events: those of these kinds in the spaces of these owners."""

    owners: frozenset[str]
    kinds: frozenset[str]
    subject: str | None = None

    def includes(self, event: Event) -> bool:
        if self.subject is not None and event.subject != self.subject:
            return False
        return event.type in self.kinds and event.owner in self.owners

    def within(self, owners: frozenset[str], asked: frozenset[str] | None) -> "EventFilter":
        """The filter for a token that reaches these owners; `asked` are the only ones that are meant, None for all."""
        owners = owners if asked is None else owners & asked
        return self if owners == self.owners else msgspec.structs.replace(self, owners=owners)


class EventPage(NamedTuple):
    events: list[Event]
    #: Where the next page begins.
    position: int
    has_more: bool


def write_position(position: int) -> str:
    """The position as a cursor. It is not signed: it reveals nothing, and must outlive every key."""
    return f"p{position}"


def read_position(cursor: str) -> int:
    """Raises InvalidCursor."""
    match = _CURSOR.fullmatch(cursor)
    if match is None:
        raise InvalidCursor
    return int(match[1])


async def get_head(tx: Tx) -> FeedHead:
    row = await tx.one("SELECT position, swept FROM feed")
    assert row is not None
    return FeedHead(*row)


async def read_after(tx: Tx, position: int, limit: int) -> list[Event]:
    """The next events of everybody, oldest first."""
    rows = await tx.all(f"SELECT {_COLUMNS} FROM event WHERE position > $1 ORDER BY position LIMIT $2", position, limit)
    return _events(rows)


async def read_of_kinds(tx: Tx, after: int, upto: int, kinds: Collection[str], limit: int) -> list[Event]:
    """The events of these kinds between two positions, oldest first."""
    rows = await tx.all(
        f"SELECT {_COLUMNS} FROM event WHERE position > $1 AND position <= $2 AND $3 LIKE '%,' || type || ',%'"
        " ORDER BY position LIMIT $4",
        after, upto, _listed(kinds), limit,
    )  # fmt: skip
    return _events(rows)


async def find_event(tx: Tx, event_id: str) -> Event | None:
    row = await tx.one(f"SELECT {_COLUMNS} FROM event WHERE id = $1 AND position IS NOT NULL", event_id)
    return Event(*row) if row is not None else None


async def find_events(tx: Tx, ids: Sequence[str]) -> list[Event]:
    """Those of these events that are kept."""
    numbers = ", ".join(f"${number}" for number in range(1, len(ids) + 1))
    sql = f"SELECT {_COLUMNS} FROM event WHERE id IN ({numbers}) AND position IS NOT NULL"
    return _events(await tx.all(sql, *ids)) if ids else []


async def position_at(tx: Tx, at_ms: int) -> int:
    """The position of the feed at about that time: later events come after it."""
    row = await tx.one(
        "SELECT position FROM event WHERE id >= $1 AND position IS NOT NULL ORDER BY id LIMIT 1", least_id("evt", at_ms)
    )
    return row[0] - 1 if row is not None else (await get_head(tx)).position


async def read_page(tx: Tx, position: int, wanted: EventFilter, limit: int) -> EventPage:
    """The matching events after a position. A page may be empty although more follow. Raises CursorExpired."""
    return await _read_page_upto(tx, await get_head(tx), position, wanted, limit)


async def read_in_reach(
    tx: Tx,
    living_tokens: LivingTokens,
    token_id: str,
    position: int,
    wanted: EventFilter,
    asked: frozenset[str] | None,
    limit: int,
) -> tuple[EventFilter, EventPage]:
    """The matching events after a position, and the filter for what the token reaches by now.

    The reach is read after the head, so no event on the page is older than the reach. Raises CursorExpired or
    InvalidToken.
    """
    head = await get_head(tx)
    owners = (await living_tokens(tx, {token_id})).get(token_id)
    if owners is None:
        raise InvalidToken
    wanted = wanted.within(owners, asked)
    return wanted, await _read_page_upto(tx, head, position, wanted, limit)


async def _read_page_upto(tx: Tx, head: FeedHead, position: int, wanted: EventFilter, limit: int) -> EventPage:
    if position > head.position:  # the cursor is newer than this database, which was restored from a backup
        raise CursorExpired
    upto = min(position + LOOKED_AT, head.position)
    events = await _read_wanted(tx, position, upto, wanted, limit)
    if (await get_head(tx)).swept > position:  # read after the events: the sweep may have removed some meanwhile
        raise CursorExpired
    end = events[-1].position if len(events) == limit else upto
    return EventPage(events, end, end < head.position)


async def _read_wanted(tx: Tx, after: int, upto: int, wanted: EventFilter, limit: int) -> list[Event]:
    rows = await tx.all(
        f"SELECT {_COLUMNS} FROM event WHERE position > $1 AND position <= $2"
        f" AND {reached(3)} AND $4 LIKE '%,' || type || ',%' AND ($5 = '' OR subject = $5) ORDER BY position LIMIT $6",
        after, upto, joined_owners(wanted.owners), _listed(wanted.kinds), wanted.subject or "", limit,
    )  # fmt: skip
    return _events(rows)


_COLUMNS = "position, id, type, owner, subject, data, created_at, actor"


def _events(rows: Sequence[Row]) -> list[Event]:
    return [Event(*row) for row in rows]


def _listed(names: Collection[str]) -> str:
    return f",{','.join(sorted(names))},"
