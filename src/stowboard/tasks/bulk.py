"""Tasks from elsewhere, in bulk. An index that is active stays so; one that is not is built by the backfill afterwards.

A line without an idempotencyKey gets one made of its file and its number, so that the same file, given twice or after
it was broken off, makes nothing twice.
"""

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
from stowboard.tasks.base import metadata_store, task_store
from stowboard.tasks.base.privacy import checked_bodies
from stowboard.tasks.base.task import Status, Task, TaskId
from stowboard.tasks.boards import lane_store
from stowboard.tasks.boards.ordering import rank_at_end
from stowboard.tasks.create import asked_for
from stowboard.tasks.index import findable, index_store
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


def read_tasks(caller: Caller, lines: Iterable[bytes], file: str | None = None) -> Iterator[list[Task]]:
    """Batches of the tasks of a file, checked as for their creation. Raises ValidationFailed, naming the line.

    `file` tells it from all others, by its content; without it, lines without an idempotencyKey have none.
    """
    decoder = msgspec.json.Decoder(ImportedTask)
    batch: list[Task] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            batch.append(_task(caller, decode_json(decoder, line), f"import-{file}-{number}" if file else None))
        except Problem as problem:
            raise ValidationFailed(f"line {number}: {problem.message}") from None
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


async def import_tasks(tx: Tx, caller: Caller, tasks: list[Task]) -> int:
    """Store a batch, without those whose idempotencyKey the owner has used; how many were stored.

    If the owner's index is not active, its backfill begins again.
    """
    active = (await index_store.lock_state(tx, caller.owner)).status is IndexStatus.ACTIVE
    if not active:
        await index_store.save_state(tx, caller.owner, IndexState(IndexStatus.INACTIVE, "", 0))
    lasts: dict[str, str | None] = {}
    placed = [await _placed(tx, task, lasts, 1 if active else None) for task in tasks]
    stored = await task_store.insert_new(tx, placed)
    await metadata_store.add_many(tx, stored)
    if active and stored:
        await index_store.add_many(tx, stored)
    await findable.add_many(tx, stored)
    for task in stored:
        await follow_task(tx, None, task)
    told = [(task.id, TaskCreated(task.id, task.version)) for task in stored]
    await emit_many(tx, kinds.TASK_CREATED, caller.owner, told)
    return len(stored)


def _task(caller: Caller, imported: ImportedTask, key: str | None) -> Task:
    now = clock.now_ms()
    if (imported.board_id, imported.column_id, imported.position) != (None, None, None):
        raise ValidationFailed("imported tasks are on no board; leave boardId, columnId and position out.")
    if imported.attachments:
        raise ValidationFailed("attachments: imported tasks have none; attach them afterwards.")
    task = checked_series(checked_bodies(caller, None, asked_for(caller, imported)))
    if imported.created_at is not None:
        task = msgspec.structs.replace(task, id=TaskId(id_at("tsk", imported.created_at)))
    completed_at = now if imported.completed_at is None else imported.completed_at
    return msgspec.structs.replace(
        task,
        idempotency_key=task.idempotency_key or key,
        archived=bool(imported.archived),
        created_at=now if imported.created_at is None else imported.created_at,
        updated_at=now,
        completed_at=completed_at if task.status is Status.DONE else None,
        version=1,
    )


async def _placed(tx: Tx, task: Task, lasts: dict[str, str | None], indexed_version: int | None) -> Task:
    lane = task.lane
    if lane not in lasts:
        lasts[lane] = await lane_store.last_rank(tx, lane)
    lasts[lane] = rank = rank_at_end(lasts[lane], clock.now_ms())
    return msgspec.structs.replace(task, rank=rank, indexed_version=indexed_version)
