"""Verbs of an owner on webhooks: make, change, remove, rotate the secret, test, replay."""

import msgspec
from msgspec import UNSET

from stowboard.core import clock
from stowboard.core.caller import Access, Caller
from stowboard.core.errors import InsufficientScope, NotFound
from stowboard.core.ids import checked_id, new_id
from stowboard.core.reach import LIBRARY
from stowboard.core.sealing import Sealing
from stowboard.db.database import Tx
from stowboard.deliveries import delivery_store
from stowboard.deliveries.deliver import deliver_later
from stowboard.deliveries.signature import make_secret
from stowboard.deliveries.upkeep import clear_later
from stowboard.events.feed import Event, find_event, get_head, position_at, read_after
from stowboard.events.kinds import KINDS, WEBHOOK_TEST, WebhookTest
from stowboard.events.outbox import emit
from stowboard.webhooks import webhook_store
from stowboard.webhooks.fan_out import order_events
from stowboard.webhooks.webhook import (
    MOST_WEBHOOKS,
    OVERLAP_MS,
    DisabledReason,
    TooManyWebhooks,
    Webhook,
    is_told,
    sealing_purpose,
)
from stowboard.webhooks.wire import CreateWebhookBody, ReplayView, WebhookPatch

MOST_REPLAYED = 1000
#: Positions that one replay looks at.
_LOOKED_AT = 20_000
_READ_AT_ONCE = 1000
_SCOPES = sorted({kind.scope for kind in KINDS if kind.scope})


async def create_webhook(
    tx: Tx, access: Access, seal: Sealing, origin: str, wanted: CreateWebhookBody
) -> tuple[Webhook, str]:
    """Make a webhook; returns it with its secret, which is shown this once.

    It receives the events of the named space; without a name, those of the caller's own space and of the Library.
    Raises TooManyWebhooks, SpaceNotFound, InsufficientRole.
    """
    caller, owner = access.caller, access.in_tasks(wanted.space_id)
    with_library = wanted.space_id is None and owner == caller.owner and LIBRARY in access.reach.roles
    await tx.lock(f"webhooks {owner}")
    if await webhook_store.count(tx, owner) >= MOST_WEBHOOKS:
        raise TooManyWebhooks
    webhook_id, secret, now = new_id("whk"), make_secret(), clock.now_ms()
    webhook = Webhook(
        id=webhook_id,
        owner=owner,
        spaces=[owner, LIBRARY] if with_library else [owner],
        made_by=caller.person,
        name=wanted.name or "",
        url=wanted.url,
        types=wanted.types,
        include=wanted.include,
        scopes=[scope for scope in _SCOPES if scope in caller.scopes],
        origin=origin,
        made_through=caller.through,
        secret=seal.seal(sealing_purpose(webhook_id), secret.encode()),
        old_secret=None,
        old_secret_until=None,
        enabled=True,
        disabled_reason=None,
        since_position=(await get_head(tx)).position,
        failures=0,
        failing_since=None,
        resting_until=0,
        created_at=now,
        updated_at=now,
    )
    await webhook_store.add(tx, webhook)
    return webhook, secret


async def change_webhook(tx: Tx, access: Access, webhook_id: str, changes: WebhookPatch) -> Webhook:
    webhook, caller = await _lock_for(tx, access, webhook_id), access.caller
    given = {
        name: getattr(changes, name)
        for name in ("url", "types", "name", "include")
        if getattr(changes, name) is not UNSET
    }
    if changes.name is None:
        given["name"] = ""
    if caller.application or changes.url is not UNSET or changes.enabled is True:
        given["made_through"], given["made_by"] = caller.through, caller.person
    changed = msgspec.structs.replace(webhook, **given, updated_at=clock.now_ms())
    if changes.enabled is True:
        changed = await _enabled(tx, changed, was=webhook.enabled)
    elif changes.enabled is False and webhook.enabled:
        changed = msgspec.structs.replace(changed, enabled=False, disabled_reason=DisabledReason.OWNER)
    await webhook_store.change(tx, changed)
    return changed


async def _enabled(tx: Tx, webhook: Webhook, was: bool) -> Webhook:
    """The webhook, enabled. Waiting deliveries go out now; events of the time between are sent only by a replay."""
    await delivery_store.unblock(tx, webhook.id)
    await deliver_later(tx, webhook.id, webhook.owner)
    return msgspec.structs.replace(
        webhook,
        enabled=True,
        disabled_reason=None,
        failures=0,
        failing_since=None,
        resting_until=0,
        since_position=webhook.since_position if was else (await get_head(tx)).position,
    )


