"""A process that changes a few subjects over and over, from several tasks, each change with its event.

`python writer.py URL SEED`. Some changes are rolled back, some stay open for a while. Says `ready`, then goes on until
it is killed. Like every process of the service it has a sequencer.
"""

import asyncio
import random
import sys

from stowboard.db.database import Database, Tx
from stowboard.db.open import DatabaseSettings, open_database
from stowboard.events import kinds
from stowboard.events.kinds import TaskCreated
from stowboard.events.outbox import emit
from stowboard.events.sequencer import Sequencer

SUBJECTS = 5
_TASKS = 4
_PAUSE = {"sqlite": "SELECT 1", "postgres": "SELECT pg_sleep(0.02)"}


class Refused(Exception):
    pass


async def make_subjects(tx: Tx) -> None:
    await tx.run("CREATE TABLE subject (id TEXT PRIMARY KEY, version BIGINT NOT NULL)")
    await tx.run_many("INSERT INTO subject (id, version) VALUES ($1, 0)", [(f"s{n}",) for n in range(SUBJECTS)])


async def change(tx: Tx, dialect: str, chance: random.Random) -> None:
    """The next version of a subject, and the event of it."""
    if chance.random() < 0.1:
        await tx.one(_PAUSE[dialect])
    subject = f"s{chance.randrange(SUBJECTS)}"
    row = await tx.one("SELECT version FROM subject WHERE id = $1 FOR UPDATE", subject)
    assert row is not None
    version = row[0] + 1
    await tx.run("UPDATE subject SET version = $2 WHERE id = $1", subject, version)
    await emit(tx, kinds.TASK_CREATED, "ann", subject, TaskCreated(subject, version))
    if chance.random() < 0.1:
        await tx.one(_PAUSE[dialect])
    if chance.random() < 0.2:
        raise Refused


async def write_for_ever(database: Database, seed: int) -> None:
    chance = random.Random(seed)
    while True:
        try:
            await database.transact(change, database.dialect, chance)
        except Refused:
            continue


async def _main(url: str, seed: int) -> None:
    database = await open_database(DatabaseSettings(url))
    Sequencer(database).start()
    print("ready", flush=True)
    await asyncio.gather(*(write_for_ever(database, seed * 100 + number) for number in range(_TASKS)))


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1], int(sys.argv[2])))
