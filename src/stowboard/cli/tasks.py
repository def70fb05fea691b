"""`stowboard tasks import`: tasks from a file of JSON lines."""

from pathlib import Path

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from stowboard.cli.on_database import fail, on_database
from stowboard.core.caller import Caller, TokenKind
from stowboard.core.errors import ValidationFailed
from stowboard.db.database import Database
from stowboard.settings import Settings
from stowboard.tasks.bulk import import_tasks, read_tasks


def import_file(settings: Settings, file: Path, owner: str) -> None:
    caller = Caller("", owner, frozenset(), None, TokenKind.INTERACTIVE)
    try:
        stored = on_database(settings, _import, file, caller)
    except ValidationFailed as problem:
        fail(f"{problem.message} What came before its batch of lines was stored; mend it and import the rest.")
    except OSError as error:
        fail(f"{file} cannot be read: {error.strerror}.")
    typer.echo(f"{stored} tasks were stored for {owner}.")
    typer.echo("Their lists wait for the index: call POST /taskapp/task-index/backfill until data.complete is true.")


async def _import(db: Database, file: Path, caller: Caller) -> int:
    stored = 0
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with file.open("rb") as lines, Progress(*columns, transient=True) as progress:
        bar = progress.add_task("bytes read", total=file.stat().st_size)
        for batch in read_tasks(lines):
            await db.transact(import_tasks, caller, batch)
            stored += len(batch)
            progress.update(bar, completed=lines.tell())
    return stored
