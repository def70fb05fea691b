"""Who is asking: what a token stands for, once it has been checked."""

from dataclasses import dataclass
from enum import StrEnum


class TokenKind(StrEnum):
    AUTOMATION = "automation"
    INTERACTIVE = "interactive"


@dataclass(frozen=True, slots=True)
class Caller:
    token_id: str
    owner: str
    scopes: frozenset[str]
    namespace: str | None
    kind: TokenKind

    @property
    def admin(self) -> bool:
        return "admin" in self.scopes
