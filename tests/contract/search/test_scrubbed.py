"""A task that becomes zero-knowledge leaves the index, and none of its words is left in a file of SQLite's."""

import secrets
from pathlib import Path

import pytest

from stowboard.db.database import Database, Tx
from stowboard.search.index import store_of
from support.database.scratch_tables import query
from support.tasks.verbs import Person


@pytest.mark.parametrize("merged", [False, True])
async def test_no_word_is_left_of_what_becomes_private(database: Database, tmp_path: Path, merged: bool) -> None:
    ann = Person(database)
    # The end of each word: FTS5 shares beginnings among neighbours.
    ends = [secrets.token_hex(8) for _ in range(20)]
    for number in range(300):
        await ann.create(f"canary {number}", body=" ".join(f"canary{secrets.token_hex(8)}" for _ in range(5)))
    task = await ann.create("Diary", body=" ".join(f"canary{end}" for end in ends))
    if merged:
        while await database.transact(_merge):
            pass
    assert await database.read(query, f"SELECT 1 FROM search_document WHERE id = '{task.id}'") == [(1,)]
    await ann.edit(task.id, visibility="zero-knowledge")
    assert await database.read(query, f"SELECT 1 FROM search_document WHERE id = '{task.id}'") == []
    if database.dialect == "sqlite":
        content = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.is_file())
        assert [end for end in ends if end.encode() in content] == []


async def _merge(tx: Tx) -> bool:
    return await store_of(tx).merge(tx, 100)
