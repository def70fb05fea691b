"""Reads and writes that assets and videos have in common. Each has a table, and one each for its tags and metadata.

Reads for a caller take its access: what is out of its reach is not found, and what is found is checked for the role.
Reads without one are for the service itself, which knows the id from a row of its own.

A caller may read what is in the trash, but not change it: only deletion and restoring lock it, with `trashed`.
"""

from collections.abc import Iterable
from typing import Generic, TypeVar

import msgspec

from stowboard.core.caller import Access
from stowboard.core.errors import InTrash, Problem
from stowboard.core.ids import is_id
from stowboard.core.reach import is_shared, reached
from stowboard.db.database import Row, Tx
from stowboard.db.lookup import LookupTable
from stowboard.db.rows import Columns

M = TypeVar("M", bound=msgspec.Struct)
_IN_REACH = reached(2, "space")


class MediaStore(Generic[M]):
    """`not_found` is raised for an id that no row in reach has."""

    def __init__(self, table: str, id_prefix: str, columns: Columns[M], not_found: type[Problem]) -> None:
        self._table, self._prefix, self._columns, self._not_found = table, id_prefix, columns, not_found
        self._select = f"SELECT {columns.names} FROM {table}"
        self.tags = LookupTable(f"{table}_tag", "space", "tag", f"{table}_id")
        self.metadata = LookupTable(f"{table}_metadata", "space", "name", "value", f"{table}_id")
        self._id, self._space, self._trashed = (columns.fields.index(name) for name in ("id", "space", "trashed_at"))

    async def get(self, tx: Tx, access: Access, subject: str) -> M:
        return await self._one(tx, access, subject, "", trashed=True)

    async def get_usable(self, tx: Tx, access: Access, subject: str) -> M:
        """Raises InTrash."""
        return await self._one(tx, access, subject, "", trashed=False)

    async def lock(self, tx: Tx, access: Access, subject: str, *, trashed: bool = False) -> M:
        """Locked against other writers until the transaction ends. Raises InTrash unless `trashed`."""
        return await self._one(tx, access, subject, " FOR UPDATE", trashed)

    async def get_usable_by(self, tx: Tx, access: Access, column: str, value: str) -> M:
        """The one that has this value in a unique column. Raises InTrash."""
        sql = f"{self._select} WHERE {column} = $1 AND {_IN_REACH}"
        return self._checked(access, await tx.one(sql, value, access.owners), trashed=False)

    async def find_many(self, tx: Tx, access: Access, ids: Iterable[str]) -> list[M]:
        """Those in reach, in the order of ids."""
        return await self._many(tx, access, ids, "", trashed=True)

    async def find_and_lock_many(self, tx: Tx, access: Access, ids: Iterable[str], *, trashed: bool = False) -> list[M]:
        """Those in reach, in the order of ids, locked against other writers. Raises InTrash unless `trashed`."""
        return await self._many(tx, access, ids, " FOR UPDATE", trashed)

    async def find(self, tx: Tx, subject: str) -> M | None:
        """For the service, like all methods below."""
        row = await tx.one(f"{self._select} WHERE id = $1", subject) if is_id(self._prefix, subject) else None
        return self._columns.read(row) if row is not None else None

    async def lock_known(self, tx: Tx, subject: str) -> M:
        for found in await self.find_and_lock_known(tx, [subject]):
            return found
        raise self._not_found

    async def find_and_lock_known(self, tx: Tx, ids: Iterable[str]) -> list[M]:
        """Those that exist, in the order of ids, locked against other writers."""
        return await self._many(tx, None, ids, " FOR UPDATE", trashed=True)

    async def find_delivered(self, tx: Tx, column: str, value: str) -> tuple[M, int] | None:
        """The one with this value, and the epoch of its space. No reach is checked: anybody may have a link to it.

        None if it or its space is in the trash, or its space was deleted.
        """
        row = await tx.one(
            f"SELECT {', '.join(f't.{name}' for name in self._columns.fields)},"
            " coalesce(s.epoch, (SELECT epoch FROM account WHERE username = t.space))"
            f" FROM {self._table} AS t"
            f" LEFT JOIN space AS s ON s.id = t.space WHERE t.{column} = $1"
            " AND t.trashed_at IS NULL AND s.trashed_at IS NULL",
            value,
        )
        if row is None or (row[-1] is None and is_shared(row[self._space])):
            return None
        return self._columns.read(row[:-1]), row[-1] or 0

    async def find_and_lock_after(self, tx: Tx, after: str, limit: int) -> list[M]:
        """The next ones in the order of ids, locked against other writers."""
        sql = f"{self._select} WHERE id > $1 ORDER BY id LIMIT $2 FOR UPDATE"
        return self._columns.read_all(await tx.all(sql, after, limit))

    async def find_some(self, tx: Tx, space: str, limit: int) -> list[str]:
        """At most `limit` ids of the space, and at most as many of its trash."""
        one = f"SELECT id FROM {self._table} WHERE space = $1 AND trashed_at IS {{}} LIMIT $2"
        rows = [*await tx.all(one.format("NULL"), space, limit), *await tx.all(one.format("NOT NULL"), space, limit)]
        return [found for (found,) in rows]

    async def find_purgeable(self, tx: Tx, before_ms: int, limit: int) -> list[tuple[str, str]]:
        """Id and space of those that were put into the trash before this time, the earliest first."""
        rows = await tx.all(
            f"SELECT id, space FROM {self._table} WHERE trashed_at IS NOT NULL AND trashed_at < $1"
            " ORDER BY trashed_at, id LIMIT $2",
            before_ms, limit,
        )  # fmt: skip
        return [(found, space) for found, space in rows]

    async def find_tagged(self, tx: Tx, space: str, tag: str, limit: int) -> list[str]:
        """At most `limit` ids of the space, of those that have the tag."""
        subject = f"{self._table}_id"
        sql = f"SELECT {subject} FROM {self._table}_tag WHERE space = $1 AND tag = $2 ORDER BY {subject} LIMIT $3"
        return [found for (found,) in await tx.all(sql, space, tag, limit)]

    async def _one(self, tx: Tx, access: Access, subject: str, lock: str, trashed: bool) -> M:
        if not is_id(self._prefix, subject):
            raise self._not_found
        sql = f"{self._select} WHERE id = $1 AND {_IN_REACH}{lock}"
        return self._checked(access, await tx.one(sql, subject, access.owners), trashed)

    def _checked(self, access: Access, row: Row | None, trashed: bool) -> M:
        if row is None:
            raise self._not_found
        access.check(row[self._space])
        self._check_trash([row], trashed)
        return self._columns.read(row)

    def _check_trash(self, rows: Iterable[Row], trashed: bool) -> None:
        for row in rows if not trashed else ():
            if row[self._trashed] is not None:
                raise InTrash(f"{row[self._id]} is in the trash. Restore it first.")

    async def _many(self, tx: Tx, access: Access | None, ids: Iterable[str], lock: str, trashed: bool) -> list[M]:
        known = sorted({subject for subject in ids if is_id(self._prefix, subject)})
        if not known:
            return []
        numbers = ", ".join(f"${n + 1}" for n in range(len(known)))
        in_reach = f" AND {reached(len(known) + 1, 'space')}" if access is not None else ""
        owners = [access.owners] if access is not None else []
        sql = f"{self._select} WHERE id IN ({numbers}){in_reach} ORDER BY id{lock}"
        rows = await tx.all(sql, *known, *owners)
        if access is not None:
            for space in {row[self._space] for row in rows}:
                access.check(space)
        self._check_trash(rows, trashed)
        return self._columns.read_all(rows)
