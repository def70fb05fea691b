"""Installations that are moved: commands on them in this process, or in one of their own that can be killed."""

import gzip
import hashlib
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw

from stowboard.blobs.keys import BlobKey, new_key
from support.servers.command import CommandRun, run_here
from support.servers.forked import launch
from support.servers.stowboard import PROGRAM, Server
from support.waiting import wait_until


def at(folder: Path, settings: dict[str, str], token: str | None = None) -> Server:
    """An installation that is not running. With a token, an admin has that one."""
    return Server(folder, settings | ({"STOWBOARD_BOOTSTRAP_TOKEN": token} if token else {}), launch=launch)


def command(server: Server, *words: str) -> CommandRun:
    """Run it here, which is faster than a process."""
    settings = {name: text for name, text in server.environment.items() if name.startswith(("STOWBOARD_", "AWS_"))}
    return run_here([*words, "--data-dir", str(server.data_dir)], settings)


def done(server: Server, *words: str) -> str:
    """The output of a command that has to go well."""
    result = command(server, *words)
    assert result.exit_code == 0, result.output
    return result.output


def refusal(server: Server, *words: str) -> str:
    """The sentence of a command that has to fail."""
    result = command(server, *words)
    assert result.exit_code == 1, result.output
    said = result.stderr.strip()
    assert said.startswith("stowboard: "), said
    assert said.endswith("."), said
    assert "\n" not in said
    return said


def killed(server: Server, until: Callable[[], bool], *words: str) -> None:
    """Begin a command, and kill it as soon as that is so."""
    process = subprocess.Popen(
        [PROGRAM, *words, "--data-dir", str(server.data_dir)], env=server.environment, stdout=subprocess.DEVNULL
    )

    def happened() -> bool:
        assert process.poll() is None, "it ended before it could be killed"
        return until()

    try:
        wait_until(happened)
    finally:
        process.kill()
        process.wait()


def files_in(folder: Path) -> dict[str, int]:
    """Every whole blob below a folder, and which file it is."""
    found = (path for path in folder.glob("*/*/*") if not path.name.startswith("."))
    return {str(path.relative_to(folder)): path.stat().st_ino for path in found}


def tables_of(export: Path) -> dict[str, Any]:
    manifest = json.loads((export / "manifest.json").read_text())
    return {table["name"]: table for table in manifest["tables"]}


def rows_of(export: Path, table: str) -> list[list[Any]]:
    with gzip.open(rows_file(export, table), "rt") as lines:
        return [json.loads(line) for line in lines]


def rows_file(export: Path, table: str) -> Path:
    folder = json.loads((export / "manifest.json").read_text())["rows"]
    return export / str(folder) / f"{table}.jsonl.gz"


def fill(server: Server, *, tokens: int = 0, tasks: int = 0, files: int = 0, size: int = 2000) -> list[BlobKey]:
    """Rows and blobs as they are in an embedded installation, many and at once; the keys of the blobs."""
    connection = apsw.Connection(str(server.data_dir / "stowboard.db"))
    numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)"
    try:
        connection.execute("BEGIN")
        if tokens:
            connection.execute(f"INSERT INTO access_token ({_TOKEN_COLUMNS}) {numbers} {_TOKEN}", (tokens,)).fetchall()
        if tasks:
            connection.execute(f"INSERT INTO task ({_TASK_COLUMNS}) {numbers} {_TASK}", (tasks,)).fetchall()
        keys = [_put(server.data_dir / "blobs", connection, size) for _ in range(files)]
        connection.execute("COMMIT")
    finally:
        connection.close()
    return keys


def _put(blobs: Path, connection: apsw.Connection, size: int) -> BlobKey:
    key = new_key("asset")
    (blobs / key).parent.mkdir(parents=True, exist_ok=True)
    data = os.urandom(size)
    (blobs / key).write_bytes(data)
    sql = "INSERT INTO content (sha256, blob_key, size, created_at) VALUES (?, ?, ?, 1)"
    connection.execute(sql, (hashlib.sha256(data).hexdigest(), key, size))
    return key


_TOKEN_COLUMNS = (
    "id, digest, owner, scopes, spaces, namespace, kind, name, client_id, created_at, expires_at, revoked_at"
)
_TOKEN = """
SELECT hex(randomblob(9)), randomblob(32), 'o', 'admin', 'own spc_library', NULL, 'automation',
    hex(randomblob(90)), NULL, i, 1, NULL
FROM n
"""
_TASK_COLUMNS = (
    "id, owner, title, body, visibility, status, time_zone, completions, tags, archived, lane, rank, created_at,"
    " updated_at, version, doc"
)
_TASK = """
SELECT 'tsk_' || printf('%08d', i), 'o', 'Title ' || i, hex(randomblob(100)), 'standard', 'todo', 'UTC', 0, '[]', 0,
    'u:todo:o', printf('%08d', i), i, i, 1, randomblob(300)
FROM n
"""
