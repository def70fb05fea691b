"""A process that makes notifications and pushes them, to be killed, with a lease that a test can wait for.

    python worker.py DATABASE_URL

Says "ready" on its output once it works.
"""

import asyncio
import sys

from stowboard.core.sealing import Sealing
from stowboard.core.services import Services
from stowboard.db.open import DatabaseSettings, open_database
from stowboard.deliveries.deliver import DELIVER, Deliverer
from stowboard.events.sequencer import Sequencer
from stowboard.http.outgoing.addresses import OutgoingSettings
from stowboard.http.outgoing.client import Outgoing
from stowboard.jobs.settings import JobSettings
from stowboard.jobs.worker import Worker
from stowboard.notifications.hand_out import NotificationReader
from stowboard.notifications.sender import NotificationSender
from stowboard.notifications.settings import NotificationSettings
from stowboard.notifications.webpush import PushKey

SETTINGS = NotificationSettings(push_hosts=("127.0.0.1",), mail_from="stow@example.org")


def make_sender() -> NotificationSender:
    outgoing = Outgoing(OutgoingSettings(("127.0.0.0/8",)))
    return NotificationSender(outgoing, Sealing(None, b"a key of the tests"), PushKey(bytes(32)), SETTINGS)


async def main(url: str) -> None:
    database = await open_database(DatabaseSettings(url))
    services = Services()
    services.add(Deliverer, Deliverer())
    services.use(Deliverer).add("chn", make_sender())
    worker = Worker(database, services, [DELIVER], settings=JobSettings({"deliver": 4}, lease_ms=700, poll_ms=50))
    for part in (worker, Sequencer(database), NotificationReader(database)):
        part.start()
    print("ready", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
