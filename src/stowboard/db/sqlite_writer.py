"""The one thread that writes to an SQLite file, and commits what waits together with one fsync.

It takes all that is queued, runs each work inside one transaction, commits, and answers everybody through one call into
the event loop. A work that raises is undone alone: if it had changed a row, the batch is undone and run again with a
savepoint for each, which is dearer and seldom needed. So a work may be run twice. Changes of the schema do not count as
changed rows: migrations run before anybody else writes. If the commit fails, or SQLite gives up the transaction, all of
the batch fail: an answer may rest on what a neighbour wrote.

A work runs in the context (contextvars) of its caller, but in this thread. A caller who stops waiting changes nothing:
the work is done all the same. If the thread ever dies, all who wait and all who come later get DatabaseUnavailable.
"""

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable
from contextvars import copy_context
from queue import SimpleQueue
from typing import Any

import apsw

from stowboard.core.errors import Problem
from stowboard.db.after_commit import AfterCommit
from stowboard.db.database import DatabaseUnavailable, WentOnAfterFailure
from stowboard.db.sqlite_tx import SqliteTx, drive, translated

_log = logging.getLogger(__name__)


class _Job:
    __slots__ = ("after", "context", "error", "future", "result", "work")

    def __init__(self, work: Callable[[SqliteTx], Any], future: asyncio.Future[Any]) -> None:
        self.work, self.future, self.context = work, future, copy_context()
        self.after = AfterCommit()
        self.result: Any = None
        self.error: BaseException | None = None


class Writer:
    def __init__(
        self, connection: apsw.Connection, loop: asyncio.AbstractEventLoop, notify: Callable[[str], None]
    ) -> None:
        self._connection, self._loop, self._notify = connection, loop, notify
        self._queue: SimpleQueue[_Job | None] = SimpleQueue()
        self._unanswered: set[_Job] = set()  # of the loop alone, so that no death of the thread can lose one
        self._closed = False
        self._ended = loop.create_future()
        # A daemon, so that a program that forgot to close still ends; what was acknowledged is durable anyway.
        self._thread = threading.Thread(target=self._main, name="sqlite-writer", daemon=True)
        self._thread.start()

    def submit(self, work: Callable[[SqliteTx], Any]) -> asyncio.Future[Any]:
        """The future of the work's result, done when the result is durable."""
        if self._closed:
            raise DatabaseUnavailable
        job = _Job(work, self._loop.create_future())
        self._unanswered.add(job)
        self._queue.put(job)
        return job.future

    async def close(self) -> None:
        """Finish what was submitted. Returns when the thread no longer uses the connection."""
        if not self._closed:
            self._closed = True
            self._queue.put(None)
        await asyncio.shield(self._ended)

    def _main(self) -> None:
        try:
            while batch := self._take_batch():
                self._commit_together(batch)
                self._on_loop(self._answer, batch)
        except BaseException:
            _log.critical("The thread that writes to the database has died; restart the service.", exc_info=True)
            self._roll_back()  # other processes may still be able to write
        finally:
            self._on_loop(self._end)

    def _take_batch(self) -> list[_Job]:
        """All that wait, at least one; none after the last."""
        waiting = [self._queue.get()]
        # Nobody else takes from the queue, so at least this many are there.
        waiting += [self._queue.get_nowait() for _ in range(self._queue.qsize())]
        batch = [job for job in waiting if job is not None]
        if waiting[-1] is None and batch:
            self._queue.put(None)
        return batch

    def _commit_together(self, batch: list[_Job]) -> None:
        connection = self._connection
        try:
            connection.execute("BEGIN IMMEDIATE")
            if not self._run_together(batch):
                connection.execute("ROLLBACK")
                connection.execute("BEGIN IMMEDIATE")
                for job in batch:
                    self._run_in_savepoint(job)
            if connection.in_transaction:
                connection.execute("COMMIT")
            if any(job.after.scrub for job in batch):
                empty_log(connection)
        except (apsw.Error, Problem) as error:
            problem = translated(error, connection) if isinstance(error, apsw.Error) else error
            self._give_up(batch, problem if isinstance(problem, Problem) else DatabaseUnavailable())

    def _run_together(self, batch: list[_Job]) -> bool:
        """False if one failed after it had written, and is not alone."""
        connection = self._connection
        for job in batch:
            changes = connection.total_changes()
            self._run(job)
            if job.error is None:
                continue
            if len(batch) == 1:
                self._roll_back()
            elif not connection.in_transaction:
                # SQLite has rolled back everybody's work with this one's, as it does when the disk is full.
                raise job.error if isinstance(job.error, Problem) else DatabaseUnavailable()
            elif connection.total_changes() != changes:
                return False
        return True

    def _run_in_savepoint(self, job: _Job) -> None:
        self._connection.execute("SAVEPOINT work")
        self._run(job)
        if job.error is None:
            self._connection.execute("RELEASE work")
        elif self._connection.in_transaction:
            self._connection.execute("ROLLBACK TO work; RELEASE work")
        else:
            # SQLite has rolled back everybody's work with this one's, as it does when the disk is full.
            raise job.error if isinstance(job.error, Problem) else DatabaseUnavailable()

    def _run(self, job: _Job) -> None:
        job.after, job.error = AfterCommit(), None
        tx = SqliteTx(self._connection, job.after)
        try:
            job.result = job.context.run(_driven, job.work, tx)
        except BaseException as error:  # it belongs to the caller, whatever it is
            job.error = error

    def _give_up(self, batch: list[_Job], problem: Problem) -> None:
        self._roll_back()
        for job in batch:
            job.error = type(problem)()
            job.error.__cause__ = problem

    def _roll_back(self) -> None:
        with contextlib.suppress(apsw.Error):  # then the next BEGIN fails, and says so to its own batch
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    def _on_loop(self, call: Callable[..., None], *args: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(call, *args)

    def _answer(self, batch: list[_Job]) -> None:
        self._unanswered.difference_update(batch)
        for job in batch:
            if job.error is None:
                job.after.schedule(self._loop, self._notify)
            if job.future.done():
                continue  # its caller has stopped waiting
            if job.error is None:
                job.future.set_result(job.result)
            else:
                job.future.set_exception(job.error)

    def _end(self) -> None:
        """The thread is gone. After an orderly close there is nobody left; after a death, all of these waited."""
        self._closed = True
        for job in self._unanswered:
            if not job.future.done():
                job.future.set_exception(DatabaseUnavailable())
        self._unanswered.clear()
        self._ended.set_result(None)


def empty_log(connection: apsw.Connection) -> None:
    """Bring the log into the file and cut it off, with all that it still says of rows as they were.

    Best effort: the log is as durable as the file. Busy means that another process reads it for longer than our wait
    for locks; it is emptied when the last process closes the file, or the first opens it.
    """
    with contextlib.suppress(apsw.Error):
        connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)


def _driven(work: Callable[[SqliteTx], Any], tx: SqliteTx) -> Any:
    result = drive(work(tx))
    if tx.failed:
        raise WentOnAfterFailure
    return result
