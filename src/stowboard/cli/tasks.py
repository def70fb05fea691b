"""`stowboard tasks import`: tasks from a file of JSON lines. The whole file is checked before anything is stored."""

import hashlib
from pathlib import Path
from typing import BinaryIO

import typer
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from stowboard.cli.on_database import fail, on_database, require_installation
from stowboard.core.caller import NO_TOKEN, Caller, TokenKind
from stowboard.core.errors import ValidationFailed
from stowboard.db.database import Database
from stowboard.settings import Settings
from stowboard.tasks.bulk import import_tasks, read_tasks
from stowboard.tasks.index import index_store
from stowboard.tasks.index.index_store import IndexStatus


def import_file(settings: Settings, file: Path, owner: str) -> None:
    require_installation(settings)
    caller = Caller(NO_TOKEN, owner, frozenset(), None, TokenKind.INTERACTIVE)
    if not file.is_file():
        fail(f"{file} is not a file. It is read twice, so a pipe will not do.")
    try:
        with file.open("rb") as lines:
            for _ in read_tasks(caller, lines):
                pass
            lines.seek(0)
            name = hashlib.file_digest(lines, "sha256").hexdigest()
            lines.seek(0)
            stored = on_database(settings, _import, lines, file.stat().st_size, caller, name)
    except ValidationFailed as problem:
        fail(f"{problem.message} Nothing was stored.")
    except OSError as error:
        fail(f"{file} cannot be read: {error.strerror}.")
    typer.echo(f"{stored} tasks were stored for {owner}.")
    if not on_database(settings, _has_index, owner):
        typer.echo("Lists wait for the index: call POST /taskapp/task-index/backfill until data.complete is true.")


async def _has_index(db: Database, owner: str) -> bool:
    return (await db.read(index_store.get_state, owner)).status is IndexStatus.ACTIVE


async def _import(db: Database, lines: BinaryIO, size: int, caller: Caller, name: str) -> int:
    stored = 0
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, transient=True) as progress:
        bar = progress.add_task("storing", total=size)
        for batch in read_tasks(caller, lines, name):
            stored += await db.transact(import_tasks, caller, batch)
            progress.update(bar, completed=lines.tell())
    return stored
