"""Tags that were stored before tags were composed: a migration has them written anew, once."""

import msgspec
import pytest

from stowboard.core.ids import new_id
from stowboard.db.database import Database, Tx
from stowboard.db.migrate import SHIPPED, load, migrate
from stowboard.events import kinds
from stowboard.media import old_tags as media_old_tags
from stowboard.media.assets import asset_store, listing
from stowboard.media.videos import video_store
from stowboard.media.videos.listing import VideoFilters, list_videos
from stowboard.tasks.base import task_store
from stowboard.tasks.index.backfill import backfill
from stowboard.tasks.index.listing import Filters
from stowboard.tasks.keep import keep
from stowboard.tasks.old_tags import COMPOSE_TAGS
from support.database.statements import execute, rows
from support.jobs.working import no_jobs_left, working
from support.lists.videos import new_video
from support.media.asset_rows import check_counts, put_asset
from support.tasks.verbs import Person
from support.waiting import until

#: The same word, in one letter for its last sound and in two.
COMPOSED, OLD = "caf\u00e9", "cafe\u0301"
JOBS = [COMPOSE_TAGS, *media_old_tags.JOBS]
MIGRATION = 14


@pytest.fixture
def person(database: Database) -> Person:
    return Person(database)


async def store_old_tags(tx: Tx, person: Person, task_id: str, tags: list[str]) -> None:
    """As an earlier release did."""
    task = await task_store.lock_owned(tx, person.name, task_id)
    await keep(tx, task, msgspec.structs.replace(task, tags=tags), kinds.TASK_UPDATED)


async def migrate_again(database: Database) -> list[str]:
    """The kinds of jobs that the migration orders."""
    await execute(database, "DELETE FROM job")
    [migration] = [each for each in load(SHIPPED, database.dialect) if each.version == MIGRATION]
    await database.transact(run_script, migration.script)
    return [row[0] for row in await rows(database, "SELECT kind FROM job ORDER BY kind")]


async def run_script(tx: Tx, script: str) -> None:
    await tx.run_script(script)


async def test_old_tags_are_found_by_who_asks_for_them_today(database: Database, person: Person) -> None:
    await migrate(database)
    await database.transact(backfill, person.caller)
    both = await person.create(tags=["home"])
    await database.transact(store_old_tags, person, both.id, ["home", OLD, COMPOSED])
    plain = await person.create(tags=["home", "ü"])
    asset = await put_asset(database, tags=[OLD, "x"])
    video = new_video(new_id("vid"), tags=["x", OLD])
    await database.transact(video_store.put, None, video)

    assert await migrate_again(database) == sorted(kind.name for kind in JOBS)
    async with working(database, *JOBS):
        await until(lambda: no_jobs_left(database))

    assert await person.pages(Filters(tags=(COMPOSED,)), 10) == [[both.id]]
    after = await database.read(task_store.get_owned, person.name, both.id)
    assert (after.tags, after.version) == (["home", COMPOSED], both.version + 2)
    assert (await database.read(task_store.get_owned, person.name, plain.id)).version == plain.version
    await person.check_index()
    assets = await database.read(listing.list_assets, listing.Filters(tags=(COMPOSED,)), None, 10)
    assert [each.id for each in assets.items] == [asset.id]
    assert (await database.read(asset_store.get, asset.id)).tags == [COMPOSED, "x"]
    await check_counts(database)
    videos = await database.read(list_videos, VideoFilters(tags=(COMPOSED,)), None, 10)
    assert [each.id for each in videos.items] == [video.id]


async def test_where_no_tag_can_be_old_nothing_is_ordered(database: Database, person: Person) -> None:
    await migrate(database)
    await person.create("Café", tags=["home"])
    assert await migrate_again(database) == []
