"""The list of columns that name blobs is the schema's: a forgotten one would lose users' bytes to the sweep."""

from collections.abc import Sequence

from stowboard.blobs.named import BLOB_COLUMNS
from stowboard.db.database import Database, Row, Tx
from stowboard.moving.catalogue import MovedTable, read_tables

#: Texts whose names could be those of blobs' keys, and why the sweep does not ask for them.
NO_BLOBS = {
    ("derived", "blob_sha256"): "what the blob is",
    ("video", "blob_sha256"): "what the blob is",
    ("video_rendition", "blob_sha256"): "what the blob is",
    ("asset", "blob_key"): "the key of its content, whose row names it",
    ("task", "idempotency_key"): "a word of the client's",
    ("task_key_grave", "key"): "the idempotency_key of a task that is gone",
    ("vault_key", "key_id"): "what a client calls a key that seals texts",
}
_WORDS = {"blob", "key"}


class Schema:
    def __init__(self, database: Database) -> None:
        self.dialect, self._database = database.dialect, database

    async def all(self, sql: str) -> Sequence[Row]:
        return await self._database.read(_all, sql)


async def _all(tx: Tx, sql: str) -> Sequence[Row]:
    return await tx.all(sql)


def could_name_a_blob(column: str, kind: str) -> bool:
    return kind == "text" and not _WORDS.isdisjoint(column.split("_"))


def suspects(tables: list[MovedTable]) -> set[tuple[str, str]]:
    return {
        (table.name, column)
        for table in tables
        for column, kind in table.columns.items()
        if could_name_a_blob(column, kind)
    }


async def test_every_column_that_could_name_a_blob_is_listed_or_explained(database: Database) -> None:
    listed = {(each.table, each.column) for each in BLOB_COLUMNS}
    assert suspects(await read_tables(Schema(database))) == listed | NO_BLOBS.keys()
    assert len(listed) == len(BLOB_COLUMNS)
    assert listed.isdisjoint(NO_BLOBS)


async def test_a_column_that_a_migration_adds_is_noticed(database: Database) -> None:
    before = suspects(await read_tables(Schema(database)))
    await database.transact(_add_a_column)
    assert suspects(await read_tables(Schema(database))) - before == {("board", "cover_key")}


async def _add_a_column(tx: Tx) -> None:
    await tx.run("ALTER TABLE board ADD COLUMN cover_key TEXT")
