"""The caller: the owner, scopes and kind of a token that was checked."""

import re
from enum import StrEnum
from typing import Annotated, NewType

import msgspec
from msgspec import Meta

from stowboard.core.scopes import ADMIN
from stowboard.core.wording import EXPECTED

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
    #: The bucket that counts these requests; if empty, the token has a bucket of its own.
    bucket: str = ""
    #: The grant or OAuth client that gave the token; empty for a token made by hand.
    made_through: str = ""

    @property
    def admin(self) -> bool:
        return ADMIN in self.scopes
