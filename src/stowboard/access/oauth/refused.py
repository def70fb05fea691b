"""Requests that the OAuth endpoints refused, in the audit log: once a minute for each address, client and error."""

from stowboard.access.base.refusals import RefusalLog
from stowboard.access.oauth import clients
from stowboard.access.oauth.applications import application_store
from stowboard.db.database import Database, Tx
from stowboard.events.audit import NOBODY, Actor

#: Normal answers while a device waits, and of limits: they are no refusals.
_NOT_NOTED = ("authorization_pending", "slow_down", "temporarily_unavailable")


class RefusedRequests:
    def __init__(self, db: Database) -> None:
        self._db, self._log = db, RefusalLog(db)

    async def note(self, action: str, client_id: str, error: str, address: str) -> None:
        """`client_id` is as it was sent. Only a known one is stored: any other may be a secret in the wrong place."""
        if error not in _NOT_NOTED:
            subject = client_id if await self._db.read(_is_client, client_id) else "unknown"
            await self._log.note(Actor(NOBODY, address=address), action, subject, error=error)


async def _is_client(tx: Tx, client_id: str) -> bool:
    return await application_store.find(tx, client_id) is not None or await clients.exists(tx, client_id)
