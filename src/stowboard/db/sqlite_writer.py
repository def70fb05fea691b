"""All writes to an SQLite file: one transaction after the other, each with the work of everybody who waits.

Short work runs on the event loop itself, for at most `TURN_SECONDS` at a time; a thread then commits, while those who
come meanwhile gather for the next turn and share its fsync. To hand the work itself to a thread would cost more than
the work, as both threads want the interpreter. Long work, short work that turns out to take time, and a file that
another process is writing to, are left to the thread as a whole. So the connection belongs to the loop or to the
thread, never to both: `_next` gives it away, and `_answer` has it back.

A work that raises is undone alone: if it had changed a row, the batch is undone, and the thread runs it again, in the
end with a savepoint for each. That is dear and seldom needed, and it means that a work may be run more than once.
Changes of the schema do not count as changed rows: migrations run alone, before anybody else writes. If the commit
fails, or SQLite gives up the transaction, all of the batch fail: an answer may rest on what a neighbour wrote.

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

from stowboard.core.errors import Problem
from stowboard.db.after_commit import AfterCommit
from stowboard.db.database import DatabaseUnavailable, WentOnAfterFailure
from stowboard.db.sqlite_tx import SqliteTx, TakesTime, drive, translated

#: So long may the loop be kept from its other work; who has not had a turn by then waits for the next.
TURN_SECONDS = 0.003
_log = logging.getLogger(__name__)


class _Job:
    __slots__ = ("after", "error", "future", "result", "short", "work")

    def __init__(self, work: Callable[[SqliteTx], Any], future: asyncio.Future[Any], short: bool) -> None:
        self.work, self.future, self.short = work, future, short
        self.after = AfterCommit()
        self.result: Any = None
        self.error: BaseException | None = None


_Batch = list[_Job]


class Writer:
    def __init__(
        self,
        connection: apsw.Connection,
        loop: asyncio.AbstractEventLoop,
        notify: Callable[[str], None],
        lock_wait: float,
    ) -> None:
        self._connection, self._loop, self._notify = connection, loop, notify
        self._lock_wait_ms = int(lock_wait * 1000)
        self._connection.set_busy_timeout(0)  # the loop never waits; the thread does
        self._waiting: deque[_Job] = deque()
        self._underway: _Batch = []
        self._busy = self._closed = False
        self._ended = loop.create_future()
        self._errands: SimpleQueue[tuple[Callable[[_Batch], None], _Batch] | None] = SimpleQueue()
        # A daemon, so that a program that forgot to close still ends; what was acknowledged is durable anyway.
        self._thread = threading.Thread(target=self._main, name="sqlite-writer", daemon=True)
        self._thread.start()

    def submit(self, work: Callable[[SqliteTx], Any], short: bool) -> asyncio.Future[Any]:
        """The future of the work's result, done when the result is durable."""
        if self._closed:
            raise DatabaseUnavailable
        job = _Job(work, self._loop.create_future(), short)
        self._waiting.append(job)
        if not self._busy:
            self._busy = True
            self._loop.call_soon(self._next)  # others of this round of the loop may come along
        return job.future

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
            elif self._waiting[0].short and self._begun():
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

    def _begun(self) -> bool:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        except apsw.Error:  # another process writes; or something worse, which the thread will meet again and tell of
            return False
        return True

    def _run_turn(self) -> None:
        batch = self._underway = []
        fine, end = True, time.monotonic() + TURN_SECONDS
        while fine and self._waiting and self._waiting[0].short and time.monotonic() < end:
            batch.append(self._waiting.popleft())
            fine = self._ran(batch[-1], hurried=True)
        if not fine:
            self._roll_back()
        self._errands.put((self._commit if fine else self._run_and_commit, batch))

    def _hand_over(self) -> None:
        batch = self._underway = []
        kind = self._waiting[0].short
        while self._waiting and self._waiting[0].short is kind:
            batch.append(self._waiting.popleft())
        self._errands.put((self._run_and_commit, batch))

    def _answer(self) -> None:
        batch, self._underway = self._underway, []
        for job in batch:
            if job.error is None:
                job.after.schedule(self._loop, self._notify)
            if job.future.done():
                continue  # its caller has stopped waiting
            if job.error is None:
                job.future.set_result(job.result)
            else:
                job.future.set_exception(job.error)
        # After what these futures call: a client that asks again at once is in the next turn already.
        self._loop.call_soon(self._next)

    def _main(self) -> None:
        try:
            while errand := self._errands.get():
                do, batch = errand
                do(batch)
                self._on_loop(self._answer)
        except BaseException:
            self._die()
        finally:
            self._on_loop(self._end)

    def _commit(self, batch: _Batch) -> None:
        try:
            self._connection.execute("COMMIT")
            self._scrub(batch)
        except apsw.Error as error:
            self._give_up(batch, error)

    def _run_and_commit(self, batch: _Batch) -> None:
        connection = self._connection
        connection.set_busy_timeout(self._lock_wait_ms)
        try:
            connection.execute("BEGIN IMMEDIATE")
            self._run_all(batch)
            if connection.in_transaction:
                connection.execute("COMMIT")
            self._scrub(batch)
        except (apsw.Error, Problem) as error:
            self._give_up(batch, error)
        finally:
            connection.set_busy_timeout(0)

    def _run_all(self, batch: _Batch) -> None:
        alone = len(batch) == 1
        failed = next((job for job in batch if not self._ran(job) or (alone and job.error)), None)
        if failed is None:
            return
        self._check_not_given_up(failed)
        self._connection.execute("ROLLBACK")
        if not alone:
            self._connection.execute("BEGIN IMMEDIATE")
            for job in batch:
                self._run_in_savepoint(job)

    def _ran(self, job: _Job, hurried: bool = False) -> bool:
        """False if it failed after it had written, or is to be run without hurry."""
        connection = self._connection
        changes = connection.total_changes()
        self._run(job, hurried)
        if job.error is None:
            return True
        unchanged = connection.in_transaction and connection.total_changes() == changes
        return unchanged and not isinstance(job.error, TakesTime)

    def _run_in_savepoint(self, job: _Job) -> None:
        self._connection.execute("SAVEPOINT work")
        self._run(job)
        if job.error is None:
            self._connection.execute("RELEASE work")
        else:
            self._check_not_given_up(job)
            self._connection.execute("ROLLBACK TO work; RELEASE work")

    def _run(self, job: _Job, hurried: bool = False) -> None:
        job.after, job.error = AfterCommit(), None
        tx = SqliteTx(self._connection, job.after, hurried)
        try:
            job.result = drive(job.work(tx))
            if tx.failed:
                raise WentOnAfterFailure
        except BaseException as error:  # it belongs to the caller, whatever it is
            job.error = error

    def _check_not_given_up(self, job: _Job) -> None:
        """SQLite may have rolled back everybody's work with this one's, as it does when the disk is full."""
        if not self._connection.in_transaction:
            raise job.error if isinstance(job.error, Problem) else DatabaseUnavailable()

    def _scrub(self, batch: _Batch) -> None:
        if any(job.after.scrub for job in batch):
            self._connection.set_busy_timeout(self._lock_wait_ms)
            empty_log(self._connection)
            self._connection.set_busy_timeout(0)

    def _give_up(self, batch: _Batch, error: apsw.Error | Problem) -> None:
        cause = translated(error, self._connection) if isinstance(error, apsw.Error) else error
        problem = cause if isinstance(cause, Problem) else DatabaseUnavailable()
        self._roll_back()
        for job in batch:
            job.error = type(problem)()
            job.error.__cause__ = problem

    def _roll_back(self) -> None:
        with contextlib.suppress(apsw.Error):  # then the next BEGIN fails, and says so to its own batch
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    def _die(self) -> None:
        _log.critical("What writes to the database has died; restart the service.", exc_info=True)
        self._roll_back()  # other processes may still be able to write

    def _on_loop(self, call: Callable[[], None]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(call)

    def _end(self) -> None:
        """Nobody writes any more. After an orderly close there is nobody left; after a death, all of these waited."""
        self._closed = True
        for job in (*self._underway, *self._waiting):
            if not job.future.done():
                job.future.set_exception(DatabaseUnavailable())
        self._underway, self._waiting = [], deque()
        self._ended.set_result(None)


def empty_log(connection: apsw.Connection) -> None:
    """Bring the log into the file and cut it off, with all that it still says of rows as they were.

    Best effort: the log is as durable as the file. Busy means that another process reads it for longer than our wait
    for locks; it is emptied when the last process closes the file, or the first opens it.
    """
    with contextlib.suppress(apsw.Error):
        connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
