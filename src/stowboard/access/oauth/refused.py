"""What was refused at the OAuth endpoints, written down: once a minute for each address, client and error.

More often would let anybody fill the log.
"""

import time

from stowboard.access.oauth.applications.application import STOW
from stowboard.core.ids import is_id
from stowboard.db.database import Database
from stowboard.events import audit
from stowboard.events.audit import NOBODY, Actor

PAUSE_SECONDS = 60.0
_MOST_REMEMBERED = 1000
_LONGEST_DOCUMENT = 200
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
        subject = client_id if _could_be_a_client(client_id) else "unknown"
        actor = Actor(NOBODY, address=address)
        await self._db.transact(audit.record, actor, action, subject, "refused", {"error": error})


def _could_be_a_client(client_id: str) -> bool:
    """Anything else may be a secret that was sent in the wrong place."""
    is_document = client_id.startswith("https://") and client_id.isascii() and client_id.isprintable()
    is_ours = client_id == STOW.client_id or any(is_id(prefix, client_id) for prefix in ("cli", "app"))
    return is_ours or (is_document and len(client_id) <= _LONGEST_DOCUMENT)
