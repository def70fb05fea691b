"""Files that were there before the service looked into files: the migration orders a job that has it done for them."""

from stowboard.db.database import Database, Tx
from stowboard.db.migrate import SHIPPED, load, migrate
from stowboard.media.assets.describing import DESCRIBE_OLD, NOT_SHOWN
from stowboard.media.base.asset import Kind, Poster
from support.database.statements import rows
from support.jobs.working import working
from support.media.asset_rows import put_asset
from support.waiting import until

PDF = {"kind": Kind.FILE, "mime_type": "application/pdf"}


async def test_only_files_that_were_not_looked_into_are(database: Database) -> None:
    await migrate(database)
    wanted = [(await put_asset(database, sha256=f"{number:064x}", **PDF)).id for number in range(250)]
    await put_asset(database, sha256="a" * 64)
    await put_asset(database, sha256="b" * 64, kind=Kind.FILE, mime_type="text/plain")
    await put_asset(database, sha256="c" * 64, poster=Poster(1, 1), **PDF)
    await put_asset(database, sha256="d" * 64, error_code=NOT_SHOWN, **PDF)
    await put_asset(database, **PDF)
    await database.transact(_order_again)
    async with working(database, DESCRIBE_OLD):
        await until(lambda: _is_done(database))
    ordered = await rows(database, "SELECT dedup FROM job WHERE kind = 'media.describe'")
    assert sorted(each for (each,) in ordered) == sorted(wanted)


async def _order_again(tx: Tx) -> None:
    """As the migration does, whose columns are there already."""
    [migration] = [each for each in load(SHIPPED, tx.dialect) if each.name.endswith("documents")]
    await tx.run_script(migration.script[migration.script.index("INSERT INTO job") :])


async def _is_done(database: Database) -> bool:
    return await rows(database, "SELECT 1 FROM job WHERE kind = 'media.describe_old'") == []
