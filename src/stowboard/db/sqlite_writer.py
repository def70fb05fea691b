"""All writes to an SQLite file: one transaction after the other, each with the works of all waiting callers.

Short work runs on the event loop itself, for at most `TURN_SECONDS` at a time. Then a thread commits; works that arrive
meanwhile form the next turn and share its fsync. To run short work in the thread would cost more than the work, as both
threads need the interpreter. The thread runs and commits long work, short work that turns out to take time, and all
work while another process writes to the file. So the connection belongs to the loop or to the thread, never to both:
`_next` gives it to the thread, and `_answer` takes it back. `sqlite_batch` does the work on it.

If a caller stops waiting, its work is done all the same. If anything here dies, all callers, waiting and later ones,
get DatabaseUnavailable.
"""

import asyncio
import contextlib
import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

import apsw

from stowboard.db.database import DatabaseUnavailable
from stowboard.db.sqlite_batch import BatchConnection, BatchWork
from stowboard.db.sqlite_log import SqliteLog
from stowboard.db.sqlite_tx import SqliteTx

#: A turn blocks the event loop for at most this time. Works that did not fit wait for the next turn.
TURN_SECONDS = 0.003
_log = logging.getLogger(__name__)


class _Submitted(BatchWork):
    __slots__ = ("future", "short")

    def __init__(self, run: Callable[[SqliteTx], Any], future: asyncio.Future[Any], short: bool) -> None:
        super().__init__(run)
        self.future, self.short = future, short


_Batch = list[_Submitted]


class SqliteWriter:
    def __init__(
        self,
        connection: apsw.Connection,
        log: SqliteLog,
        loop: asyncio.AbstractEventLoop,
        notify: Callable[[str], None],
        lock_wait: float,
    ) -> None:
        self._connection = BatchConnection(connection, log, lock_wait)
        self._loop, self._notify = loop, notify
        self._waiting: deque[_Submitted] = deque()
        self._underway: _Batch = []
        self._busy = self._closed = False
        self._ended = loop.create_future()
        self._errands: SimpleQueue[tuple[Callable[[_Batch], None], _Batch] | None] = SimpleQueue()
        # A daemon, so that a program that forgot to close still ends; what was acknowledged is durable anyway.
        self._thread = threading.Thread(target=self._main, name="sqlite-writer", daemon=True)
        self._thread.start()

    def submit(self, run: Callable[[SqliteTx], Any], short: bool) -> asyncio.Future[Any]:
        """The future of the work's result, done when the result is durable."""
        if self._closed:
            raise DatabaseUnavailable
        work = _Submitted(run, self._loop.create_future(), short)
        self._waiting.append(work)
        if not self._busy:
            self._busy = True
            self._loop.call_soon(self._next)  # works of this round of the loop share the turn
        return work.future

    async def close(self) -> None:
        """Finish what was submitted. Returns when nobody uses the connection any more."""
        if not self._closed:
            self._closed = True
            if not self._busy:
                self._errands.put(None)
        await asyncio.shield(self._ended)

    def _next(self) -> None:
        """Begin with the waiting works of one kind, long or short."""
        try:
            if not self._waiting:
                self._busy = False
                if self._closed:
                    self._errands.put(None)
            elif self._waiting[0].short and self._connection.begin_at_once():
                self._run_turn()
            else:
                self._hand_over()
        except BaseException:
            self._die()
            self._errands.put(None)

    def _run_turn(self) -> None:
        """Run short works here, until the time is up or one has to be undone; the thread does the rest."""
        batch = self._underway = []
        fine, end = True, time.monotonic() + TURN_SECONDS
        while fine and self._waiting and self._waiting[0].short and time.monotonic() < end:
            batch.append(self._waiting.popleft())
            fine = self._connection.run(batch[-1], hurried=True)
        if fine:
            self._errands.put((self._connection.commit, batch))
        else:
            self._connection.roll_back()
            self._errands.put((self._connection.run_and_commit, batch))

    def _hand_over(self) -> None:
        batch = self._underway = []
        kind = self._waiting[0].short
        while self._waiting and self._waiting[0].short is kind:
            batch.append(self._waiting.popleft())
        self._errands.put((self._connection.run_and_commit, batch))

    def _answer(self) -> None:
        batch, self._underway = self._underway, []
        told: set[str] = set()  # each channel once for all works
        for work in batch:
            if work.error is None:
                work.after.schedule(self._loop, told.add, told.add)
            if work.future.done():
                continue  # its caller has stopped waiting
            if work.error is None:
                work.future.set_result(work.result)
            else:
                work.future.set_exception(work.error)
        for channel in told:
            self._notify(channel)
        # After the callbacks of these futures: a client that asks again at once is already in the next turn.
        self._loop.call_soon(self._next)

    def _main(self) -> None:
        """The thread: do each errand, then let the loop answer."""
        try:
            while errand := self._errands.get():
                do, batch = errand
                do(batch)
                self._on_loop(self._answer)
        except BaseException:
            self._die()
        finally:
            self._on_loop(self._end)

    def _die(self) -> None:
        _log.critical("What writes to the database has died; restart the service.", exc_info=True)
        self._connection.roll_back()  # other processes may still be able to write

    def _on_loop(self, call: Callable[[], None]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(call)

    def _end(self) -> None:
        """No more writes. After an orderly close no caller is left; after a failure, all waiting ones get the error."""
        self._closed = True
        for work in (*self._underway, *self._waiting):
            if not work.future.done():
                work.future.set_exception(DatabaseUnavailable())
        self._underway, self._waiting = [], deque()
        self._ended.set_result(None)
