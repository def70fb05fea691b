"""The limit for requests without a good token: one bucket for each address, with the same rule as a token's.

A request with a good token is never refused for what others do from the same address.
"""

import hashlib
import hmac

from stowboard.api.limits.rule import Decision, Limiter
from stowboard.core.household import household
from stowboard.core.signing import DigestKey
from stowboard.http.exchange import Exchange
from stowboard.http.proxies import Proxies


class Strangers:
    def __init__(self, limiter: Limiter, proxies: Proxies, key: DigestKey) -> None:
        self._limiter, self._proxies = limiter, proxies
        # Token ids are unique, addresses are not: installations that share a Valkey must not share these buckets.
        self._mark = hmac.digest(key, b"address buckets", hashlib.sha256).hex()[:16]

    async def take(self, exchange: Exchange, name: str = "") -> Decision:
        """Count one request for its address; with a name, for the proven holder of that name at this address."""
        decision = self._limiter.take(f"{self._mark} {household(self._proxies.client_of(exchange))} {name}")
        return decision if isinstance(decision, Decision) else await decision
