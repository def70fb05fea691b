"""Ranks by themselves, and a lane that keeps its order by them: a plain list says what the order must be."""

import math
import secrets
from bisect import insort
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from stowboard.tasks.boards.ordering import (
    FIRST_REACH,
    MAX_RANK,
    RespreadPlan,
    WiderReach,
    plan_respread,
    rank_at_end,
    rank_between,
    spread,
)
from support.rounds import rounds

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
NOW = 1_794_700_000_000
INSERTS = rounds(25_000, 100_000)

#: Digits at both ends of the alphabet are likelier than chance would have them: that is where carrying happens.
digits = st.sampled_from("0001zzz") | st.sampled_from(ALPHABET)
ranks = st.text(digits, min_size=1, max_size=MAX_RANK).filter(lambda rank: not rank.endswith("0"))
pairs = st.tuples(ranks, ranks).filter(lambda pair: pair[0] != pair[1]).map(lambda pair: (min(pair), max(pair)))


def fraction(rank: str) -> Fraction:
    return Fraction(
        sum(ALPHABET.index(digit) * 62 ** (len(rank) - at) for at, digit in enumerate(rank, 1)), 62 ** len(rank)
    )


def a_shorter_one_exists(above: str, below: str, length: int) -> bool:
    """True if a multiple of 62^-k with k < length lies strictly between."""
    scale: int = 62 ** (length - 1)
    return math.floor(fraction(above) * scale) + 1 < fraction(below) * scale


@given(pairs)
def test_a_rank_between_two_is_strictly_between_and_the_shortest(pair: tuple[str, str]) -> None:
    above, below = pair
    rank = rank_between(above, below)
    assert above < rank < below
    assert not rank.endswith("0")
    assert not a_shorter_one_exists(above, below, len(rank))


@given(ranks)
def test_beyond_either_end_there_is_always_a_rank(rank: str) -> None:
    top, end = rank_between(None, rank), rank_between(rank, None)
    assert top < rank < end
    assert not top.endswith("0")
    assert not end.endswith("0")
    assert max(len(top), len(end)) <= max(8, len(rank) + 1)


def test_an_empty_lane_starts_in_the_middle() -> None:
    assert rank_between(None, None) == "V"


@pytest.mark.parametrize(("above", "below"), [("V", "V"), ("W", "V")])
def test_neighbours_in_the_wrong_order_are_refused(above: str, below: str) -> None:
    with pytest.raises(ValueError, match="is not above"):
        rank_between(above, below)
    with pytest.raises(ValueError, match="is not above"):
        spread(above, below, 1)


@given(st.lists(ranks, max_size=30))
def test_python_bytes_and_fractions_sort_alike(some: list[str]) -> None:
    assert sorted(some) == sorted(some, key=str.encode) == sorted(some, key=fraction)


@given(st.none() | ranks, st.integers(0, 253_402_300_799_999))
def test_an_appended_rank_comes_after_the_last(last: str | None, now: int) -> None:
    rank = rank_at_end(last, now)
    assert last is None or last < rank
    assert not rank.endswith("0")
    assert len(rank) == 14 or (last is not None and last.startswith("z" * 9))


def test_the_least_step_after_the_last_is_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "randbelow", lambda _: 0)
    for last in (rank_at_end(None, NOW + 5), "V" * 14, "V" * 20):
        assert last < rank_at_end(last, NOW)


@given(st.integers(0, 10**14), st.integers(1, 10**6))
def test_what_is_appended_later_comes_later_without_having_seen_the_other(now: int, pause: int) -> None:
    assert rank_at_end(None, now) < rank_at_end(None, now + pause)


def test_appends_of_one_moment_that_have_not_seen_each_other_differ() -> None:
    last = rank_at_end(None, NOW + 5)  # its clock was ahead, so the others must find a place just after it
    assert len({rank_at_end(None, NOW) for _ in range(1000)}) == 1000
    assert len({rank_at_end(last, NOW) for _ in range(100)}) == 100


def test_a_hundred_thousand_appends_in_one_frozen_millisecond_stay_short_and_near_the_clock() -> None:
    last = rank_at_end(None, NOW)
    for _ in range(100_000):
        rank = rank_at_end(last, NOW)
        assert last < rank
        assert len(rank) == 14
        last = rank
    assert last < rank_at_end(None, NOW + 100)


