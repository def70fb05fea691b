"""Requests that the OAuth endpoints refused, in the audit log: once a minute for each address, client and error.

Strangers must not fill the log: a client is named only if there is one, and a process writes so many entries a minute
at most.
"""

import time
from collections import deque

from stowboard.access.oauth import clients
from stowboard.access.oauth.applications import application_store
from stowboard.core.household import household
from stowboard.db.database import Database, Tx
from stowboard.events import audit
from stowboard.events.audit import NOBODY, Actor

PAUSE_SECONDS = 60.0
MOST_A_MINUTE = 60
_MOST_REMEMBERED = 1000
#: Normal answers while a device waits, and of limits: they are no refusals.
_NOT_NOTED = ("authorization_pending", "slow_down", "temporarily_unavailable")


class RefusedRequests:
    def __init__(self, db: Database) -> None:
        self._db = db
        self._noted: dict[tuple[str, str, str, str], float] = {}
        self._written: deque[float] = deque(maxlen=MOST_A_MINUTE)

    async def note(self, action: str, client_id: str, error: str, address: str) -> None:
        """`client_id` is as it was sent. Only a known one is stored: any other may be a secret in the wrong place."""
        if error in _NOT_NOTED:
            return
        subject = client_id if await self._db.read(_is_client, client_id) else "unknown"
        key, now = (action, subject, error, household(address)), time.monotonic()
        if now - self._noted.get(key, -PAUSE_SECONDS) < PAUSE_SECONDS or self._is_full(now):
            return
        if len(self._noted) >= _MOST_REMEMBERED:
            self._noted.clear()
        self._noted[key] = now
        self._written.append(now)
        actor = Actor(NOBODY, address=address)
        await self._db.transact(audit.record, actor, action, subject, "refused", {"error": error})

    def _is_full(self, now: float) -> bool:
        return len(self._written) == MOST_A_MINUTE and now - self._written[0] < PAUSE_SECONDS


async def _is_client(tx: Tx, client_id: str) -> bool:
    return await application_store.find(tx, client_id) is not None or await clients.exists(tx, client_id)
