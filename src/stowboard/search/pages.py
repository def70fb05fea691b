"""Pages of matches. Facts that the index does not know, such as a status or a date, are looked up for each match.

A search looks at matches until a page is full, or until it has reached its bound. Then the page is short, even empty,
and says where to go on. By relevance, the newest thousand matches are put in order.
"""

from collections.abc import Awaitable, Callable, Sequence
from itertools import count
from typing import TypeVar

import msgspec

from stowboard.core.cursor import Position
from stowboard.db.database import Tx
from stowboard.db.scan import RowPage, SqlArguments
from stowboard.search.index import store_of
from stowboard.search.store import ScopedQuery, SearchHit

T = TypeVar("T")
#: Gets ids, and returns the wanted things among them by id.
LookUp = Callable[[Sequence[str]], Awaitable[dict[str, T]]]
#: The number of matches that are looked up at a time, at first and at most.
FIRST, MOST = 100, 500
#: The most matches that are looked at for one page; in another order, the most short pages.
MOST_MATCHES, MOST_PAGES = 2000, 10
RANKED = 1000
#: Greater than every score.
_BEFORE_ALL = 1 << 31
_encode = msgspec.json.Encoder().encode


def one_of(tx: Tx, arguments: SqlArguments, column: str, ids: Sequence[str]) -> str:
    """A condition: the column is one of the ids. Any number of ids is one argument, so the statement stays the same."""
    if tx.dialect == "sqlite":
        return f"{column} IN (SELECT value FROM json_each({arguments.add(_encode(ids).decode())}))"
    return f"{column} = ANY (string_to_array({arguments.add(','.join(ids))}, ','))"


async def find_newest(tx: Tx, wanted: ScopedQuery, look_up: LookUp[T], after: Position | None, size: int) -> RowPage[T]:
    below = after[0] if after else None
    found: list[tuple[SearchHit, T]] = []
    limit, looked_at = min(size + 1, FIRST), 0
    while True:
        hits, below = await store_of(tx).newest(tx, wanted, below, limit)
        found += await _passing(look_up, hits)
        looked_at += len(hits)
        if len(found) > size:
            return RowPage([item for _, item in found[:size]], (found[size - 1][0].place,))
        if below is None or len(hits) < limit or looked_at >= MOST_MATCHES:
            return RowPage([item for _, item in found], None if below is None else (below,))
        tx.takes_time()  # nobody knows how many have to be looked at
        limit = min(limit * 2, MOST)


async def find_most_relevant(
    tx: Tx, wanted: ScopedQuery, look_up: LookUp[T], after: Position | None, size: int
) -> RowPage[T]:
    """The newest `RANKED` matches by relevance; equal ones newest first.

    If a search finds fewer because it has reached its bound, the matches that follow are ranked as a list of their own.
    A position in that list has a third value: where the list begins.
    """
    begin = after[2:] if after else ()
    hits, end = await store_of(tx).newest(tx, wanted, begin[0] if begin else None, RANKED)
    following = (_BEFORE_ALL, end, end) if end is not None and len(hits) < RANKED else None
    hits.sort(key=_by_relevance, reverse=True)
    rest = [hit for hit in hits if after is None or _by_relevance(hit) < after[:2]]
    found: list[tuple[SearchHit, T]] = []
    for first in range(0, len(rest), FIRST):
        found += await _passing(look_up, rest[first : first + FIRST])
        if len(found) > size:
            return RowPage([item for _, item in found[:size]], (*_by_relevance(found[size - 1][0]), *begin))
    return RowPage([item for _, item in found], following)


async def find_few(tx: Tx, wanted: ScopedQuery) -> list[str] | None:
    """The ids of all matches, to be put in another order; None if there are or may be more than `RANKED`."""
    hits, end = await store_of(tx).newest(tx, wanted, None, RANKED + 1)
    return [hit.id for hit in hits] if end is None else None


async def not_empty(
    tx: Tx,
    page: Callable[[Position | None], Awaitable[RowPage[T]]],
    after: Position | None,
    most_pages: int | None = None,
) -> RowPage[T]:
    """The first page behind the position that has something; an empty one if nothing follows, or after `most_pages`."""
    for looked_at in count(1):
        listed = await page(after)
        if listed.items or listed.end is None or looked_at == most_pages:
            break
        tx.takes_time()
        after = listed.end
    return listed


def _by_relevance(hit: SearchHit) -> Position:
    return hit.score, hit.place


async def _passing(look_up: LookUp[T], hits: Sequence[SearchHit]) -> list[tuple[SearchHit, T]]:
    passing = await look_up([hit.id for hit in hits]) if hits else {}
    return [(hit, passing[hit.id]) for hit in hits if hit.id in passing]
