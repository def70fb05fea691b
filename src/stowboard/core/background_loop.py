"""Work that a process repeats for as long as it runs: wait, take a turn, rest, and report trouble once.

A turn returns the seconds for which there is nothing more to do. The loop rests for that time, or until it is woken. A
turn that raises is repeated after `retry_s`. The log has the first failure and the recovery, not each failure in
between.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

from stowboard.core.errors import Problem


class BackgroundLoop:
    def __init__(
        self,
        log: logging.Logger,
        what: str,
        turn: Callable[[], Awaitable[float]],
        *,
        retry_s: float = 1.0,
        gather_s: float = 0.0,
        spacing_s: float = 0.0,
        first_s: float = 0.0,
    ) -> None:
        """`what` says in the log what the loop does, as in "placing events".

        A woken loop waits `gather_s` for more wake-ups, so that one turn serves them all. After a turn that left
        nothing to do, the next one comes at least `spacing_s` later. The first turn comes after `first_s`.
        """
        self._log, self._what, self._turn = log, what, turn
        self._retry_s, self._gather_s, self._spacing_s, self._first_s = retry_s, gather_s, spacing_s, first_s
        self._woken = asyncio.Event()
        self._in_trouble = self._ending = False
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin, on the running event loop."""
        self._task = asyncio.create_task(self._repeat())

    def wake(self) -> None:
        """There is something to do: take the next turn now."""
        self._woken.set()

    async def stop(self) -> None:
        """End at once, even in the middle of a turn."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def finish(self) -> None:
        """End after the present turn."""
        self._ending = True
        self.wake()
        if self._task is not None:
            await self._task

    async def _repeat(self) -> None:
        if self._first_s:
            await asyncio.sleep(self._first_s)
        while not self._ending:
            self._woken.clear()
            rest_s = await self._turn_or_trouble()
            if rest_s > 0:
                await self._rest(rest_s)

    async def _turn_or_trouble(self) -> float:
        try:
            rest_s = await self._turn()
        except Exception as error:
            if not self._in_trouble:
                # A problem is a known state, such as a database that is away; anything else needs its traceback.
                details = None if isinstance(error, Problem) else error
                self._log.warning("%s fails, and is tried again: %s", self._what, error, exc_info=details)
            self._in_trouble = True
            return self._retry_s
        if self._in_trouble:
            self._log.info("%s works again", self._what)
        self._in_trouble = False
        return rest_s

    async def _rest(self, seconds: float) -> None:
        earliest = time.monotonic() + self._spacing_s
        try:
            async with asyncio.timeout(seconds):
                await self._woken.wait()
        except TimeoutError:
            return
        pause_s = max(self._gather_s, earliest - time.monotonic())
        if pause_s > 0 and not self._ending:
            await asyncio.sleep(pause_s)
