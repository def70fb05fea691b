"""Exports and imports that are killed: nobody serves what is not whole, and the same command goes on where it was."""

import asyncio
from pathlib import Path
from typing import Any

import apsw
import asyncpg
import pytest

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.open import open_blobs
from stowboard.moving.ledger import FILE as LEDGER
from support.processes.held_files import never_read, never_read_twice
from support.processes.peak_memory import peak_of
from support.rounds import rounds
from support.servers.command import sentence
from support.servers.moving import at, command, done, files_in, fill, killed, refusal, rows_file, tables_of
from support.servers.ports import free_port
from support.servers.stacks import Stack
from support.servers.stowboard import Server
from support.stored import blobs as stored_blobs
from support.stored.rows import rows

TOKENS, FILES = rounds(6_000, 12_000), 100
TASKS = 50_000
MOST_MEMORY_MIB = 120


@pytest.fixture
def source(tmp_path: Path) -> Server:
    """An embedded installation, not running."""
    place = at(tmp_path / "source", {})
    done(place, "upgrade")
    done(place, "token", "create", "--owner", "ann")
    return place


def test_what_was_killed_is_not_served_and_goes_on_where_it_was(source: Server, stack: Stack, tmp_path: Path) -> None:
    held_up, *_ = fill(source, tokens=TOKENS, files=FILES)
    exported, again = tmp_path / "exported", tmp_path / "again"
    export_with_a_kill(source, exported, held_up)
    target = at(tmp_path / "target", stack())
    with never_read_twice(rows_file(exported, "access_token")):
        killed(target, lambda: imported(target) > 0, "import", str(exported))
    assert 0 < imported(target) < TOKENS
    assert "was begun and is not finished" in sentence(target.command("serve", "--port", str(free_port())))
    assert "was begun and is not finished" in refusal(target, "token", "list")
    assert "was begun and is not finished" in refusal(target, "export", str(again))
    assert "was begun and is not finished" in command(target, "doctor").output
    with never_read(exported / "blobs" / held_up):
        killed(target, lambda: stored_blobs.count(target, "asset") > 3, "import", str(exported))
    before = asyncio.run(stored(target))
    done(target, "import", str(exported))
    after = asyncio.run(stored(target))
    assert len(after) == FILES > len(before) > 3
    assert before.items() <= after.items()
    export_with_a_kill(target, again, held_up)
    assert without_audit(tables_of(again)) == without_audit(tables_of(exported))


def export_with_a_kill(place: Server, folder: Path, held_up: BlobKey) -> None:
    """It goes on with what a run before it has begun, and comes to the end of that one's file never."""
    folder.mkdir()
    (folder / LEDGER).touch()
    with never_read(folder / "blobs" / held_up):
        killed(place, lambda: len(files_in(folder / "blobs")) > 10, "export", str(folder))
    before = files_in(folder / "blobs")
    assert not (folder / "manifest.json").exists()
    done(place, "export", str(folder))
    after = files_in(folder / "blobs")
    assert len(after) == FILES > len(before)
    assert before.items() <= after.items()


def imported(server: Server) -> int:
    """How many rows an import that is not finished has brought."""
    try:
        return int(rows(server, "SELECT sum(imported) FROM unfinished_import")[0][0])
    except (apsw.CantOpenError, apsw.SQLError, apsw.SchemaChangeError, asyncpg.UndefinedTableError):
        return 0


async def stored(server: Server) -> dict[str, int]:
    blobs = open_blobs(stored_blobs.settings_of(server))
    try:
        return {blob.key: blob.modified_ms async for blob in blobs.walk()}
    finally:
        await blobs.close()


@pytest.mark.soak
def test_fifty_thousand_tasks_take_no_more_memory_than_a_few(source: Server, tmp_path: Path) -> None:
    fill(source, tasks=TASKS)
    target = at(tmp_path / "target", {})
    for place, word in ((source, "export"), (target, "import")):
        words = (word, str(tmp_path / "export"), "--data-dir", str(place.data_dir))
        assert peak_of(place.environment, *words) < MOST_MEMORY_MIB
    assert rows(target, "SELECT count(*) FROM task") == [(TASKS,)]


def without_audit(tables: dict[str, Any]) -> dict[str, Any]:
    """An export is written down in the audit log, so the next one has a row more."""
    return {name: table for name, table in tables.items() if name != "audit"}
