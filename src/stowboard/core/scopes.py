"""Scopes: what a token may do. `access/scopes.py` lists those that exist."""

from collections.abc import Collection, Iterable, Mapping
from typing import Annotated

import msgspec

from stowboard.core.errors import ValidationFailed

ADMIN = "admin"
#: Never among the scopes of a token that was made without a list, nor of agents.
MANAGE_SPACES = "spaces:manage"
#: A member of a body that must be a scope; the OpenAPI document lists those that exist.
ScopeName = Annotated[str, msgspec.Meta(extra_json_schema={"format": "scope"})]


class Scopes(msgspec.Struct, frozen=True):
    """Every scope with what it allows, in the order in which they are shown."""

    known: Mapping[str, str]

    @property
    def default(self) -> list[str]:
        """The scopes of a token that was made without a list: all but two."""
        return [name for name in self.known if name not in (ADMIN, MANAGE_SPACES)]

    def granted(self, asked: Iterable[str] | None, admin: bool, held: Collection[str] | None = None) -> list[str]:
        """The scopes to store: those asked for, else the default ones that the maker has.

        Raises ValidationFailed for one that does not exist.
        """
        own = [name for name in self.default if held is None or name in held]
        names = own if asked is None else list(dict.fromkeys(asked))
        unknown = [name for name in names if name not in self.known]
        if unknown:
            raise ValidationFailed(f"scopes: {unknown[0]!r} is not one of {', '.join(self.known)}.")
        return [*names, ADMIN] if admin and ADMIN not in names else names

    def implied(self, stored: Iterable[str]) -> frozenset[str]:
        """All that the stored ones allow: admin allows everything, writing allows reading."""
        names = frozenset(stored)
        if ADMIN in names:
            return frozenset(self.known)
        return names | {name.removesuffix(":write") + ":read" for name in names if name.endswith(":write")}
