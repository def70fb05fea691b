"""Ids: in the order of creation, each once, and none that cannot be one."""

import itertools
import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from stowboard.core import clock, ids
from stowboard.core.ids import id_at, is_id, least_id, new_id, time_of

#: From Crockford's digits to those that `int` reads.
_TO_BASE_32 = str.maketrans("0123456789abcdefghjkmnpqrstvwxyz", "0123456789abcdefghijklmnopqrstuv")


def test_ids_are_in_the_order_in_which_they_were_made() -> None:
    made = [new_id("tsk") for _ in range(10_000)]
    assert made == sorted(made)
    assert len(set(made)) == len(made)


def test_ids_stay_in_order_when_the_clock_is_set_back(monkeypatch: pytest.MonkeyPatch) -> None:
    before = new_id("tsk")
    monkeypatch.setattr(clock, "now_ms", lambda: 1_000_000)
    assert new_id("tsk") > before


def test_threads_never_make_the_same_id() -> None:
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(lambda _: [new_id("tsk") for _ in range(2_000)], range(8)))
    assert len({one for part in made for one in part}) == 16_000


def test_a_child_never_makes_the_ids_of_its_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    now = clock.now_ms() + 60_000
    monkeypatch.setattr(clock, "now_ms", lambda: now)
    new_id("tsk")
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        os.write(writing, new_id("tsk").encode())
        os._exit(0)
    os.waitpid(child, 0)
    of_child = os.read(reading, 100).decode()
    os.close(reading)
    os.close(writing)
    assert is_id("tsk", of_child)
    assert new_id("tsk") != of_child


def test_the_last_digits_spread_evenly() -> None:
    assert len({new_id("tsk")[-2:] for _ in range(20_000)}) > 1000


def test_an_id_does_not_tell_the_next_one(monkeypatch: pytest.MonkeyPatch) -> None:
    now = clock.now_ms() + 60_000
    monkeypatch.setattr(clock, "now_ms", lambda: now)
    numbers = [int(new_id("tsk")[-16:].translate(_TO_BASE_32), 32) for _ in range(1_000)]
    steps = {later - earlier for earlier, later in itertools.pairwise(numbers)}
    assert len(steps) == 999
    assert max(steps) > 2**60


def test_ids_stay_in_order_when_a_millisecond_is_used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    before = new_id("tsk")
    monkeypatch.setattr(ids, "_tail", 2**80 - 1)
    monkeypatch.setattr(clock, "now_ms", lambda: 1_000_000)
    after = new_id("tsk")
    assert after > before
    assert is_id("tsk", after)


def test_an_id_of_an_earlier_time_sorts_before_one_of_now() -> None:
    assert id_at("tsk", 1_600_000_000_000) < id_at("tsk", 1_600_000_000_001) < new_id("tsk")


@pytest.mark.parametrize("at_ms", [0, 1, 1_600_000_000_000, clock.LATEST_MS])
def test_an_id_tells_when_it_was_made(at_ms: int) -> None:
    assert time_of(id_at("tsk", at_ms)) == time_of(least_id("tsk", at_ms)) == at_ms
    assert time_of(new_id("tsk")) > 1_600_000_000_000


def test_the_least_id_of_a_time_divides_those_before_from_those_since() -> None:
    least = least_id("tsk", 1_600_000_000_000)
    assert id_at("tsk", 1_599_999_999_999) < least <= id_at("tsk", 1_600_000_000_000)
    assert is_id("tsk", least)


@pytest.mark.parametrize(
    "text", ["", "tsk_", "tsk_0", "tok_01kbr2x4q8e9w6y3t7n5m1c0vz", "tsk_01kbr2x4q8e9w6y3t7n5m1c0v/", "tsk_" + "é" * 26]
)
def test_what_cannot_be_an_id_is_told(text: str) -> None:
    assert is_id("tsk", new_id("tsk"))
    assert not is_id("tsk", text)
