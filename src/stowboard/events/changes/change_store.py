"""The table `change`. A row is written in the trip that writes the event of the change: see `outbox.emit`.

The subject is locked by then, so that its changes have an order. An undo is a change, too. It has `undoes`, the id of
the change that was made first; so has the undo of an undo, which brings that change back. A change is in effect if
nothing in `undone_by` took it back.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from stowboard.core import clock
from stowboard.core.caller import Access
from stowboard.core.cursor import Position
from stowboard.core.ids import least_id, new_id
from stowboard.core.reach import joined_owners, reached
from stowboard.db.database import Tx, Write
from stowboard.db.scan import NEWEST, IndexRange, RowPage, Scan, ScanOrder, SqlArguments
from stowboard.db.table import Table
from stowboard.events.kinds import AnyEventKind

_encode = msgspec.json.Encoder().encode


class Change(msgspec.Struct, frozen=True):
    id: str
    owner: str
    subject: str
    version: int
    kind: str
    #: Members as the wire names them.
    changed: list[str]
    #: A JSON object.
    before: bytes
    token_id: str | None
    application_id: str | None
    door: str | None
    person: str | None
    undoes: str | None
    undone_by: str | None
    created_at: int


class ChangeFilter(msgspec.Struct, frozen=True):
    """A filter for changes; UNSET matches any."""

    application_id: str | UnsetType = UNSET
    token_id: str | UnsetType = UNSET
    person: str | None | UnsetType = UNSET
    since: int | UnsetType = UNSET
    until: int | UnsetType = UNSET
    #: Only changes before this one.
    before: str | UnsetType = UNSET
    #: Only changes that nothing took back.
    in_effect: bool = False
    #: Only changes of subjects whose ids begin so; empty for all.
    prefixes: tuple[str, ...] = ()


_CHANGES = Table("change", Change, in_words=["changed"])
_INSERT = (
    "INSERT INTO change (id, owner, subject, version, kind, changed, before, token_id, application_id, door, person,"
    " created_at) VALUES ($1, $2, $3, coalesce($4, (SELECT max(version) + 1 FROM change WHERE subject = $3), 1), $5,"
    " $6, $7, $8, $9, $10, $11, $12)"
)
_BY_VERSION = ScanOrder(("version", "id"), descending=True)
_NOBODY = (None, None, None, None)


def added(
    tx: Tx,
    kind: AnyEventKind | str,
    owner: str,
    subject: str,
    changed: Sequence[str],
    before: Mapping[str, Any],
    version: int | None = None,
) -> Write:
    """The write of a change, for `outbox.emit` to make together with the event.

    `changed` names members as on the wire, `before` has the values that can be brought back. A subject without a
    version that grows with every change has its changes counted.
    """
    actor = tx.author.parts if tx.author is not None else _NOBODY
    name = kind if isinstance(kind, str) else kind.name
    values = (new_id("chg"), owner, subject, version, name, " ".join(changed), _encode(before), *actor, clock.now_ms())
    return _INSERT, values


def added_by_program(tx: Tx, kind: AnyEventKind, owner: str, subject: str, version: int | None = None) -> list[Write]:
    """The write of a creation, which only programs have: its undo puts the thing in the trash."""
    if tx.author is None or not tx.author.by_program:
        return []
    return [added(tx, kind, owner, subject, (), {}, version)]


async def add_many(tx: Tx, writes: Sequence[Write]) -> None:
    """Write changes of different subjects, each as `added` made it."""
    if writes:
        await tx.run_many(_INSERT, [values for _, values in writes])


async def get(tx: Tx, access: Access, change_id: str) -> Change:
    """Raises NotFound, InsufficientRole."""
    change = await _CHANGES.get(tx, f"id = $1 AND {reached(2)}", change_id, access.owners)
    access.check(change.owner)
    return change


async def list_of_subject(
    tx: Tx, owners: Sequence[str], subject: str, wanted: ChangeFilter, after: Position | None, size: int
) -> RowPage[Change]:
    """The changes that happened in the spaces of these owners, the latest version first."""
    arguments = SqlArguments(subject, joined_owners(owners))
    of_subject = IndexRange("change", ("subject = $1", reached(2)))
    return await _page(tx, (of_subject,), _BY_VERSION, wanted, arguments, after, size)


async def list_changes(
    tx: Tx, owners: Sequence[str], wanted: ChangeFilter, after: Position | None, size: int
) -> RowPage[Change]:
    """Newest first."""
    arguments = SqlArguments(*owners)
    bounds = [f"id >= {arguments.add(least_id('chg', wanted.since or 0))}"]
    if wanted.until is not UNSET:
        bounds.append(f"id < {arguments.add(least_id('chg', wanted.until + 1))}")
    if wanted.before is not UNSET:
        bounds.append(f"id < {arguments.add(wanted.before)}")
    ranges = tuple(IndexRange("change", (f"owner = ${n + 1}", *bounds)) for n in range(len(owners)))
    return await _page(tx, ranges, NEWEST, wanted, arguments, after, size, bounds[0])


async def _page(
    tx: Tx,
    ranges: tuple[IndexRange, ...],
    order: ScanOrder,
    wanted: ChangeFilter,
    arguments: SqlArguments,
    after: Position | None,
    size: int,
    since: str = "id IS NOT NULL",
) -> RowPage[Change]:
    given = {"application_id": wanted.application_id, "token_id": wanted.token_id, "person": wanted.person}
    chosen = [f"{name} = {arguments.add(value)}" for name, value in given.items() if value is not UNSET]
    conditions = [f"t.{condition}" for condition in chosen]
    if wanted.in_effect:
        # A change that undid one of these changes is left out. A change that undid somebody else's change counts as one
        # of these.
        own = " AND ".join(f"(origin.{condition}) IS TRUE" for condition in [since, *chosen])
        conditions.append(
            "t.undone_by IS NULL AND (t.undoes IS NULL OR EXISTS (SELECT 1 FROM change AS origin"
            f" WHERE origin.id = t.undoes AND origin.undone_by = t.id AND NOT ({own}) LIMIT 1 OFFSET 0))"
        )
    if wanted.prefixes:
        of_kinds = [f"t.subject LIKE {arguments.add(f'{prefix}!_%')} ESCAPE '!'" for prefix in wanted.prefixes]
        conditions.append(f"({' OR '.join(of_kinds)})")
    scan = Scan(_CHANGES.fields, _CHANGES.read_all, ranges, order, "change", tuple(conditions))
    return await scan.page(tx, arguments, after, size)


async def is_in_effect(tx: Tx, change: Change) -> bool:
    row = await tx.one("SELECT undone_by FROM change WHERE id = $1", change.id)
    return row is not None and row[0] is None


async def changed_since(tx: Tx, change: Change) -> dict[str, set[str]]:
    """The members that later changes of the subject have changed, if these changes are in effect, and by which people.

    A later change and its undo count as no change; the undo of an earlier change counts. For a creation, what the same
    application or token has done since does not count.
    """
    others = ""
    if not change.changed:
        others = " AND (later.token_id IS DISTINCT FROM $4 AND (later.application_id = $5) IS NOT TRUE)"
    rows = await tx.all(
        "SELECT later.changed, later.person FROM change AS later LEFT JOIN change AS origin ON origin.id = later.undoes"
        " WHERE later.subject = $1 AND later.version > $2 AND later.undone_by IS NULL"
        " AND (later.undoes IS NULL OR (later.undoes <> $3 AND coalesce(origin.version, 0) < $2))"
        + others,
        change.subject, change.version, change.undoes or change.id,
        *((change.token_id, change.application_id) if others else ()),
    )  # fmt: skip
    since: dict[str, set[str]] = {}
    for changed, person in rows:
        for member in changed.split():
            since.setdefault(member, set()).update([person] if person else [])
    return since


async def first_kind(tx: Tx, change: Change) -> str:
    """The kind of the change that this one takes back or brings back; its own kind if it does neither."""
    row = await tx.one("SELECT kind FROM change WHERE id = $1", change.undoes) if change.undoes is not None else None
    return change.kind if row is None else str(row[0])


async def mark_undone(tx: Tx, change: Change) -> str:
    """Record that the latest change of the subject has taken this one back; returns the id of the latest."""
    row = await tx.one("SELECT id FROM change WHERE subject = $1 ORDER BY version DESC LIMIT 1", change.subject)
    assert row is not None
    latest, first = str(row[0]), change.undoes or change.id
    await tx.run(
        "UPDATE change SET undone_by = $3 WHERE subject = $1 AND (id = $2 OR undoes = $2) AND undone_by IS NULL",
        change.subject, first, latest,
    )  # fmt: skip
    await tx.run("UPDATE change SET undone_by = NULL WHERE id = $1 AND undone_by = $2", first, change.id)
    await tx.run("UPDATE change SET undoes = $2 WHERE id = $1", latest, first)
    return latest


async def forget_member(tx: Tx, subject: str, member: str) -> None:
    """Take a member out of all that is kept of the subject. Changes of it can no longer be undone."""
    rows = await tx.all("SELECT id, before FROM change WHERE subject = $1", subject)
    kept = [(change_id, msgspec.json.decode(before)) for change_id, before in rows]
    without = [(change_id, _encode(_without(before, member))) for change_id, before in kept if member in before]
    if without:
        await tx.run_many("UPDATE change SET before = $2 WHERE id = $1", without)


def _without(before: dict[str, Any], member: str) -> dict[str, Any]:
    return {name: value for name, value in before.items() if name != member}


async def forget_subjects(tx: Tx, subjects: Collection[str]) -> None:
    """The history of things that are deleted for good."""
    await tx.run_many("DELETE FROM change WHERE subject = $1", [(subject,) for subject in subjects])


async def forget_changes(tx: Tx, kept_ms: int, limit: int) -> int:
    """Remove the oldest changes whose time is over, a bounded number of them."""
    return await tx.run(
        "DELETE FROM change WHERE id IN (SELECT id FROM change WHERE id < $1 ORDER BY id LIMIT $2)",
        least_id("chg", clock.now_ms() - kept_ms), limit,
    )  # fmt: skip
