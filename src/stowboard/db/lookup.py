"""A table that finds things by what they have, such as their tags. The things themselves tell its rows."""

from collections.abc import Iterable

from stowboard.db.database import Tx, Value


class LookupTable:
    def __init__(self, name: str, *columns: str) -> None:
        """All columns together are the key of a row."""
        numbers = [f"${number}" for number, _ in enumerate(columns, 1)]
        same = " AND ".join(f"{column} = {number}" for column, number in zip(columns, numbers, strict=True))
        self._delete = f"DELETE FROM {name} WHERE {same}"
        self._insert = f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({', '.join(numbers)})"

    async def change(self, tx: Tx, old: Iterable[tuple[Value, ...]], wanted: Iterable[tuple[Value, ...]]) -> None:
        """Replace the rows that things had by the rows that they have now. A row that is in both is not written."""
        had, has = set(old), set(wanted)
        # All writers write rows in the same order, so two of them never wait for each other.
        if gone := sorted(had - has):
            await tx.run_many(self._delete, gone)
        if new := sorted(has - had):
            await tx.run_many(self._insert, new)
