"""Audit entries for refused requests: each once a minute, and a bounded number a minute in a process.

Without these bounds, anybody could fill the log.
"""

import time
from collections import deque

from stowboard.core.caller import Caller
from stowboard.core.household import household
from stowboard.db.database import Database
from stowboard.events import audit
from stowboard.events.audit import Actor, actor_of

PAUSE_SECONDS = 60.0
MOST_A_MINUTE = 60
_MOST_REMEMBERED = 1000


class RefusalLog:
    def __init__(self, db: Database) -> None:
        self._db = db
        self._noted: dict[tuple[str, ...], float] = {}
        self._written: deque[float] = deque(maxlen=MOST_A_MINUTE)

    async def note_admin(self, caller: Caller, operation: str) -> None:
        """Note a token that was refused an admin's operation."""
        await self.note(actor_of(caller), "admin.use", operation)

    async def note(self, actor: Actor, action: str, subject: str, **facts: str) -> None:
        place = actor.token_id or household(actor.address or "")
        key, now = (place, action, subject, *facts.values()), time.monotonic()
        full = len(self._written) == MOST_A_MINUTE and now - self._written[0] < PAUSE_SECONDS
        if now - self._noted.get(key, -PAUSE_SECONDS) < PAUSE_SECONDS or full:
            return
        if len(self._noted) >= _MOST_REMEMBERED:
            self._noted.clear()
        self._noted[key] = now
        self._written.append(now)
        await self._db.transact(audit.record, actor, action, subject, "refused", facts)
