"""Waits for what must happen. Their end is far away: on a busy machine all takes longer, and is no less right."""

import asyncio
import time
from collections.abc import Awaitable, Callable

PATIENCE_SECONDS = 120.0


async def until(condition: Callable[[], Awaitable[bool]] | Callable[[], bool]) -> None:
    began = time.monotonic()
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            holds = condition()
            if await holds if isinstance(holds, Awaitable) else holds:
                return
            await asyncio.sleep(_pause(time.monotonic() - began))


def wait_until(happened: Callable[[], bool]) -> None:
    """The same in tests without an event loop."""
    began = time.monotonic()
    while not happened():
        waited = time.monotonic() - began
        assert waited < PATIENCE_SECONDS, "it did not happen"
        time.sleep(_pause(waited))


def _pause(waited: float) -> float:
    """Longer and longer: a look is often a request, and would take the processor from what is waited for."""
    return min(0.01 + waited / 8, 0.1)
