"""The end of an event loop that accepted connections."""

import asyncio

#: Of the loop, in which a connection that was just accepted gets the task that closes it.
_STEPS = 10


async def end_other_tasks() -> None:
    """Nobody listens any more; what was accepted until now is closed."""
    for _ in range(_STEPS):
        await asyncio.sleep(0)
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
