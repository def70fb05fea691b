"""The outbox: events as rows, written in the transaction of their effect: one exists exactly if the other does."""

from collections.abc import Iterable, Sequence

import msgspec

from stowboard.core import clock
from stowboard.core.ids import new_id
from stowboard.db.database import Tx, Value, Write
from stowboard.events.kinds import DataT, EventKind

#: The channel that says: this process has written events.
WRITTEN = "events.written"
_encode = msgspec.json.Encoder().encode


async def emit(
    tx: Tx, kind: EventKind[DataT], owner: str, subject: str, data: DataT, together_with: Sequence[Write] = ()
) -> str:
    """Record that something happened to the subject, a resource of the owner that is locked by now; returns its id.

    `together_with` are other writes to make in the same round trip (see Tx.run_together).
    """
    values = _values(tx, kind, owner, subject, data)
    if together_with:
        await tx.run_together([*together_with, (_INSERT, values)])
    else:
        await tx.run(_INSERT, *values)
    tx.wake(WRITTEN)
    return str(values[0])


async def emit_many(tx: Tx, kind: EventKind[DataT], owner: str, told: Sequence[tuple[str, DataT]]) -> None:
    """The same for many subjects, each with its data."""
    await emit_to_each(tx, kind, [(owner, subject, data) for subject, data in told])


async def emit_to_each(tx: Tx, kind: EventKind[DataT], told: Sequence[tuple[str, str, DataT]]) -> None:
    """The same for many owners, each with a subject and its data."""
    if told:
        await tx.run_many(_INSERT, [_values(tx, kind, *each) for each in told])
        tx.wake(WRITTEN)


_INSERT = (
    "INSERT INTO event (id, type, owner, subject, data, actor, created_at, position)"
    " VALUES ($1, $2, $3, $4, $5, $6, $7, (SELECT position FROM next_position))"
)


def _values(tx: Tx, kind: EventKind[DataT], owner: str, subject: str, data: DataT) -> tuple[Value, ...]:
    actor = tx.author.words if tx.author is not None else None
    return new_id("evt"), kind.name, owner, subject, _encode(data), actor, clock.now_ms()


def changed_members(before: msgspec.Struct, after: msgspec.Struct, told: Iterable[str]) -> list[str]:
    """The names of the members that differ, as on the wire; only those in `told` are compared."""
    return [camel(name) for name in told if getattr(before, name) != getattr(after, name)]


def camel(name: str) -> str:
    """A member's name as on the wire."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
