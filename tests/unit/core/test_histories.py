"""The checker of histories agrees with trying every order."""

import math
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from support.histories import Operation, find_anomaly


def by_trying(history: list[Operation]) -> bool:
    """Lost writes that nobody read may be left out; all others are in the order."""
    read = {one.value for one in history if not one.is_write}
    history = [one for one in history if one.ended < math.inf or one.value in read]
    return any(explains(order) for order in permutations(history))


def explains(order: tuple[Operation, ...]) -> bool:
    current = None
    for place, one in enumerate(order):
        if any(later.ended < one.began for later in order[place + 1 :]):
            return False
        if one.is_write:
            current = one.value
        elif one.value != current:
            return False
    return True


@st.composite
def histories(draw: st.DrawFn) -> list[Operation]:
    """Operations with ends that all differ, as those of a clock do."""
    writes, reads = draw(st.integers(1, 3)), draw(st.integers(0, 3))
    moments = draw(st.permutations(range(2 * (writes + reads))))
    spans = [sorted(moments[2 * number : 2 * number + 2]) for number in range(writes + reads)]
    lost = draw(st.lists(st.booleans(), min_size=writes, max_size=writes))
    history = [
        Operation(str(number), True, span[0], math.inf if lost[number] else span[1])
        for number, span in enumerate(spans[:writes])
    ]
    values = st.integers(0, writes - 1).map(str)
    return history + [Operation(draw(values), False, *span) for span in spans[writes:]]


@given(histories())
def test_the_checker_agrees_with_trying_every_order(history: list[Operation]) -> None:
    assert (find_anomaly(history) is None) == by_trying(history)


def test_a_read_of_an_old_value_is_an_anomaly() -> None:
    history = [Operation("a", True, 0, 1), Operation("b", True, 2, 3), Operation("a", False, 4, 5)]
    assert find_anomaly(history) is not None
