"""Access tokens: their form, their rows, and how they are made and revoked.

A token is `stow_`, 30 random base62 characters (178 bits) and 6 of checksum for secret scanners. Only a keyed digest
is stored, and the lookup is by digest, so nothing about a token can be learnt from timing or from the database.
"""

import re
import secrets
import zlib
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Annotated, NewType

import msgspec

from stowboard.core import clock
from stowboard.core.caller import NAMESPACE, NAMESPACE_IN_WORDS, Caller, TokenId, TokenKind
from stowboard.core.cursor import Position
from stowboard.core.errors import AdminRequired, Conflict, InsufficientScope, InvalidToken, NotFound, ValidationFailed
from stowboard.core.ids import checked_id, is_id, new_id
from stowboard.core.plain_text import CONTROLS
from stowboard.core.reach import ALL, DEFAULT_SPACES, LIBRARY, OWN, Reach, Role, is_shared, space_id_of
from stowboard.core.scopes import ADMIN
from stowboard.core.signing import DigestKey
from stowboard.core.wording import EXPECTED, TEXT_END
from stowboard.db.database import Tx
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
_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_AT_A_TIME = 500


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


_TOKENS = Table("access_token", Token, in_words=["scopes", "spaces"])
_OF_TOKEN = ", ".join(f"t.{name}" for name in _TOKENS.fields)


class Bearer(msgspec.Struct, frozen=True):
    """A token that was presented, and how the account stands whose username is its owner."""

    token: Token
    #: The stored digest of its secret.
    digest: bytes
    #: True if its account is disabled, or its space is in the trash.
    disabled: bool
    #: None if no account has the owner's name.
    role: str | None
    #: The shared spaces that the owner is a member of, and those that are open to everybody: each as `id role epoch`.
    joined: list[str]
    open: list[str]
    #: Of the token's own space, if that is a shared one.
    epoch: int = 0

    @property
    def reach(self) -> Reach:
        """Where the token acts now. The owner's own space comes first."""
        owner, words = self.token.owner, self.token.spaces
        known = {owner: Role.EDITOR if is_shared(owner) else Role.MANAGER}
        known |= _roles(self.open) | _roles(self.joined)
        if ADMIN in self.scopes and LIBRARY in known:
            known[LIBRARY] = Role.MANAGER
        wanted = list(known) if ALL in words else [owner if word == OWN else word for word in words]
        wanted.sort(key=lambda space: space != owner)
        epochs = _epochs(self.open) | _epochs(self.joined) | ({owner: self.epoch} if self.epoch else {})
        return Reach.over({space: known[space] for space in wanted if space in known}, words, epochs)

    @property
    def scopes(self) -> list[str]:
        """The scopes that hold now: where an account has the owner's name, its role decides about `admin`."""
        if self.role in (None, ADMIN):
            return self.token.scopes
        return [scope for scope in self.token.scopes if scope != ADMIN]


def _roles(pairs: list[str]) -> dict[str, Role]:
    return {space: Role(role) for space, role, _ in map(str.split, pairs)}


def _epochs(pairs: list[str]) -> dict[str, int]:
    return {space: int(epoch) for space, _, epoch in map(str.split, pairs)}


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
        if is_shared(self.owner) and self.made_by is None:
            raise ValidationFailed("owner: spc_ begins the ids of spaces; their managers make tokens of a space.")
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
    await _TOKENS.insert(tx, token, digest=key.digest(secret))
    return token


async def check_role(tx: Tx, new: NewToken) -> None:
    """Raises Conflict for an admin token whose owner has an account that is no admin's: it would not hold."""
    sql = "SELECT 1 FROM account WHERE username = $1 AND role <> 'admin' AND deleted_at IS NULL"
    if ADMIN in new.scopes and await tx.one(sql, new.owner) is not None:
        raise Conflict(f"The account {new.owner} is not an admin's. Change its role first, or leave out admin.")


async def tell_owner(tx: Tx, token: Token, issuer: str) -> None:
    """Tell an owner who has an account that somebody else has made a token for them."""
    sql = "SELECT 1 FROM account WHERE username = $1 AND deleted_at IS NULL"
    if token.owner != issuer and await tx.one(sql, token.owner) is not None:
        await emit(tx, TOKEN_ISSUED, token.owner, token.id, TokenIssued(token.id))


#: The shared spaces of the token `t`: those of its owner, unless it names none, and those that are open to everybody.
_SPACES = (
    f"CASE WHEN t.spaces = '{' '.join(DEFAULT_SPACES)}' THEN NULL ELSE"
    " (SELECT string_agg(m.space_id || ' ' || m.role || ' ' || j.epoch, ',') FROM space_member m"
    " JOIN space j ON j.id = m.space_id AND j.trashed_at IS NULL WHERE m.member = t.owner) END,"
    " (SELECT string_agg(o.id || ' ' || o.everyone || ' ' || o.epoch, ',') FROM space o"
    " WHERE o.everyone IS NOT NULL AND o.trashed_at IS NULL)"
)


async def find_bearer(tx: Tx, digests: tuple[bytes, bytes]) -> Bearer | None:
    """The token with one of these digests, and how the account of its owner stands."""
    row = await tx.one(
        f"SELECT {_OF_TOKEN}, t.digest, coalesce(a.disabled_at, s.trashed_at), a.role, {_SPACES}, coalesce(s.epoch, 0)"
        " FROM access_token t LEFT JOIN account a ON a.username = t.owner AND a.deleted_at IS NULL"
        " LEFT JOIN space s ON s.id = t.owner WHERE t.digest IN ($1, $2)",
        *digests,
    )
    if row is None:
        return None
    *of_token, digest, ended_at, role, joined, open_, epoch = row
    return Bearer(_TOKENS.read(of_token), digest, ended_at is not None, role, _pairs(joined), _pairs(open_), epoch)


