"""Admission of a request by its token and by the rate limit, the same for every door: API, agents, OAuth, calendars.

token (401) → rate limit (429). Requests without a good token are counted by address, with the same rule as a token's; a
good token is never refused for what others do from the same address.
"""

import hashlib
import hmac
from collections.abc import Callable
from typing import Protocol

from stowboard.api.limits.rule import Decision, Limiter
from stowboard.core.caller import API_DOOR, Caller
from stowboard.core.errors import InvalidToken, MissingToken, TokenExpired
from stowboard.core.household import household
from stowboard.core.signing import DigestKey
from stowboard.http.exchange import Exchange
from stowboard.http.head import CLOSE
from stowboard.http.proxies import Proxies


class Authenticator(Protocol):
    """Finds the caller of a request by its header. `app.py` gives one."""

    def find_remembered(self, header: str | None, door: str = API_DOOR) -> Caller | None:
        """The caller, if this Authorization header was checked a moment ago and opens this door."""

    async def check(self, exchange: Exchange, door: str = API_DOOR) -> Caller:
        """Raises MissingToken, InvalidToken or TokenExpired."""

    async def look_up_again(self, caller: Caller) -> Caller:
        """The same caller as its token, account and spaces are now. Raises InvalidToken or TokenExpired."""


class Admission:
    def __init__(self, authenticator: Authenticator, limiter: Limiter, proxies: Proxies, key: DigestKey) -> None:
        self._authenticator, self._limiter, self._proxies = authenticator, limiter, proxies
        self.rule = limiter.rule
        # Token ids are unique, addresses are not: installations that share a Valkey must not share these buckets.
        self._mark = hmac.digest(key, b"address buckets", hashlib.sha256).hex()[:16]

    async def admit(self, exchange: Exchange, note: Callable[[Decision], None], door: str = API_DOOR) -> Caller:
        """The caller. `note` is called with the limit's decision, before anything is raised.

        Raises MissingToken, InvalidToken, TokenExpired or RateLimited.
        """
        caller = self._authenticator.find_remembered(exchange.header("authorization"), door)
        if caller is None or exchange.header_count("authorization") > 1:
            caller = await self._check(exchange, note, door)
        decision = self._limiter.take(caller.bucket)
        if not isinstance(decision, Decision):
            decision = await decision
        note(decision)
        if not decision.allowed:
            raise self.rule.problem(decision)
        return caller

    async def renew(self, caller: Caller) -> Caller:
        """The caller as it is now, if it may no longer be remembered. Raises InvalidToken or TokenExpired."""
        return caller if caller.is_fresh else await self._authenticator.look_up_again(caller)

    async def _check(self, exchange: Exchange, note: Callable[[Decision], None], door: str) -> Caller:
        try:
            return await self._authenticator.check(exchange, door)
        except (MissingToken, InvalidToken, TokenExpired):
            decision = await self._take(self._address_bucket(exchange))
            if decision.allowed:
                raise
        note(decision)
        problem = self.rule.problem(decision)
        problem.headers += (CLOSE,)
        raise problem

    async def charge(self, bucket: str) -> None:
        """Count a request that proves itself in another way than by a token. Raises RateLimited."""
        decision = await self._take(bucket)
        if not decision.allowed:
            raise self.rule.problem(decision)

    async def charge_address(self, exchange: Exchange, name: str = "") -> None:
        """Count a request for its address, or for the proven holder of a name there. Raises RateLimited."""
        await self.charge(self._address_bucket(exchange, name))

    def _address_bucket(self, exchange: Exchange, name: str = "") -> str:
        return f"{self._mark} {household(self._proxies.client_of(exchange))} {name}"

    async def _take(self, bucket: str) -> Decision:
        decision = self._limiter.take(bucket)
        return decision if isinstance(decision, Decision) else await decision
