"""Tokens that were presented: how their accounts stand, and where they act now."""

from collections.abc import Collection
from functools import lru_cache

import msgspec

from stowboard.access.tokens import TOKENS, Token
from stowboard.core import clock
from stowboard.core.caller import Caller, TokenId
from stowboard.core.errors import AdminRequired, InvalidToken
from stowboard.core.reach import ALL, DEFAULT_SPACES, LIBRARY, OWN, Reach, Role, is_shared
from stowboard.core.scopes import ADMIN
from stowboard.db.database import Tx, Value

_AT_A_TIME = 500
_OF_TOKEN = ", ".join(f"t.{name}" for name in TOKENS.fields)


class Bearer(msgspec.Struct, frozen=True):
    """A token that was presented, and how the account of its owner stands."""

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
    #: The epoch of the token's own space, if that is a shared one.
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
    return await _find(tx, "t.digest IN ($1, $2)", *digests)


async def find_bearer_again(tx: Tx, token_id: TokenId) -> Bearer | None:
    return await _find(tx, "t.id = $1", token_id)


async def _find(tx: Tx, condition: str, *arguments: Value) -> Bearer | None:
    row = await tx.one(
        f"SELECT {_OF_TOKEN}, t.digest, coalesce(a.disabled_at, s.trashed_at), a.role, {_SPACES}, coalesce(s.epoch, 0)"
        " FROM access_token t LEFT JOIN account a ON a.username = t.owner AND a.deleted_at IS NULL"
        f" LEFT JOIN space s ON s.id = t.owner WHERE {condition}",
        *arguments,
    )
    if row is None:
        return None
    *of_token, digest, ended_at, role, joined, open_, epoch = row
    return Bearer(TOKENS.read(of_token), digest, ended_at is not None, role, _pairs(joined), _pairs(open_), epoch)


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


async def find_living(tx: Tx, token_ids: Collection[str]) -> dict[str, frozenset[str]]:
    """The owners in reach, for each token that still works: a disabled account or a trashed space ends a token."""
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
