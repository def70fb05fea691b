"""Tags of tasks over HTTP: listed, renamed and merged; and the activation of the index that counts them."""

import msgspec
from msgspec import UNSET, UnsetType

from stowboard.api import tag_renames
from stowboard.api.endpoint import Answer, Call, Endpoint, PageMeta
from stowboard.api.paging import Page, PageQuery
from stowboard.api.tag_renames import RenameTagBody, RenameTagView
from stowboard.core.reach import SpaceId
from stowboard.core.tags import checked_tag, renamed
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.jobs.tag_renaming import BATCH, JobProgress, TagRenaming
from stowboard.tasks.base import task_store
from stowboard.tasks.base.errors import TaskIndexNotActivated
from stowboard.tasks.index import index_store
from stowboard.tasks.index.backfill import BackfillView, backfill, require_active
from stowboard.tasks.index.index_store import TagView
from stowboard.tasks.keep import keep


class BackfillQuery(msgspec.Struct, frozen=True, rename="camel"):
    space_id: SpaceId | UnsetType = UNSET


class TagsQuery(PageQuery, frozen=True, rename="camel"):
    space_id: SpaceId | UnsetType = UNSET


async def backfill_task_index(tx: Tx, call: Call[None, BackfillQuery]) -> BackfillView:
    """Activate the task index, a bounded batch at a time.

    Run it until `complete` is true before the first list. It goes on where the last call stopped; repeating it is safe.
    """
    return await backfill(tx, call.access.in_tasks(call.query.space_id or None))


async def list_tags(tx: Tx, call: Call[None, TagsQuery]) -> Answer:
    """List the tags of tasks that are not archived, with counts, in the order of their names."""
    owner = call.access.in_tasks(call.query.space_id or None)
    await require_active(tx, owner)
    page = Page(call, "tags", owner)
    listed = await index_store.list_tags(tx, owner, page.after, page.size)
    return page.answer(listed.items, listed.end)


async def rename_tag(tx: Tx, owner: str, old: str, new: str) -> int | JobProgress:
    """The number of changed tasks, or the progress of the job. Raises TaskIndexNotActivated, ValidationFailed."""
    old, new = checked_tag("from", old), checked_tag("to", new)
    if old == new:
        return 0
    await require_active(tx, owner)
    total = await index_store.count_of(tx, owner, old)
    return await RENAMING.begin(tx, owner, old, new, total)


async def _rename_some(tx: Tx, owner: str, old: str, new: str) -> int | None:
    """The number of changed tasks; None if the index knows no task with the tag.

    All are locked before the first is written: the counts of tags, which others wait for, come last.
    """
    ids = await index_store.find_tagged(tx, owner, old, BATCH)
    if not ids:
        return None
    tasks = [task for task in await task_store.find_and_lock_many(tx, ids) if task.owner == owner]
    tagged = [task for task in tasks if old in task.tags]
    for task in tagged:
        after = msgspec.structs.replace(task, tags=renamed(task.tags, old, new))
        await keep(tx, task, after, kinds.TASK_UPDATED)
    if others := [task for task in tasks if old not in task.tags]:
        # Somebody has removed the tag from them since; or the index is wrong, which must not keep us here for ever.
        await index_store.rebuild(tx, others)
    return len(tagged)


RENAMING = TagRenaming("tasks.rename_tag", "tasks", _rename_some)


async def rename_task_tag(tx: Tx, call: Call[RenameTagBody, None]) -> RenameTagView:
    """Rename a tag of all tasks of a space, archived ones too, or merge it into one that exists.

    Up to 100 tasks are changed at once; for more, `id` is that of a job, whose progress can be read.
    """
    return tag_renames.shown(
        await rename_tag(tx, call.access.in_tasks(call.body.space_id), call.body.old, call.body.new)
    )


async def get_task_tag_rename(tx: Tx, call: Call[None, None], rename_id: str) -> RenameTagView:
    """Read the progress of renaming a tag, until a week after its end."""
    return tag_renames.shown(await RENAMING.find(tx, call.access, rename_id))


ENDPOINTS = [
    Endpoint(
        "POST", "/taskapp/task-index/backfill", backfill_task_index, BackfillView, scope="tasks:read",
        query=BackfillQuery, example={"complete": True, "status": "active", "processed": 12, "processedTotal": 12},
    ),
    Endpoint(
        "GET", "/taskapp/tags", list_tags, list[TagView], scope="tasks:read", query=TagsQuery, meta=PageMeta,
        errors=[TaskIndexNotActivated], example=[{"tag": "home", "count": 3}],
    ),
    Endpoint(
        "POST", "/taskapp/tags/rename", rename_task_tag, RenameTagView, scope="tasks:write", body=RenameTagBody,
        errors=[TaskIndexNotActivated], example=tag_renames.EXAMPLE_DONE, example_body=tag_renames.EXAMPLE_BODY,
    ),
    Endpoint(
        "GET", "/taskapp/tags/renames/{rename_id}", get_task_tag_rename, RenameTagView, scope="tasks:read",
        example=tag_renames.EXAMPLE,
    ),
]  # fmt: skip
