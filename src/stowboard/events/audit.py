"""The audit log: acts on accounts, tokens and the installation, done or refused, for admins to read later.

A row is written in the transaction of the act, so it exists exactly if the act does, and is never changed. It names
who, what and from where, by ids and names: no secret, no text that people wrote.
"""

from typing import Any, Literal, TypeAlias

import msgspec

from stowboard.core.caller import Caller
from stowboard.core.cursor import Position
from stowboard.core.ids import least_id, new_id, time_of
from stowboard.core.reach import space_id_of
from stowboard.db.database import Tx
from stowboard.db.scan import RowPage, SqlArguments
from stowboard.db.table import Table

Outcome: TypeAlias = Literal["done", "refused"]


class Actor(msgspec.Struct, frozen=True):
    """The one who acts: a name, and the token or the address that the request came with."""

    name: str
    token_id: str | None = None
    address: str | None = None


OPERATOR = Actor("command line")
#: The name of an actor who is not known.
NOBODY = ""


class AuditRecord(msgspec.Struct, frozen=True):
    id: str
    action: str
    outcome: Outcome
    actor: str
    subject: str
    token_id: str | None
    address: str | None
    data: dict[str, Any]
    created_at: int


_ENTRIES = Table("audit", AuditRecord, "data")


class AuditFilter(msgspec.Struct, frozen=True):
    """A filter for entries; None matches any."""

    actor: str | None = None
    action: str | None = None
    subject: str | None = None
    since: int | None = None
    until: int | None = None


def actor_of(caller: Caller) -> Actor:
    return Actor(caller.owner, caller.token_id)


async def record(
    tx: Tx, actor: Actor, action: str, subject: str, outcome: Outcome = "done", data: dict[str, Any] | None = None
) -> None:
    """Record that the actor did this to the subject, or was refused it."""
    entry_id = new_id("aud")
    # Its id says when: lists are bounded by ids, and have to agree with what is shown.
    created_at = time_of(entry_id)
    entry = AuditRecord(
        entry_id, action, outcome, actor.name, subject, actor.token_id, actor.address, data or {}, created_at
    )
    await _ENTRIES.insert(tx, entry)


async def record_in(tx: Tx, caller: Caller, owner: str, action: str, subject: str, **facts: Any) -> None:
    """Record what the caller did in the space of an owner."""
    await record(tx, actor_of(caller), action, subject, data={**facts, "spaceId": space_id_of(owner)})


async def list_entries(tx: Tx, sought: AuditFilter, after: Position | None, size: int) -> RowPage[AuditRecord]:
    """Entries, newest first."""
    arguments = SqlArguments()
    bounds = {"actor =": sought.actor, "action =": sought.action, "subject =": sought.subject}
    if sought.since is not None:
        bounds["id >="] = least_id("aud", sought.since)
    if sought.until is not None:
        bounds["id <"] = least_id("aud", sought.until)
    conditions = tuple(f"{name} {arguments.add(value)}" for name, value in bounds.items() if value is not None)
    return await _ENTRIES.page(tx, after, size, *conditions, arguments=arguments.values)


async def forget_entries(tx: Tx, before: int, limit: int) -> int:
    """Remove entries that are older than this, a bounded number of them."""
    return await tx.run(
        "DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE id < $1 ORDER BY id LIMIT $2)",
        least_id("aud", before), limit,
    )  # fmt: skip
