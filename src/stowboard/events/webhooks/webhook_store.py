"""The table `webhook`."""

from collections.abc import Sequence
from typing import Any

import msgspec

from stowboard.core.cursor import Position
from stowboard.core.errors import NotFound
from stowboard.core.ids import is_id
from stowboard.db.database import Row, Tx
from stowboard.db.scan import IndexRange, RowPage, Scan, SqlArguments
from stowboard.events.webhooks.webhook import DisabledReason, Webhook

_FIELDS = Webhook.__struct_fields__
COLUMNS = ", ".join(_FIELDS)
_DISABLE = "UPDATE webhook SET enabled = 0, disabled_reason = $1 WHERE enabled = 1"


async def add(tx: Tx, webhook: Webhook) -> None:
    places = ", ".join(f"${number}" for number in range(1, len(_FIELDS) + 1))
    await tx.run(f"INSERT INTO webhook ({COLUMNS}) VALUES ({places})", *_values(webhook).values())


async def count(tx: Tx, owner: str) -> int:
    row = await tx.one("SELECT count(*) FROM webhook WHERE owner = $1", owner)
    assert row is not None
    return int(row[0])


async def list_owned(tx: Tx, owner: str, after: Position | None, size: int) -> RowPage[Webhook]:
    """Newest first."""
    scan = Scan(_FIELDS, _webhooks, (IndexRange("webhook", ("owner = $1",)),))
    return await scan.page(tx, SqlArguments(owner), after, size)


async def get_owned(tx: Tx, owner: str, webhook_id: str) -> Webhook:
    return _got(await _find_owned(tx, owner, webhook_id, ""))


async def lock_owned(tx: Tx, owner: str, webhook_id: str) -> Webhook:
    return _got(await _find_owned(tx, owner, webhook_id, " FOR UPDATE"))


async def find(tx: Tx, webhook_id: str) -> Webhook | None:
    row = await tx.one(f"SELECT {COLUMNS} FROM webhook WHERE id = $1", webhook_id)
    return _webhook(row) if row is not None else None


async def lock(tx: Tx, webhook_id: str) -> Webhook | None:
    """Locked before its deliveries are: by the fan-out, and by whoever records an attempt."""
    row = await tx.one(f"SELECT {COLUMNS} FROM webhook WHERE id = $1 FOR UPDATE", webhook_id)
    return _webhook(row) if row is not None else None


async def list_enabled(tx: Tx) -> list[Webhook]:
    return _webhooks(await tx.all(f"SELECT {COLUMNS} FROM webhook WHERE enabled = 1 ORDER BY id"))


async def change(tx: Tx, webhook: Webhook) -> None:
    """Write all columns; the row must be locked."""
    setters = ", ".join(f"{name} = ${number}" for number, name in enumerate(_FIELDS, 1))
    await tx.run(f"UPDATE webhook SET {setters} WHERE id = $1", *_values(webhook).values())


async def disable_of_owner(tx: Tx, owner: str) -> None:
    await tx.run(f"{_DISABLE} AND owner = $2", DisabledReason.ACCESS, owner)


async def disable_made_through(tx: Tx, made_through: str) -> None:
    """Disable the webhooks of a grant or an OAuth client that has ended."""
    await tx.run(f"{_DISABLE} AND made_through = $2", DisabledReason.ACCESS, made_through)


async def list_ids_of(tx: Tx, owner: str) -> list[str]:
    return [row[0] for row in await tx.all("SELECT id FROM webhook WHERE owner = $1", owner)]


async def remove(tx: Tx, webhook_id: str) -> None:
    await tx.run("DELETE FROM webhook WHERE id = $1", webhook_id)


async def _find_owned(tx: Tx, owner: str, webhook_id: str, held: str) -> Webhook | None:
    if not is_id("whk", webhook_id):
        return None
    row = await tx.one(f"SELECT {COLUMNS} FROM webhook WHERE id = $1 AND owner = $2{held}", webhook_id, owner)
    return _webhook(row) if row is not None else None


def _got(webhook: Webhook | None) -> Webhook:
    if webhook is None:
        raise NotFound
    return webhook


def _values(webhook: Webhook) -> dict[str, Any]:
    values = msgspec.structs.asdict(webhook)
    lists = {name: msgspec.json.encode(values[name]).decode() for name in ("types", "scopes")}
    return values | lists | {"enabled": int(webhook.enabled)}


def _webhooks(rows: Sequence[Row]) -> list[Webhook]:
    return [_webhook(row) for row in rows]


def _webhook(row: Row) -> Webhook:
    values = dict(zip(_FIELDS, row, strict=True))
    lists = {name: msgspec.json.decode(values[name]) for name in ("types", "scopes")}
    reason = values["disabled_reason"]
    return Webhook(
        **values | lists | {"enabled": bool(values["enabled"]), "disabled_reason": reason and DisabledReason(reason)}
    )
