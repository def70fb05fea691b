"""The port to the rooms whose things have owners."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol, TypeAlias

from stowboard.db.database import Tx
from stowboard.db.made import MadeThings

#: Ends the things of one kind among these; returns how many.
EndThings: TypeAlias = Callable[[Tx, MadeThings], Awaitable[int]]


class Owners(Protocol):
    """The rooms whose rows have owners; given by the composition root."""

    @property
    def ends(self) -> Mapping[str, EndThings]:
        """By the name of the kind in the table of endings."""

    async def is_owner(self, tx: Tx, name: str) -> bool:
        """True if this name, whatever the case of its letters, owns something. `name` is in lower case."""

    async def forget_person(self, tx: Tx, person: str) -> None:
        """Forget a person whose account is deleted: their webhooks, what they were told, and how."""

    async def begin_space(self, tx: Tx, space_id: str) -> None:
        """Get ready for the things of a new space."""

    async def delete_some(self, tx: Tx, owner: str) -> bool:
        """Delete a bounded number of the owner's things for good; False if there was none."""
