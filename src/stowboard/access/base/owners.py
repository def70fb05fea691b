"""The port to the rooms whose things have owners."""

from typing import Protocol

from stowboard.db.database import Tx


class Owners(Protocol):
    """The rooms whose rows have owners; given by the composition root."""

    async def is_owner(self, tx: Tx, name: str) -> bool:
        """True if this name, whatever the case of its letters, owns something. `name` is in lower case."""

    async def end_addresses(self, tx: Tx, owner: str) -> None:
        """End this owner's secret addresses, which are read without a token, such as the calendar's."""

    async def forget_person(self, tx: Tx, person: str) -> None:
        """Forget what is known of a person whose account is deleted: what they were told, and how."""

    async def begin_space(self, tx: Tx, space_id: str) -> None:
        """Get ready for the things of a new space."""

    async def end_of_member(self, tx: Tx, space_id: str, member: str) -> None:
        """End what a former member has in a space: webhooks, calendars, open uploads, assignments."""

    async def delete_some(self, tx: Tx, owner: str) -> bool:
        """Delete a bounded number of the owner's things for good; False if there was none."""
