"""Audit entries for tokens that were refused an admin's operation: once a minute for each token and operation.

More would let anybody with a token fill the log.
"""

import time

from stowboard.core.caller import Caller
from stowboard.db.database import Database
from stowboard.events import audit
from stowboard.events.audit import actor_of

PAUSE_SECONDS = 60.0
_MOST_REMEMBERED = 1000


class AdminRefusals:
    def __init__(self, db: Database) -> None:
        self._db = db
        self._noted: dict[tuple[str, str], float] = {}

    async def note(self, caller: Caller, operation: str) -> None:
        key, now = (caller.token_id, operation), time.monotonic()
        if now - self._noted.get(key, -PAUSE_SECONDS) < PAUSE_SECONDS:
            return
        if len(self._noted) >= _MOST_REMEMBERED:
            self._noted.clear()
        self._noted[key] = now
        await self._db.transact(audit.record, actor_of(caller), "admin.use", operation, "refused")
