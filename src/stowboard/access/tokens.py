"""Access tokens: their form, their rows, and how they are made and revoked. See `bearers` for one that is presented.

A token is `stow_`, 30 random base62 characters (178 bits) and 6 of checksum for secret scanners. Only a keyed digest
is stored, and the lookup is by digest, so nothing about a token can be learnt from timing or from the database.
"""

import re
import secrets
import zlib
from collections.abc import Sequence
from typing import Annotated, NewType

import msgspec

from stowboard.core import clock
from stowboard.core.caller import NAMESPACE, NAMESPACE_IN_WORDS, Caller, TokenId, TokenKind
from stowboard.core.cursor import Position
from stowboard.core.errors import Conflict, InsufficientScope, ValidationFailed
from stowboard.core.ids import checked_id, new_id
from stowboard.core.plain_text import CONTROLS
from stowboard.core.reach import ALL, DEFAULT_SPACES, LIBRARY, OWN, OWN_PREFIX, is_shared, space_id_of
from stowboard.core.scopes import ADMIN
from stowboard.core.signing import DigestKey
from stowboard.core.wording import EXPECTED, TEXT_END
from stowboard.db.database import Tx, Value
from stowboard.db.made import MadeThings
from stowboard.db.scan import RowPage
from stowboard.db.table import Table
from stowboard.events.kinds import TOKEN_ISSUED, TokenIssued
from stowboard.events.outbox import emit

ClientId = NewType("ClientId", str)

# No control characters, and no space at either end of an owner; both are patterns of the OpenAPI document as well.
OWNER = re.compile(r"[^\x00-\x20\x7f-\xa0](?:[^\x00-\x1f\x7f-\x9f]*[^\x00-\x20\x7f-\xa0])?")
NAME = re.compile(f"[^{CONTROLS}]*")
OWNER_IN_WORDS = "1 to 200 printable characters without spaces around them"
NAME_IN_WORDS = "at most 200 printable characters"
_EXPIRED_KEPT_MS = 24 * 3600 * 1000
MAX_LIFETIME_SECONDS = 10 * 366 * 24 * 3600
_LONGEST_SECRET = 200
_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


OwnerName = Annotated[
    str,
    msgspec.Meta(
        min_length=1, max_length=200, pattern=f"^{OWNER.pattern}{TEXT_END}", description="Whose tasks it acts on.",
        extra={EXPECTED: OWNER_IN_WORDS},
    ),
]  # fmt: skip
TokenName = Annotated[
    str,
    msgspec.Meta(
        max_length=200, pattern=f"^{NAME.pattern}{TEXT_END}", description="A note to recognise it by.",
        extra={EXPECTED: NAME_IN_WORDS},
    ),
]  # fmt: skip


TokenSpaces = Annotated[
    list[Annotated[str, msgspec.Meta(min_length=3, max_length=64)]],
    msgspec.Meta(
        min_length=1,
        max_length=50,
        description="Where it acts: ids of spaces, `own` for the owner's own, or `all`. Default: own, spc_library.",
    ),
]


class Token(msgspec.Struct, frozen=True):
    id: TokenId
    owner: str
    scopes: list[str]
    namespace: str | None
    kind: TokenKind
    name: str
    client_id: ClientId | None
    account_id: str | None
    session_id: str | None
    grant_id: str | None
    resource: str | None
    spaces: list[str]
    made_by: str | None
    created_at: int
    expires_at: int | None
    revoked_at: int | None
    last_used_at: int | None

    @property
    def admin(self) -> bool:
        return ADMIN in self.scopes


TOKENS = Table("access_token", Token, in_words=["scopes", "spaces"])


