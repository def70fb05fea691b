"""Works that share one SQLite transaction: run them, undo those that fail, commit.

A work that raises is undone alone. If it has changed no row, there is nothing to undo. Otherwise the whole batch is
rolled back and run again, with a savepoint for each work. This is expensive but seldom needed, and runs a work more
than once. Changes of the schema do not count as changed rows: migrations run alone, before anybody else writes.

If the commit fails, or SQLite gives up the transaction, all works of the batch fail, since each may depend on what
another wrote.
"""

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

import apsw

from stowboard.core.errors import Problem
from stowboard.db.after_commit import AfterCommit
from stowboard.db.database import DatabaseUnavailable, WentOnAfterFailure
from stowboard.db.sqlite_log import SqliteLog
from stowboard.db.sqlite_tx import SqliteTx, TakesTime, drive, translated


class BatchWork:
    """One caller's transaction, and its outcome."""

    __slots__ = ("after", "error", "result", "run")

    def __init__(self, run: Callable[[SqliteTx], Any]) -> None:
        self.run = run
        #: What follows the commit. It is made again for each run.
        self.after: AfterCommit
        self.result: Any = None
        self.error: BaseException | None = None


class BatchConnection:
    """A connection that runs batches. It has no lock of its own: one thread at a time may use it."""

    def __init__(self, connection: apsw.Connection, log: SqliteLog, lock_wait: float) -> None:
        self._connection, self._log = connection, log
        self._lock_wait_ms = int(lock_wait * 1000)
        connection.set_busy_timeout(0)  # only `run_and_commit` and the steps after a commit wait for other processes

    def begin_at_once(self) -> bool:
        """Begin a transaction; False if another process writes, or on an error, which `run_and_commit` then reports."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        except apsw.Error:
            return False
        return True

    def run(self, work: BatchWork, hurried: bool = False) -> bool:
        """Run the work in the open transaction; False if the batch has to be undone.

        The reason is that the work failed after it had written, or took too long although it was `hurried`.
        """
        connection = self._connection
        changes = connection.total_changes()
        self._run(work, hurried)
        if work.error is None:
            return True
        unchanged = connection.in_transaction and connection.total_changes() == changes
        return unchanged and not isinstance(work.error, TakesTime)

    def commit(self, batch: Sequence[BatchWork]) -> None:
        """Commit the works that were run. This and the other methods set the `error` of works that fail."""
        try:
            self._connection.execute("COMMIT")
            self._tidy_log(batch)
        except apsw.Error as error:
            self._give_up(batch, error)

    def run_and_commit(self, batch: Sequence[BatchWork]) -> None:
        """Begin, run and commit, and wait for other processes' writes."""
        connection = self._connection
        connection.set_busy_timeout(self._lock_wait_ms)
        try:
            connection.execute("BEGIN IMMEDIATE")
            self._run_all(batch)
            if connection.in_transaction:
                connection.execute("COMMIT")
            self._tidy_log(batch)
        except (apsw.Error, Problem) as error:
            self._give_up(batch, error)
        finally:
            connection.set_busy_timeout(0)

    def roll_back(self) -> None:
        with contextlib.suppress(apsw.Error):  # then the next BEGIN fails, and its own batch gets the error
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    def _run_all(self, batch: Sequence[BatchWork]) -> None:
        failed = self._run_until_failure(batch)
        if failed is None:
            return
        self._check_not_given_up(failed)
        self._connection.execute("ROLLBACK")
        if len(batch) > 1:
            self._connection.execute("BEGIN IMMEDIATE")
            for work in batch:
                self._run_in_savepoint(work)

    def _run_until_failure(self, batch: Sequence[BatchWork]) -> BatchWork | None:
        """The work that failed and has to be undone. A work alone in its batch is always undone."""
        alone = len(batch) == 1
        for work in batch:
            fine = self.run(work)
            if not fine or (alone and work.error is not None):
                return work
        return None

    def _run_in_savepoint(self, work: BatchWork) -> None:
        self._connection.execute("SAVEPOINT work")
        self._run(work)
        if work.error is None:
            self._connection.execute("RELEASE work")
        else:
            self._check_not_given_up(work)
            self._connection.execute("ROLLBACK TO work; RELEASE work")

    def _run(self, work: BatchWork, hurried: bool = False) -> None:
        work.after, work.error = AfterCommit(), None
        tx = SqliteTx(self._connection, work.after, hurried)
        try:
            work.result = drive(work.run(tx))
            if tx.failed:
                raise WentOnAfterFailure
        except BaseException as error:  # any error goes to the work's caller
            work.error = error

    def _check_not_given_up(self, work: BatchWork) -> None:
        """Raises if SQLite has rolled back the whole batch, as it does when the disk is full."""
        if not self._connection.in_transaction:
            raise work.error if isinstance(work.error, Problem) else DatabaseUnavailable()

    def _tidy_log(self, batch: Sequence[BatchWork]) -> None:
        if any(work.after.scrub for work in batch):
            self._connection.set_busy_timeout(self._lock_wait_ms)
            self._log.empty()
            self._connection.set_busy_timeout(0)
        else:
            self._log.keep_short()

    def _give_up(self, batch: Sequence[BatchWork], error: apsw.Error | Problem) -> None:
        cause = translated(error, self._connection) if isinstance(error, apsw.Error) else error
        problem = cause if isinstance(cause, Problem) else DatabaseUnavailable()
        self.roll_back()
        for work in batch:
            work.error = type(problem)()
            work.error.__cause__ = problem
