"""Waits for what must happen. Their end is far away: on a busy machine all takes longer, and is no less right."""

import asyncio
import time
from collections.abc import Awaitable, Callable

PATIENCE_SECONDS = 120.0


async def until(condition: Callable[[], Awaitable[bool]] | Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            holds = condition()
            if await holds if isinstance(holds, Awaitable) else holds:
                return
            await asyncio.sleep(0.01)


def wait_until(happened: Callable[[], bool]) -> None:
    """The same in tests without an event loop."""
    give_up = time.monotonic() + PATIENCE_SECONDS
    while not happened():
        assert time.monotonic() < give_up, "it did not happen"
        time.sleep(0.02)
