"""A process that sends webhooks, to be killed, with a lease that a test can wait for.

    python worker.py DATABASE_URL

Says "ready" on its output once it works.
"""

import asyncio
import sys

from msgspec.structs import replace

from stowboard.db.open import DatabaseSettings, open_database
from stowboard.jobs.settings import JobSettings
from support.webhooks.installation import FAST, sending

#: A receiver that hangs is left soon; nothing is given up however long it is down.
SETTINGS = replace(FAST, pauses_s=(0.02, 0.05) + (0.1,) * 500, seconds=1.0)


async def main(url: str) -> None:
    database = await open_database(DatabaseSettings(url))
    async with sending(database, SETTINGS, JobSettings({"deliver": 16}, lease_ms=700, poll_ms=50)):
        print("ready", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
