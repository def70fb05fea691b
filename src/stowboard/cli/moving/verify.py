"""Read the database and every file, beside the service or without it.

Exits with 1 if something is damaged or missing, and names it.
"""

import asyncio
from argparse import Namespace

from stowboard.blobs.named import BlobColumn
from stowboard.blobs.store import BlobStore
from stowboard.cli.exits import ERROR, OK
from stowboard.cli.moving.session import require_current, with_store
from stowboard.cli.on_database import require_installation
from stowboard.cli.progress import ProgressLine
from stowboard.db.database import Database
from stowboard.db.open import open_database
from stowboard.db.sqlite_examine import examine
from stowboard.media.damage.check import CHECKED, BlobToCheck, BlobVerdict, all_named, check, size_of_all
from stowboard.media.damage.marks import find_owners
from stowboard.settings import Settings


def run(settings: Settings, _: Namespace) -> int:
    require_installation(settings)

    async def work(store: BlobStore, progress: ProgressLine) -> list[str]:
        wrong = await _examine_database(settings)
        if wrong:
            return wrong
        await require_current(settings)
        db = await open_database(settings.database)
        try:
            return await _check_all(db, store, progress)
        finally:
            await db.close()

    findings = with_store(settings, work)
    for line in findings:
        print(line)
    if not findings:
        print("The database and every file are as they were written.")
    return ERROR if findings else OK


async def _examine_database(settings: Settings) -> list[str]:
    """Its findings, for SQLite; PostgreSQL checks its own pages. A damaged one is not asked for names of files."""
    if not settings.database.on_sqlite:
        return []
    found = await asyncio.to_thread(examine, settings.database.path)
    return [f"damaged  the database: {each}" for each in found]


async def _check_all(db: Database, store: BlobStore, progress: ProgressLine) -> list[str]:
    progress.begin("files", await db.read(size_of_all), "bytes")
    findings = []
    for column in CHECKED:
        async for named in all_named(db, column):
            verdict = await check(db, store, column, named)
            if verdict is not BlobVerdict.WHOLE:
                findings.append(await _line(db, column, named, verdict))
            progress.advance(named.size)
    return findings


async def _line(db: Database, column: BlobColumn, named: BlobToCheck, verdict: BlobVerdict) -> str:
    whose = await db.read(find_owners, column, named.key)
    return f"{verdict:7}  {named.key}  {', '.join(whose) or 'an image that is made again when it is asked for'}"
