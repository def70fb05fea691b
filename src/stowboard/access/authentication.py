"""From the Authorization header to the caller.

Each process remembers a checked token for less than a second, so a revocation holds everywhere within one second, and
at once in the process that made it. Before a caller is refused for want of reach, and after a slow body, it is looked
up again (see `api.perform`): what is given is given at once.

Uses of tokens are noted here and written later, by `write_uses`: no request waits for that.
"""

import time

import msgspec

from stowboard.access.bearers import Bearer, find_bearer, find_bearer_again
from stowboard.access.tokens import Token, keep_digests, note_uses
from stowboard.core import clock
from stowboard.core.caller import API_DOOR, Caller
from stowboard.core.errors import InvalidToken, MissingToken, TokenExpired
from stowboard.core.scopes import Scopes
from stowboard.core.signing import DigestKey
from stowboard.db.database import Database
from stowboard.http.exchange import Exchange

REMEMBERED_SECONDS = 0.7
#: In bytes, roughly.
MOST_REMEMBERED = 8 * 1024 * 1024
_BESIDE_TEXTS = 1000
LONGEST_TOKEN = 512
#: A use is written at most this often.
USE_MS = 60_000


class _Known(msgspec.Struct):
    caller: Caller
    #: The one door that the token opens; None is all of them.
    resource: str | None
    weight: int

    def opens(self, door: str) -> bool:
        return self.resource is None or self.resource == door


class TokenAuthenticator:
    def __init__(self, db: Database, key: DigestKey, scopes: Scopes) -> None:
        self._db, self._key, self._scopes = db, key, scopes
        #: Keyed by the header as most clients write it: other spellings of it cost no memory.
        self._known: dict[str | None, _Known] = {}
        self._weight = 0
        self._sweep_at = 0.0
        #: Times of use that are to be written, by token id.
        self._uses: dict[str, int] = {}
        #: Digests of today's key that are to be stored, by token id.
        self._digests: dict[str, bytes] = {}

    def find_remembered(self, header: str | None, door: str = API_DOOR) -> Caller | None:
        """The caller, if the token in this header was checked a moment ago, and opens this door."""
        known = self._known.get(header)
        if known is None or time.monotonic() >= known.caller.fresh_until or not known.opens(door):
            return None
        return known.caller

    async def check(self, exchange: Exchange, door: str = API_DOOR) -> Caller:
        """Raises MissingToken, InvalidToken or TokenExpired."""
        header = exchange.header("authorization")
        scheme, _, secret = (header or "").partition(" ")
        secret = secret.strip(" ")
        if header is None and exchange.has_header("authorization"):
            raise InvalidToken
        if header is None or scheme.lower() != "bearer" or not secret:
            raise MissingToken
        if exchange.header_count("authorization") > 1:
            raise InvalidToken("Authorization was sent more than once.")
        return self.find_remembered(_usual(secret), door) or await self._look_up(secret, door)

    def forget(self) -> None:
        """Forget every token: the next use asks the database."""
        self._known.clear()
        self._weight = 0

    async def look_up_again(self, caller: Caller) -> Caller:
        """The same caller as its token, account and spaces are now. Raises InvalidToken or TokenExpired."""
        asked_at = time.monotonic()
        now = self._caller(await self._db.read(find_bearer_again, caller.token_id), asked_at)
        if not now.may_as(caller):
            self.forget()  # others may be out of date as well
        return now

    async def _look_up(self, secret: str, door: str) -> Caller:
        asked_at = time.monotonic()
        bearer = await self._find(secret)
        caller = self._caller(bearer, asked_at)
        assert bearer is not None
        token, now = bearer.token, clock.now_ms()
        if bearer.token.resource not in (None, door):
            raise InvalidToken(f"This token was given for {bearer.token.resource}, and is of no use at {door}.")
        if token.last_used_at is None or now - token.last_used_at >= USE_MS:
            self._uses[token.id] = now
        if bearer.digest != (digest := self._key.digest(secret)):
            self._digests[token.id] = digest
        self._remember(secret, _Known(caller, token.resource, _weight_of(secret, caller)))
        return caller

    def _caller(self, bearer: Bearer | None, asked_at: float) -> Caller:
        """The caller with a token that was looked up at that time. Raises InvalidToken or TokenExpired."""
        if bearer is None or bearer.disabled or bearer.token.revoked_at is not None:
            raise InvalidToken
        token, fresh_until = bearer.token, asked_at + REMEMBERED_SECONDS
        if token.expires_at is not None:
            left_ms = token.expires_at - clock.now_ms()
            if left_ms <= 0:
                raise TokenExpired
            # The time is cut to a whole millisecond, so up to one less is left.
            fresh_until = min(fresh_until, time.monotonic() + (left_ms - 1) / 1000)
        scopes = self._scopes.implied(bearer.scopes)
        through = token.grant_id or token.client_id or ("" if token.session_id else token.id)
        return Caller(
            token.id, token.owner, scopes, token.namespace, token.kind, bearer.reach, _bucket_of(token), through,
            fresh_until, sure=False,
        )  # fmt: skip

    async def write_uses(self) -> None:
        """Store the uses and digests that were noted since the last time."""
        uses, self._uses = self._uses, {}
        digests, self._digests = self._digests, {}
        if uses:
            await self._db.transact(note_uses, uses)
        if digests:
            await self._db.transact(keep_digests, digests)

    async def _find(self, secret: str) -> Bearer | None:
        if len(secret) > LONGEST_TOKEN or not secret.isascii() or not secret.isprintable():
            return None
        return await self._db.read(find_bearer, self._key.digests(secret))

    def _remember(self, secret: str, known: _Known) -> None:
        if time.monotonic() > self._sweep_at or self._weight + known.weight > MOST_REMEMBERED:
            self._forget_stale()
        if self._weight + known.weight > MOST_REMEMBERED:
            self.forget()
        header = _usual(secret)
        if header not in self._known:
            self._weight += known.weight
        self._known[header] = known

    def _forget_stale(self) -> None:
        self._known = {header: known for header, known in self._known.items() if known.caller.is_fresh}
        self._weight = sum(known.weight for known in self._known.values())
        self._sweep_at = time.monotonic() + REMEMBERED_SECONDS


def _bucket_of(token: Token) -> str:
    """Browsers and clients take as many tokens as they like. So the tokens of one session share a bucket, and so do
    the tokens that one client has for one owner."""
    if token.session_id is not None:
        return token.session_id
    return token.id if token.client_id is None else f"{token.client_id} {token.owner}"


def _weight_of(secret: str, caller: Caller) -> int:
    return _BESIDE_TEXTS + len(secret) + 4 * len(caller.owner) + 8 * len(caller.reach.text)


def _usual(secret: str) -> str:
    """The header with this secret, as most clients write it."""
    return f"Bearer {secret}"
