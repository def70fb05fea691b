"""Tasks that were written before their documents had members that they have now."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from stowboard.db.database import Tx
from stowboard.db.migrate import SHIPPED, migrate
from stowboard.db.open import DatabaseSettings, open_database
from stowboard.tasks.base import task_store
from stowboard.tasks.base.document import TaskView
from stowboard.tasks.base.task import TaskId
from support.servers.postgres import PostgresServer

TASK = "tsk_01hf7yat000000000000000000"
DOCUMENT = {
    "id": TASK, "title": 'Öl, "the } best"', "body": "a\nb", "status": "todo", "dueAt": None, "reminder": None,
    "recurrence": None, "timeZone": "UTC", "tags": ["x"], "placement": None, "archived": False,
    "visibility": "server-readable", "idempotencyKey": None, "hasBody": True, "createdAt": 1, "updatedAt": 1,
    "completedAt": None, "version": 1,
}  # fmt: skip


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
async def test_a_document_of_before_gets_the_members_of_now(
    dialect: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = f"sqlite:///{tmp_path}/old.db"
    if dialect == "postgres":
        postgres: PostgresServer = request.getfixturevalue("postgres")
        url = postgres.create_database()
    database = await open_database(DatabaseSettings(url))
    try:
        await migrate(database, _before(tmp_path))
        await database.transact(_insert)
        assert (await migrate(database))[0].name == "lists"
        document, *_ = await database.read(task_store.get_document, "ann", TaskId(TASK))
        assert msgspec.json.decode(document) == DOCUMENT | {"priority": 0, "attachments": [], "metadata": {}}
        task = await database.read(task_store.get_owned, "ann", TaskId(TASK))
        assert (task.priority, task.attachments, task.metadata) == (0, [], {})
        assert msgspec.json.decode(document, type=TaskView).metadata == {}
    finally:
        await database.close()


def _before(folder: Path) -> Path:
    """The migrations up to that time."""
    older = folder / "older"
    older.mkdir()
    shipped = sorted(file.name for file in SHIPPED.iterdir())
    for name in shipped[: next(number for number, name in enumerate(shipped) if name.endswith("_lists.sql"))]:
        (older / name).write_bytes((SHIPPED / name).read_bytes())
    return older


async def _insert(tx: Tx) -> None:
    columns: dict[str, Any] = {
        "id": TASK, "owner": "ann", "title": DOCUMENT["title"], "body": "a\nb", "visibility": "server-readable",
        "status": "todo", "time_zone": "UTC", "completions": 0, "tags": '["x"]', "archived": 0, "lane": "u:todo:ann",
        "rank": "a", "created_at": 1, "updated_at": 1, "version": 1, "doc": msgspec.json.encode(DOCUMENT),
        "search": "", "indexed_version": 1,
    }  # fmt: skip
    numbers = ", ".join(f"${number + 1}" for number in range(len(columns)))
    await tx.run(f"INSERT INTO task ({', '.join(columns)}) VALUES ({numbers})", *columns.values())
