"""A worker process to be killed: every job writes one row, and completes in that transaction.

It dawdles before and after it, so that kills fall on either side.

    python job_torture_worker.py DATABASE_URL

Says "ready" on its output once it works.
"""

import asyncio
import random
import sys

from stowboard.core.services import Services
from stowboard.db.database import Tx
from stowboard.db.open import DatabaseSettings, open_database
from stowboard.jobs.registry import Job, JobKind, NoArgs
from stowboard.jobs.settings import JobSettings
from stowboard.jobs.worker import Worker


async def run(job: Job, args: NoArgs) -> None:
    await asyncio.sleep(random.uniform(0, 0.1))
    await job.db.transact(effect, job)
    await asyncio.sleep(random.uniform(0, 0.1))


async def effect(tx: Tx, job: Job) -> None:
    await tx.run("INSERT INTO effect (job, attempt) VALUES ($1, $2)", job.id, job.attempt)
    await job.complete(tx)


TORTURED = JobKind("tortured", "torture", run, args=NoArgs, max_attempts=1000)


async def main(url: str) -> None:
    database = await open_database(DatabaseSettings(url))
    settings = JobSettings(slots={"torture": 4}, lease_ms=1_000, poll_ms=50)
    worker = Worker(database, Services(), [TORTURED], settings=settings)
    worker.start()
    print("ready", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
