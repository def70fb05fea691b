"""A table that finds things by what they have, such as their tags. Its rows are known from the things themselves."""

from collections.abc import Iterable

from stowboard.db.database import Tx, Value


class LookupTable:
    def __init__(self, name: str, *columns: str) -> None:
        """A row has all of its columns as its key."""
        numbers = [f"${number}" for number, _ in enumerate(columns, 1)]
        same = " AND ".join(f"{column} = {number}" for column, number in zip(columns, numbers, strict=True))
        self._delete = f"DELETE FROM {name} WHERE {same}"
        self._insert = f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({', '.join(numbers)})"

    async def change(self, tx: Tx, old: Iterable[tuple[Value, ...]], wanted: Iterable[tuple[Value, ...]]) -> None:
        """Replace the rows that things had by those that they have now. What is in both is not written."""
        had, has = set(old), set(wanted)
        # In one order for all, so that two writers never wait for each other.
        if gone := sorted(had - has):
            await tx.run_many(self._delete, gone)
        if new := sorted(has - had):
            await tx.run_many(self._insert, new)
