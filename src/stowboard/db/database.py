"""The port to the database, the same for SQLite and PostgreSQL.

A transaction is one async function given to `transact`. It awaits nothing but statements of its own `Tx`, so that
SQLite can drive it to its end without suspending, and either can run it again: PostgreSQL after a deadlock, SQLite when
a neighbour in the same commit has failed. SQL is written once, with `$1` parameters, in the subset both speak:

- timestamps and flags are BIGINT, bytes are BYTEA, everything else is TEXT;
- `now_ms()` is the database's own clock in milliseconds, usable as an index bound;
- `FOR UPDATE` and `FOR UPDATE SKIP LOCKED` lock rows on PostgreSQL and mean nothing on SQLite, which has one writer.

For other differences, look at `dialect`.
"""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Concatenate, Literal, ParamSpec, Protocol, TypeAlias, TypeVar

from stowboard.core.caller import Author
from stowboard.core.errors import ServiceUnavailable

P = ParamSpec("P")
T = TypeVar("T")
Value: TypeAlias = str | int | float | bytes | None
#: A statement and its arguments.
Write: TypeAlias = tuple[str, Sequence[Value]]
#: Columns by position; unpack it.
Row: TypeAlias = Sequence[Any]


class UniqueViolation(Exception):
    """A row with these columns exists already."""

    def __init__(self, table: str, columns: tuple[str, ...]) -> None:
        self.table, self.columns = table, columns
        super().__init__(f"{table}({', '.join(columns)})")


class LockTimeout(ServiceUnavailable):
    """Another transaction holds a lock that this one needs, for longer than we wait."""

    message = "Another request has locked what this one needs. Nothing was changed; retry."


class DatabaseUnavailable(ServiceUnavailable):
    message = (
        "The database is away for the moment; retry. A write may have been done: repeat it with its Idempotency-Key."
    )


class OutcomeUnknown(DatabaseUnavailable):
    """The database was asked to commit, and did not say whether it has."""

    code = "outcome_unknown"
    message = (
        "The database was lost while it stored this: it may be done or not. Repeat the request with the same"
        " Idempotency-Key; if it had none, look first whether it is done."
    )
    advice = (
        "Send it again with the same Idempotency-Key: it is done once. Without a key, look first whether it is done."
    )

    def __init__(self) -> None:
        super().__init__()
        self.headers = ()  # no Retry-After: many programs would repeat a request that has no key


class WentOnAfterFailure(RuntimeError):
    """A mistake in our code: work went on after a failed statement. Nothing of this transaction is kept."""

    def __init__(self) -> None:
        super().__init__("A statement failed outside of a savepoint, and the work went on as if it had not.")


class Tx(Protocol):
    """Statements of one transaction. After one has failed, use only savepoints that enclosed it."""

    #: Who writes; None for the service itself.
    author: Author | None

    @property
    def dialect(self) -> Literal["sqlite", "postgres"]:
        """Which SQL the database speaks."""

    async def one(self, sql: str, *args: Value) -> Row | None:
        """The first row, or None."""

    async def all(self, sql: str, *args: Value) -> Sequence[Row]:
        """Every row."""

    async def run(self, sql: str, *args: Value) -> int:
        """Execute, and say how many rows were changed."""

    async def run_many(self, sql: str, rows: Sequence[Sequence[Value]]) -> None:
        """Execute once for each row of arguments."""

    async def run_together(self, writes: Sequence[Write]) -> None:
        """Execute writes that do not depend on each other, in one trip to the database.

        No two of them write to one table.
        """

    async def run_script(self, sql: str) -> None:
        """Execute a file of statements, however long it takes: for migrations."""

    async def lock(self, name: str) -> None:
        """Take a named lock until the transaction ends. On SQLite this does nothing, since nobody else writes."""

    def takes_time(self) -> None:
        """Called by work of `transact_short` or `read` that turns out to be long: it is run again, in a thread."""

    def savepoint(self) -> AbstractAsyncContextManager[None]:
        """Undo the statements inside if they raise, and go on with the transaction."""

    def after_commit(self, call: Callable[[], None]) -> None:
        """Call this on the event loop once the transaction is durable, and never if it is not."""

    def scrub(self) -> None:
        """Before `transact` returns, remove all traces of what this transaction overwrites or deletes from our files.

        SQLite's pages and log are cleaned. PostgreSQL keeps old versions of rows until its own vacuum removes them.
        """

    def notify(self, channel: str) -> None:
        """Call `Database.notify` once the transaction is durable, and only once for each channel."""

    def wake(self, channel: str) -> None:
        """Wake the listeners of this process alone. That costs nothing; other processes have to poll."""


class Database(Protocol):
    dialect: Literal["sqlite", "postgres"]

    async def transact(self, work: Callable[Concatenate[Tx, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run the work in one transaction; when this returns, what it did is durable."""

    async def transact_short(
        self, work: Callable[Concatenate[Tx, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """The same for a handful of statements that each find their rows by key.

        SQLite runs such work on the event loop, which is cheaper than handing it to a thread. Work that takes
        milliseconds would delay all requests there: see `Tx.takes_time`.
        """

    async def read(self, work: Callable[Concatenate[Tx, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run work that only reads. Each statement sees all that was committed before it."""

    def notify(self, channel: str) -> None:
        """Wake the listeners of the channel, in any process. A notification may be lost, so listeners also poll."""

    def listen(self, channel: str, wake: Callable[[], None]) -> None:
        """Call `wake` on the event loop after a `notify` from any process (on SQLite: after any commit)."""

    async def close(self) -> None:
        """Finish what was begun, then let go of every connection."""
