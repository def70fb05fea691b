"""The sender is killed when the push service has taken a message, and before that is noted.

The inbox has one notification. The message is sent again, with the same topic and tag, so a device shows one.
"""

import hashlib
import time
from collections.abc import Callable

from stowboard.access.base import account_store
from stowboard.access.base.account import NewAccount
from stowboard.db.database import Database, Tx
from stowboard.notifications import channel_store
from stowboard.notifications.channel import ChannelAddress, ChannelFormat, NotificationChannel
from stowboard.tasks.create import create_task
from stowboard.tasks.reminders import REMIND
from stowboard.tasks.wire import CreateBody
from support.database.statements import rows
from support.jobs.working import working
from support.notifications import worker
from support.notifications.browser import SubscribedBrowser
from support.processes.scripts import begin_script, end_script
from support.tasks.worn_lanes import access_of
from support.waiting import until
from support.webhooks.receiver import Answer, Received, Receiver


async def test_a_push_is_shown_once_although_its_sender_is_killed_before_it_notes_the_answer(
    database: Database, database_url: str
) -> None:
    browser = SubscribedBrowser()
    with Receiver() as receiver:
        await database.transact(subscribe, browser, receiver.url)
        sender = await begin_script(worker, database_url)
        receiver.answer = killing(sender.kill)
        try:
            await database.transact(create_reminder)
            async with working(database, REMIND):
                await until(lambda: len(receiver.received) == 1)
            sender.wait()
            receiver.answer = lambda _: Answer(201)
            sender = await begin_script(worker, database_url)
            await until(lambda: len(receiver.received) == 2)
            await until(lambda: is_noted(database))
        finally:
            end_script(sender)
    shown = {browser.read(each)["notification"]["tag"] for each in receiver.received}
    assert len({each.headers["topic"] for each in receiver.received}) == 1
    assert [(tag,) for tag in shown] == [tuple(row) for row in await rows(database, "SELECT id FROM notification")]


def killing(kill: Callable[[], None]) -> Callable[[Received], Answer]:
    def answer(_: Received) -> Answer:
        kill()
        return Answer(201)

    return answer


async def is_noted(database: Database) -> bool:
    left = await rows(database, "SELECT 1 FROM job WHERE kind = 'deliveries.deliver'")
    return left == [] and len(await rows(database, "SELECT 1 FROM delivery_attempt")) == 1


async def create_reminder(tx: Tx) -> None:
    await create_task(tx, access_of("ann"), CreateBody(title="t", reminder=time.time_ns() // 1_000_000))


async def subscribe(tx: Tx, browser: SubscribedBrowser, endpoint: str) -> None:
    await account_store.insert(tx, NewAccount("ann"))
    address = ChannelAddress(endpoint, p256dh=browser.public, auth=browser.auth)
    channel = NotificationChannel(
        id="chn_01kbr2x4q8e9w6y3t7n5m1c0vz", person="ann", format=ChannelFormat.WEBPUSH, name="", host="127.0.0.1",
        titles=True, origin="https://stow.example", digest=hashlib.sha256(endpoint.encode()).digest(),
        address=worker.make_sender().seal("chn_01kbr2x4q8e9w6y3t7n5m1c0vz", address), seen_at=1, failing_since=None,
        off_reason=None, created_at=1,
    )  # fmt: skip
    await channel_store.put(tx, channel)
