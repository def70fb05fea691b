"""What was refused at the OAuth endpoints, written down: once a minute for each address, client and error.

More often would let anybody fill the log.
"""

import time

from stowboard.db.database import Database
from stowboard.events import audit
from stowboard.events.audit import NOBODY, Actor

PAUSE_SECONDS = 60.0
_MOST_REMEMBERED = 1000
_LONGEST_CLIENT = 200
#: Part of how devices wait, and of limits; nobody asked for what they may not have.
_NOT_NOTED = ("authorization_pending", "slow_down", "temporarily_unavailable")


class RefusedRequests:
    def __init__(self, db: Database) -> None:
        self._db = db
        self._noted: dict[tuple[str, str, str, str], float] = {}

    async def note(self, action: str, client_id: str, error: str, address: str) -> None:
        """`client_id` is as it was sent: what is no name of ours is not written down."""
        key, now = (action, client_id, error, address), time.monotonic()
        if error in _NOT_NOTED or now - self._noted.get(key, -PAUSE_SECONDS) < PAUSE_SECONDS:
            return
        if len(self._noted) >= _MOST_REMEMBERED:
            self._noted.clear()
        self._noted[key] = now
        subject = client_id[:_LONGEST_CLIENT] if client_id.isascii() and client_id.isprintable() else ""
        actor = Actor(NOBODY, address=address)
        await self._db.transact(audit.record, actor, action, subject or "unknown", "refused", {"error": error})
