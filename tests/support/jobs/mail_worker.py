"""A worker process to be killed, for reminders and their mail, with a lease that a test can wait for.

    python mail_worker.py DATABASE_URL SMTP_URL

Says "ready" on its output once it works.
"""

import asyncio
import sys

from stowboard.core.services import Services
from stowboard.db.open import DatabaseSettings, open_database
from stowboard.events.mail.mailer import Mailer
from stowboard.events.mail.settings import MailSettings
from stowboard.events.sequencer import Sequencer
from stowboard.jobs.settings import JobSettings
from stowboard.jobs.worker import Worker
from stowboard.notifications.hand_out import NotificationReader
from stowboard.notifications.send import MAIL
from stowboard.tasks.reminders import REMIND

SLOTS = 8


async def main(url: str, smtp_url: str) -> None:
    database = await open_database(DatabaseSettings(url))
    services = Services()
    services.add(Mailer, Mailer(MailSettings(smtp_url, "stow@example.com")))
    settings = JobSettings({"reminder": 20, "mail": SLOTS}, lease_ms=700, poll_ms=50)
    worker = Worker(database, services, [REMIND, MAIL], settings=settings)
    for part in (worker, Sequencer(database), NotificationReader(database)):
        part.start()
    print("ready", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
