"""The rule alone: times are numbers that the test chooses, in microseconds."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import pytest
from http_sfv.list import List
from hypothesis import given
from hypothesis import strategies as st

from stowboard.api.limits.rule import LARGEST_BURST, MOST_PER_MINUTE, Decision, RateLimitRule, RateLimitSettings

SECOND = 1_000_000
NEVER_USED = 0
START = 10**12

rates = st.integers(1, 100) | st.integers(1, 5000) | st.just(MOST_PER_MINUTE)
settings = st.builds(RateLimitSettings, rates, st.integers(1, 5) | st.integers(1, 150))
#: Pauses between requests, most of them shorter than the bucket takes to fill.
pauses = st.lists(st.integers(0, SECOND // 10) | st.integers(0, 5 * SECOND) | st.just(0), max_size=300)


@cache
def rule_of(chosen: RateLimitSettings) -> RateLimitRule:
    return RateLimitRule(chosen)


def answers(rule: RateLimitRule, times: Iterable[int], full_at: int = NEVER_USED) -> Iterator[tuple[int, Decision]]:
    for now in times:
        full_at, decision = rule.decide(full_at, now)
        yield now, decision


def times_of(gaps: list[int]) -> list[int]:
    now, times = START, []
    for gap in gaps:
        now += gap
        times.append(now)
    return times


def parsed(text: str) -> dict[str, dict[str, Any]]:
    """Items of a structured field, by name."""
    items = List()
    items.parse(text.encode())
    return {item.value: dict(item.params) for item in items}


def test_the_fields_of_the_default_limit_are_the_documented_ones() -> None:
    rule = RateLimitRule(RateLimitSettings())
    _, first = rule.decide(NEVER_USED, START)
    assert rule.policy == '"default";q=600;w=60, "burst";q=100;w=10'
    assert first == Decision(True, 99, 0, '"burst";r=99;t=10')


@given(settings)
def test_a_full_bucket_admits_a_burst_at_once_and_not_one_more(chosen: RateLimitSettings) -> None:
    decisions = [decision for _, decision in answers(rule_of(chosen), [START] * (chosen.burst + 1))]
    assert [decision.remaining for decision in decisions[:-1]] == list(reversed(range(chosen.burst)))
    assert [decision.allowed for decision in decisions] == [True] * chosen.burst + [False]


@given(settings, pauses)
def test_no_window_admits_more_than_a_burst_and_what_grew_in_it(chosen: RateLimitSettings, gaps: list[int]) -> None:
    admitted = [now for now, decision in answers(rule_of(chosen), times_of(gaps)) if decision.allowed]
    for first, start in enumerate(admitted):
        for last in range(first, len(admitted)):
            grown = (admitted[last] - start) * chosen.rate_per_minute / (60 * SECOND)
            assert last - first + 1 <= chosen.burst + grown


@given(st.integers(1, 150), st.integers(1, 200))
def test_who_asks_all_the_time_gets_all_that_grows(burst: int, intervals: int) -> None:
    rule = rule_of(RateLimitSettings(600, burst))
    times = [START] * burst + list(range(START, START + intervals * rule.interval + 1, rule.interval // 10))
    assert sum(decision.allowed for _, decision in answers(rule, times)) == burst + intervals


@given(settings, pauses)
def test_a_refused_request_consumes_nothing(chosen: RateLimitSettings, gaps: list[int]) -> None:
    rule = rule_of(chosen)
    with_refusals = [(now, decision) for now, decision in answers(rule, times_of(gaps)) if decision.allowed]
    assert list(answers(rule, [now for now, _ in with_refusals])) == with_refusals


@given(settings, pauses)
def test_who_waits_retry_after_is_admitted(chosen: RateLimitSettings, gaps: list[int]) -> None:
    rule, full_at = rule_of(chosen), NEVER_USED
    for now in times_of(gaps):
        full_at, decision = rule.decide(full_at, now)
        assert decision.allowed == (decision.retry_after == 0)
        _, after_waiting = rule.decide(full_at, now + decision.retry_after * SECOND)
        assert decision.allowed or after_waiting.allowed


@given(settings, st.integers(0, 100), st.floats(0, 1))
def test_who_spreads_r_over_t_is_never_refused(chosen: RateLimitSettings, requests: int, used: float) -> None:
    rule, now = rule_of(chosen), START
    full_at, decision = rule.decide(now + int(used * (rule.tolerance - rule.interval)), now)
    for _ in range(requests):
        assert decision.allowed
        announced = parsed(decision.field)["burst"]
        now += -(-announced["t"] * SECOND // max(announced["r"], 1))
        full_at, decision = rule.decide(full_at, now)


@given(settings, pauses)
def test_the_fields_are_structured_and_promise_no_more_than_the_refill(
    chosen: RateLimitSettings, gaps: list[int]
) -> None:
    rule = rule_of(chosen)
    policy = parsed(rule.policy)
    assert policy["default"] == {"q": chosen.rate_per_minute, "w": 60}
    assert policy["burst"]["q"] == chosen.burst
    for _, decision in answers(rule, times_of(gaps)):
        ((name, announced),) = parsed(decision.field).items()
        assert name == "burst"
        assert announced["r"] == decision.remaining
        assert announced["t"] >= max(1, decision.retry_after)
        assert announced["r"] * policy["default"]["w"] <= announced["t"] * policy["default"]["q"]


def test_r_over_t_is_q_over_w_where_seconds_are_whole() -> None:
    decisions = [decision for _, decision in answers(RateLimitRule(RateLimitSettings()), [START] * 100)]
    tens = [parsed(decision.field)["burst"] for decision in decisions if decision.remaining in range(10, 100, 10)]
    assert {announced["r"] / announced["t"] for announced in tens} == {100 / 10}


@given(settings, st.integers(1, 10**15))
def test_a_clock_that_started_again_costs_one_retry(chosen: RateLimitSettings, ahead: int) -> None:
    rule = rule_of(chosen)
    full_at, first = rule.decide(START + rule.tolerance + ahead, START)
    _, second = rule.decide(full_at, START + first.retry_after * SECOND)
    assert not first.allowed
    assert second.allowed


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        (RateLimitSettings(rate_per_minute=0), "STOWBOARD_RATE_LIMIT_PER_MINUTE"),
        (RateLimitSettings(rate_per_minute=MOST_PER_MINUTE + 1), "STOWBOARD_RATE_LIMIT_PER_MINUTE"),
        (RateLimitSettings(burst=0), "STOWBOARD_RATE_LIMIT_BURST"),
        (RateLimitSettings(burst=LARGEST_BURST + 1), "STOWBOARD_RATE_LIMIT_BURST"),
    ],
)
def test_a_setting_out_of_range_is_named(wrong: RateLimitSettings, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        RateLimitRule(wrong)


def test_the_error_says_the_limit_and_how_long_to_wait() -> None:
    rule = RateLimitRule(RateLimitSettings(rate_per_minute=6, burst=1))
    full_at, _ = rule.decide(NEVER_USED, START)
    _, refused = rule.decide(full_at, START)
    problem = rule.problem(refused)
    assert (problem.status, problem.code) == (429, "rate_limited")
    assert problem.message == "Rate limit exceeded (6 requests per minute, burst 1). Retry in 10 seconds."
    assert problem.headers == (("retry-after", "10"),)
