"""The resource that an event is about, as the webhook's owner may see it at the time of delivery."""

from typing import Protocol

import msgspec

from stowboard.db.database import Tx


class EventResources(Protocol):
    """Given by the composition root: it knows tasks, boards, assets and videos."""

    async def find(self, tx: Tx, owner: str, scopes: frozenset[str], origin: str, subject: str) -> msgspec.Raw | None:
        """The resource as the API answers the owner's GET; None if it is gone or not visible to them."""
