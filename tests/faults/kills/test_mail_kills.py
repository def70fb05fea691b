"""Workers are killed around the sending of reminders by mail.

Every reminder is mailed, under one Message-ID. A second copy is possible only where a kill fell between the relay's
word and the row that remembers it, so there are never more of them than messages that were under way at a kill.
"""

import asyncio
import random
import time

from stowboard.db.database import Database, Tx
from stowboard.tasks.create import create_task
from stowboard.tasks.wire import CreateBody
from support.database.statements import rows
from support.jobs import mail_worker
from support.jobs.reminded import make_reminded
from support.jobs.working import no_jobs_left
from support.mail.relay import MailRelay
from support.processes.scripts import begin_script, end_script
from support.tasks.worn_lanes import access_of
from support.waiting import until

OWNER = access_of("reminded")
ROUNDS = 5
MOST_ROUNDS = 40  # until a kill has hit a mail that was under way
EACH = 25


async def test_every_reminder_is_mailed_although_workers_are_killed(database: Database, database_url: str) -> None:
    rounds = caught = 0
    await database.transact(make_reminded, "reminded")
    with MailRelay() as relay:
        worker = await begin_script(mail_worker, database_url, relay.url)
        try:
            while rounds < ROUNDS or (caught == 0 and rounds < MOST_ROUNDS):
                rounds += 1
                before = len(relay.taken)
                await database.transact(create_some)
                await until(lambda before=before: len(relay.taken) > before)
                await asyncio.sleep(random.uniform(0, 0.02))
                end_script(worker)
                [(held,)] = await rows(database, "SELECT count(*) FROM job WHERE token IS NOT NULL AND queue = 'mail'")
                caught += held
                worker = await begin_script(mail_worker, database_url, relay.url)
            await until(lambda: len(set(relay.ids())) == rounds * EACH)
            await until(lambda: no_jobs_left(database))
        finally:
            end_script(worker)
    told = [event_id for (event_id,) in await rows(database, "SELECT id FROM event WHERE type = 'task.reminder'")]
    assert len(told) == rounds * EACH
    assert set(relay.ids()) == set(told)
    assert len(relay.ids()) - len(told) <= caught
    assert caught > 0, "no kill hit a mail that was under way, so nothing was proven"


async def create_some(tx: Tx) -> None:
    body = CreateBody(title="t", reminder=time.time_ns() // 1_000_000)
    for _ in range(EACH):
        await create_task(tx, OWNER, body)