@given(st.none() | ranks, st.none() | ranks, st.integers(0, 40))
def test_a_spread_is_even_strictly_between_and_as_short_as_it_can_be(
    one: str | None, other: str | None, count: int
) -> None:
    above, below = (min(one, other), max(one, other)) if one and other and one != other else (one, None)
    found = spread(above, below, count)
    assert len(found) == count
    bounded = [*([above] if above else []), *found, *([below] if below else [])]
    assert all(before < after for before, after in pairwise(bounded))
    assert not any(rank.endswith("0") for rank in found)
    if found:
        length = max(map(len, found))
        low, high = fraction(above or "1") if above else Fraction(0), fraction(below) if below else Fraction(1)
        steps = [after - before for before, after in pairwise(map(fraction, found))]
        assert max(steps, default=Fraction(0)) - min(steps, default=Fraction(0)) <= Fraction(1, 62**length)
        fitting = -((-high * 62 ** (length - 1)) // 1) - (low * 62 ** (length - 1)) // 1 - 1
        assert fitting < count  # one digit fewer would not hold them


class Lane:
    """A model of the store: rows by rank, an index over the ranks, and an error where a unique index would give one.

    A place is a number only to find the neighbours; where a task then is, its rank alone decides.
    """

    def __init__(self) -> None:
        self.ranks: list[str] = []
        self.tasks: dict[str, int] = {}
        self.writes = 0

    def in_order(self) -> list[int]:
        return [self.tasks[rank] for rank in self.ranks]

    def append(self, task: int, now: int) -> None:
        self._write(task, rank_at_end(self.ranks[-1] if self.ranks else None, now))

    def insert(self, task: int, at: int, own: str | None = None) -> str:
        """`own` is the rank that the task holds already, if it is in this lane."""
        above = self.ranks[at - 1] if at else None
        below = self.ranks[at] if at < len(self.ranks) else None
        rank = rank_between(above, below)
        if len(rank) > MAX_RANK:
            rank = self._make_room(at, own)
        self._write(task, rank)
        return rank

    def move(self, origin: int, to: int) -> None:
        own = self.ranks.pop(origin)
        if self.insert(self.tasks[own], to, own) != own:
            del self.tasks[own]

    def _make_room(self, at: int, own: str | None) -> str:
        plan: RespreadPlan | WiderReach = WiderReach(FIRST_REACH)
        while isinstance(plan, WiderReach):
            low, high = max(0, at - plan.reach), at + plan.reach
            plan = plan_respread(self.ranks[low:at][::-1], self.ranks[at:high], plan.reach, own)
        for old, new in plan.moved:
            assert new not in self.tasks, "the unique index would refuse this"
            self.tasks[new] = self.tasks.pop(old)
        renamed = dict(plan.moved)
        self.ranks[low:high] = sorted(renamed.get(rank, rank) for rank in self.ranks[low:high])
        self.writes += len(plan.moved)
        return plan.rank

    def _write(self, task: int, rank: str) -> None:
        assert self.tasks.get(rank, task) == task, "the unique index would refuse this"
        self.tasks[rank] = task
        insort(self.ranks, rank)
        self.writes += 1


def a_lane_of(size: int) -> Lane:
    lane = Lane()
    for at in range(size):
        lane.append(at, NOW + 1000 * at)
    lane.writes = 0
    return lane


def assert_is_in_order(lane: Lane) -> None:
    assert all(before < after for before, after in pairwise(lane.ranks))
    assert not any(rank.endswith("0") for rank in lane.ranks)
    assert max(map(len, lane.ranks)) <= MAX_RANK


@pytest.mark.parametrize(
    ("size", "spot"),
    [
        pytest.param(20, lambda moves: 10, id="always after the same task"),
        pytest.param(20, lambda moves: 10 + moves, id="always before the same task"),
        pytest.param(1, lambda moves: 1, id="always second"),
        pytest.param(1, lambda moves: moves, id="always last but one"),
    ],
)
def test_many_inserts_beside_one_task_stay_short_and_cost_one_write_each(size: int, spot: Callable[[int], int]) -> None:
    lane = a_lane_of(size)
    for moves in range(INSERTS):
        assert len(lane.insert(moves, spot(moves))) <= MAX_RANK
    assert_is_in_order(lane)
    assert lane.writes <= 1.15 * INSERTS


def test_inserting_at_either_end_never_makes_ranks_longer() -> None:
    lane = a_lane_of(1)
    for moves in range(10_000):
        assert len(lane.insert(moves, 0)) <= 8
        assert len(lane.insert(moves, len(lane.ranks))) <= 8
    assert_is_in_order(lane)
    assert lane.writes == 20_000


def test_inserting_on_both_sides_of_one_task_costs_a_few_writes_each() -> None:
    lane = a_lane_of(20)
    task = 10
    for moves in range(20_000):
        lane.insert(moves, task + moves % 2)
        task += 1 - moves % 2
    assert_is_in_order(lane)
    assert lane.writes <= 6 * 20_000


def test_a_respread_writes_a_few_neighbours_where_there_is_room_around_them() -> None:
    lane = a_lane_of(1000)
    lane.ranks[500:500] = spread(lane.ranks[499], rank_between(lane.ranks[499], "0" + "z" * 31), 2)
    crowd = [lane.ranks[500] + "0" * (MAX_RANK - len(lane.ranks[500])) + "1"]
    plan = plan_respread(lane.ranks[500::-1], [*crowd, *lane.ranks[501:]][:FIRST_REACH], FIRST_REACH)
    assert isinstance(plan, RespreadPlan)
    assert len(plan.moved) <= 8
    assert len(plan.rank) <= 20


def test_a_crowd_that_reaches_further_than_was_read_asks_for_more() -> None:
    dense = spread("V", "V" + "0" * 28 + "1", 200)
    plan = plan_respread(dense[99::-1][:FIRST_REACH], dense[100:][:FIRST_REACH], FIRST_REACH)
    assert plan == WiderReach(65)
    whole = plan_respread(dense[99::-1], dense[100:], 257)
    assert isinstance(whole, RespreadPlan)
    assert len(whole.moved) == 200
    assert len(whole.rank) <= 12


def test_nobody_is_given_the_rank_that_the_moved_task_still_holds() -> None:
    before, after = ["A"], ["A" + "0" * 31 + "1"]
    usual = plan_respread(before, after, FIRST_REACH)
    assert isinstance(usual, RespreadPlan)
    for _, held in usual.moved:
        plan = plan_respread(before, after, FIRST_REACH, own=held)
        assert isinstance(plan, RespreadPlan)
        assert held not in [new for _, new in plan.moved]


def test_a_respread_at_the_end_of_a_lane_stays_behind_what_is_appended_meanwhile() -> None:
    lane = a_lane_of(1)
    for moves in range(1000):
        lane.insert(moves, moves)
    assert lane.writes > 1000
    assert lane.ranks[-1] < rank_at_end(None, NOW + 1000)


class LaneAgainstList(RuleBasedStateMachine):
    """The same operations on a lane and on a plain list."""

    def __init__(self) -> None:
        super().__init__()
        self.expected: list[int] = []
        self.lane = Lane()
        self.now = NOW

    @rule(pause=st.integers(-5, 1000))
    def append(self, pause: int) -> None:
        self.now += pause
        task = len(self.expected)
        self.lane.append(task, self.now)
        self.expected.append(task)

    @rule(at=st.integers(0, 10**6), times=st.sampled_from([1, 1, 5, 60, 300]), onwards=st.booleans())
    def insert_in_a_row(self, at: int, times: int, onwards: bool) -> None:
        at %= len(self.expected) + 1
        for step in range(times):
            task, spot = len(self.expected), at + step * onwards
            self.lane.insert(task, spot)
            self.expected.insert(spot, task)

    @rule(origin=st.integers(0, 10**6), to=st.integers(0, 10**6), times=st.sampled_from([1, 1, 200]))
    @precondition(lambda self: self.expected)
    def move_to_one_place(self, origin: int, to: int, times: int) -> None:
        to %= len(self.expected)
        for step in range(times):
            taken = (origin + 7 * step) % len(self.expected)
            self.lane.move(taken, to)
            self.expected.insert(to, self.expected.pop(taken))

    @invariant()
    def the_ranks_give_the_order_of_the_list(self) -> None:
        assert self.lane.in_order() == self.expected
        assert all(len(rank) <= MAX_RANK and not rank.endswith("0") for rank in self.lane.ranks)


TestLaneAgainstList = LaneAgainstList.TestCase
TestLaneAgainstList.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)
