"""Bounded waits for what happens in its own time."""

import asyncio
from collections.abc import Callable


async def eventually(happened: Callable[[], bool], within: float = 20.0) -> None:
    async with asyncio.timeout(within):
        while not happened():
            await asyncio.sleep(0.01)
