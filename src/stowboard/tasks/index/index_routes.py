"""The task index over HTTP: its activation, and the tags that it counts."""

import msgspec

from stowboard.api.endpoint import Answer, Call, Endpoint, PageMeta
from stowboard.api.paging import Page, PageQuery
from stowboard.core.errors import InvalidCursor
from stowboard.db.database import Tx
from stowboard.tasks.base.errors import TaskIndexNotActivated
from stowboard.tasks.index import backfill as index
from stowboard.tasks.index import index_store
from stowboard.tasks.index.index_store import IndexStatus


class BackfillView(msgspec.Struct, frozen=True, rename="camel"):
    """How far the index is. Call again until complete is true."""

    complete: bool
    status: IndexStatus
    processed: int
    processed_total: int


class TagView(msgspec.Struct, frozen=True):
    """A tag, and how many tasks have it that are not archived."""

    tag: str
    count: int


async def backfill_task_index(tx: Tx, call: Call[None, None]) -> BackfillView:
    """Activate the task index, a bounded batch at a time.

    Run it until `complete` is true before the first list. It goes on where the last call stopped; repeating it is safe.
    """
    step = await index.backfill(tx, call.caller)
    return BackfillView(step.complete, step.status, step.processed, step.processed_total)


async def list_tags(tx: Tx, call: Call[None, PageQuery]) -> Answer:
    """List the tags of tasks that are not archived, with counts, in the order of their names."""
    owner = call.caller.owner
    await index.require_active(tx, owner)
    page = Page(call, "tags", owner)
    listed = await index_store.list_tags(tx, owner, page.after, page.size)
    return page.answer([TagView(counted.tag, counted.count) for counted in listed.items], listed.end)


ENDPOINTS = [
    Endpoint(
        "POST", "/taskapp/task-index/backfill", backfill_task_index, BackfillView, scope="tasks:read",
        example={"complete": True, "status": "active", "processed": 12, "processedTotal": 12},
    ),
    Endpoint(
        "GET", "/taskapp/tags", list_tags, list[TagView], scope="tasks:read", query=PageQuery, meta=PageMeta,
        repeats=True, errors=[TaskIndexNotActivated, InvalidCursor], example=[{"tag": "home", "count": 3}],
    ),
]  # fmt: skip
