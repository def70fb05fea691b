"""The database for several hosts: PostgreSQL, through asyncpg.

A transaction is READ COMMITTED on a pooled connection. One that the server undoes (deadlock, serialization failure) is
run again, so work must have no effect but its statements. A wait for a lock ends after two seconds.

If a connection died while it was idle, the next read or BEGIN on it fails, and is tried once more on a new one. If a
connection is lost during COMMIT, nobody knows whether the commit happened: OutcomeUnknown. To ask the next primary for
the state of the transaction would not help: after a failover its number may belong to another transaction. If a caller
is cancelled, its connection is dropped, and the server rolls back.

Notifications are sent after the commit and together: inside of the transaction they halve the commits per second, as
NOTIFY takes a lock over the whole server.
"""

import asyncio
import contextlib
import random
from collections.abc import Awaitable, Callable
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar

from stowboard.core.errors import Problem
from stowboard.db.after_commit import AfterCommit
from stowboard.db.database import DatabaseUnavailable, LockTimeout, Tx
from stowboard.db.postgres_connect import PostgresServers
from stowboard.db.postgres_errors import DRIVER_ERRORS, TransactionConflict, connection_was_lost
from stowboard.db.postgres_pool import Connection, ConnectionPool
from stowboard.db.postgres_tx import PostgresTx, drop_after_warned_commit

_RECONNECT_SECONDS = 0.5
_SIGN_OF_LIFE_SECONDS = 15.0
P = ParamSpec("P")
T = TypeVar("T")

_ATTEMPTS = 3
#: Seconds to open a connection, and to wait for one of the pool.
_CONNECT_SECONDS = 5.0
_STATEMENTS_CACHED = 512
#: As PostgreSQL shows it.
LOCK_TIMEOUT = "2s"
#: After these errors the connection is in an unknown state.
_BROKEN = (DatabaseUnavailable, asyncio.CancelledError)


class PostgresListener:
    """LISTEN on a connection of its own, which comes back by itself.

    After each new connection all listeners are woken once, since they may have missed something. A quiet connection is
    tested now and then, since a broken one looks the same.
    """

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


class PostgresDatabase:
    dialect: Literal["sqlite", "postgres"] = "postgres"

    def __init__(self, url: str, pool_size: int = 10, statement_timeout: float = 10.0, grace: float = 5.0) -> None:
        """Opens nothing yet: the first statement does.

        The server ends a statement after `statement_timeout` seconds. If it does not answer for `grace` more, we give
        the statement up.
        """
        self._statement_timeout, self._grace = statement_timeout, grace
        self._loop = asyncio.get_running_loop()
        self._pool = ConnectionPool(self._connect, pool_size, _CONNECT_SECONDS)
        self._servers = PostgresServers(url, _CONNECT_SECONDS, moved=self._pool.drop_all)
        self._listener = PostgresListener(self._connect)
        self._unsent: set[str] = set()
        self._sender: asyncio.Task[None] | None = None

    async def transact(self, work: Callable[Concatenate[Tx, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs) -> T:
        for attempt in range(_ATTEMPTS):
            try:
                return await self._attempt(work, *args, **kwargs)
            except TransactionConflict:
                # A random pause: two transactions that retry at the same time would meet again.
                await asyncio.sleep(random.uniform(0, 0.02 * (attempt + 1)))  # noqa: S311
        raise LockTimeout

    #: No transaction runs on the event loop here.
    transact_short = transact

    async def read(self, work: Callable[Concatenate[Tx, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await self._read_on(await self._pool.take(), work, *args, **kwargs)
        except DatabaseUnavailable as error:
            if not connection_was_lost(error):
                raise
        return await self._read_on(await self._pool.take_new(), work, *args, **kwargs)

    def notify(self, channel: str) -> None:
        self._unsent.add(channel)
        if self._sender is None or self._sender.done():
            self._sender = self._loop.create_task(self._send())

    def listen(self, channel: str, wake: Callable[[], None]) -> None:
        self._listener.add(channel, wake)

    async def close(self) -> None:
        await self._listener.close()
        if self._sender is not None:
            await self._sender
        await self._pool.close()

    async def _attempt(self, work: Callable[Concatenate[Tx, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs) -> T:
        connection = await self._begin()
        after = AfterCommit()
        tx = PostgresTx(connection, after)
        try:
            result = await work(tx, *args, **kwargs)
            await tx.commit()
        except _BROKEN:
            connection.terminate()
            raise
        except Exception:
            await tx.roll_back()
            raise
        finally:
            self._pool.give_back(connection)
        if after.schedule(self._loop, self.notify, self._listener.wake):
            await asyncio.sleep(0)  # the calls have been made when the caller goes on
        return result

    async def _begin(self) -> Connection:
        """A connection inside of a new transaction."""
        try:
            return await self._begin_on(await self._pool.take())
        except DatabaseUnavailable as error:
            if not connection_was_lost(error):
                raise
        return await self._begin_on(await self._pool.take_new())

    async def _begin_on(self, connection: Connection) -> Connection:
        try:
            await PostgresTx(connection).run("BEGIN")
        except BaseException:
            connection.terminate()
            self._pool.give_back(connection)
            raise
        return connection

    async def _read_on(
        self,
        connection: Connection,
        work: Callable[Concatenate[Tx, P], Awaitable[T]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        try:
            return await work(PostgresTx(connection), *args, **kwargs)
        except _BROKEN:
            connection.terminate()
            raise
        finally:
            self._pool.give_back(connection)

    async def _send(self) -> None:
        while self._unsent:
            channels, self._unsent = self._unsent, set()
            try:
                await self.read(_notify, channels)
            except Problem:
                continue  # the notification is lost; listeners poll as well

    async def _connect(self) -> Connection:
        settings = {
            "lock_timeout": LOCK_TIMEOUT,
            "statement_timeout": str(int(self._statement_timeout * 1000)),
            "idle_in_transaction_session_timeout": "30s",
            "jit": "off",
        }
        connection = await self._servers.connect(
            settings, command_timeout=self._statement_timeout + self._grace, statement_cache_size=_STATEMENTS_CACHED
        )
        connection.add_log_listener(drop_after_warned_commit)
        return connection


async def _notify(tx: Tx, channels: set[str]) -> None:
    for channel in channels:
        await tx.one("SELECT pg_notify($1, '')", channel)
