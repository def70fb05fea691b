"""Tasks whose tags were stored before tags were composed get the tags that they would get today."""

import msgspec

from stowboard.core.tags import composed_tags
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.jobs.old_tags import composing
from stowboard.tasks.base import task_store
from stowboard.tasks.keep import keep


async def _rewrite(tx: Tx, task_ids: list[str]) -> None:
    for task in await task_store.find_and_lock_many(tx, task_ids):
        await keep(tx, task, msgspec.structs.replace(task, tags=composed_tags(task.tags)), kinds.TASK_UPDATED)


COMPOSE_TAGS = composing("tasks.compose_tags", "task", _rewrite)
