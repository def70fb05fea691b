"""Jobs of many steps end when nothing is left, whatever somebody else deletes during a step."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from stowboard.core.reach import LIBRARY
from stowboard.db.database import Database
from stowboard.media import library_routes as media
from stowboard.media.assets import asset_store, tag_store
from stowboard.media.assets.remove import remove_asset
from stowboard.ports import AttachedMedia, TaskUses
from stowboard.tasks import attachments
from stowboard.tasks import tag_routes as tasks
from stowboard.tasks.archive import delete_task
from stowboard.tasks.base import attachment_store
from stowboard.tasks.create import create_task
from stowboard.tasks.index import index_store
from stowboard.tasks.index.backfill import backfill
from stowboard.tasks.wire import CreateBody
from support.database.paused_transactions import paused, until_one_waits
from support.jobs.working import no_jobs_left, working
from support.media.asset_rows import ANN, put_asset
from support.tasks.verbs import Person
from support.waiting import until

pytestmark = pytest.mark.parametrize("database_url", ["postgres"], indirect=True)
MANY = 150


async def done_while_one_is_deleted(
    database: Database, kind: Any, order: Callable[..., Awaitable[Any]], delete: tuple[Any, ...]
) -> None:
    """The job's first step waits for the deletion, and then has one less than it looked for."""
    async with working(database, kind):
        async with paused(database, *delete):
            await order()
            await until_one_waits(database)
        await until(lambda: no_jobs_left(database))


async def test_a_tag_of_tasks_is_renamed_to_the_last(database: Database) -> None:
    person = Person(database)
    first, *_ = [await person.create(tags=["old"]) for _ in range(MANY)]
    await database.transact(backfill, person.name)

    async def order() -> None:
        await database.transact(tasks.rename_tag, person.name, "old", "new")

    await done_while_one_is_deleted(database, tasks.RENAMING.job, order, (delete_task, person.access, first.id, None))
    assert await database.read(index_store.count_of, person.name, "old") == 0
    assert await database.read(index_store.count_of, person.name, "new") == MANY - 1


async def test_what_was_deleted_is_marked_in_every_task(database: Database) -> None:
    person, asset = Person(database), await put_asset(database)
    body = CreateBody(title="t", attachments=[asset.id])
    made = [await database.transact(create_task, person.access, body, AttachedMedia()) for _ in range(MANY)]

    async def order() -> None:
        await database.transact(attachments.detach_later, [asset.id])

    first, _ = made[0]
    await done_while_one_is_deleted(database, attachments.DETACH, order, (delete_task, person.access, first.id, None))
    assert await database.read(attachment_store.find_using, asset.id, 1) == []


async def test_a_tag_of_media_is_renamed_to_the_last(database: Database) -> None:
    first, *_ = [await put_asset(database, tags=["old"]) for _ in range(MANY)]

    async def order() -> None:
        await database.transact(media.rename_tag, LIBRARY, "old", "new")

    await done_while_one_is_deleted(
        database, media.RENAMING.job, order, (remove_asset, ANN, first.id, None, TaskUses())
    )
    assert await database.read(asset_store.find_tagged, LIBRARY, "old", 1) == []
    assert await database.read(tag_store.count_of, LIBRARY, "new") == MANY - 1
