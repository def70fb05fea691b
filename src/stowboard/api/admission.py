"""Admission of a request by its token and by the rate limit, the same for the API and for agents.

token (401) → rate limit (429). Requests without a good token are counted by address; a good token is never refused for
what others do from the same address.
"""

from collections.abc import Callable
from typing import Protocol

from stowboard.api.limits.rule import Decision, Limiter, RateLimitRule
from stowboard.api.limits.strangers import Strangers
from stowboard.core.caller import API_DOOR, Caller
from stowboard.core.errors import InvalidToken, MissingToken, TokenExpired
from stowboard.http.exchange import Exchange
from stowboard.http.head import CLOSE


class Authenticator(Protocol):
    """Finds the caller of a request by its header. `app.py` gives one."""

    def find_remembered(self, header: str | None, door: str = API_DOOR) -> Caller | None:
        """The caller, if this Authorization header was checked a moment ago and opens this door."""

    async def check(self, exchange: Exchange, door: str = API_DOOR) -> Caller:
        """Raises MissingToken, InvalidToken or TokenExpired."""


class Admission:
    def __init__(self, authenticator: Authenticator, limiter: Limiter, strangers: Strangers) -> None:
        self._authenticator, self._limiter, self._strangers = authenticator, limiter, strangers

    @property
    def rule(self) -> RateLimitRule:
        return self._limiter.rule

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

    async def _check(self, exchange: Exchange, note: Callable[[Decision], None], door: str) -> Caller:
        try:
            return await self._authenticator.check(exchange, door)
        except (MissingToken, InvalidToken, TokenExpired):
            decision = await self._strangers.take(exchange)
            if decision.allowed:
                raise
        note(decision)
        problem = self.rule.problem(decision)
        problem.headers += (CLOSE,)
        raise problem
