"""The rate limit of a token: the rule, its settings and the header fields that announce it.

The rule is a token bucket in the form of GCRA: all that is kept of a token is one integer, the time at which its
bucket will be full again (`full_at`). A request moves it one interval into the future, and is refused if that would be
further away than a whole bucket takes to fill; a refused one moves nothing. Every time here is in microseconds, by the
clock of the store.

"At most `burst` at once, then `rate_per_minute`": in any window of W seconds at most burst + rate x W requests pass.
That is not "at most 600 in any 60 seconds", which would forbid a burst after a steady minute.

The header fields are those of draft-ietf-httpapi-ratelimit-headers. They go out with every answer, so each `Decision`
is made once, when it is first needed: 10,000 of them, for the largest burst, would take 2 MB.
"""

from collections.abc import Awaitable
from typing import Annotated, Protocol

import msgspec

from stowboard.core.errors import RateLimited
from stowboard.core.settings.declared import Setting
from stowboard.core.settings.values import whole

MOST_PER_MINUTE = 6_000_000
LARGEST_BURST = 10_000
_SECOND = 1_000_000


class RateLimitSettings(msgspec.Struct, frozen=True):
    rate_per_minute: Annotated[int, Setting("rate_limit_per_minute", whole)] = 600
    burst: Annotated[int, Setting("rate_limit_burst", whole)] = 100

    def validate(self) -> None:
        """Raises ValueError naming the setting that is out of its range."""
        if not 1 <= self.rate_per_minute <= MOST_PER_MINUTE:
            raise ValueError(f"STOWBOARD_RATE_LIMIT_PER_MINUTE must be 1 to {MOST_PER_MINUTE}.")
        if not 1 <= self.burst <= LARGEST_BURST:
            raise ValueError(f"STOWBOARD_RATE_LIMIT_BURST must be 1 to {LARGEST_BURST}.")


class Decision(msgspec.Struct, frozen=True):
    allowed: bool
    #: Requests that may follow at once.
    remaining: int
    #: Seconds after which one more is admitted; 0 when this one was.
    retry_after: int
    #: The value of the field RateLimit.
    field: str


class Limiter(Protocol):
    """Where the buckets are kept. A store that can decide at once does; the other gives something to await:

    decision = limiter.take(caller.bucket)
    if not isinstance(decision, Decision):
        decision = await decision
    """

    rule: "RateLimitRule"

    def take(self, bucket: str) -> Decision | Awaitable[Decision]:
        """Count one request in the bucket of this name, mostly a token's id, unless it is refused. Never raises."""


class RateLimitRule:
    """The limit as integers: `interval` between two requests, `tolerance` for a full burst."""

    def __init__(self, settings: RateLimitSettings) -> None:
        settings.validate()
        rate, burst = settings.rate_per_minute, settings.burst
        self.interval = _ceil(60 * _SECOND, rate)
        self.tolerance = burst * self.interval
        #: The value of the field RateLimit-Policy.
        self.policy = f'"default";q={rate};w=60, "burst";q={burst};w={_ceil(self.tolerance, _SECOND)}'
        #: The value of RateLimit for a request that no token was charged for.
        self.untouched = f'"burst";r={burst};t={_ceil(self.tolerance, _SECOND)}'
        self._limits = f"{rate} requests per minute, burst {burst}"
        self._admitted: list[Decision | None] = [None] * burst
        waits = range(1, _ceil(self.interval, _SECOND) + 1)
        self._refused = tuple(Decision(False, 0, seconds, f'"burst";r=0;t={seconds}') for seconds in waits)

    def decide(self, full_at: int, now: int) -> tuple[int, Decision]:
        """The value to keep in place of `full_at`, and the decision on a request at `now`."""
        latest = now + self.tolerance
        if full_at < now:
            full_at = now
        elif full_at > latest:
            # No request can lead to such a time: the clock was reset, or the bytes are not ours. We store an empty
            # bucket, for a refusal too. If we only read it as one, requests would be refused until the clock catches
            # up.
            full_at = latest
        spare = latest - full_at - self.interval
        return (full_at if spare < 0 else full_at + self.interval), self.outcome(spare)

    def outcome(self, spare: int) -> Decision:
        """The decision, given how far within the tolerance the request is; below zero it is not."""
        if spare < 0:
            return self._refused[(-spare - 1) // _SECOND]
        remaining = spare // self.interval
        return self._admitted[remaining] or self._admission(remaining)

    def problem(self, decision: Decision) -> RateLimited:
        """The error that answers a refused request."""
        seconds = decision.retry_after
        return RateLimited(
            f"Rate limit exceeded ({self._limits}). Retry in {seconds} second{'s' if seconds > 1 else ''}.",
            headers=(("retry-after", str(seconds)),),
        )

    def _admission(self, remaining: int) -> Decision:
        # r/t never promises more than the refill: a client that spreads r over t is never refused. With nothing left,
        # t is the time until one more is admitted.
        seconds = _ceil(max(remaining, 1) * self.interval, _SECOND)
        decision = self._admitted[remaining] = Decision(True, remaining, 0, f'"burst";r={remaining};t={seconds}')
        return decision


def _ceil(amount: int, unit: int) -> int:
    return -(-amount // unit)
