"""LISTEN on a connection of its own, which comes back by itself.

After each new connection all listeners are woken once, since they may have missed something. A quiet connection is
tested now and then, since a broken one looks the same.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

from stowboard.db.postgres_errors import DRIVER_ERRORS
from stowboard.db.postgres_pool import Connection

_RECONNECT_SECONDS = 0.5
_SIGN_OF_LIFE_SECONDS = 15.0


class PostgresListener:
    def __init__(self, connect: Callable[[], Awaitable[Connection]]) -> None:
        self._connect = connect
        self._wakes: dict[str, list[Callable[[], None]]] = {}
        self._more = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def add(self, channel: str, wake: Callable[[], None]) -> None:
        self._wakes.setdefault(channel, []).append(wake)
        self._more.set()
        if self._task is None:
            self._task = asyncio.create_task(self._listen_for_ever())

    def wake(self, channel: str) -> None:
        """As if the channel had been notified."""
        for wake in self._wakes.get(channel, ()):
            wake()

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _listen_for_ever(self) -> None:
        while True:
            with contextlib.suppress(*DRIVER_ERRORS):
                connection = await self._connect()
                try:
                    await self._listen(connection)
                finally:
                    connection.terminate()
            await asyncio.sleep(_RECONNECT_SECONDS)

    async def _listen(self, connection: Connection) -> None:
        """Returns when the connection is lost."""
        connection.add_termination_listener(lambda _: self._more.set())
        heard: set[str] = set()
        while not connection.is_closed():
            self._more.clear()
            for channel in self._wakes.keys() - heard:
                await connection.add_listener(channel, self._notified)
                heard.add(channel)
                self.wake(channel)
            try:
                async with asyncio.timeout(_SIGN_OF_LIFE_SECONDS):
                    await self._more.wait()
            except TimeoutError:
                await connection.execute("SELECT 1")

    def _notified(self, _connection: Any, _pid: int, channel: str, _payload: Any) -> None:
        self.wake(channel)