def _pairs(text: str | None) -> list[str]:
    return text.split(",") if text else []


async def lock_living(tx: Tx, caller: Caller) -> None:
    """Lock the caller's account and token: neither ends before this transaction does, so what is made now ends with it.

    Raises InvalidToken if one of them has ended since the token was checked, AdminRequired if the role was lost.
    """
    sql = "SELECT disabled_at, role FROM account WHERE username = $1 AND deleted_at IS NULL FOR UPDATE"
    disabled_at, role = await tx.one(sql, caller.owner) or (None, None)
    living = "SELECT 1 FROM access_token WHERE id = $1 AND revoked_at IS NULL FOR UPDATE"
    if disabled_at is not None or await tx.one(living, caller.token_id) is None:
        raise InvalidToken
    if caller.admin and role not in (None, ADMIN):
        raise AdminRequired("This account is no longer an admin's.")


async def get_token(tx: Tx, token_id: str) -> Token:
    return await _TOKENS.get(tx, "id = $1", checked_id("tok", token_id))


async def find_living(tx: Tx, token_ids: Collection[str]) -> dict[str, frozenset[str]]:
    """The owners in reach of each of the tokens that still works: a disabled account or a trashed space ends it."""
    ids, living = sorted(token_ids), dict[str, frozenset[str]]()
    for start in range(0, len(ids), _AT_A_TIME):
        some = ids[start : start + _AT_A_TIME]
        numbers = ", ".join(f"${number + 2}" for number in range(len(some)))
        rows = await tx.all(
            f"SELECT t.id, t.owner, t.spaces, {_SPACES} FROM access_token t LEFT JOIN space s ON s.id = t.owner"
            f" WHERE t.id IN ({numbers}) AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $1)"
            " AND s.trashed_at IS NULL"
            " AND NOT EXISTS (SELECT 1 FROM account a WHERE a.username = t.owner AND a.disabled_at IS NOT NULL)",
            clock.now_ms(), *some,
        )  # fmt: skip
        living |= {token_id: _owners_in_reach(*of_token) for token_id, *of_token in rows}
    return living


@lru_cache(4096)
def _owners_in_reach(owner: str, spaces: str, joined: str | None, open_: str | None) -> frozenset[str]:
    """As `Bearer.reach` has them."""
    known, words = {owner, *_roles(_pairs(joined)), *_roles(_pairs(open_))}, spaces.split()
    return frozenset(known if ALL in words else known & {owner if word == OWN else word for word in words})


async def list_tokens(tx: Tx, after: Position | None, size: int) -> RowPage[Token]:
    """Live tokens, newest first, without those that a browser holds for minutes."""
    return await _TOKENS.page(tx, after, size, "revoked_at IS NULL", "session_id IS NULL")


async def list_of_account(tx: Tx, account_id: str, after: Position | None, size: int) -> RowPage[Token]:
    """Live tokens that a person made by hand, newest first."""
    own = ("account_id = $1", "revoked_at IS NULL", "session_id IS NULL", "grant_id IS NULL")
    return await _TOKENS.page(tx, after, size, *own, arguments=[account_id])


async def list_of_owner(tx: Tx, owner: str, after: Position | None, size: int) -> RowPage[Token]:
    """Live tokens of an owner whose name is in lower case, newest first."""
    return await _TOKENS.page(tx, after, size, "lower(owner) = $1", "revoked_at IS NULL", arguments=[owner])


async def revoke_token(tx: Tx, token_id: str) -> None:
    """Raises NotFound if there is no such live token."""
    sql = "UPDATE access_token SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL"
    if not is_id("tok", token_id) or not await tx.run(sql, clock.now_ms(), token_id):
        raise NotFound


async def revoke_by_digest(tx: Tx, digests: tuple[bytes, bytes], client_id: ClientId) -> None:
    """Revoke a token that this client was given; any other is left alone."""
    await tx.run(
        "UPDATE access_token SET revoked_at = $1 WHERE digest IN ($2, $3) AND client_id = $4 AND revoked_at IS NULL",
        clock.now_ms(), *digests, client_id,
    )  # fmt: skip


async def revoke_of_client(tx: Tx, client_id: ClientId) -> None:
    sql = "UPDATE access_token SET revoked_at = $1 WHERE client_id = $2 AND revoked_at IS NULL"
    await tx.run(sql, clock.now_ms(), client_id)


async def revoke_of_account(tx: Tx, account_id: str, token_id: str) -> None:
    """Raises NotFound if the person has no such live token."""
    sql = "UPDATE access_token SET revoked_at = $1 WHERE id = $2 AND account_id = $3 AND revoked_at IS NULL"
    if not is_id("tok", token_id) or not await tx.run(sql, clock.now_ms(), token_id, account_id):
        raise NotFound


async def revoke_all_of_account(tx: Tx, account_id: str) -> None:
    """Revoke the tokens that the person made by hand, and those of their applications."""
    await tx.run(
        "UPDATE access_token SET revoked_at = $1 WHERE account_id = $2 AND session_id IS NULL AND revoked_at IS NULL",
        clock.now_ms(), account_id,
    )  # fmt: skip


async def revoke_of_owner(tx: Tx, owner: str) -> None:
    sql = "UPDATE access_token SET revoked_at = $1 WHERE lower(owner) = lower($2) AND owner = $2 AND revoked_at IS NULL"
    await tx.run(sql, clock.now_ms(), owner)


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
