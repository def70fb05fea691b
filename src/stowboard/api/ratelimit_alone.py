"""Buckets in the memory of the only server process: a third of the price of a table that processes share.

A restart forgets them, so a token may have a second burst then.
"""

import time

from stowboard.api.ratelimit import Decision, Rule

MOST_BUCKETS = 100_000


class LoneLimiter:
    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self._full_at: dict[str, int] = {}

    def take(self, token_id: str) -> Decision:
        now = time.monotonic_ns() // 1000
        full_at, decision = self.rule.decide(self._full_at.get(token_id, 0), now)
        self._full_at[token_id] = full_at
        if len(self._full_at) > MOST_BUCKETS:
            # Full buckets are as good as none. If that leaves too many, each of these tokens may have a burst more.
            filling = {token: at for token, at in self._full_at.items() if at > now}
            self._full_at = filling if len(filling) < MOST_BUCKETS else {}
        return decision
