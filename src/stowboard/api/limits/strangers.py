"""Requests without a good token have a budget as well: one bucket for each address, of the same rule as a token's.

Whoever has a good token is never refused for what others do from the same address.
"""

import hashlib
import hmac

from stowboard.api.limits.rule import Decision, Limiter
from stowboard.core.signing import DigestKey
from stowboard.http.exchange import Exchange
from stowboard.http.proxies import Proxies, household


class Strangers:
    def __init__(self, limiter: Limiter, proxies: Proxies, key: DigestKey) -> None:
        self._limiter, self._proxies = limiter, proxies
        # Token ids are unique, addresses are not: installations that share a Valkey must not share these buckets.
        self._mark = hmac.digest(key, b"address buckets", hashlib.sha256).hex()[:16]

    async def take(self, exchange: Exchange, name: str = "") -> Decision:
        """Count one request of the address it comes from; with a name, of who has shown to be that, from there."""
        decision = self._limiter.take(f"{self._mark} {household(self._proxies.client_of(exchange))} {name}")
        return decision if isinstance(decision, Decision) else await decision
