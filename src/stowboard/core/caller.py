"""The caller: the owner, scopes and kind of a token that was checked."""

import re
from enum import StrEnum
from typing import Annotated, NewType

import msgspec
from msgspec import Meta

from stowboard.core.scopes import ADMIN
from stowboard.core.wording import EXPECTED

TokenId = NewType("TokenId", str)
#: A caller that no token stands for, such as the operator's command.
NO_TOKEN = TokenId("")
#: The doors of the service, each of which a token opens or does not: the API, and the one for agents.
API_DOOR, AGENTS_DOOR = "/api/v1", "/mcp"
DOORS = (API_DOOR, AGENTS_DOOR)
#: The name of an app: tokens of one namespace belong to it.
NAMESPACE = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
NAMESPACE_IN_WORDS = "1 to 63 of a-z, 0-9, '.', '_', '-', starting with a-z or 0-9"
#: As a member of a body.
Namespace = Annotated[
    str,
    Meta(pattern=f"^{NAMESPACE.pattern}$", extra={EXPECTED: NAMESPACE_IN_WORDS}, extra_json_schema={"maxLength": 63}),
]


class TokenKind(StrEnum):
    AUTOMATION = "automation"
    INTERACTIVE = "interactive"


class Caller(msgspec.Struct, frozen=True):
    token_id: TokenId
    owner: str
    scopes: frozenset[str]
    namespace: str | None
    kind: TokenKind
    #: Whose requests are counted together with these; that of the token alone, if none is named.
    bucket: str = ""
    #: The grant to an application, or the OAuth client, that the token came of; empty for one made by hand.
    made_through: str = ""

    @property
    def admin(self) -> bool:
        return ADMIN in self.scopes
