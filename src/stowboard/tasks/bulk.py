"""Tasks from elsewhere, in bulk and without indexing: the owner's index is built by the backfill afterwards."""

from collections.abc import Iterable, Iterator

import msgspec

from stowboard.core import clock
from stowboard.core.caller import Caller
from stowboard.core.clock import Timestamp
from stowboard.core.decoding import decode_json
from stowboard.core.errors import Problem, ValidationFailed
from stowboard.core.ids import id_at
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.events.kinds import TaskCreated
from stowboard.events.outbox import emit_many
from stowboard.tasks.base import task_store
from stowboard.tasks.base.privacy import checked_bodies
from stowboard.tasks.base.task import Status, Task, TaskId
from stowboard.tasks.boards import lane_store
from stowboard.tasks.boards.ordering import rank_at_end
from stowboard.tasks.create import asked_for
from stowboard.tasks.index import index_store
from stowboard.tasks.index.index_store import IndexState, IndexStatus
from stowboard.tasks.recurrence.series import checked_series
from stowboard.tasks.reminders import follow_task
from stowboard.tasks.wire import CreateBody

BATCH = 500


class ImportedTask(CreateBody, frozen=True, rename="camel", kw_only=True):
    """A line of the file: a task as for its creation, and when it was created and completed."""

    created_at: Timestamp | None = None
    completed_at: Timestamp | None = None
    archived: bool | None = False


def read_tasks(caller: Caller, lines: Iterable[bytes]) -> Iterator[list[Task]]:
    """Batches of the tasks of a file, checked as for their creation. Raises ValidationFailed, naming the line."""
    decoder = msgspec.json.Decoder(ImportedTask)
    batch: list[Task] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            batch.append(_task(caller, decode_json(decoder, line)))
        except Problem as problem:
            raise ValidationFailed(f"line {number}: {problem.message}") from None
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


async def import_tasks(tx: Tx, caller: Caller, tasks: list[Task]) -> int:
    """Store a batch, without those whose idempotencyKey the owner has used; how many were stored.

    Lists of the owner wait for the backfill from now on.
    """
    await index_store.lock_state(tx, caller.owner)
    await index_store.save_state(tx, caller.owner, IndexState(IndexStatus.INACTIVE, "", 0))
    lasts: dict[str, str | None] = {}
    placed = [await _placed(tx, task, lasts) for task in tasks]
    await task_store.insert_many(tx, [task for task in placed if task.idempotency_key is None])
    stored = [task for task in placed if task.idempotency_key is None or await task_store.insert(tx, task)]
    for task in stored:
        await follow_task(tx, None, task)
    told = [(task.id, TaskCreated(task.id, task.version)) for task in stored]
    await emit_many(tx, kinds.TASK_CREATED, caller.owner, told)
    return len(stored)


def _task(caller: Caller, imported: ImportedTask) -> Task:
    now = clock.now_ms()
    task = checked_series(checked_bodies(caller, None, asked_for(caller, imported)))
    if imported.created_at is not None:
        task = msgspec.structs.replace(task, id=TaskId(id_at("tsk", imported.created_at)))
    completed_at = now if imported.completed_at is None else imported.completed_at
    return msgspec.structs.replace(
        task,
        archived=bool(imported.archived),
        created_at=now if imported.created_at is None else imported.created_at,
        updated_at=now,
        completed_at=completed_at if task.status is Status.DONE else None,
        version=1,
    )


async def _placed(tx: Tx, task: Task, lasts: dict[str, str | None]) -> Task:
    lane = task.lane
    if lane not in lasts:
        lasts[lane] = await lane_store.last_rank(tx, lane)
    lasts[lane] = rank = rank_at_end(lasts[lane], clock.now_ms())
    return msgspec.structs.replace(task, rank=rank)
