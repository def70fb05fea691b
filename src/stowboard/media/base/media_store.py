"""Reads and writes that assets and videos have in common. Each has a table, and one each for its tags and metadata."""

from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

import msgspec

from stowboard.core.errors import Problem
from stowboard.core.ids import is_id
from stowboard.core.metadata import changed_pairs
from stowboard.db.database import Tx
from stowboard.db.rows import Columns

M = TypeVar("M", bound=msgspec.Struct)


class MediaStore(Generic[M]):
    """`not_found` is raised for an id that no row has."""

    def __init__(self, table: str, id_prefix: str, columns: Columns[M], not_found: type[Problem]) -> None:
        self._table, self._prefix, self._columns, self._not_found = table, id_prefix, columns, not_found
        self._select = f"SELECT {columns.names} FROM {table}"

    async def find(self, tx: Tx, subject: str) -> M | None:
        return await self._one(tx, subject, "")

    async def get(self, tx: Tx, subject: str) -> M:
        return self._required(await self._one(tx, subject, ""))

    async def lock(self, tx: Tx, subject: str) -> M:
        """Locked against other writers until the transaction ends."""
        return self._required(await self._one(tx, subject, " FOR UPDATE"))

    async def find_many(self, tx: Tx, ids: Iterable[str]) -> list[M]:
        """Those that exist, in the order of ids."""
        return await self._many(tx, ids, "")

    async def find_and_lock_many(self, tx: Tx, ids: Iterable[str]) -> list[M]:
        """Those that exist, in the order of ids, locked against other writers."""
        return await self._many(tx, ids, " FOR UPDATE")

    async def find_and_lock_after(self, tx: Tx, after: str, limit: int) -> list[M]:
        """The next ones in the order of ids, locked against other writers."""
        sql = f"{self._select} WHERE id > $1 ORDER BY id LIMIT $2 FOR UPDATE"
        return self._columns.read_all(await tx.all(sql, after, limit))

    async def find_tagged(self, tx: Tx, tag: str, limit: int) -> list[str]:
        """Ids of at most `limit` that have the tag."""
        subject = f"{self._table}_id"
        sql = f"SELECT {subject} FROM {self._table}_tag WHERE tag = $1 ORDER BY {subject} LIMIT $2"
        return [found for (found,) in await tx.all(sql, tag, limit)]

    async def change_tags(self, tx: Tx, gone: Sequence[tuple[str, str]], new: Sequence[tuple[str, str]]) -> None:
        """Pairs of tag and id."""
        await self._change(tx, "tag", ("tag",), gone, new)

    async def change_metadata(self, tx: Tx, subject: str, old: dict[str, str], wanted: dict[str, str]) -> None:
        gone, new = ([(*pair, subject) for pair in pairs] for pairs in changed_pairs(old, wanted))
        await self._change(tx, "metadata", ("name", "value"), gone, new)

    async def _one(self, tx: Tx, subject: str, lock: str) -> M | None:
        row = await tx.one(f"{self._select} WHERE id = $1{lock}", subject) if is_id(self._prefix, subject) else None
        return self._columns.read(row) if row is not None else None

    def _required(self, found: M | None) -> M:
        if found is None:
            raise self._not_found
        return found

    async def _many(self, tx: Tx, ids: Iterable[str], lock: str) -> list[M]:
        known = sorted({subject for subject in ids if is_id(self._prefix, subject)})
        if not known:
            return []
        numbers = ", ".join(f"${n + 1}" for n in range(len(known)))
        return self._columns.read_all(await tx.all(f"{self._select} WHERE id IN ({numbers}) ORDER BY id{lock}", *known))

    async def _change(
        self,
        tx: Tx,
        name: str,
        columns: tuple[str, ...],
        gone: Sequence[tuple[str, ...]],
        new: Sequence[tuple[str, ...]],
    ) -> None:
        table, all_columns = f"{self._table}_{name}", (*columns, f"{self._table}_id")
        if gone:
            told = " AND ".join(f"{column} = ${number}" for number, column in enumerate(all_columns, 1))
            await tx.run_many(f"DELETE FROM {table} WHERE {told}", gone)
        if new:
            numbers = ", ".join(f"${number}" for number, _ in enumerate(all_columns, 1))
            await tx.run_many(f"INSERT INTO {table} ({', '.join(all_columns)}) VALUES ({numbers})", new)
