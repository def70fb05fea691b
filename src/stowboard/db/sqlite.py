"""The embedded database: one SQLite file in write-ahead-log mode, for one host.

Reads run on the event loop itself, on a connection of their own: a look-up by key takes microseconds, less than
handing it to a thread would. Writes take turns on another (see `sqlite_writer`), and each fsync is shared among all
that wait. Several processes may use one file; they take turns to write.

`synchronous=FULL`: an acknowledged write survives a power cut, if the disk tells the truth about fsync. A slow read (a
scan, a large sort) blocks the whole event loop, so give every read an index. A read that may have to look at very much
calls `Tx.takes_time`, and is run again in a thread, one such read after the other.
"""

import asyncio
import contextlib
import os
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from pathlib import Path
from typing import Concatenate, Literal, ParamSpec, TypeVar, cast

import apsw

from stowboard.core import clock
from stowboard.core.folders import make_durable_folder
from stowboard.db.database import Tx
from stowboard.db.sqlite_log import SqliteLog, empty_log
from stowboard.db.sqlite_tx import SqliteTx, TakesTime, drive, translated
from stowboard.db.sqlite_writer import SqliteWriter

P = ParamSpec("P")
T = TypeVar("T")

#: Older versions can corrupt the file when the write-ahead log is reset.
OLDEST_LIBRARY = (3, 51, 3)
_POLL_SECONDS = 0.1
_STATEMENTS_CACHED = 512
_MIB = 1024 * 1024


class SqliteDatabase:
    dialect: Literal["sqlite", "postgres"] = "sqlite"

    def __init__(self, path: Path, lock_wait: float = 5.0) -> None:
        """Open the file, or make it. `lock_wait` is the time to wait for other processes' writes, in seconds."""
        refuse_old_library(apsw.sqlite_lib_version())
        _make_private(path)
        self._loop = asyncio.get_running_loop()
        self._write_connection = _connect(path, lock_wait, cache_mib=16)
        # SQLite overwrites removed rows with zeros: a body that must be forgotten does not stay in unused bytes.
        self._write_connection.execute("PRAGMA secure_delete = ON").fetchall()
        _empty_unused_log(self._write_connection)  # a crash may have left a log that was to be scrubbed
        self._path, self._lock_wait = path, lock_wait
        self._read_connection = _connect_to_read(path, lock_wait, cache_mib=64)
        self._slow_reads = ThreadPoolExecutor(1, thread_name_prefix="slow-reads")
        self._log = SqliteLog(self._write_connection, partial(_connect, path, lock_wait, cache_mib=1))
        self._writer = SqliteWriter(self._write_connection, self._log, self._loop, self.notify, lock_wait)
        self._listeners: dict[str, list[Callable[[], None]]] = {}
        self._poll: asyncio.TimerHandle | None = None
        self._seen_version = 0
        self._closed = False

    async def transact(self, work: Callable[Concatenate[Tx, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs) -> T:
        result: T = await self._writer.submit(lambda tx: work(tx, *args, **kwargs), short=False)
        return result

    async def transact_short(
        self, work: Callable[Concatenate[Tx, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        result: T = await self._writer.submit(lambda tx: work(tx, *args, **kwargs), short=True)
        return result

    async def read(self, work: Callable[Concatenate[Tx, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return drive(work(SqliteTx(self._read_connection, hurried=True), *args, **kwargs))
        except TakesTime:
            return await self._loop.run_in_executor(
                self._slow_reads, lambda: drive(work(SqliteTx(self._slow_connection), *args, **kwargs))
            )

    def notify(self, channel: str) -> None:
        # Other processes see the commit itself in their next poll.
        for wake in self._listeners.get(channel, ()):
            self._loop.call_soon(wake)

    def listen(self, channel: str, wake: Callable[[], None]) -> None:
        self._listeners.setdefault(channel, []).append(wake)
        if self._poll is None:
            self._seen_version = self._data_version()
            self._poll = self._loop.call_later(_POLL_SECONDS, self._look_for_commits)

    async def close(self) -> None:
        if self._poll is not None:
            self._poll.cancel()
        await self._writer.close()
        if self._closed:
            return
        self._closed = True
        await asyncio.to_thread(self._slow_reads.shutdown, cancel_futures=True)
        await asyncio.to_thread(self._log.close)
        if "_slow_connection" in self.__dict__:
            self._slow_connection.close()
        self._read_connection.close()
        _empty_unused_log(self._write_connection)
        self._write_connection.close()

    @cached_property
    def _slow_connection(self) -> apsw.Connection:
        return _connect_to_read(self._path, self._lock_wait, cache_mib=16)

    def _look_for_commits(self) -> None:
        # Commits of this process are seen as well: a needless wake-up at most ten times a second.
        with contextlib.suppress(apsw.Error):  # the next try may succeed; listeners poll anyway
            version = self._data_version()
            if version != self._seen_version:
                self._seen_version = version
                for channel in self._listeners:
                    self.notify(channel)
        self._poll = self._loop.call_later(_POLL_SECONDS, self._look_for_commits)

    def _data_version(self) -> int:
        return cast(int, self._read_connection.execute("PRAGMA data_version").get)


def refuse_old_library(version: str) -> None:
    if tuple(int(part) for part in version.split(".")) < OLDEST_LIBRARY:
        oldest = ".".join(str(part) for part in OLDEST_LIBRARY)
        raise RuntimeError(f"SQLite {version} can corrupt its file; {oldest} or later is needed: upgrade apsw.")


def _make_private(path: Path) -> None:
    make_durable_folder(path.parent)
    # SQLite gives its log and index files the mode of the main file.
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))


def _empty_unused_log(connection: apsw.Connection) -> None:
    """Does nothing while another process uses the file: that one empties the log later."""
    with contextlib.suppress(apsw.Error):
        connection.set_busy_timeout(0)
        empty_log(connection)


def _connect_to_read(path: Path, lock_wait: float, cache_mib: int) -> apsw.Connection:
    connection = _connect(path, lock_wait, cache_mib)
    connection.execute("PRAGMA query_only = ON")
    return connection


def _connect(path: Path, lock_wait: float, cache_mib: int) -> apsw.Connection:
    connection = apsw.Connection(os.fspath(path), statementcachesize=_STATEMENTS_CACHED)
    try:
        connection.set_busy_timeout(int(lock_wait * 1000))
        connection.create_scalar_function("now_ms", _now_ms, 0, deterministic=True)
        # Statements are planned without a look at their arguments. Otherwise SQLite plans one again for each argument
        # that it compares with the condition of a partial index: a list of tasks was planned at each request.
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        if connection.execute("PRAGMA journal_mode = WAL").get != "wal":
            raise RuntimeError(f"SQLite cannot keep a write-ahead log beside {path}; use a local disk.")
        connection.execute(f"""
            PRAGMA synchronous = FULL;
            PRAGMA foreign_keys = ON;
            PRAGMA trusted_schema = OFF;
            PRAGMA temp_store = MEMORY;
            PRAGMA cache_size = {-cache_mib * 1024};
            PRAGMA journal_size_limit = {64 * _MIB};
        """).fetchall()
    except apsw.Error as error:
        problem = translated(error, connection)
        connection.close()
        raise problem from error
    return connection


def _now_ms(*_: object) -> int:
    """SQLite calls a function "deterministic" if it is constant within a statement, and then calls it once for each."""
    return clock.now_ms()
