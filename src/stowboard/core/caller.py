"""The caller: the owner, scopes, kind and reach of a token that was checked. Access: a caller at its operation."""

import math
import re
import time
from enum import StrEnum
from typing import Annotated, NewType, Self

import msgspec
from msgspec import Meta

from stowboard.core.errors import InsufficientRole
from stowboard.core.reach import ALL, OWN, Reach, Role, is_shared, space_id_of
from stowboard.core.scopes import ADMIN
from stowboard.core.wording import EXPECTED, TEXT_END

TokenId = NewType("TokenId", str)
#: The caller of a command of the operator, which has no token.
NO_TOKEN = TokenId("")
#: The two doors of the service: the API, and /mcp for agents. A token opens one or both.
API_DOOR, AGENTS_DOOR = "/api/v1", "/mcp"
DOORS = (API_DOOR, AGENTS_DOOR)
#: The name of an app: tokens of one namespace belong to it.
NAMESPACE = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
NAMESPACE_IN_WORDS = "1 to 63 of a-z, 0-9, '.', '_', '-', starting with a-z or 0-9"
#: As a member of a body.
Namespace = Annotated[
    str,
    Meta(
        pattern=f"^{NAMESPACE.pattern}{TEXT_END}",
        extra={EXPECTED: NAMESPACE_IN_WORDS},
        extra_json_schema={"maxLength": 63},
    ),
]


class TokenKind(StrEnum):
    AUTOMATION = "automation"
    INTERACTIVE = "interactive"


class Author(msgspec.Struct, frozen=True):
    """The one who writes: a person, or None for a token of a space; and in words: token, application, door, person."""

    person: str | None
    words: str
    #: True for an application, an agent and a script; not for a person in their own client.
    by_program: bool

    @property
    def parts(self) -> tuple[str, str | None, str, str | None]:
        """The token, the grant or OAuth client that gave it, the door and the person."""
        token_id, application_id, door, _ = self.words.split(" ", 3)
        return token_id, None if application_id == "-" else application_id, door, self.person


class Caller(msgspec.Struct, frozen=True):
    token_id: TokenId
    owner: str
    scopes: frozenset[str]
    namespace: str | None
    kind: TokenKind
    reach: Reach
    #: The bucket that counts these requests; if empty, the token has a bucket of its own.
    bucket: str = ""
    #: What is made with the token ends with this: the grant or OAuth client that gave it, or the token itself if it was
    #: made by hand. Empty for a browser's.
    through: str = ""
    #: By the monotonic clock: until then it may be remembered; never later than the token's own end.
    fresh_until: float = math.inf
    #: True if it was looked up for the present request: only such a caller is refused for want of reach.
    sure: bool = True

    @property
    def is_fresh(self) -> bool:
        return time.monotonic() < self.fresh_until

    def may_as(self, other: "Caller") -> bool:
        """True if it has the rights of another caller with the same token."""
        return (self.scopes, self.reach.roles) == (other.scopes, other.reach.roles)

    @classmethod
    def of_service(cls, *owners: str) -> Self:
        """The service itself, or its operator, at work in the spaces of these owners."""
        reach = Reach.over(dict.fromkeys(owners, Role.MANAGER))
        return cls(NO_TOKEN, reach.own, frozenset(), None, TokenKind.INTERACTIVE, reach)

    def author(self, door: str) -> "Author":
        """The author of what this caller writes through a door."""
        person, application = self.person, self.application
        words = f"{self.token_id} {application or '-'} {door} {person or ''}"
        by_person = application == "" and door != AGENTS_DOOR and self.kind is TokenKind.INTERACTIVE
        return Author(person, words, by_program=not by_person)

    @property
    def application(self) -> str:
        """The grant or OAuth client that gave the token; empty for a token made by hand."""
        return "" if self.through == self.token_id else self.through

    @property
    def person(self) -> str | None:
        """The person who asks; None for a token of a space."""
        return None if is_shared(self.owner) else self.owner

    @property
    def admin(self) -> bool:
        return ADMIN in self.scopes


class Access(msgspec.Struct, frozen=True):
    """A caller, with the role that its operation needs. Stores take it in place of an owner.

    Permission is the look-up: what is out of reach is not found. What is found is checked for the role, in the same
    store function.
    """

    caller: Caller
    role: Role

    @classmethod
    def of_service(cls, *owners: str) -> "Access":
        """For work of the service itself in the spaces of these owners."""
        return cls(Caller.of_service(*owners), Role.MANAGER)

    @property
    def reach(self) -> Reach:
        return self.caller.reach

    def needing(self, role: Role) -> "Access":
        """The same caller, for an operation that needs another role."""
        return Access(self.caller, role)

    @property
    def owners(self) -> str:
        """The owners in reach, as the argument of `reached`."""
        return self.caller.reach.owners

    def check(self, owner: str) -> None:
        """Check the role in the space of an owner in reach. Raises InsufficientRole."""
        self.check_role(owner, self.caller.reach.roles[owner])

    def check_role(self, owner: str, held: Role) -> None:
        """Raises InsufficientRole."""
        if not held.includes(self.role):
            space_id = space_id_of(owner)
            raise InsufficientRole(f"For that you must be {self.role} in the space {space_id}; you are {held} there.")

    def in_tasks(self, space_id: str | None) -> str:
        """The owner whose tasks are meant. Raises SpaceNotFound or InsufficientRole."""
        owner = self.caller.reach.find(space_id or OWN)
        self.check(owner)
        return owner

    def over_tasks(self, space_id: str | None) -> tuple[str, ...]:
        """The owners whose tasks a list is over. Raises SpaceNotFound, or TooManyItems for too many of `all`."""
        return self.reach.every() if space_id == ALL else (self.in_tasks(space_id),)

    def in_media(self, space_id: str | None) -> str:
        """The owner whose media is meant. Raises SpaceNotFound or InsufficientRole."""
        owner = self.reach.find(self.reach.library if space_id is None else space_id)
        self.check(owner)
        return owner

    def over_media(self, space_id: str | None) -> tuple[str, ...]:
        """The owners whose media a list is over. Raises SpaceNotFound, or TooManyItems for too many of `all`."""
        return self.reach.every() if space_id == ALL else (self.in_media(space_id),)