async def delete_webhook(tx: Tx, access: Access, webhook_id: str) -> None:
    """Delete a webhook: nothing more is sent. A job removes its log."""
    await webhook_store.lock_owned(tx, access, webhook_id)
    await webhook_store.remove(tx, webhook_id)
    await clear_later(tx, webhook_id)


async def delete_of_owner(tx: Tx, owner: str) -> None:
    """Delete all webhooks of an owner, with the owner's account."""
    for webhook_id in await webhook_store.list_ids_of(tx, owner):
        await delete_webhook(tx, Access.of_service(owner), webhook_id)


async def rotate_secret(tx: Tx, access: Access, webhook_id: str, seal: Sealing) -> tuple[Webhook, str]:
    """Make a new secret, shown this once. For a day the old one signs as well."""
    webhook = await _lock_for(tx, access, webhook_id)
    secret, now = make_secret(), clock.now_ms()
    changed = msgspec.structs.replace(
        webhook,
        secret=seal.seal(sealing_purpose(webhook_id), secret.encode()),
        old_secret=webhook.secret,
        old_secret_until=now + OVERLAP_MS,
        updated_at=now,
    )
    await webhook_store.change(tx, changed)
    return changed, secret


async def send_test(tx: Tx, access: Access, webhook_id: str) -> str:
    """Send a test event to this webhook alone; returns its id."""
    webhook = await _lock_for(tx, access, webhook_id)
    return await emit(tx, WEBHOOK_TEST, webhook.owner, webhook.id, WebhookTest(webhook.id))


async def replay_one(tx: Tx, access: Access, webhook_id: str, event_id: str) -> None:
    """Send one event again. Raises NotFound if there is no delivery of it, or it is no longer kept."""
    webhook = await _lock_for(tx, access, webhook_id)
    if await delivery_store.find(tx, webhook_id, checked_id("evt", event_id)) is None:
        raise NotFound
    event = await find_event(tx, event_id)
    if event is None:
        raise NotFound
    await order_events(tx, webhook, [event])


async def replay_failed(tx: Tx, access: Access, webhook_id: str) -> ReplayView:
    """Send failed deliveries again, oldest first, a bounded number of them."""
    webhook = await _lock_for(tx, access, webhook_id)
    failed = await delivery_store.oldest_failed(tx, webhook_id, MOST_REPLAYED)
    events = [event for event_id in failed if (event := await find_event(tx, event_id)) is not None]
    await order_events(tx, webhook, events)
    return ReplayView(len(events), None)


async def replay_since(tx: Tx, access: Access, webhook_id: str, since: int) -> ReplayView:
    """Send all matching events since that time, delivered before or not, a bounded number of them."""
    webhook = await _lock_for(tx, access, webhook_id)
    begin = await position_at(tx, since)
    end, head = begin + _LOOKED_AT, (await get_head(tx)).position
    of_all_times = msgspec.structs.replace(webhook, since_position=0)
    told: list[Event] = []
    last: Event | None = None
    while (last is None or last.position < min(end, head)) and len(told) < MOST_REPLAYED:
        events = await read_after(tx, last.position if last else begin, _READ_AT_ONCE)
        if not events:
            break
        for event in events:
            last = event
            if is_told(of_all_times, event):
                told.append(event)
                if len(told) == MOST_REPLAYED:
                    break
    await order_events(tx, webhook, told)
    return ReplayView(len(told), last.created_at if last is not None and last.position < head else None)


def check_scopes(caller: Caller, webhook: Webhook) -> None:
    """Raises InsufficientScope unless the caller holds every scope that the webhook has.

    A webhook receives what its maker could read. With a new address, a replay or the log the caller could read it too.
    """
    lacking = [scope for scope in webhook.scopes if scope not in caller.scopes]
    if lacking:
        raise InsufficientScope(f"The webhook has the scope {lacking[0]}, which the token lacks.")


async def _lock_for(tx: Tx, access: Access, webhook_id: str) -> Webhook:
    """Raises NotFound, InsufficientScope."""
    webhook = await webhook_store.lock_owned(tx, access, webhook_id)
    check_scopes(access.caller, webhook)
    return webhook
