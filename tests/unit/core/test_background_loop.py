"""A loop that every process repeats: it is woken, takes a turn, rests, and reports trouble once."""

import asyncio
import logging

import pytest

from stowboard.core.background_loop import BackgroundLoop
from stowboard.core.errors import ServiceUnavailable
from support.waiting import until

LONG = 3_600.0
log = logging.getLogger("stowboard.test")


async def test_a_turn_that_left_something_to_do_is_followed_by_the_next_and_then_only_by_a_wake_up() -> None:
    rests = [0.0, 0.0, LONG, LONG]
    loop = BackgroundLoop(log, "testing", lambda: _next(rests))
    loop.start()
    await until(lambda: rests == [LONG])
    loop.wake()
    await until(lambda: rests == [])
    await loop.stop()


async def test_wake_ups_that_come_together_are_one_turn() -> None:
    rests = [LONG] * 3
    loop = BackgroundLoop(log, "testing", lambda: _next(rests), gather_s=0.05)
    loop.start()
    await until(lambda: len(rests) == 2)
    for _ in range(5):
        loop.wake()
        await asyncio.sleep(0)
    await until(lambda: len(rests) == 1)
    await loop.finish()
    assert len(rests) == 1


@pytest.mark.parametrize(("error", "traced"), [(ServiceUnavailable(), False), (LookupError("gone"), True)])
async def test_trouble_is_reported_once_and_so_is_its_end(
    error: Exception, traced: bool, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    outcomes: list[Exception | float] = [error, error, error, LONG, LONG]

    async def turn() -> float:
        outcome = outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    loop = BackgroundLoop(log, "testing", turn, retry_s=0.001)
    loop.start()
    await until(lambda: len(outcomes) == 1)
    await loop.stop()
    begun, ended = caplog.records
    assert begun.message == f"testing fails, and is tried again: {error}"
    assert (begun.exc_info is not None) is traced
    assert ended.message == "testing works again"


async def test_to_finish_lets_a_turn_end_and_to_stop_does_not() -> None:
    for end, whole in ((BackgroundLoop.finish, True), (BackgroundLoop.stop, False)):
        began, may_end, ended = asyncio.Event(), asyncio.Event(), asyncio.Event()

        async def turn(
            began: asyncio.Event = began, may: asyncio.Event = may_end, ended: asyncio.Event = ended
        ) -> float:
            began.set()
            await may.wait()
            ended.set()
            return LONG

        loop = BackgroundLoop(log, "testing", turn)
        loop.start()
        await began.wait()
        ending = asyncio.create_task(end(loop))
        await asyncio.sleep(0)
        may_end.set()
        await ending
        assert ended.is_set() is whole


async def test_a_loop_that_was_never_started_ends_at_once() -> None:
    loop = BackgroundLoop(log, "testing", lambda: _next([]))
    await loop.finish()
    await loop.stop()


async def _next(rests: list[float]) -> float:
    return rests.pop(0)
