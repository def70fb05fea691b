"""The tables of an installation, read from the database itself, so that a new table cannot be forgotten.

Each table comes after those that it refers to. Our SQL has three types of columns, the same in both databases; any
other type is refused, not guessed. A column that PostgreSQL numbers by itself is not moved.
"""

from collections.abc import Sequence
from graphlib import TopologicalSorter
from typing import Literal, Protocol, TypeAlias

import msgspec

from stowboard.db.database import Row
from stowboard.moving.refusal import MovingRefusal

Dialect: TypeAlias = Literal["sqlite", "postgres"]
#: Tables that belong to the database and are not moved: its schema, and the progress of an import into it.
NOT_MOVED = ("migration", "unfinished_import")
#: The names of search tables begin with this. They are not moved: search is indexed again.
REBUILT = "search_"
TYPES: dict[str, type] = {"text": str, "bigint": int, "bytea": bytes}


class MovedTable(msgspec.Struct, frozen=True):
    name: str
    #: The type of each column, in the table's order.
    columns: dict[str, str]
    #: The columns of the primary key.
    key: tuple[str, ...]


class ReadableDatabase(Protocol):
    """A database, or a snapshot of one, that runs SQL of this dialect."""

    dialect: Dialect

    async def all(self, sql: str) -> Sequence[Row]:
        """Every row; for short answers."""


async def read_tables(database: ReadableDatabase) -> list[MovedTable]:
    columns = await database.all(_COLUMNS[database.dialect])
    keys = await database.all(_KEYS[database.dialect])
    references = await database.all(_REFERENCES[database.dialect])
    parents = {
        name: sorted({parent for child, parent in references if child == name and parent != name})
        for name in sorted({row[0] for row in columns})
        if name not in NOT_MOVED and not name.startswith(REBUILT)
    }
    return [_table(name, columns, keys) for name in TopologicalSorter(parents).static_order()]


def _table(name: str, columns: Sequence[Row], keys: Sequence[Row]) -> MovedTable:
    types = {column: kind.lower() for table, column, kind in columns if table == name}
    for column, kind in types.items():
        if kind not in TYPES:
            raise MovingRefusal(f"the column {column} of the table {name} has the type {kind}, which we do not use.")
    key = tuple(column for table, column in keys if table == name)
    if not key:
        raise MovingRefusal(f"the table {name} has no primary key, so its rows have no order.")
    return MovedTable(name, types, key)


_IN_SCHEMA = "relnamespace = current_schema()::regnamespace"
_COLUMNS: dict[Dialect, str] = {
    "sqlite": """
        SELECT m.name, p.name, p.type FROM sqlite_schema m JOIN pragma_table_info(m.name) p
        WHERE m.type = 'table' AND m.name NOT GLOB 'sqlite_*' ORDER BY m.name, p.cid
    """,
    "postgres": f"""
        SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod)
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.{_IN_SCHEMA} AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped AND a.attidentity = ''
        ORDER BY c.relname, a.attnum
    """,
}
_KEYS: dict[Dialect, str] = {
    "sqlite": """
        SELECT m.name, p.name FROM sqlite_schema m JOIN pragma_table_info(m.name) p
        WHERE m.type = 'table' AND p.pk > 0 ORDER BY m.name, p.pk
    """,
    "postgres": f"""
        SELECT c.relname, a.attname
        FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
        CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k (attnum, place)
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
        WHERE i.indisprimary AND c.{_IN_SCHEMA} ORDER BY c.relname, k.place
    """,
}
_REFERENCES: dict[Dialect, str] = {
    "sqlite": """
        SELECT m.name, f."table" FROM sqlite_schema m JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table'
    """,
    "postgres": f"""
        SELECT c.relname, p.relname
        FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid JOIN pg_class p ON p.oid = f.confrelid
        WHERE f.contype = 'f' AND c.{_IN_SCHEMA}
    """,
}
