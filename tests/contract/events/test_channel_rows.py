"""Channels on the database: when one is tried again, turned off, or forgotten."""

import time
from asyncio import gather
from collections.abc import Iterator

import msgspec
import pytest

from stowboard.access.base import account_store
from stowboard.access.base.account import NewAccount
from stowboard.core import clock
from stowboard.core.ids import new_id
from stowboard.core.services import Services
from stowboard.db.database import Database, Tx
from stowboard.deliveries import delivery_store
from stowboard.deliveries.deliver import DELIVER, Deliverer
from stowboard.deliveries.delivery import DeliveryAttempt, DeliveryOrder, DeliveryOutcome
from stowboard.deliveries.verdict import DeliveryConsequence, write_down
from stowboard.notifications import channel_store, notification_store
from stowboard.notifications.channel import ChannelAddress, ChannelFormat, NotificationChannel
from stowboard.notifications.notification import Notification, NotificationKind, NotificationWay
from stowboard.notifications.send import send_later
from support.database.statements import rows
from support.jobs.working import working
from support.notifications.browser import SubscribedBrowser
from support.notifications.worker import make_sender
from support.waiting import until
from support.webhooks.receiver import Answer, Receiver

HOUR, DAY = 3600 * 1000, 24 * 3600 * 1000
REFUSED = DeliveryOutcome(DeliveryAttempt(at=1, ms=1, status=403, error=None, answer="BadJwtToken"), final=True)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as receiver:
        yield receiver


def channel(name: str, url: str = "https://push.example/x", **members: object) -> NotificationChannel:
    browser, channel_id = SubscribedBrowser(), new_id("chn")
    address = ChannelAddress(url, p256dh=browser.public, auth=browser.auth)
    made = NotificationChannel(
        id=channel_id, person="ann", format=ChannelFormat.WEBPUSH, name=name, host="127.0.0.1", titles=True,
        origin="https://stow.example", digest=name.encode(), address=make_sender().seal(channel_id, address),
        seen_at=clock.now_ms(), failing_since=None, off_reason=None, created_at=1,
    )  # fmt: skip
    return msgspec.structs.replace(made, **members)


async def refuse(tx: Tx, channel_id: str, number: int = 0) -> DeliveryConsequence:
    """A message that the channel refuses."""
    await delivery_store.order(tx, channel_id, [DeliveryOrder(f"ntf_{number}", 1, "assigned", f"ntf_{number}")])
    return await write_down(tx, make_sender(), channel_id, f"ntf_{number}", 0, REFUSED)


async def test_a_channel_that_refuses_everything_is_off_after_three_days(database: Database) -> None:
    for name, days, reason in (("new", 2.9, None), ("old", 3.1, "It answered 403: BadJwtToken")):
        failing = channel(name, failing_since=int(clock.now_ms() - days * DAY))
        await database.transact(channel_store.put, failing)
        await database.transact(refuse, failing.id)
        found = await database.read(channel_store.find, failing.id)
        assert found is not None
        assert (found.off_reason, found.failing_since) == (reason, failing.failing_since)
    on = await database.read(channel_store.find_on, ["ann"])
    assert len(on["ann"]) == 1


async def test_what_several_write_of_one_channel_at_once_is_all_kept(database: Database) -> None:
    """A console shows itself again while messages are sent to it; on PostgreSQL, each in a transaction of its own."""
    made = channel("browser")
    await database.transact(channel_store.put, made)
    outcomes = [database.transact(refuse, made.id, number) for number in range(6)]
    await gather(*outcomes, *[database.transact(channel_store.put, made) for _ in range(6)])
    assert len(await database.read(delivery_store.last_attempts, made.id, 20)) == len(outcomes)
    assert len(await database.read(channel_store.list_of, "ann")) == 1


async def test_a_browser_that_did_not_come_for_sixty_days_is_forgotten(database: Database) -> None:
    now = clock.now_ms()
    for name, days, kind in (
        ("gone", 61, ChannelFormat.WEBPUSH), ("there", 59, ChannelFormat.WEBPUSH), ("chat", 61, ChannelFormat.SLACK)
    ):  # fmt: skip
        await database.transact(channel_store.put, channel(name, seen_at=now - days * DAY, format=kind))
    assert await database.transact(channel_store.forget_unseen, 100) == 1
    assert {each.name for each in await database.read(channel_store.list_of, "ann")} == {"there", "chat"}


@pytest.mark.parametrize(
    ("status", "headers", "age", "waits"),
    [
        (429, {"retry-after": "7200"}, 0, 2 * HOUR),
        (503, {}, 0, 5000),
        # A push service would no longer keep it: a day after it was made it is of no use.
        (503, {"retry-after": "7200"}, 23 * HOUR, None),
        (429, {}, 24 * HOUR, None),
        (403, {}, 0, None),
    ],
)
async def test_what_fails_is_sent_again_when_the_service_says_and_while_it_is_of_use(
    database: Database, receiver: Receiver, status: int, headers: dict[str, str], age: int, waits: int | None
) -> None:
    receiver.answer = lambda _: Answer(status, headers)
    made = channel("browser", receiver.url)
    await database.transact(_order, made, age)
    services = Services()
    services.add(Deliverer, Deliverer())
    services.use(Deliverer).add("chn", make_sender())
    begun = time.time() * 1000
    async with working(database, DELIVER, services=services, slots={"deliver": 1}, poll_ms=50):
        await until(lambda: _is_noted(database))
    assert len(receiver.received) == 1
    found = await rows(database, "SELECT due FROM delivery WHERE status = 'pending'")
    due = [each - begun for (each,) in found]
    assert len(due) == (waits is not None)
    assert all(waits * 0.8 <= each <= waits + 60_000 for each in due if waits is not None)


async def _is_noted(database: Database) -> bool:
    return await rows(database, "SELECT 1 FROM delivery_attempt") != []


async def _order(tx: Tx, made: NotificationChannel, age: int) -> None:
    await account_store.insert(tx, NewAccount("ann"))
    told = Notification(
        id=new_id("ntf"), person="ann", kind=NotificationKind.TOKEN_MADE, space="ann", subject="tok_1", cause="evt_1",
        actor=None, inbox=True, via=[NotificationWay.PUSH], created_at=clock.now_ms() - age,
    )  # fmt: skip
    await notification_store.add(tx, [told])
    await channel_store.put(tx, made)
    await send_later(tx, [told], [(made.id, made.format)])