class NewToken(msgspec.Struct, frozen=True):
    """A token to be made; checked by `validate`."""

    owner: str
    scopes: list[str]
    namespace: str | None = None
    kind: TokenKind = TokenKind.AUTOMATION
    name: str = ""
    expires_in: int | None = None
    client_id: ClientId | None = None
    #: The person it acts for; with a session or a grant if it came of one, else made by hand.
    account_id: str | None = None
    session_id: str | None = None
    grant_id: str | None = None
    #: The one door that it opens; None is all of them.
    resource: str | None = None
    #: The spaces that it reaches: ids, `own` or `all`.
    spaces: tuple[str, ...] = DEFAULT_SPACES
    #: The one who made a token of a shared space.
    made_by: str | None = None

    def validate(self) -> None:
        if not 1 <= len(self.owner) <= 200 or not OWNER.fullmatch(self.owner):
            raise ValidationFailed(f"owner: expected {OWNER_IN_WORDS}.")
        if self.owner.startswith(OWN_PREFIX) or (is_shared(self.owner.lower()) and self.made_by is None):
            raise ValidationFailed("owner: ~ and spc_ begin the ids of spaces; their managers make tokens of a space.")
        if self.namespace is not None and not NAMESPACE.fullmatch(self.namespace):
            raise ValidationFailed(f"namespace: expected {NAMESPACE_IN_WORDS}.")
        if len(self.name) > 200 or not NAME.fullmatch(self.name):
            raise ValidationFailed(f"name: expected {NAME_IN_WORDS}.")
        if self.expires_in is not None and not 1 <= self.expires_in <= MAX_LIFETIME_SECONDS:
            raise ValidationFailed("expiresIn: expected 1 second to 10 years, in seconds.")


def checked_spaces(caller: Caller, asked: Sequence[str] | None) -> tuple[str, ...]:
    """The spaces of a new token, none beyond those of the caller. Raises SpaceNotFound, InsufficientScope."""
    words = tuple(dict.fromkeys(asked or DEFAULT_SPACES))
    for word in words:
        if word == ALL and ALL not in caller.reach.words:
            raise InsufficientScope("A token makes none that reaches more than itself; this one does not reach `all`.")
        if word not in (ALL, OWN, LIBRARY):
            caller.reach.find(word)
    return words


def make_secret(prefix: str = "stow_") -> str:
    body = prefix + "".join(secrets.choice(_BASE62) for _ in range(30))
    return body + _base62(zlib.crc32(body.encode()), 6)


def is_possible(secret: str) -> bool:
    """False for a text that cannot be a secret of ours: it need not reach the database."""
    return 0 < len(secret) <= _LONGEST_SECRET and secret.isascii()


async def create_token(tx: Tx, key: DigestKey, new: NewToken, secret: str) -> Token:
    """Store a token for this secret. Raises UniqueViolation if the secret is known already."""
    new.validate()
    now = clock.now_ms()
    expires_at = None if new.expires_in is None else now + new.expires_in * 1000
    spaces = [OWN if word == space_id_of(new.owner) else word for word in new.spaces]
    token = Token(
        TokenId(new_id("tok")), new.owner, new.scopes, new.namespace, new.kind, new.name, new.client_id,
        new.account_id, new.session_id, new.grant_id, new.resource, spaces, new.made_by,
        now, expires_at, None, None,
    )  # fmt: skip
    await TOKENS.insert(tx, token, digest=key.digest(secret))
    return token


async def check_role(tx: Tx, new: NewToken) -> None:
    """Raises Conflict for an admin token whose owner has an account that is no admin's: the scope would not hold."""
    sql = "SELECT 1 FROM account WHERE username = $1 AND role <> 'admin' AND deleted_at IS NULL"
    if ADMIN in new.scopes and await tx.one(sql, new.owner) is not None:
        raise Conflict(f"The account {new.owner} is not an admin's. Change its role first, or leave out admin.")


async def tell_owner(tx: Tx, owner: str, token_id: str, issuer: str) -> None:
    """Tell an owner who has an account that somebody else has made a token for them."""
    sql = "SELECT 1 FROM account WHERE username = $1 AND deleted_at IS NULL"
    if owner != issuer and await tx.one(sql, owner) is not None:
        await emit(tx, TOKEN_ISSUED, owner, token_id, TokenIssued(token_id))


