"""What was done to accounts, tokens and the installation, or refused, for its admins to read later.

A row is written in the transaction of the act, so it exists exactly if the act does, and is never changed. It names
who, what and from where, by ids and names: no secret, no text that people wrote.
"""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import msgspec

from stowboard.core import clock
from stowboard.core.caller import Caller
from stowboard.core.ids import least_id, new_id
from stowboard.db.database import Row, Tx

Outcome: TypeAlias = Literal["done", "refused"]
_COLUMNS = "id, action, outcome, actor, subject, token_id, address, data, created_at"


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts: a name, and the token or the address by which it came."""

    name: str
    token_id: str | None = None
    address: str | None = None


OPERATOR = Actor("command line")
#: Somebody who is not known yet, or will not be.
NOBODY = ""


@dataclass(frozen=True, slots=True)
class Entry:
    id: str
    action: str
    outcome: Outcome
    actor: str
    subject: str
    token_id: str | None
    address: str | None
    data: dict[str, Any]
    created_at: int


@dataclass(frozen=True, slots=True)
class Sought:
    """Which entries to list; None is any."""

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
    """Write down that the actor did this to the subject, or was refused it."""
    await tx.run(
        f"INSERT INTO audit ({_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        new_id("aud"), action, outcome, actor.name, subject, actor.token_id, actor.address,
        msgspec.json.encode(data or {}), clock.now_ms(),
    )  # fmt: skip


async def list_entries(tx: Tx, sought: Sought, before: str, limit: int) -> list[Entry]:
    """Entries, newest first, from just before that id."""
    given = {"actor": sought.actor, "action": sought.action, "subject": sought.subject}
    values: list[Any] = [before, limit]
    conditions = ["id < $1"]
    for column, value in given.items():
        if value is not None:
            values.append(value)
            conditions.append(f"{column} = ${len(values)}")
    if sought.since is not None:
        values.append(least_id("aud", sought.since))
        conditions.append(f"id >= ${len(values)}")
    if sought.until is not None:
        values.append(least_id("aud", sought.until))
        conditions.append(f"id < ${len(values)}")
    where = " AND ".join(conditions)
    rows = await tx.all(f"SELECT {_COLUMNS} FROM audit WHERE {where} ORDER BY id DESC LIMIT $2", *values)
    return [_entry(row) for row in rows]


async def forget_entries(tx: Tx, before: int, limit: int) -> int:
    """Remove what is older than that, a bounded number of entries."""
    return await tx.run(
        "DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE id < $1 ORDER BY id LIMIT $2)",
        least_id("aud", before), limit,
    )  # fmt: skip


def _entry(row: Row) -> Entry:
    entry_id, action, outcome, actor, subject, token_id, address, data, created_at = row
    facts = msgspec.json.decode(data, type=dict[str, Any])
    return Entry(entry_id, action, outcome, actor, subject, token_id, address, facts, created_at)
