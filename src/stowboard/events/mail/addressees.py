"""Who can be reached by mail."""

from typing import Protocol

from stowboard.db.database import Tx


class Addressees(Protocol):
    """Given by the composition root: it knows the accounts."""

    async def find_address(self, tx: Tx, owner: str) -> str | None:
        """Where the owner wants reminders to be sent; None if nowhere."""
