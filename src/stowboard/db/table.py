"""A table whose rows are structs: one statement for each thing that stores do with it.

A condition numbers its arguments `$1`, `$2` …, and may end in ORDER BY, LIMIT or FOR UPDATE.
"""

from collections.abc import Awaitable, Callable, Sequence

from stowboard.core import clock
from stowboard.core.cursor import Position
from stowboard.core.errors import NotFound
from stowboard.db.database import Tx, Value
from stowboard.db.rows import Columns, S, numbered
from stowboard.db.scan import IndexRange, RowPage, Scan, SqlArguments


class Table(Columns[S]):
    def __init__(self, name: str, struct: type[S], *in_json: str, in_words: Sequence[str] = ()) -> None:
        super().__init__(struct, *in_json, in_words=in_words)
        self.name = name
        self._select = f"SELECT {self.names} FROM {name} WHERE"

    async def insert(self, tx: Tx, item: S, **beside: Value) -> None:
        """`beside` are columns that are not fields of the struct. Raises UniqueViolation."""
        columns, values = [*self.fields, *beside], [*self.values(item), *beside.values()]
        await tx.run(f"INSERT INTO {self.name} ({', '.join(columns)}) VALUES ({numbered(len(values))})", *values)

    async def insert_many(self, tx: Tx, items: Sequence[S]) -> None:
        """Raises UniqueViolation."""
        sql = f"INSERT INTO {self.name} ({self.names}) VALUES ({self.parameters})"
        await tx.run_many(sql, [self.values(item) for item in items])

    async def find(self, tx: Tx, condition: str, *args: Value) -> S | None:
        row = await tx.one(f"{self._select} {condition}", *args)
        return self.read(row) if row else None

    async def get(self, tx: Tx, condition: str, *args: Value) -> S:
        """Raises NotFound."""
        found = await self.find(tx, condition, *args)
        if found is None:
            raise NotFound
        return found

    async def find_all(self, tx: Tx, condition: str, *args: Value) -> list[S]:
        return self.read_all(await tx.all(f"{self._select} {condition}", *args))

    async def page(
        self, tx: Tx, after: Position | None, size: int, *conditions: str, arguments: Sequence[Value] = ()
    ) -> RowPage[S]:
        """Rows for which all conditions hold, newest first."""
        scan = Scan(self.fields, self.read_all, (IndexRange(self.name, conditions),))
        return await scan.page(tx, SqlArguments(*arguments), after, size)


def forget_old(
    table: str, key: str = "id", column: str = "expires_at", kept_ms: int = 0
) -> Callable[[Tx, int], Awaitable[int]]:
    """For a sweep: a function that removes rows whose time was over `kept_ms` ago, a bounded number, oldest first."""
    oldest = f"SELECT {key} FROM {table} WHERE {column} < $1 ORDER BY {column} LIMIT $2"
    sql = f"DELETE FROM {table} WHERE ({key}) IN ({oldest})"

    async def forget(tx: Tx, limit: int) -> int:
        return await tx.run(sql, clock.now_ms() - kept_ms, limit)

    return forget
