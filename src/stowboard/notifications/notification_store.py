"""The table `notification`. A caller reads only notifications of its own person, in its reach."""

from collections.abc import Sequence

from stowboard.core import clock
from stowboard.core.caller import Access
from stowboard.core.cursor import Position
from stowboard.core.ids import least_id
from stowboard.core.reach import reached, space_id_of
from stowboard.db.database import Tx
from stowboard.db.rows import numbered
from stowboard.db.scan import IndexRange, RowPage, Scan, SqlArguments
from stowboard.db.table import Table
from stowboard.events.kinds import INBOX_CHANGED, InboxChanged
from stowboard.events.outbox import emit_to_each
from stowboard.notifications.notification import KEPT_MS, Notification

MOST_COUNTED = 100
#: The most notifications that one request marks as read.
MOST_READ = 10_000
_NOTIFICATIONS = Table("notification", Notification, in_words=["via"])
_INSERT = (
    f"INSERT INTO notification ({_NOTIFICATIONS.names}) VALUES ({_NOTIFICATIONS.parameters})"
    " ON CONFLICT (cause, person, kind) DO NOTHING"
)
_UNREAD = f"person = $1 AND inbox = 1 AND read_at IS NULL AND {reached(2, 'space')}"


async def add(tx: Tx, notifications: Sequence[Notification]) -> None:
    """Store notifications, without those that were stored for the same cause, person and kind."""
    await tx.run_many(_INSERT, [_NOTIFICATIONS.values(each) for each in notifications])


async def tell_of_change(tx: Tx, people: Sequence[str]) -> None:
    """Tell the open consoles of these people to ask for the inbox again."""
    told = [(person, (space := space_id_of(person)), InboxChanged(space)) for person in people]
    await emit_to_each(tx, INBOX_CHANGED, told)


async def find_some(tx: Tx, ids: Sequence[str]) -> list[Notification]:
    """The notifications with these ids, as far as they exist, oldest first."""
    return await _NOTIFICATIONS.find_all(tx, f"id IN ({numbered(len(ids))}) ORDER BY id", *ids)


async def find_waiting(tx: Tx, person: str, limit: int) -> list[Notification]:
    """The notifications that quiet hours hold back, oldest first."""
    return await _NOTIFICATIONS.find_all(tx, "person = $1 AND waits = 1 ORDER BY id LIMIT $2", person, limit)


async def end_waiting(tx: Tx, notifications: Sequence[Notification]) -> None:
    await tx.run_many("UPDATE notification SET waits = 0 WHERE id = $1", [(each.id,) for each in notifications])


async def list_inbox(tx: Tx, access: Access, unread: bool, after: Position | None, size: int) -> RowPage[Notification]:
    """A page of the inbox, newest first."""
    conditions = ("person = $1", "inbox = 1", *(("read_at IS NULL",) if unread else ()))
    scan = Scan(
        _NOTIFICATIONS.fields, _NOTIFICATIONS.read_all, (IndexRange("notification", conditions),),
        table="notification", conditions=(reached(2, "t.space"),),
    )  # fmt: skip
    return await scan.page(tx, SqlArguments(access.caller.owner, access.owners), after, size)


async def count_unread(tx: Tx, access: Access) -> int:
    """The number of unread notifications, counted up to `MOST_COUNTED`."""
    sql = f"SELECT count(*) FROM (SELECT 1 FROM notification WHERE {_UNREAD} LIMIT {MOST_COUNTED}) AS unread"
    row = await tx.one(sql, access.caller.owner, access.owners)
    assert row is not None
    return int(row[0])


async def mark_read(tx: Tx, access: Access, ids: Sequence[str]) -> int:
    """Mark these notifications as read; returns how many were unread."""
    sql = f"UPDATE notification SET read_at = $3 WHERE {_UNREAD} AND id IN ({numbered(len(ids), 4)})"
    return await tx.run(sql, access.caller.owner, access.owners, clock.now_ms(), *ids)


async def mark_read_until(tx: Tx, access: Access, until: str) -> int:
    """Mark this one and older ones as read, the newest first, a bounded number; returns how many were unread."""
    oldest = f"SELECT id FROM notification WHERE {_UNREAD} AND id <= $4 ORDER BY id DESC LIMIT {MOST_READ}"
    sql = f"UPDATE notification SET read_at = $3 WHERE id IN ({oldest})"
    return await tx.run(sql, access.caller.owner, access.owners, clock.now_ms(), until)


async def forget_person(tx: Tx, person: str) -> None:
    """Remove the notifications and the rules of a person."""
    await tx.run("DELETE FROM notification WHERE person = $1", person)
    await tx.run("DELETE FROM notification_rule WHERE person = $1", person)


async def forget_old(tx: Tx, limit: int) -> int:
    sql = "DELETE FROM notification WHERE id IN (SELECT id FROM notification WHERE id < $1 ORDER BY id LIMIT $2)"
    return await tx.run(sql, least_id("ntf", clock.now_ms() - KEPT_MS), limit)
