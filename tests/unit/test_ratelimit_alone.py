"""The rate limit of a server that is the only process: exact, per token, and bounded in memory."""

import time

import pytest

from stowboard.api import ratelimit_alone
from stowboard.api.ratelimit import RateLimitSettings, Rule
from stowboard.api.ratelimit_alone import LoneLimiter

RULE = Rule(RateLimitSettings(rate_per_minute=60, burst=5))


class Clock:
    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> int:
        return int(self.seconds * 1e9)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(time, "monotonic_ns", clock)
    return clock


def test_a_burst_passes_and_then_one_for_each_interval(clock: Clock) -> None:
    limiter = LoneLimiter(RULE)
    assert [limiter.take("a").allowed for _ in range(7)] == [True] * 5 + [False] * 2
    clock.seconds += 1
    assert [limiter.take("a").allowed for _ in range(2)] == [True, False]
    assert limiter.take("b").remaining == 4


@pytest.mark.parametrize("busy", [True, False])
def test_tokens_without_number_do_not_fill_the_memory(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, busy: bool
) -> None:
    monkeypatch.setattr(ratelimit_alone, "MOST_BUCKETS", 50)
    limiter = LoneLimiter(RULE)
    for number in range(1000):
        assert limiter.take(f"token {number}").allowed
        clock.seconds += 0 if busy else 10
        assert len(limiter._full_at) <= 51


def test_those_who_are_at_their_limit_stay_there_when_others_are_forgotten(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ratelimit_alone, "MOST_BUCKETS", 50)
    limiter = LoneLimiter(RULE)
    for number in range(45):
        limiter.take(f"early {number}")
    clock.seconds += 3
    assert [limiter.take("greedy").allowed for _ in range(6)][-1] is False
    for number in range(10):
        limiter.take(f"late {number}")
    assert limiter.take("greedy").allowed is False
