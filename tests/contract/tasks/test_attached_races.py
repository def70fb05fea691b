"""One attaches an asset while another deletes it: afterwards no task shows an asset that is gone."""

import asyncio

from stowboard.core.errors import ValidationFailed
from stowboard.db.database import Database
from stowboard.jobs.queue import is_ordered
from stowboard.media.assets.remove import remove_asset
from stowboard.ports import AttachedMedia, TaskUses
from stowboard.tasks.attachments import DETACH
from stowboard.tasks.base import attachment_store
from stowboard.tasks.base.task import Task
from stowboard.tasks.create import create_task
from stowboard.tasks.wire import CreateBody
from support.media.asset_rows import ANN, put_asset
from support.tasks.verbs import Person


async def test_an_asset_is_attached_or_gone_and_never_both(database: Database, other_node: Database) -> None:
    person = Person(database)
    for _ in range(15):
        asset = await put_asset(database)
        body = CreateBody(title="t", attachments=[asset.id])

        async def attach(body: CreateBody = body) -> Task | None:
            try:
                task, _ = await database.transact(create_task, person.access, body, AttachedMedia())
            except ValidationFailed:
                return None
            return task

        task, _ = await asyncio.gather(attach(), other_node.transact(remove_asset, ANN, asset.id, None, TaskUses()))
        used = await database.read(attachment_store.find_used, [asset.id])
        ordered = await database.read(is_ordered, DETACH, asset.id)
        # Attached before the deletion: the job has been ordered that will mark it.
        assert (task is not None) == bool(used) == ordered
