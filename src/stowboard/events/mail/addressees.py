"""Addresses of people, for mail about their tasks."""

from typing import Protocol

from stowboard.db.database import Tx


class Addressees(Protocol):
    """Given by the composition root: it knows the accounts."""

    async def find_address(self, tx: Tx, person: str, owner: str) -> str | None:
        """The address that a person's reminders go to, if any; None in a space that the person is not in."""
