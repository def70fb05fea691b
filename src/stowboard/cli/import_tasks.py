"""Store tasks from a file in bulk, with createdAt, completedAt and archived where they are given.

Each line of the file is a task in JSON, as POST /taskapp/tasks takes it. The whole file is checked before anything is
stored. The same file twice stores nothing twice.
"""

import hashlib
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import BinaryIO

from stowboard.access.base.account_store import find_time_zone
from stowboard.cli.exits import fail
from stowboard.cli.on_database import on_database, read_only, require_installation
from stowboard.cli.progress import ProgressLine
from stowboard.core.caller import Caller
from stowboard.core.errors import ValidationFailed
from stowboard.core.wording import counted
from stowboard.db.database import Database
from stowboard.settings import Settings
from stowboard.tasks.create import import_tasks, read_tasks
from stowboard.tasks.index import index_store


def run_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="JSON lines, each a task")
    parser.add_argument("--owner", required=True, help="whose tasks they become")


def run(settings: Settings, given: Namespace) -> None:
    require_installation(settings)
    file, owner = given.file, given.owner
    caller = Caller.of_service(owner)
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
    print(f"{counted(stored, 'task')} stored for {owner}.")
    if owner not in read_only(settings, index_store.find_active, [owner]):
        print("Lists wait for the index: call POST /taskapp/task-index/backfill until data.complete is true.")


async def _import(db: Database, lines: BinaryIO, size: int, caller: Caller, name: str) -> int:
    stored = at = 0
    with ProgressLine() as progress:
        progress.begin("storing", size, "bytes")
        for batch in read_tasks(caller, lines, name, await db.read(find_time_zone, caller.owner)):
            stored += await db.transact(import_tasks, caller.owner, batch)
            progress.advance(lines.tell() - at)
            at = lines.tell()
    return stored