async def get_token(tx: Tx, token_id: str) -> Token:
    return await TOKENS.get(tx, "id = $1", checked_id("tok", token_id))


async def list_tokens(tx: Tx, after: Position | None, size: int) -> RowPage[Token]:
    """Live tokens, newest first, without those that a browser holds for minutes."""
    return await TOKENS.page(tx, after, size, "revoked_at IS NULL", "session_id IS NULL")


async def list_of_account(tx: Tx, account_id: str, after: Position | None, size: int) -> RowPage[Token]:
    """Live tokens that a person made by hand, newest first."""
    own = ("account_id = $1", "revoked_at IS NULL", "session_id IS NULL", "grant_id IS NULL")
    return await TOKENS.page(tx, after, size, *own, arguments=[account_id])


async def find_of_account(tx: Tx, account_id: str) -> list[str]:
    """The live tokens that a person made by hand."""
    own = "account_id = $1 AND revoked_at IS NULL AND session_id IS NULL AND grant_id IS NULL"
    return [token_id for (token_id,) in await tx.all(f"SELECT id FROM access_token WHERE {own}", account_id)]


async def list_of_owner(tx: Tx, owner: str, after: Position | None, size: int) -> RowPage[Token]:
    """Live tokens of an owner whose name is in lower case, newest first."""
    return await TOKENS.page(tx, after, size, "lower(owner) = $1", "revoked_at IS NULL", arguments=[owner])


async def revoke_made(tx: Tx, made: MadeThings) -> list[str]:
    """Revoke the live tokens of spaces among these things; returns their ids."""
    which, arguments = made.where("lower(owner) = {}", "made_by", first=2)
    sql = f"UPDATE access_token SET revoked_at = $1 WHERE {which} AND made_by IS NOT NULL AND revoked_at IS NULL"
    return [token_id for (token_id,) in await tx.all(f"{sql} RETURNING id", clock.now_ms(), *arguments)]


async def revoke_by_digest(tx: Tx, digests: tuple[bytes, bytes], client_id: ClientId) -> None:
    """Revoke a token that this client was given; any other is left alone."""
    await revoke(tx, "digest IN ($2, $3) AND client_id = $4", *digests, client_id)


async def revoke(tx: Tx, condition: str, *args: Value) -> int:
    """Revoke the live tokens that the condition names; returns how many. Its arguments begin at `$2`."""
    sql = f"UPDATE access_token SET revoked_at = $1 WHERE {condition} AND revoked_at IS NULL"
    return await tx.run(sql, clock.now_ms(), *args)


async def note_uses(tx: Tx, uses: dict[str, int]) -> None:
    """Store when tokens were last used, if that is later than what is stored."""
    sql = "UPDATE access_token SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)"
    await tx.run_many(sql, list(uses.items()))


async def keep_digests(tx: Tx, digests: dict[str, bytes]) -> None:
    """Store the digests of today's key for tokens that were found by an earlier one."""
    await tx.run_many("UPDATE access_token SET digest = $2 WHERE id = $1", list(digests.items()))


async def forget_expired(tx: Tx, limit: int) -> int:
    """Remove tokens of OAuth clients and sessions that expired a day ago: there are new ones all the time."""
    return await tx.run(
        "DELETE FROM access_token WHERE id IN ("
        " SELECT id FROM access_token WHERE (client_id IS NOT NULL OR session_id IS NOT NULL)"
        " AND expires_at < $1 LIMIT $2)",
        clock.now_ms() - _EXPIRED_KEPT_MS, limit,
    )  # fmt: skip


def _base62(value: int, width: int) -> str:
    text = ""
    for _ in range(width):
        value, digit = divmod(value, 62)
        text = _BASE62[digit] + text
    return text
