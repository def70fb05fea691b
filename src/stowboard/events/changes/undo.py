"""Undo: the members that a change has changed get the values that they had. It is a change itself, and can be undone.

A change is refused if a later one has changed the same members: nobody's work is overwritten. Each room says how its
subjects are changed back (`SubjectUndo`); `app.py` gives all of them, by the beginning of their ids.
"""

from collections.abc import Mapping
from typing import Any, Protocol

import msgspec

from stowboard.api.endpoint import AnyCall
from stowboard.core.caller import Access
from stowboard.core.errors import Conflict, InsufficientScope, NotFound, Problem
from stowboard.db.database import Tx
from stowboard.events.changes import change_store
from stowboard.events.changes.change_store import Change, ChangeFilter

#: One request undoes so many changes, or stops after so many bytes of earlier values: about a tenth of a second of
#: SQLite's writer. The next request goes on from there.
MOST_AT_ONCE = 25
MOST_BYTES = 256 * 1024


class SubjectUndo(Protocol):
    """How a room undoes changes of its subjects."""

    read_scope: str
    write_scope: str

    async def undo(self, tx: Tx, access: Access, change: Change, call: AnyCall) -> Any:
        """Undo a change; returns the subject as answers to this call show it.

        It locks the subject, asks `check_undoable` for the values, stores them and adds a change. It raises NotFound if
        the subject is out of reach, Conflict if nothing would be different.
        """


class Undoing:
    """All rooms that undo, by the beginning of their subjects' ids."""

    def __init__(self, rooms: Mapping[str, SubjectUndo]) -> None:
        self._rooms = dict(rooms)

    def room_of(self, subject: str) -> SubjectUndo:
        """Raises NotFound."""
        room = self._rooms.get(subject.partition("_")[0])
        if room is None:
            raise NotFound
        return room

    def readable(self, scopes: frozenset[str]) -> tuple[str, ...]:
        """The beginnings of ids whose history may be read with these scopes; none stands for all.

        Raises InsufficientScope if nothing may be read.
        """
        seen = tuple(prefix for prefix, room in self._rooms.items() if room.read_scope in scopes)
        if not seen:
            needed = " or ".join(dict.fromkeys(room.read_scope for room in self._rooms.values()))
            raise InsufficientScope(f"The token lacks the scope {needed}, which history needs.")
        return () if len(seen) == len(self._rooms) else seen


class UndoRefusal(msgspec.Struct, frozen=True, rename="camel"):
    """A change that was left as it is, and why."""

    change_id: str
    code: str
    message: str


class UndoneChanges(msgspec.Struct, frozen=True):
    undone: int
    refused: list[UndoRefusal]
    #: The last change that was looked at, if there are more.
    before: str | None


async def check_undoable(tx: Tx, change: Change) -> dict[str, Any]:
    """The values to bring back, by members, for a change whose subject is locked. Raises Conflict."""
    if not await change_store.is_in_effect(tx, change):
        raise Conflict("This change is undone already. To bring it back, undo its undo.")
    since = await change_store.changed_since(tx, change)
    clashing = sorted(since if not change.changed else since.keys() & set(change.changed))
    if clashing:
        people = sorted(set[str]().union(*(since[member] for member in clashing)))
        by = f" (by {', '.join(people)})" if people else ""
        raise Conflict(f"Changed since: {', '.join(clashing)}{by}. Undo the later changes first, or change it by hand.")
    before: dict[str, Any] = msgspec.json.decode(change.before)
    lost = [member for member in change.changed if member not in before]
    if lost:
        raise Conflict(f"The earlier {', '.join(lost)} is not kept. Change it by hand.")
    return before


async def undo_change(tx: Tx, access: Access, undoing: Undoing, change: Change, call: AnyCall) -> tuple[Any, str]:
    """Undo a change; returns the subject as it is now, and the id of the change that was made.

    Raises InsufficientScope, Conflict, and what the subject's room raises.
    """
    room = undoing.room_of(change.subject)
    if room.write_scope not in access.caller.scopes:
        raise InsufficientScope(f"The token lacks the scope {room.write_scope}, which undoing this needs.")
    shown = await room.undo(tx, access, change, call)
    return shown, await change_store.mark_undone(tx, change)


async def undo_changes(
    tx: Tx, access: Access, undoing: Undoing, owners: tuple[str, ...], wanted: ChangeFilter, call: AnyCall
) -> UndoneChanges:
    """Undo those of these changes that are in effect, newest first, at most `MOST_AT_ONCE`; each by itself."""
    changes = await _find(tx, owners, wanted)
    undone, refused, size = 0, [], 0
    last = None
    for change in changes[:MOST_AT_ONCE]:
        if (size := size + len(change.before)) > MOST_BYTES and last is not None:
            break
        last = change
        try:
            async with tx.savepoint():
                await undo_change(tx, access, undoing, change, call)
                undone += 1
        except Problem as problem:
            if problem.status >= 500:
                raise
            refused.append(UndoRefusal(change.id, problem.code, problem.message))
    return UndoneChanges(undone, refused, last.id if last is not None and last is not changes[-1] else None)


async def _find(tx: Tx, owners: tuple[str, ...], wanted: ChangeFilter) -> list[Change]:
    """The changes to undo, and one more if there are more."""
    found: list[Change] = []
    after = None
    while len(found) <= MOST_AT_ONCE:
        page = await change_store.list_changes(tx, owners, wanted, after, MOST_AT_ONCE + 1 - len(found))
        found += page.items
        after = page.end
        if after is None:
            break
    return found
