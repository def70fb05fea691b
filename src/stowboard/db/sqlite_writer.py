"""All writes to an SQLite file: one transaction after the other, each with the work of everybody who waits.

Short work runs on the event loop itself, for at most `TURN_SECONDS` at a time; a thread then commits, while those who
come meanwhile gather for the next turn and share its fsync. To hand the work itself to a thread would cost more than
the work, as both threads want the interpreter. Long work, short work that turns out to take time, and a file that
another process is writing to, are left to the thread as a whole. So the connection belongs to the loop or to the
thread, never to both: `_next` gives it away, and `_answer` has it back. What happens on it is in `sqlite_batch`.

A caller who stops waiting changes nothing: the work is done all the same. If anything here dies, all who wait and all
who come later get DatabaseUnavailable.
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
from stowboard.db.sqlite_tx import SqliteTx

#: The loop is kept from its other work for at most this time. Who has had no turn by then waits for the next.
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
        loop: asyncio.AbstractEventLoop,
        notify: Callable[[str], None],
        lock_wait: float,
    ) -> None:
        self._connection = BatchConnection(connection, lock_wait)
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
            self._loop.call_soon(self._next)  # others of this round of the loop may come along
        return work.future

    async def close(self) -> None:
        """Finish what was submitted. Returns when nobody uses the connection any more."""
        if not self._closed:
            self._closed = True
            if not self._busy:
                self._errands.put(None)
        await asyncio.shield(self._ended)

    def _next(self) -> None:
        """Begin with those who wait, as many of one kind as have come."""
        try:
            if not self._waiting:
                self._rest()
            elif self._waiting[0].short and self._connection.begin_at_once():
                self._run_turn()
            else:
                self._hand_over()
        except BaseException:
            self._die()
            self._errands.put(None)

    def _rest(self) -> None:
        self._busy = False
        if self._closed:
            self._errands.put(None)

    def _run_turn(self) -> None:
        """Run short work here, until the time is up or one of them is to be undone; the thread does the rest."""
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
        told: set[str] = set()  # once for all of them
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
        # After what these futures call: a client that asks again at once is in the next turn already.
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
        """Nobody writes any more. After an orderly close there is nobody left; after a death, all of these waited."""
        self._closed = True
        for work in (*self._underway, *self._waiting):
            if not work.future.done():
                work.future.set_exception(DatabaseUnavailable())
        self._underway, self._waiting = [], deque()
        self._ended.set_result(None)
