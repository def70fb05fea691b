"""Statements on one SQLite connection, and the translation of SQL and errors between SQLite and the port.

Nothing here suspends: a statement is done when its coroutine is first driven, and `drive` raises if work suspends. A
statement is run to its end or dropped, never left open, so that no read keeps the write-ahead log from being reset.
"""

import errno
import re
from collections.abc import Awaitable, Sequence
from functools import lru_cache
from typing import ClassVar, Literal, NoReturn, TypeVar

import apsw

from stowboard.core.errors import InsufficientStorage
from stowboard.db.after_commit import AfterCommit, TxEffects
from stowboard.db.database import (
    DatabaseUnavailable,
    LockTimeout,
    Row,
    UniqueViolation,
    Value,
    WentOnAfterFailure,
    Write,
)

T = TypeVar("T")

#: A file size limit counts as a full disk: the operator has to make room.
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_AWAY = (apsw.IOError, apsw.CorruptError, apsw.NotADBError, apsw.CantOpenError, apsw.ConnectionClosedError)
_UNIQUE = (apsw.SQLITE_CONSTRAINT_UNIQUE, apsw.SQLITE_CONSTRAINT_PRIMARYKEY, apsw.SQLITE_CONSTRAINT_ROWID)
_MOST_TRANSLATIONS = 4096


class TakesTime(BaseException):
    """Raised by work on the event loop that takes time, to be run again in a thread. No work of ours catches it."""


class SqliteTx(TxEffects):
    __slots__ = ("_connection", "_hurried", "failed")

    dialect: ClassVar[Literal["sqlite", "postgres"]] = "sqlite"

    def __init__(self, connection: apsw.Connection, after: AfterCommit | None = None, hurried: bool = False) -> None:
        self._connection = connection
        super().__init__(after)
        self._hurried = hurried
        #: PostgreSQL refuses statements after a failed one; so do we, so that both behave the same.
        self.failed = False

    async def one(self, sql: str, *args: Value) -> Row | None:
        if self.failed:
            raise WentOnAfterFailure
        try:
            return next(self._connection.execute(_TRANSLATED[sql], args), None)
        except apsw.Error as error:
            self._fail(error)

    async def all(self, sql: str, *args: Value) -> Sequence[Row]:
        if self.failed:
            raise WentOnAfterFailure
        try:
            return self._connection.execute(_TRANSLATED[sql], args).fetchall()
        except apsw.Error as error:
            self._fail(error)

    async def run(self, sql: str, *args: Value) -> int:
        if self.failed:
            raise WentOnAfterFailure
        try:
            self._connection.execute(_TRANSLATED[sql], args).fetchall()
        except apsw.Error as error:
            self._fail(error)
        return self._connection.changes()

    async def run_many(self, sql: str, rows: Sequence[Sequence[Value]]) -> None:
        if self.failed:
            raise WentOnAfterFailure
        try:
            self._connection.executemany(_TRANSLATED[sql], rows).fetchall()
        except apsw.Error as error:
            self._fail(error)

    async def run_together(self, writes: Sequence[Write]) -> None:
        # In a text with several statements, each takes as many of the arguments as it names.
        await self.run(_joined(tuple([sql for sql, _ in writes])), *[value for _, args in writes for value in args])

    async def run_script(self, sql: str) -> None:
        await self.run(sql)

    async def lock(self, name: str) -> None:
        pass

    def takes_time(self) -> None:
        if self._hurried:
            raise TakesTime

    def goes_on_after(self, _: BaseException) -> bool:
        # After a full disk SQLite itself has rolled back the whole transaction, so there is no savepoint left.
        self.failed = not self._connection.in_transaction
        return not self.failed

    def scrub(self) -> None:
        self._effects().scrub = True

    def _fail(self, error: apsw.Error) -> NoReturn:
        self.failed = True
        raise translated(error, self._connection) from error


def drive(awaitable: Awaitable[T]) -> T:
    """Run the work to its end, here and now."""
    steps = awaitable.__await__()
    try:
        steps.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    steps.close()
    raise RuntimeError("A transaction awaits nothing but its own statements; this one awaited something else.")


def translated(error: apsw.Error, connection: apsw.Connection) -> Exception:
    """The port's own error, or the given one if it shows a mistake in our code."""
    if isinstance(error, apsw.ConstraintError) and getattr(error, "extendedresult", None) in _UNIQUE:
        return _unique_violation(str(error))
    if isinstance(error, apsw.BusyError):
        return LockTimeout()
    if isinstance(error, apsw.FullError) or (isinstance(error, apsw.IOError) and connection.system_errno in _NO_ROOM):
        return InsufficientStorage()
    if isinstance(error, _AWAY):
        return DatabaseUnavailable()
    return error


def _unique_violation(message: str) -> UniqueViolation:
    # "UNIQUE constraint failed: job.kind, job.dedup". An index on an expression is named instead of its columns.
    names = message.partition("failed: ")[2].split(", ")
    table = names[0].partition(".")[0]
    return UniqueViolation(table, tuple(name.partition(".")[2] for name in names))


@lru_cache(1024)
def _joined(statements: tuple[str, ...]) -> str:
    return ";".join(statements)


class _Translations(dict[str, str]):
    """Our SQL and its translation for SQLite: one look-up for every statement."""

    def __missing__(self, sql: str) -> str:
        if len(self) >= _MOST_TRANSLATIONS:
            self.clear()  # statements built on the fly must not fill the memory
        self[sql] = _TO_TRANSLATE.sub(_translate_token, sql)
        return self[sql]


_TO_TRANSLATE = re.compile(
    r"""
    (?P<verbatim> '(?:[^']|'')*' | "[^"]*" | --[^\n]*)
    | \$(?P<parameter>\d+)
    | \bFOR\s+UPDATE(?:\s+SKIP\s+LOCKED)?\b
    """,
    re.VERBOSE | re.IGNORECASE,
)


def _translate_token(token: re.Match[str]) -> str:
    if verbatim := token["verbatim"]:
        return verbatim
    # "$2" would be bound by its place in the text; "?2" is bound by its number.
    return f"?{token['parameter']}" if token["parameter"] else ""


_TRANSLATED = _Translations()
