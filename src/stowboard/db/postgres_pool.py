"""Connections to PostgreSQL, opened when they are needed and kept.

asyncpg has a pool as well. It cleans up after unknown users of a connection (a task and two timers for each use), which
doubles the cost of a look-up by key. Here are only two callers, and they give back clean connections.

A broken connection is not used again, and the next caller opens a new one. So the pool works again as soon as the
server does.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Protocol
from weakref import WeakSet

from stowboard.db.database import DatabaseUnavailable
from stowboard.db.postgres_errors import DRIVER_ERRORS, translated


class Connection(Protocol):
    """The part of asyncpg's connection that we use; asyncpg has no types of its own."""

    async def fetchrow(self, query: str, *args: Any) -> Sequence[Any] | None: ...
    async def fetch(self, query: str, *args: Any) -> list[Sequence[Any]]: ...
    async def execute(self, query: str, *args: Any, timeout: float | None = None) -> str: ...
    async def executemany(self, command: str, args: Iterable[Sequence[Any]]) -> None: ...
    async def add_listener(self, channel: str, callback: Callable[[Any, int, str, Any], None]) -> None: ...
    def add_log_listener(self, callback: Callable[[Any, Any], None]) -> None: ...
    def add_termination_listener(self, callback: Callable[[Any], None]) -> None: ...
    def is_in_transaction(self) -> bool: ...
    def is_closed(self) -> bool: ...
    def terminate(self) -> None: ...
    async def close(self, *, timeout: float | None = None) -> None: ...


class ConnectionPool:
    def __init__(self, connect: Callable[[], Awaitable[Connection]], size: int, wait: float) -> None:
        self._connect, self._size, self._wait = connect, size, wait
        self._free = asyncio.Semaphore(size)
        self._idle: list[Connection] = []  # the last one used is taken first: its caches are warm
        self._opened: WeakSet[Connection] = WeakSet()
        self._closed = False

    async def take(self) -> Connection:
        """A connection that belongs to the caller until it is given back."""
        await self._wait_for_turn()
        try:
            return self._warm() or await self._open()
        except BaseException:
            self._free.release()
            raise

    async def take_new(self) -> Connection:
        """A new connection, for when an idle one was dead and the others may be dead too."""
        await self._wait_for_turn()
        try:
            if self._idle:
                self._idle.pop(0).terminate()  # makes room for the new one
            return await self._open()
        except BaseException:
            self._free.release()
            raise

    def give_back(self, connection: Connection) -> None:
        """It must be idle and outside of a transaction, or terminated."""
        if not connection.is_closed():
            self._idle.append(connection)
        self._free.release()

    def drop_all(self) -> None:
        """Drop every connection, also those that are in use: their statements fail as if the server had gone."""
        for connection in tuple(self._opened):
            connection.terminate()

    async def close(self) -> None:
        """Wait for all that were taken, then close them."""
        self._closed = True
        for _ in range(self._size):
            await self._free.acquire()
        while self._idle:
            try:
                await self._idle.pop().close(timeout=self._wait)
            except DRIVER_ERRORS:
                continue  # it is closed, although not in order
        for _ in range(self._size):
            self._free.release()

    async def _wait_for_turn(self) -> None:
        if not self._free.locked():
            await self._free.acquire()  # at once, and without the price of a timer
            return
        try:
            async with asyncio.timeout(self._wait):
                await self._free.acquire()
        except TimeoutError as error:
            raise DatabaseUnavailable from error

    def _warm(self) -> Connection | None:
        while self._idle:
            connection = self._idle.pop()
            if not connection.is_closed():
                return connection
        return None

    async def _open(self) -> Connection:
        if self._closed:
            raise DatabaseUnavailable
        try:
            connection = await self._connect()
        except DRIVER_ERRORS as error:
            raise translated(error, closed=False) from error
        self._opened.add(connection)
        return connection
