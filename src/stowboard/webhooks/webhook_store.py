"""The table `webhook`."""

from stowboard.core.caller import Access
from stowboard.core.cursor import Position
from stowboard.core.ids import checked_id
from stowboard.core.reach import LIBRARY, reached
from stowboard.db.database import Tx
from stowboard.db.made import MadeThings
from stowboard.db.scan import RowPage
from stowboard.db.table import Table
from stowboard.webhooks.webhook import DisabledReason, Webhook

_WEBHOOKS = Table("webhook", Webhook, "spaces", "types", "scopes")
_IN_REACH = f"id = $1 AND {reached(2)}"
#: The permission as it is now, for one that is made while it ends: nothing is sent of a space in the trash, or for
#: somebody who does not manage it.
_AWAKE = (
    "NOT EXISTS (SELECT 1 FROM space s WHERE s.id = webhook.owner AND (s.trashed_at IS NOT NULL"
    f" OR (s.id <> '{LIBRARY}' AND made_by IS NOT NULL AND NOT EXISTS (SELECT 1 FROM space_member m"
    " WHERE m.space_id = s.id AND m.member = made_by AND m.role = 'manager'))))"
)
_DISABLE = "UPDATE webhook SET enabled = 0, disabled_reason = $1 WHERE enabled = 1"
_RECEIVES = "replace(spaces, '\"' || {} || '\"', '') <> spaces"
_LEFT = DisabledReason.CREATOR_LEFT


async def add(tx: Tx, webhook: Webhook) -> None:
    await _WEBHOOKS.insert(tx, webhook)


async def count(tx: Tx, owner: str) -> int:
    row = await tx.one("SELECT count(*) FROM webhook WHERE owner = $1", owner)
    assert row is not None
    return int(row[0])


async def list_owned(tx: Tx, owner: str, after: Position | None, size: int) -> RowPage[Webhook]:
    """The webhooks of a space, newest first."""
    return await _WEBHOOKS.page(tx, after, size, "owner = $1", arguments=[owner])


async def get_owned(tx: Tx, access: Access, webhook_id: str) -> Webhook:
    """Raises NotFound, also for a webhook out of reach, and InsufficientRole."""
    return _checked(access, await _WEBHOOKS.get(tx, _IN_REACH, checked_id("whk", webhook_id), access.owners))


async def lock_owned(tx: Tx, access: Access, webhook_id: str) -> Webhook:
    locked = await _WEBHOOKS.get(tx, f"{_IN_REACH} FOR UPDATE", checked_id("whk", webhook_id), access.owners)
    return _checked(access, locked)


async def find(tx: Tx, webhook_id: str) -> Webhook | None:
    return await _WEBHOOKS.find(tx, f"id = $1 AND {_AWAKE}", webhook_id)


async def lock(tx: Tx, webhook_id: str) -> Webhook | None:
    """Lock the webhook before its deliveries, as the fan-out and the record of an attempt do."""
    return await _WEBHOOKS.find(tx, f"id = $1 AND {_AWAKE} FOR UPDATE", webhook_id)


async def list_enabled(tx: Tx) -> list[Webhook]:
    return await _WEBHOOKS.find_all(tx, f"enabled = 1 AND {_AWAKE} ORDER BY id")


async def change(tx: Tx, webhook: Webhook) -> None:
    """Write all columns; the row must be locked."""
    setters = ", ".join(f"{name} = ${number}" for number, name in enumerate(_WEBHOOKS.fields, 1))
    await tx.run(f"UPDATE webhook SET {setters} WHERE id = $1", *_WEBHOOKS.values(webhook))


async def end_made(tx: Tx, made: MadeThings) -> int:
    """Disable these webhooks, and those that receive events of the space besides their own."""
    which, arguments = made.where(_RECEIVES, "made_by", first=2)
    left = made.space is not None and made.person is not None
    return await tx.run(f"{_DISABLE} AND {which}", _LEFT if left else DisabledReason.ACCESS, *arguments)


async def list_ids_of(tx: Tx, owner: str) -> list[str]:
    return [row[0] for row in await tx.all("SELECT id FROM webhook WHERE owner = $1", owner)]


def _checked(access: Access, webhook: Webhook) -> Webhook:
    access.check(webhook.owner)
    return webhook


async def remove(tx: Tx, webhook_id: str) -> None:
    await tx.run("DELETE FROM webhook WHERE id = $1", webhook_id)
