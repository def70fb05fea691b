"""Reach: the spaces in which a caller may act, and the role that it has in each.

A space is an owner. That of a person has the person's name, and nobody else is in it; a shared one has an id and
members. On the wire the space of the owner alice is `~alice`. The Library, where everybody keeps media together, is a
shared space of its own.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, Self

import msgspec
from msgspec import Meta

from stowboard.core.errors import SpaceNotFound, TooManyItems

SHARED_PREFIX, OWN_PREFIX = "spc_", "~"
LIBRARY = "spc_library"
#: Words beside ids: the token's own owner, and every space that its person is in.
OWN, ALL = "own", "all"
#: The spaces of a token that names none.
DEFAULT_SPACES = (OWN, LIBRARY)
#: As a member of a body or a parameter of a query.
SpaceId = Annotated[str, Meta(min_length=1, max_length=255, description="A space that the token reaches, or `own`.")]
SpaceOrAll = Annotated[
    str, Meta(min_length=1, max_length=255, description="A space that the token reaches, `own`, or `all` of them.")
]
#: Lists over more spaces than this are refused.
MOST_SPACES = 250
#: Stands around each owner of a reach; no owner has a control character.
_AROUND = "\x1f"


class Role(StrEnum):
    """The roles in a space; each may do what those before it may."""

    VIEWER = "viewer"
    COMMENTER = "commenter"
    EDITOR = "editor"
    MANAGER = "manager"

    def includes(self, other: "Role") -> bool:
        return _RANKS[self] >= _RANKS[other]


_RANKS = {role: rank for rank, role in enumerate(Role)}


class Reach(msgspec.Struct, frozen=True):
    #: By owner. The first one is the caller's own, if that is in its reach.
    roles: dict[str, Role]
    #: The token's own words for its spaces, which stay the same when its person joins or leaves a space.
    words: tuple[str, ...]
    #: All owners, as `reached` compares them.
    owners: str
    #: The whole reach as a text, to tell it from another one.
    text: str
    #: The epoch of each shared space, by owner. It is part of every signature of its media.
    epochs: dict[str, int]
    #: Where tasks are made and looked for unless a space is named; empty if nothing is in reach.
    own: str

    @classmethod
    def over(
        cls, roles: dict[str, Role], words: Iterable[str] = DEFAULT_SPACES, epochs: dict[str, int] | None = None
    ) -> Self:
        owners, known = joined_owners(roles), epochs or {}
        text = " ".join([f"{role} {known.get(owner, 0)}" for owner, role in roles.items()])
        return cls(roles, tuple(words), owners, owners + text, known, next(iter(roles), ""))

    @classmethod
    def of_owner(cls, owner: str) -> Self:
        """An owner's own space, and the Library as everybody has it at first."""
        return cls.over({owner: Role.MANAGER, LIBRARY: Role.EDITOR})

    def find(self, space_id: str) -> str:
        """The owner that a space on the wire stands for. Raises SpaceNotFound if it is out of reach."""
        owner = space_id.removeprefix(OWN_PREFIX) if space_id.startswith(OWN_PREFIX) else space_id
        if space_id == OWN:
            owner = self.own
        elif owner == space_id and not space_id.startswith(SHARED_PREFIX):
            raise SpaceNotFound
        if owner not in self.roles:
            raise SpaceNotFound
        return owner

    def every(self) -> tuple[str, ...]:
        """All owners, for a list over every space. Raises TooManyItems, or SpaceNotFound if no space is left."""
        if not self.roles:
            raise SpaceNotFound
        if len(self.roles) > MOST_SPACES:
            raise TooManyItems(f"spaceId: your token reaches more than {MOST_SPACES} spaces; name one of them.")
        return tuple(self.roles)

    def epoch_of(self, owner: str) -> int:
        return self.epochs.get(owner, 0)

    @property
    def library(self) -> str:
        """Where media is made and looked for unless a space is named, as a word or an id."""
        return LIBRARY if LIBRARY in self.roles else OWN


def joined_owners(owners: Iterable[str]) -> str:
    """Owners as one argument, as `reached` compares them."""
    return _AROUND + _AROUND.join(owners) + _AROUND


def reached(number: int, column: str = "owner") -> str:
    """A condition of a statement: the column is one of the owners in the argument `$number` (see `joined_owners`)."""
    return f"replace(${number}, '{_AROUND}' || {column} || '{_AROUND}', '') <> ${number}"


def is_shared(owner: str) -> bool:
    return owner.startswith(SHARED_PREFIX)


def space_id_of(owner: str) -> str:
    """The space of an owner, as the wire names it."""
    return owner if is_shared(owner) else OWN_PREFIX + owner
