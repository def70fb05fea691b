"""Statements on one PostgreSQL connection.

asyncpg prepares each statement once for each connection, and takes arguments only of the column's own type: a flag is
an int, as True is refused for a BIGINT.
"""

import re
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any, ClassVar, Literal

from stowboard.db.after_commit import AfterCommit, TxEffects
from stowboard.db.database import DatabaseUnavailable, OutcomeUnknown, Row, Value, WentOnAfterFailure, Write
from stowboard.db.postgres_errors import DRIVER_ERRORS, translated
from stowboard.db.postgres_pool import Connection

_A_DAY = 86_400.0


class PostgresTx(TxEffects):
    __slots__ = ("_connection",)

    dialect: ClassVar[Literal["sqlite", "postgres"]] = "postgres"

    def __init__(self, connection: Connection, after: AfterCommit | None = None) -> None:
        self._connection = connection
        super().__init__(after)

    async def one(self, sql: str, *args: Value) -> Row | None:
        try:
            return await self._connection.fetchrow(sql, *args)
        except DRIVER_ERRORS as error:
            raise translated(error, self._connection.is_closed()) from error

    async def all(self, sql: str, *args: Value) -> Sequence[Row]:
        try:
            return await self._connection.fetch(sql, *args)
        except DRIVER_ERRORS as error:
            raise translated(error, self._connection.is_closed()) from error

    async def run(self, sql: str, *args: Value) -> int:
        try:
            status = await self._connection.execute(sql, *args)
        except DRIVER_ERRORS as error:
            raise translated(error, self._connection.is_closed()) from error
        count = status.rpartition(" ")[2]  # "UPDATE 3", "INSERT 0 1", but "BEGIN"
        return int(count) if count.isdecimal() else 0

    async def run_many(self, sql: str, rows: Sequence[Sequence[Value]]) -> None:
        try:
            await self._connection.executemany(sql, rows)
        except DRIVER_ERRORS as error:
            raise translated(error, self._connection.is_closed()) from error

    async def run_together(self, writes: Sequence[Write]) -> None:
        statements = tuple([(sql, len(args)) for sql, args in writes])
        await self.run(_chained(statements), *[value for _, args in writes for value in args])

    async def run_script(self, sql: str) -> None:
        try:
            # A script may have only comments for this dialect; asyncpg cannot read the status of that.
            await self._connection.execute(f"{sql}\n;SELECT 1", timeout=_A_DAY)
        except DRIVER_ERRORS as error:
            raise translated(error, self._connection.is_closed()) from error

    async def lock(self, name: str) -> None:
        await self.run("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", name)

    def takes_time(self) -> None:
        pass

    def goes_on_after(self, error: BaseException, /) -> bool:
        # If the database is away, or on cancellation, the whole connection is dropped; a ROLLBACK might hang again.
        return isinstance(error, Exception) and not isinstance(error, DatabaseUnavailable)

    def scrub(self) -> None:
        pass

    async def commit(self) -> None:
        """Raises OutcomeUnknown if the server does not say that the commit is safe.

        After that, or if the caller is cancelled, drop the connection at once: asyncpg is about to cancel the COMMIT at
        the server. One that is cancelled while it waits for a standby succeeds, and is lost in the next failover.
        """
        if self._connection.is_closed():
            raise DatabaseUnavailable
        try:
            status = await self._connection.execute("COMMIT")
        except DRIVER_ERRORS as error:
            problem = translated(error, self._connection.is_closed())
            raise (OutcomeUnknown() if isinstance(problem, DatabaseUnavailable) else problem) from error
        if self._connection.is_closed():  # by `drop_after_warned_commit`
            raise OutcomeUnknown
        if status != "COMMIT":  # the server answers "ROLLBACK" without an error after a statement that failed
            raise WentOnAfterFailure

    async def roll_back(self) -> None:
        """Leave the connection outside of any transaction, or closed."""
        try:
            if self._connection.is_in_transaction():
                await self._connection.execute("ROLLBACK")
        except DRIVER_ERRORS:
            self._connection.terminate()


def drop_after_warned_commit(connection: Connection, notice: Any) -> None:
    """Drop a connection whose COMMIT gave a warning: it did not wait for its standby to the end.

    This is the listener for the connection's notices.
    """
    if notice.query == "COMMIT":
        connection.terminate()


@lru_cache(1024)
def _chained(statements: tuple[tuple[str, int], ...]) -> str:
    """Joins several statements, each with its number of arguments, into one whose arguments are numbered through."""
    before, parts = 0, []
    for number, (sql, arguments) in enumerate(statements):
        parts.append(f"w{number} AS ({_PARAMETER.sub(partial(_renumbered, before), sql)})")
        before += arguments
    return f"WITH {', '.join(parts)} SELECT 1"


def _renumbered(before: int, parameter: re.Match[str]) -> str:
    return f"${int(parameter[1]) + before}"


_PARAMETER = re.compile(r"\$(\d+)")
