"""Makes notifications from the feed: for each event, exactly one for every person who is told of it.

`notification_head` says how far the feed was read. It moves in the transaction that writes the notifications and orders
what is sent of them, and one process at a time holds it. While nobody has an account, nothing is read or written; the
first account is told of events since its time. Events that nobody is told of do not move it: each process remembers how
far it has seen only such events.
"""

from stowboard.access.base import account_store
from stowboard.core import clock
from stowboard.core.ids import new_id
from stowboard.db.database import Database, Tx
from stowboard.events.feed import get_head, read_of_kinds
from stowboard.events.feed_reader import FeedReader
from stowboard.notifications import channel_store, notification_store, rule_store
from stowboard.notifications.notification import Notification, NotificationWay
from stowboard.notifications.quiet import wait_until
from stowboard.notifications.rule_store import PersonRules
from stowboard.notifications.send import send_later
from stowboard.notifications.told import TOLD, Telling, find_told

#: One statement looks for the people of this many events. They are at most 2,000: a space has up to 500 members.
_TOGETHER = 4
#: A batch with this many notifications is full. Other writers of SQLite wait for it, about a tenth of a second.
_FULL = 500


class NotificationReader(FeedReader):
    """Runs in every process that does background work."""

    does = "making notifications of events"
    batch = 100
    # With a shorter rest, requests lose more than 5 % while 100,000 notifications are made (bench/RESULTS.md).
    rest_s = 4.0

    def __init__(self, db: Database) -> None:
        super().__init__(db)
        self._seen = 0

    async def hand_out(self, limit: int) -> int:
        self._seen, is_behind = await self.db.read(_look, self._seen)
        return await self.db.transact(hand_out, limit) if is_behind else 0


async def _look(tx: Tx, seen: int) -> tuple[int, bool]:
    """The position up to which there is nothing to tell, and True if there is something behind it."""
    row = await tx.one(
        "SELECT feed.position, notification_head.position FROM feed, notification_head"
        " WHERE EXISTS (SELECT 1 FROM account WHERE deleted_at IS NULL)"
    )
    if row is None or row[0] <= max(seen, row[1]):
        return seen, False
    is_behind = bool(await read_of_kinds(tx, max(seen, row[1]), row[0], TOLD, 1))
    return (seen if is_behind else row[0]), is_behind


async def hand_out(tx: Tx, limit: int) -> int:
    """Write the notifications of the next events, at most `limit`; returns how many events there were.

    If these make a full batch, it leaves the other events for the next time and returns `limit`.
    """
    head = await tx.one("SELECT position FROM notification_head FOR UPDATE")
    first = await account_store.find_first_time(tx)
    if head is None or first is None:
        return 0
    upto = (await get_head(tx)).position
    events = await read_of_kinds(tx, head[0], upto, TOLD, limit)
    # Times decide: if several processes write, ids and positions are in different orders.
    told = [event for event in events if event.created_at >= first]
    position, made = events[-1].position if len(events) == limit else upto, 0
    for number in range(0, len(told), _TOGETHER):
        if made >= _FULL:
            position = told[number - 1].position
            break
        made += await _tell(tx, await find_told(tx, told[number : number + _TOGETHER]))
    await tx.run("UPDATE notification_head SET position = $1", max(head[0], position))
    return limit if made >= _FULL else len(events)


async def _tell(tx: Tx, told: list[Telling]) -> int:
    """Write the notifications that the rules of each person want, and order what is sent of them; returns how many."""
    rules = await rule_store.find_rules(tx, sorted({each.person for each in told}))
    now = clock.now_ms()
    made = [_notification(each, rules[each.person], now) for each in told]
    wanted = [each for each in made if each.inbox or each.via]
    await notification_store.add(tx, wanted)
    await notification_store.tell_of_change(tx, sorted({each.person for each in wanted if each.inbox}))
    sent = [each.id for each in wanted if each.via]
    channels = await channel_store.find_on(tx, sorted({each.person for each in wanted if each.via}))
    # Files that people were told of before have no row.
    for each in await notification_store.find_some(tx, sent) if sent else []:
        until = rules[each.person].quiet_until(each.kind, now)
        if until is not None:
            await wait_until(tx, each.person, until)
        else:
            await send_later(tx, [each], channels[each.person])
    return len(wanted)


def _notification(told: Telling, rules: PersonRules, now: int) -> Notification:
    ways = rules.ways_of(told.kind, told.space, told.board)
    via: list[NotificationWay] = [way for way in ways if way is not NotificationWay.INBOX]
    return Notification(
        id=new_id("ntf"),
        person=told.person,
        kind=told.kind,
        space=told.space,
        subject=told.subject,
        cause=told.cause,
        actor=told.actor,
        inbox=NotificationWay.INBOX in ways,
        via=via,
        waits=bool(via) and rules.quiet_until(told.kind, now) is not None,
        created_at=now,
    )
