"""Ports to what the accounts know of a person: the time zone, which tells what "9am" means to them, and the spaces."""

from typing import Protocol

from stowboard.db.database import Tx


class Memberships(Protocol):
    """Given by the composition root."""

    async def find_spaces(self, tx: Tx, person: str) -> list[str]:
        """The shared spaces that a person is in now, and those that are open to everybody."""


class TimeZones(Protocol):
    """Given by the composition root: it knows the accounts."""

    async def find_time_zone(self, tx: Tx, owner: str) -> str | None:
        """The IANA name that the person with this username has set; None if there is none."""
