"""Webhooks while receivers fail, senders are killed and the database goes away.

Every event arrives at least once, each one signed, and those of a subject arrive first in their order.
"""

import asyncio
import json
import random
import threading
from collections import defaultdict
from pathlib import Path

import pytest
from standardwebhooks import Webhook as Oracle
from standardwebhooks import WebhookVerificationError

from stowboard.core.sealing import Sealing
from stowboard.db.database import Database, Tx
from stowboard.db.open import DatabaseSettings, open_database
from stowboard.events import kinds
from stowboard.events.kinds import TaskChanged
from stowboard.events.outbox import emit_many
from support.processes.scripts import begin_script, end_script
from support.servers.postgres import PostgresServer
from support.tools.node import NODE, run_tool
from support.waiting import until
from support.webhooks import worker
from support.webhooks.installation import KEY, Installation, sending
from support.webhooks.receiver import Answer, Received, Receiver

SUBJECTS = 20


class Moody:
    """Fails, dawdles or hangs by chance, never more than twice in a row for one event, so that order can be judged."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._lock = threading.Lock()
        self._failed: defaultdict[str, int] = defaultdict(int)
        self.released = threading.Event()
        self.oracle: Oracle | None = None
        self.wrong: list[str] = []
        self.calm = False

    def __call__(self, received: Received) -> Answer:
        self._verify(received)
        with self._lock:
            mood = 1.0 if self.calm or self._failed[received.id] >= 2 else self._chance.random()
            self._failed[received.id] += mood < 0.12
        if mood < 0.01:
            self.released.wait(3)  # longer than the sender waits
        elif mood < 0.12:
            return Answer(500)
        elif mood < 0.15:
            self.released.wait(0.1)
        return Answer()

    def _verify(self, received: Received) -> None:
        """As it arrives: a signature is good for five minutes."""
        if self.oracle is not None:
            try:
                self.oracle.verify(received.body, received.headers)
            except WebhookVerificationError:
                self.wrong.append(received.id)


@pytest.mark.parametrize(
    ("number", "kills"), [(400, 3), pytest.param(100_000, 40, marks=[pytest.mark.soak])], ids=["some", "many"]
)
async def test_every_event_arrives_in_order_although_senders_are_killed(
    database: Database, database_url: str, number: int, kills: int
) -> None:
    moody = Moody(number)
    with Receiver() as receiver:
        receiver.answer = moody
        installation = Installation(database, Sealing(None, KEY))
        webhook, secret = await installation.webhook(receiver.url)
        moody.oracle = Oracle(secret)
        told = await tell(database, number)
        process = await begin_script(worker, database_url)
        try:
            for kill in range(1, kills + 1):
                await until_arrived(receiver, number * kill // (kills + 1))
                end_script(process)
                process = await begin_script(worker, database_url)
            moody.calm = True
            await asyncio.wait_for(_all_ended(installation, webhook.id, number), 3600)
        finally:
            moody.released.set()
            end_script(process)
    assert moody.wrong == []
    check(receiver, secret, told)


async def test_a_receiver_that_was_down_gets_all_that_happened_meanwhile(database: Database) -> None:
    receiver = Receiver()  # nobody listens yet: connections wait in the kernel, as on a machine that hangs
    async with sending(database, worker.SETTINGS) as installation:
        webhook, secret = await installation.webhook(receiver.url)
        told = await tell(database, 100)
        await until(lambda: installation.has_failed(webhook, 3))
        with receiver:
            await until(lambda: installation.are_all(webhook, "delivered"))
    verify_all(receiver, secret)
    assert {event_id for ids in told.values() for event_id in ids} == set(receiver.ids())


async def test_the_database_goes_away_and_comes_back(
    postgres: PostgresServer, migrated_template: str, tmp_path: Path
) -> None:
    database = await open_database(DatabaseSettings(postgres.create_database(template=migrated_template)))
    moody = Moody(1)
    with Receiver() as receiver:
        receiver.answer = moody
        async with sending(database, worker.SETTINGS) as installation:
            webhook, secret = await installation.webhook(receiver.url)
            told = await tell(database, 200)
            await until_arrived(receiver, 40)
            await asyncio.to_thread(postgres.kill)
            await asyncio.to_thread(postgres.start)
            await _all_ended(installation, webhook.id, 200)
            moody.released.set()
    await database.close()
    check(receiver, secret, told)


async def tell(database: Database, number: int) -> dict[str, list[str]]:
    """By subject, the ids of its events in their order."""
    for begin in range(0, number, 1000):
        versions = range(begin, min(begin + 1000, number))
        await database.transact(_tell, [(f"tsk_{n % SUBJECTS}", n) for n in versions])
    told: defaultdict[str, list[str]] = defaultdict(list)

    async def read(tx: Tx) -> None:
        for event_id, subject in await tx.all("SELECT id, subject FROM event ORDER BY id"):
            told[subject].append(event_id)

    await database.read(read)
    return told


async def _tell(tx: Tx, versions: list[tuple[str, int]]) -> None:
    changes = [(subject, TaskChanged(subject, version, ["title"])) for subject, version in versions]
    await emit_many(tx, kinds.TASK_UPDATED, "alice", changes)


async def until_arrived(receiver: Receiver, number: int) -> None:
    while len(receiver.received) < number:
        await asyncio.sleep(0.01)


async def _all_ended(installation: Installation, webhook_id: str, number: int) -> None:
    async def delivered(tx: Tx) -> int:
        sql = "SELECT count(*) FROM delivery WHERE destination_id = $1 AND status = 'delivered'"
        row = await tx.one(sql, webhook_id)
        assert row is not None
        return int(row[0])

    while await _or_none(installation.db, delivered) != number:
        await asyncio.sleep(0.2)


async def _or_none(database: Database, read) -> int | None:  # type: ignore[no-untyped-def]
    try:
        return await database.read(read)
    except Exception:
        return None  # the database is away


def check(receiver: Receiver, secret: str, told: dict[str, list[str]]) -> None:
    verify_all(receiver, secret)
    arrived: defaultdict[str, list[str]] = defaultdict(list)
    for received in receiver.received:
        arrived[received.event["subject"]].append(received.id)
    for subject, ids in told.items():
        assert list(dict.fromkeys(arrived[subject])) == ids


def verify_all(receiver: Receiver, secret: str) -> None:
    """By the packages of two languages: of very many, those that came last."""
    for received in receiver.received[-2000:]:
        data = Oracle(secret).verify(received.body, _signed(received))
        assert isinstance(data, dict)
    if NODE is not None:
        lines = [
            json.dumps({"secret": secret, "headers": _signed(received), "body": received.body.decode()})
            for received in receiver.received[-2000:]
        ]
        assert run_tool("verify_webhooks.mjs", "\n".join(lines)) == str(len(lines))


def _signed(received: Received) -> dict[str, str]:
    return {name: text for name, text in received.headers.items() if name.startswith("webhook-")}
