"""A worker process to be killed, for reminders and their mail, with a lease that a test can wait for.

    python mail_worker.py DATABASE_URL SMTP_URL

Says "ready" on its output once it works.
"""

import asyncio
import sys

from stowboard.core.services import Services
from stowboard.db.database import Tx
from stowboard.db.open import DatabaseSettings, open_database
from stowboard.events.mail.addressees import Addressees
from stowboard.events.mail.mailer import Mailer
from stowboard.events.mail.settings import MailSettings
from stowboard.jobs.settings import JobSettings
from stowboard.jobs.worker import Worker
from stowboard.tasks.reminders import MAIL_REMINDER, REMIND

SLOTS = 8


class AtHome:
    async def find_address(self, tx: Tx, person: str, owner: str) -> str | None:
        return f"{person}@example.org"


async def main(url: str, smtp_url: str) -> None:
    database = await open_database(DatabaseSettings(url))
    services = Services()
    services.add(Mailer, Mailer(MailSettings(smtp_url, "stow@example.com")))
    services.add(Addressees, AtHome())
    settings = JobSettings({"reminder": 20, "mail": SLOTS}, lease_ms=700, poll_ms=50)
    worker = Worker(database, services, [REMIND, MAIL_REMINDER], settings=settings)
    worker.start()
    print("ready", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
