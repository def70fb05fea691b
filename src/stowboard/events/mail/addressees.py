"""Addresses of people, for mail about their tasks."""

from typing import Protocol

from stowboard.db.database import Tx


class Addressees(Protocol):
    """Given by the composition root: it knows the accounts."""

    async def find_address(self, tx: Tx, owner: str) -> str | None:
        """The address that the owner's reminders go to, if any."""
