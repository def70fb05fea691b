"""Notifications on the database: a row for each event and person, exactly once, whoever makes it and however often."""

import asyncio
from typing import Any

from stowboard.access.base import account_store
from stowboard.access.base.account import NewAccount
from stowboard.core import clock
from stowboard.core.caller import Access
from stowboard.core.ids import least_id
from stowboard.db.database import Database, Tx
from stowboard.deliveries import delivery_store
from stowboard.events import kinds
from stowboard.events.kinds import TaskReminder, TokenIssued
from stowboard.events.outbox import emit
from stowboard.events.sequencer import place_events
from stowboard.notifications import channel_store, notification_store, rule_store
from stowboard.notifications.hand_out import NotificationReader, hand_out
from support.database.query_plans import plans_of
from support.database.statements import execute, rows


async def tell(db: Database, number: int, owner: str = "ann") -> None:
    """Events that somebody is told of, and as many that nobody is told of."""
    await db.transact(_emit, number, owner)
    if db.dialect == "postgres":
        while await db.transact(place_events):
            pass


async def _emit(tx: Tx, number: int, owner: str) -> None:
    for n in range(number):
        await emit(tx, kinds.TOKEN_ISSUED, owner, f"tok_{n}", TokenIssued(f"tok_{n}"))
        await emit(tx, kinds.TASK_REMINDER, owner, f"tsk_{n}", TaskReminder(f"tsk_{n}", 1, None))


async def make_account(db: Database, name: str) -> None:
    await db.transact(account_store.insert, NewAccount(name))


async def told(db: Database) -> list[tuple[str, str]]:
    return [tuple(row) for row in await rows(db, "SELECT person, subject FROM notification ORDER BY id")]


async def position(db: Database) -> int:
    ((found,),) = await rows(db, "SELECT position FROM notification_head")
    return int(found)


async def test_two_nodes_make_each_notification_once(database: Database, other_node: Database) -> None:
    await make_account(database, "ann")
    await tell(database, 30)
    await asyncio.gather(*(db.transact(hand_out, 7) for db in (database, other_node) for _ in range(20)))
    assert await told(database) == [("ann", f"tok_{n}") for n in range(30)]
    # A crash that forgets the head makes no second one.
    await database.transact(_set_back)
    while await database.transact(hand_out, 50) == 50:
        pass
    assert len(await told(database)) == 30


async def test_a_crowd_is_told_in_transactions_of_bounded_size(database: Database) -> None:
    await make_account(database, "ann")
    await tell(database, 600)
    assert await database.transact(hand_out, 2000) == 2000, "there is more"
    assert len(await told(database)) == 500
    assert await database.transact(hand_out, 2000) < 2000
    assert await told(database) == [("ann", f"tok_{n}") for n in range(600)]


async def _set_back(tx: Tx) -> None:
    await tx.run("UPDATE notification_head SET position = 0")


async def test_without_an_account_nothing_is_read_and_the_first_one_hears_nothing_old(database: Database) -> None:
    reader = NotificationReader(database)
    await tell(database, 3)
    assert await reader.hand_out(100) == 0
    assert await position(database) == 0
    before = clock.now_ms()
    while clock.now_ms() == before:  # ids of events begin with their millisecond
        pass
    await make_account(database, "ann")
    await tell(database, 2)
    while await reader.hand_out(100):
        pass
    assert await told(database) == [("ann", "tok_0"), ("ann", "tok_1")]
    assert await position(database) == 10


async def test_events_of_which_nobody_is_told_write_nothing(database: Database) -> None:
    await make_account(database, "ann")
    reader = NotificationReader(database)
    await database.transact(_emit_others)
    if database.dialect == "postgres":
        await database.transact(place_events)
    assert await reader.hand_out(100) == 0
    assert await position(database) == 0
    await tell(database, 1)
    await reader.hand_out(100)
    assert await told(database) == [("ann", "tok_0")]


async def _emit_others(tx: Tx) -> None:
    for n in range(5):
        await emit(tx, kinds.TASK_DELETED, "ann", f"tsk_{n}", kinds.TaskDeleted(f"tsk_{n}"))


async def test_a_disabled_account_and_an_owner_without_one_are_told_nothing(database: Database) -> None:
    for name in ("ann", "ben"):
        await make_account(database, name)
    await database.transact(_disable, "ben")
    for owner in ("ann", "ben", "robot"):
        await tell(database, 1, owner)
    await database.transact(hand_out, 100)
    assert await told(database) == [("ann", "tok_0")]


async def _disable(tx: Tx, name: str) -> None:
    account = await account_store.find_by_username(tx, name)
    assert account is not None
    await account_store.set_disabled(tx, account.id, 1)


async def test_rows_are_kept_for_ninety_days(database: Database) -> None:
    await make_account(database, "ann")
    await tell(database, 2)
    await database.transact(hand_out, 100)
    await database.transact(_age, "tok_0", 91)
    await database.transact(_age, "tok_1", 89)
    assert await database.transact(notification_store.forget_old, 500) == 1
    assert await told(database) == [("ann", "tok_1")]
    assert await database.read(notification_store.count_unread, Access.of_service("ann")) == 1


async def _age(tx: Tx, subject: str, days: int) -> None:
    old = least_id("ntf", clock.now_ms() - days * 24 * 3600 * 1000)
    await tx.run("UPDATE notification SET id = $1 WHERE subject = $2", old, subject)


async def test_no_statement_reads_a_whole_table(database: Database) -> None:
    await make_account(database, "ann")
    await database.transact(_fill)
    await execute(database, "ANALYZE")
    ann = Access.of_service("ann")
    works: list[Any] = [
        (notification_store.list_inbox, ann, False, None, 50),
        (notification_store.list_inbox, ann, True, None, 50),
        (notification_store.count_unread, ann),
        (notification_store.mark_read, ann, ["ntf_1", "ntf_2"]),
        (notification_store.mark_read_until, ann, least_id("ntf", 5)),
        (notification_store.find_waiting, "ann", 10),
        (notification_store.forget_old, 10),
        (channel_store.find_on, ["ann", "ben"]),
        (channel_store.list_of, "ann"),
        (delivery_store.last_attempts, "chn_1", 10),
        (rule_store.find_rules, ["ann"]),
        (account_store.find_with_digest, 1, 10),
    ]
    for work, *arguments in works:
        for plan in await plans_of(database, work, *arguments):
            assert not {"notification", "delivery_attempt", "notification_channel"} & set(plan.scanned), (
                work.__name__, plan
            )  # fmt: skip


async def _fill(tx: Tx) -> None:
    await tx.run_many(
        "INSERT INTO notification (id, person, kind, space, subject, cause, inbox, via, waits, created_at, read_at)"
        " VALUES ($1, $2, 'failed', $2, 'tok_1', $1, 1, '', $3, 1, $4)",
        [(least_id("ntf", n), f"p{n % 50}", int(n % 100 == 0), 1 if n % 2 else None) for n in range(5000)],
    )
    await tx.run_many(
        "INSERT INTO delivery_attempt (destination_id, message_id, number, at, ms, status, answer)"
        " VALUES ($2, $1, 1, 1, 1, 200, '')",
        [(least_id("ntf", n), f"chn_{n % 500}") for n in range(5000)],
    )
    await tx.run_many(
        "INSERT INTO notification_channel (id, person, format, name, host, titles, origin, digest, address, seen_at,"
        " failures, resting_until, created_at) VALUES ($1, $2, 'slack', '', '', 1, '', $3, $3, 1, 0, 0, 1)",
        [(f"chn_{n}", f"p{n % 500}", n.to_bytes(4, "big")) for n in range(2000)],
    )
