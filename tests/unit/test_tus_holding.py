"""Whose turn it is to have an upload in hand, in one process."""

import asyncio

import pytest

from stowboard.core.errors import ServiceUnavailable
from stowboard.media.base.errors import UploadLocked
from stowboard.media.uploads.tus import holding
from stowboard.media.uploads.tus.holding import Hold, Holds


async def test_who_comes_later_asks_the_holder_to_stop_and_waits_for_it() -> None:
    holds, order = Holds(), []

    async def newcomer() -> None:
        async with holds.take("a") as hold:
            assert hold.waited
            order.append("newcomer")

    async with holds.take("a") as first:
        assert not first.waited
        waiting = asyncio.create_task(newcomer())
        await asyncio.sleep(0.01)
        assert first.asked_to_stop
        order.append("first")
    await waiting
    assert order == ["first", "newcomer"]


async def test_of_two_that_wait_the_first_is_asked_to_stop_from_the_start() -> None:
    holds, asked = Holds(), []

    async def newcomer() -> None:
        async with holds.take("a") as hold:
            asked.append(hold.asked_to_stop)
            await asyncio.sleep(0.01)

    async with holds.take("a"):
        waiting = [asyncio.create_task(newcomer()) for _ in range(2)]
        await asyncio.sleep(0.01)
    await asyncio.gather(*waiting)
    assert asked == [True, False]


async def test_uploads_do_not_wait_for_each_other() -> None:
    holds = Holds()
    async with holds.take("a") as first, holds.take("b") as second:
        assert not first.asked_to_stop
        assert not second.waited


async def test_a_holder_that_does_not_stop_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(holding, "WAIT_SECONDS", 0.02)
    holds = Holds()
    async with holds.take("a"):
        with pytest.raises(UploadLocked):
            await holds.take("a").__aenter__()
    async with holds.take("a") as hold:
        assert not hold.waited


async def test_too_many_at_once_are_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(holding, "MOST_AT_ONCE", 2)
    holds = Holds()
    async with holds.take("a"), holds.take("b"):
        with pytest.raises(ServiceUnavailable) as raised:
            await holds.take("c").__aenter__()
        assert raised.value.headers == (("retry-after", "1"),)
    async with holds.take("c"):
        pass


async def test_a_stop_asks_all_and_waits_for_them() -> None:
    holds, told = Holds(), []

    async def works() -> None:
        async with holds.take("a") as hold:
            stopped = asyncio.Event()
            hold.when_asked(lambda _pause: stopped.set())
            await stopped.wait()
            told.append(hold)

    working = asyncio.create_task(works())
    await asyncio.sleep(0.01)
    await holds.close()
    assert [type(hold) for hold in told] == [Hold]
    await working
    with pytest.raises(ServiceUnavailable):
        await holds.take("b").__aenter__()
