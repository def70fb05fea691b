"""Copies SQLite's log into its file beside the commits, and keeps the log short.

By itself SQLite copies in the commit that finds 1,000 pages in the log: that commit takes ten times as long as others,
and all writers wait behind it. Here a thread copies on a connection of its own, while commits go on. But a log begins
again at its start only when all of it is copied, which the thread never achieves while others write. So the thread
copies a long log in rounds, each shorter than the one before. Then the writer copies the few pages that are left,
between two transactions. Should the thread not keep up, the writer waits for it and copies the rest.
"""

import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import apsw

#: Pages, of 4 KiB. The thread copies after each step, and a long log at once; the writer copies the longest.
STEP = 1_000
LONG = 8_000
LONGEST = 12_000
#: The thread's rounds before the writer copies what is left of a long log.
ROUNDS = 3


class SqliteLog:
    """`of_writer` belongs to the writer, and `connect` makes the thread's connection when it is needed."""

    def __init__(self, of_writer: apsw.Connection, connect: Callable[[], apsw.Connection]) -> None:
        self._of_writer, self._connect = of_writer, connect
        self._pages = self._copied = self._rounds = 0
        self._is_copying = False
        self._own: apsw.Connection | None = None
        self._one_at_a_time = threading.Lock()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="sqlite-log")
        of_writer.set_wal_hook(self._note)  # in place of the one that copies

    def keep_short(self) -> None:
        """The writer calls it after each commit."""
        if self._pages < self._copied:
            self._copied = self._rounds = 0  # the log began again
        if self._pages >= LONGEST or (self._rounds >= ROUNDS and not self._is_copying):
            with self._one_at_a_time:
                _copy(self._of_writer)
            self._rounds = 0
        elif not self._is_copying and (self._pages >= LONG or self._pages - self._copied >= STEP):
            self._is_copying = True
            self._thread.submit(self._copy_beside)

    def empty(self) -> None:
        """Copy all of the log into the file and truncate it, so that no old versions of rows stay in it.

        Best effort: the log is as durable as the file. If another process reads the log for longer than our wait for
        locks, it stays; it is emptied when the last process closes the file, or the first opens it.
        """
        with self._one_at_a_time:
            empty_log(self._of_writer)

    def close(self) -> None:
        """Wait for the thread. The writer's connection stays open."""
        self._thread.shutdown(cancel_futures=True)
        if self._own is not None:
            self._own.close()

    def _note(self, _: apsw.Connection, __: str, pages: int) -> int:
        self._pages = pages
        return apsw.SQLITE_OK

    def _copy_beside(self) -> None:
        try:
            with self._one_at_a_time:
                self._own = self._own or self._connect()
                is_long = self._pages >= LONG
                self._copied = _copy(self._own)
                self._rounds += is_long
        finally:
            self._is_copying = False


def empty_log(connection: apsw.Connection) -> None:
    with contextlib.suppress(apsw.Error):
        connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)


def _copy(connection: apsw.Connection) -> int:
    """The pages of the log that are copied by now; 0 if this fails, or if somebody else is copying."""
    with contextlib.suppress(apsw.Error):
        return connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)[1]
    return 0
