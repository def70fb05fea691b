"""A worker process to be killed, for reminders alone, with a lease that a test can wait for.

    python reminder_worker.py DATABASE_URL

Says "ready" on its output once it works.
"""

import asyncio
import sys

from stowboard.core.services import Services
from stowboard.db.open import DatabaseSettings, open_database
from stowboard.jobs.settings import JobSettings
from stowboard.jobs.worker import Worker
from stowboard.tasks.reminders import REMIND


async def main(url: str) -> None:
    database = await open_database(DatabaseSettings(url))
    worker = Worker(database, Services(), [REMIND], settings=JobSettings({"reminder": 20}, lease_ms=700, poll_ms=50))
    worker.start()
    print("ready", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
