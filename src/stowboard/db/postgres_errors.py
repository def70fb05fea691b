"""Errors of PostgreSQL and asyncpg, translated into those of the port."""

import re
from typing import Final

from asyncpg import exceptions as pg

from stowboard.core.errors import InsufficientStorage
from stowboard.db.database import DatabaseUnavailable, LockTimeout, UniqueViolation, WentOnAfterFailure


class TransactionConflict(LockTimeout):
    """The server undid this transaction in favour of another; run again, it may succeed."""


#: Whatever a statement or a connection attempt may raise.
DRIVER_ERRORS: Final = (pg.PostgresError, pg.InterfaceError, pg.InternalClientError, OSError)

_CONFLICT = (
    pg.DeadlockDetectedError,
    pg.SerializationError,
    pg.InvalidCachedStatementError,  # another node has just migrated
)
_AWAY = (
    OSError,  # refused, reset, unreachable; TimeoutError is one too
    pg.PostgresConnectionError,
    pg.OperatorInterventionError,  # shut down, killed, starting up; also a statement over its time
    pg.InsufficientResourcesError,  # too many connections, out of memory
    pg.PostgresSystemError,
    pg.InternalServerError,
    pg.IdleInTransactionSessionTimeoutError,
    pg.ReadOnlySQLTransactionError,  # a primary that has become a standby
    pg.InternalClientError,
)
_COLUMNS = re.compile(r"\((.*?)\)=\(")


def translated(error: Exception, closed: bool) -> Exception:
    """The port's own error, or the given one if it shows a mistake in our code.

    `closed` is True if the connection is closed; on an open one, an InterfaceError is a mistake in our call.
    """
    if isinstance(error, pg.UniqueViolationError):
        # "Key (kind, dedup)=(a, b) already exists.", in the language of the server.
        columns = _COLUMNS.search(getattr(error, "detail", None) or "")
        table = getattr(error, "table_name", None) or ""
        return UniqueViolation(table, tuple(columns[1].split(", ")) if columns else ())
    if isinstance(error, _CONFLICT):
        return TransactionConflict()
    if isinstance(error, pg.LockNotAvailableError):
        return LockTimeout()
    if isinstance(error, pg.DiskFullError):
        return InsufficientStorage()
    if isinstance(error, pg.InFailedSQLTransactionError):
        return WentOnAfterFailure()
    if isinstance(error, _AWAY) or (closed and isinstance(error, pg.InterfaceError)):
        return DatabaseUnavailable()
    return error


def connection_was_lost(error: DatabaseUnavailable) -> bool:
    """True if the connection broke, and did not just answer late: another connection may do better."""
    return not isinstance(error.__cause__, (TimeoutError, pg.QueryCanceledError))
