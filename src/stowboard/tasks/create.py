"""Create a task."""

import msgspec

from stowboard.core import clock
from stowboard.core.caller import Caller
from stowboard.core.ids import new_id
from stowboard.core.tags import checked_tags
from stowboard.db.database import Tx
from stowboard.tasks import task_store
from stowboard.tasks.errors import KeyOfDeletedTask, TaskNotFound
from stowboard.tasks.keep import keep_new
from stowboard.tasks.privacy import checked_bodies
from stowboard.tasks.recurrence.series import checked_series
from stowboard.tasks.task import Task, TaskId, checked_title, lane_of
from stowboard.tasks.wire import CreateBody


async def create_task(tx: Tx, caller: Caller, body: CreateBody) -> tuple[Task, bool]:
    """The task, and whether this made it: a retry with the same idempotencyKey gets the one that there is.

    Raises KeyOfDeletedTask within a day after that one was deleted.
    """
    task = checked_series(checked_bodies(caller, None, asked_for(caller, body)))
    created = await keep_new(tx, task)
    if created is None:
        return await _of_key(tx, task), False
    # Asked after the insert: it has waited for whoever was just deleting the task that had the key.
    key = task.idempotency_key
    if key is not None and await task_store.is_buried(tx, caller.owner, key, clock.now_ms()):
        raise KeyOfDeletedTask
    return created, True


async def _of_key(tx: Tx, wanted: Task) -> Task:
    assert wanted.idempotency_key is not None
    try:
        return await task_store.get_by_key(tx, wanted.owner, wanted.idempotency_key)
    except TaskNotFound:
        raise KeyOfDeletedTask from None  # at this very moment


def asked_for(caller: Caller, body: CreateBody) -> Task:
    """What the body says, not yet placed. Raises ValidationFailed."""
    envelope = body.encrypted_body
    return Task(
        id=TaskId(new_id("tsk")),
        owner=caller.owner,
        title=checked_title(body.title),
        body=body.body,
        encrypted_body=msgspec.json.encode(envelope) if envelope is not None else None,
        visibility=body.visibility,
        status=body.status,
        due_at=body.due_at,
        reminder=body.reminder,
        recurrence=body.recurrence,
        time_zone=body.time_zone or "UTC",
        tags=checked_tags(body.tags),
        idempotency_key=body.idempotency_key,
        lane=lane_of(caller.owner, body.status, None),
    )
