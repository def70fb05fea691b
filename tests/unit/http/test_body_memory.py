"""Memory for bodies: whoever gives up while memory becomes free is refused with 503, never with an error of ours."""

import asyncio

import pytest

from stowboard.http import body_memory
from stowboard.http.body_memory import COPIES, BodyMemory, BodyMemoryFull

LARGE = 1 << 20


@pytest.fixture
def memory() -> BodyMemory:
    return BodyMemory(COPIES * LARGE)


async def test_memory_that_becomes_free_in_the_turn_in_which_others_give_up_is_no_error(
    memory: BodyMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = await memory.take(LARGE)
    monkeypatch.setattr(body_memory, "WAIT_SECONDS", 0)
    waiting = [asyncio.create_task(memory.take(LARGE)) for _ in range(3)]
    await asyncio.sleep(0)  # all of them wait, and their time is over
    asyncio.get_running_loop().call_soon(memory.give_back, held)
    refused = await asyncio.gather(*waiting, return_exceptions=True)
    assert {type(each) for each in refused} <= {BodyMemoryFull, int}
    for weight in refused:
        if isinstance(weight, int):
            memory.give_back(weight)
    assert await memory.take(LARGE) == COPIES * LARGE, "nothing is counted that nobody has"


async def test_those_that_wait_get_in_by_the_order_of_arrival(memory: BodyMemory) -> None:
    held = await memory.take(LARGE)
    order: list[str] = []

    async def wait(name: str) -> None:
        weight = await memory.take(LARGE)
        order.append(name)
        memory.give_back(weight)

    waiting = [asyncio.create_task(wait(name)) for name in ("first", "second")]
    await asyncio.sleep(0)
    memory.give_back(held)
    await asyncio.gather(*waiting)
    assert order == ["first", "second"]
