"""Requests of one process take turns to have an upload in hand."""

import asyncio

import pytest

from stowboard.core.errors import ServiceUnavailable
from stowboard.media.base.errors import UploadLocked
from stowboard.media.uploads.tus import turns as turns_module
from stowboard.media.uploads.tus.turns import UploadTurn, UploadTurns


async def test_who_comes_later_asks_the_holder_to_stop_and_waits_for_it() -> None:
    turns, order = UploadTurns(), []

    async def newcomer() -> None:
        async with turns.take("a") as turn:
            assert turn.waited
            order.append("newcomer")

    async with turns.take("a") as first:
        assert not first.waited
        waiting = asyncio.create_task(newcomer())
        await asyncio.sleep(0.01)
        assert first.asked_to_stop
        order.append("first")
    await waiting
    assert order == ["first", "newcomer"]


async def test_of_two_that_wait_the_first_is_asked_to_stop_from_the_start() -> None:
    turns, asked = UploadTurns(), []

    async def newcomer() -> None:
        async with turns.take("a") as turn:
            asked.append(turn.asked_to_stop)
            await asyncio.sleep(0.01)

    async with turns.take("a"):
        waiting = [asyncio.create_task(newcomer()) for _ in range(2)]
        await asyncio.sleep(0.01)
    await asyncio.gather(*waiting)
    assert asked == [True, False]


async def test_uploads_do_not_wait_for_each_other() -> None:
    turns = UploadTurns()
    async with turns.take("a") as first, turns.take("b") as second:
        assert not first.asked_to_stop
        assert not second.waited


async def test_a_holder_that_does_not_stop_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns_module, "WAIT_SECONDS", 0.02)
    turns = UploadTurns()
    async with turns.take("a"):
        with pytest.raises(UploadLocked):
            await turns.take("a").__aenter__()
    async with turns.take("a") as turn:
        assert not turn.waited


async def test_too_many_at_once_are_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns_module, "MOST_AT_ONCE", 2)
    turns = UploadTurns()
    async with turns.take("a"), turns.take("b"):
        with pytest.raises(ServiceUnavailable) as raised:
            await turns.take("c").__aenter__()
        assert raised.value.headers == (("retry-after", "1"),)
    async with turns.take("c"):
        pass


async def test_a_stop_asks_all_and_waits_for_them() -> None:
    turns, told = UploadTurns(), []

    async def works() -> None:
        async with turns.take("a") as turn:
            stopped = asyncio.Event()
            turn.when_asked(lambda _pause: stopped.set())
            await stopped.wait()
            told.append(turn)

    working = asyncio.create_task(works())
    await asyncio.sleep(0.01)
    await turns.close()
    assert [type(turn) for turn in told] == [UploadTurn]
    await working
    with pytest.raises(ServiceUnavailable):
        await turns.take("b").__aenter__()
