"""The events in the order of their effects: each has a position, and who reads on from one misses nothing.

Positions are dense and appear in order: once a head is committed, so is every event up to it. On SQLite an event has
its position from the start, on PostgreSQL the sequencer gives it. So a reader needs a number and nothing else, and a
page of so many positions is so much work, whatever it is searched for.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from stowboard.db.database import Row, Tx


class Event(NamedTuple):
    position: int
    id: str
    type: str
    owner: str
    subject: str
    #: As JSON.
    data: bytes
    created_at: int


class Head(NamedTuple):
    """The last position that was given, and the last one whose event is no longer kept."""

    position: int
    swept: int


class Wanted(msgspec.Struct, frozen=True):
    """Which events: those of `own` kinds that are the owner's, and all of `shared` kinds."""

    owner: str
    own: frozenset[str]
    shared: frozenset[str]
    subject: str | None = None

    def includes(self, event: Event) -> bool:
        if self.subject is not None and event.subject != self.subject:
            return False
        return event.type in self.shared or (event.type in self.own and event.owner == self.owner)


async def get_head(tx: Tx) -> Head:
    row = await tx.one("SELECT position, swept FROM feed_head")
    assert row is not None
    return Head(*row)


async def read_after(tx: Tx, position: int, limit: int) -> list[Event]:
    """The next events of everybody, oldest first."""
    rows = await tx.all(f"SELECT {_COLUMNS} FROM event WHERE position > $1 ORDER BY position LIMIT $2", position, limit)
    return _events(rows)


async def read_wanted(tx: Tx, after: int, upto: int, wanted: Wanted, limit: int) -> list[Event]:
    """The first so many events of these positions that are wanted, oldest first."""
    rows = await tx.all(
        f"SELECT {_COLUMNS} FROM event WHERE position > $1 AND position <= $2"
        " AND ((owner = $3 AND $4 LIKE '%,' || type || ',%') OR $5 LIKE '%,' || type || ',%')"
        " AND ($6 = '' OR subject = $6) ORDER BY position LIMIT $7",
        after, upto, wanted.owner, _listed(wanted.own), _listed(wanted.shared), wanted.subject or "", limit,
    )  # fmt: skip
    return _events(rows)


_COLUMNS = "position, id, type, owner, subject, data, created_at"


def _events(rows: Sequence[Row]) -> list[Event]:
    return [Event(*row) for row in rows]


def _listed(names: frozenset[str]) -> str:
    return f",{','.join(sorted(names))},"
