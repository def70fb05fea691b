"""Turns and lanes: the owner served longest ago is next, and nobody has more than their share."""

import asyncio

from stowboard.core.turns import Lanes, Turns


def test_places_go_round_the_owners() -> None:
    turns = Turns(3)
    assert turns.plan(["a", "b", "c"], 4) == {"a": 2, "b": 1, "c": 1}
    for owner in ("b", "c"):
        turns.begin(owner)
    assert list(turns.plan(["c", "b", "a"], 2)) == ["a", "b"]
    turns.end("b")
    assert list(turns.plan(["c", "b"], 1)) == ["b"]


def test_nobody_has_more_than_their_share() -> None:
    turns = Turns(2)
    turns.begin("a")
    assert turns.plan(["a", "b"], 10) == {"b": 2, "a": 1}
    turns.begin("a")
    assert turns.plan(["a"], 10) == {}
    turns.end("a")
    assert turns.plan(["a"], 10) == {"a": 1}


async def test_a_newcomer_does_not_wait_for_all_that_another_has_ordered() -> None:
    lanes, order = Lanes(2, 1), list[str]()

    async def work(owner: str) -> None:
        await lanes.take(owner)
        order.append(owner)
        await asyncio.sleep(0)
        lanes.leave(owner)

    async with asyncio.TaskGroup() as group:
        for owner in ["busy"] * 50 + ["quiet"]:
            group.create_task(work(owner))
    assert order[:2] == ["busy", "quiet"]
    assert len(order) == 51


async def test_a_place_of_one_who_no_longer_waits_goes_to_the_next() -> None:
    lanes = Lanes(1, 1)
    await lanes.take("a")
    waiting = [asyncio.create_task(lanes.take(owner)) for owner in ("b", "c")]
    await asyncio.sleep(0)
    waiting[0].cancel()
    lanes.leave("a")
    await waiting[1]
    given = asyncio.create_task(lanes.take("d"))
    await asyncio.sleep(0)
    lanes.leave("c")  # the place is d's, who is cancelled before they know
    given.cancel()
    await asyncio.gather(given, return_exceptions=True)
    await asyncio.wait_for(lanes.take("e"), 60)
