"""Create a task, or many from elsewhere at once.

An import keeps an active index active; the backfill builds any other one afterwards. A line without an idempotencyKey
gets one made of its file and its number. So importing a file again, even after an import that was broken off, creates
nothing twice.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from stowboard.core import clock
from stowboard.core.caller import Access, Caller
from stowboard.core.clock import Timestamp
from stowboard.core.decoding import decode_json
from stowboard.core.errors import Problem, ValidationFailed
from stowboard.core.ids import id_at, new_id
from stowboard.core.metadata import checked_metadata
from stowboard.core.tags import checked_tags
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.events.changes import change_store
from stowboard.events.changes.change_store import added_by_program
from stowboard.events.kinds import TaskCreated
from stowboard.events.outbox import emit, emit_many
from stowboard.search.index import merge_later
from stowboard.tasks.attachments import checked_attachments
from stowboard.tasks.base import comment_store, lookups, task_store
from stowboard.tasks.base.comment_store import Comment
from stowboard.tasks.base.errors import BoardNotFound, KeyOfDeletedTask, TaskNotFound, WrongDestination
from stowboard.tasks.base.library import NO_LIBRARY, Library
from stowboard.tasks.base.owners import check_takes_tasks
from stowboard.tasks.base.privacy import checked_bodies
from stowboard.tasks.base.task import Status, Task, TaskId, Visibility, checked_title, lane_of, written_by
from stowboard.tasks.boards import board_store, lane_store
from stowboard.tasks.boards.move import MoveDestination, place_new
from stowboard.tasks.boards.ordering import rank_at_end
from stowboard.tasks.due import check_one_due, dated
from stowboard.tasks.index import findable, index_store
from stowboard.tasks.index.index_store import IndexState, IndexStatus
from stowboard.tasks.keep import tell_assigned
from stowboard.tasks.quick_add import spelled_out, understand
from stowboard.tasks.recurrence.series import checked_series
from stowboard.tasks.reminders import follow_tasks
from stowboard.tasks.together.members import with_assignees, with_given
from stowboard.tasks.wire import CreateBody

IMPORT_BATCH = 500


async def create_task(
    tx: Tx, access: Access, body: CreateBody, library: Library = NO_LIBRARY
) -> tuple[Task, bytes | None]:
    """The task, and its document if it is new: a retry with the same idempotencyKey gets the task that there is.

    The task is in the space of its board, else in the named space, else in the caller's own. Raises SpaceNotFound,
    InsufficientRole, WrongDestination, ValidationFailed; and KeyOfDeletedTask within a day after the task that had the
    key was deleted.
    """
    if body.quick:
        body = spelled_out(body, await understand(tx, access, body.space_id, body.title, body.time_zone))
    owner = access.in_tasks(body.space_id) if body.board_id is None else await _owner_of_board(tx, access, body)
    check_takes_tasks(owner)
    task = checked_series(checked_bodies(access.caller, None, asked_for(access.caller, owner, body)))
    if body.assignees:
        task = await with_assignees(tx, library, task, body.assignees)
    if body.attachments:
        attachments = await checked_attachments(tx, library, access, owner, body.attachments)
        task = msgspec.structs.replace(task, attachments=attachments)
    try:
        created = await (_store_in_place(tx, task, body) if _names_place(body) else _store(tx, task))
    except BoardNotFound:  # while we waited for its lane, the board went to another space, or away
        return await create_task(tx, access, body, library)
    if created is None:
        return await _of_key(tx, task), None
    # Asked after the insert: that has waited until a deletion of the task that had the key was done.
    key = task.idempotency_key
    if key is not None and await task_store.is_buried(tx, owner, key):
        raise KeyOfDeletedTask
    return created


async def _owner_of_board(tx: Tx, access: Access, body: CreateBody) -> str:
    assert body.board_id is not None
    try:
        board = await board_store.get_board(tx, access, body.board_id)
    except BoardNotFound:
        raise WrongDestination(f"boardId: you have no board {body.board_id!r}.") from None
    if body.space_id is not None and access.in_tasks(body.space_id) != board.owner:
        raise ValidationFailed("spaceId: the board is in another space. Leave spaceId out: the board decides.")
    return board.owner


def asked_for(caller: Caller, owner: str, body: CreateBody) -> Task:
    """The task that the body describes, not yet placed, without assignees. Raises ValidationFailed."""
    check_one_due(body)
    envelope, status = body.encrypted_body, body.status or Status.TODO
    task = Task(
        id=TaskId(new_id("tsk")),
        owner=owner,
        title=checked_title(body.title),
        body=body.body,
        encrypted_body=msgspec.json.encode(envelope) if envelope is not None else None,
        visibility=body.visibility or Visibility.SERVER_READABLE,
        status=status,
        due_at=body.due_at,
        reminder=body.reminder,
        recurrence=body.recurrence,
        time_zone=body.time_zone or "UTC",
        tags=checked_tags(body.tags) if body.tags else [],
        idempotency_key=body.idempotency_key,
        lane=lane_of(owner, status, None),
        priority=body.priority or 0,
        metadata=checked_metadata(body.metadata) if body.metadata else {},
        due_on=body.due_on,
    )
    return with_given(dated(task), body, caller)


async def _store(tx: Tx, task: Task) -> tuple[Task, bytes] | None:
    """Put the new task at the end of its lane; None if the owner has one with its idempotencyKey."""
    now = clock.now_ms()
    task = _stamped(tx, task, now, rank_at_end(None, now))
    document = await task_store.append(tx, task)
    if document is None:
        # The key is used; or the lane has a task that another clock, or a move, has placed ahead of this moment.
        rank = rank_at_end(await lane_store.last_rank(tx, task.lane), now)
        task = msgspec.structs.replace(task, rank=rank)
        document = await task_store.insert(tx, task)
    return await _told(tx, task, document)


def _names_place(body: CreateBody) -> bool:
    return (body.board_id, body.column_id, body.position) != (None, None, None)


async def _store_in_place(tx: Tx, task: Task, body: CreateBody) -> tuple[Task, bytes] | None:
    """The same for a task whose place the body names, on a board or among the others."""
    status = body.status or await _status_of_column(tx, task.owner, body)
    task = await place_new(tx, task, MoveDestination(status, body.board_id, body.column_id, body.position))
    task = _stamped(tx, task, clock.now_ms(), task.rank)
    return await _told(tx, task, await task_store.insert(tx, task))


async def _status_of_column(tx: Tx, owner: str, body: CreateBody) -> Status:
    """The status of the named column; an unknown column is refused when it is chosen."""
    if body.column_id is None:
        return Status.TODO
    if body.board_id is None:
        raise WrongDestination("columnId: name the column's board as well, in boardId.")
    columns = await board_store.columns_of(tx, owner, body.board_id)
    return next((column.status for column in columns if column.id == body.column_id), Status.TODO)


async def _told(tx: Tx, task: Task, document: bytes | None) -> tuple[Task, bytes] | None:
    """Write all that belongs to a new task whose document was stored; None if it was not."""
    if document is None:
        return None
    told = TaskCreated(task.id, task.version)
    made = added_by_program(tx, kinds.TASK_CREATED, task.owner, task.id, task.version)
    beside = [*index_store.added(task), *findable.added(tx, task), *made]
    await emit(tx, kinds.TASK_CREATED, task.owner, task.id, told, beside)
    await merge_later(tx, task.id)
    if task.reminder is not None or task.more is not None:
        await follow_tasks(tx, [(None, task)])
    if task.attachments or task.metadata or task.more is not None:
        await lookups.put(tx, [], [task])
    if task.more is not None and task.extras.assignees:
        await tell_assigned(tx, task)
    return task, document


def _stamped(tx: Tx, task: Task, now: int, rank: str) -> Task:
    return msgspec.structs.replace(
        written_by(task, tx.author, new=True),
        rank=rank,
        created_at=now,
        updated_at=now,
        completed_at=now if task.status is Status.DONE else None,
        version=1,
        indexed_version=1,
    )


async def _of_key(tx: Tx, wanted: Task) -> Task:
    assert wanted.idempotency_key is not None
    try:
        return await task_store.lock_by_key(tx, wanted.owner, wanted.idempotency_key)
    except TaskNotFound:
        raise KeyOfDeletedTask from None  # at this very moment


class ImportedTask(CreateBody, frozen=True, rename="camel", kw_only=True):
    """A line of the file: a task as for its creation, and when it was created and completed."""

    created_at: Timestamp | None = None
    completed_at: Timestamp | None = None
    archived: bool | None = False


def read_tasks(
    caller: Caller, lines: Iterable[bytes], file: str | None = None, time_zone: str | None = None
) -> Iterator[list[Task]]:
    """Batches of the tasks of a file, checked as for their creation. Raises ValidationFailed, naming the line.

    `file` tells the file from all others, by its content. Without `file`, no idempotencyKeys are made for its lines.
    `time_zone` is that of the lines that name none.
    """
    decoder = msgspec.json.Decoder(ImportedTask)
    batch: list[Task] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            imported = decode_json(decoder, line)
            if imported.time_zone is None:
                imported = msgspec.structs.replace(imported, time_zone=time_zone)
            batch.append(_task(caller, imported, f"import-{file}-{number}" if file else None))
        except Problem as problem:
            raise ValidationFailed(f"line {number}: {problem.message}") from None
        if len(batch) == IMPORT_BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


async def import_tasks(tx: Tx, owner: str, tasks: list[Task], comments: Sequence[Comment] = ()) -> int:
    """Store tasks of one owner with their comments, without those whose idempotencyKey is used. Returns how many were.

    If the owner's index is not active, its backfill begins again.
    """
    active = (await index_store.lock_state(tx, owner)).status is IndexStatus.ACTIVE
    if not active:
        await index_store.save_state(tx, owner, IndexState())
    lasts: dict[str, str | None] = {}
    placed = [await _placed(tx, task, lasts, 1 if active else None) for task in tasks]
    stored = await task_store.insert_new(tx, placed)
    ids = {task.id for task in stored}
    await comment_store.insert(tx, [comment for comment in comments if comment.subject in ids])
    await lookups.put(tx, [], stored)
    if active and stored:
        await index_store.add_many(tx, stored)
    await findable.add_many(tx, stored)
    await follow_tasks(tx, [(None, task) for task in stored])
    told = [(task.id, TaskCreated(task.id, task.version)) for task in stored]
    await emit_many(tx, kinds.TASK_CREATED, owner, told)
    made = [added_by_program(tx, kinds.TASK_CREATED, owner, task.id, task.version) for task in stored]
    await change_store.add_many(tx, [write for writes in made for write in writes])
    return len(stored)


def _task(caller: Caller, imported: ImportedTask, key: str | None) -> Task:
    now = clock.now_ms()
    if _names_place(imported):
        raise ValidationFailed("imported tasks are on no board; leave boardId, columnId and position out.")
    if imported.space_id is not None:
        raise ValidationFailed("spaceId: name the space as the owner of the import, and leave this member out.")
    if imported.attachments:
        raise ValidationFailed("attachments: imported tasks have none; attach them afterwards.")
    if imported.assignees:
        raise ValidationFailed("assignees: imported tasks have none; assign them afterwards.")
    check_takes_tasks(caller.owner)
    task = checked_series(checked_bodies(caller, None, asked_for(caller, caller.owner, imported)))
    if imported.created_at is not None:
        task = msgspec.structs.replace(task, id=TaskId(id_at("tsk", imported.created_at)))
    completed_at = now if imported.completed_at is None else imported.completed_at
    return msgspec.structs.replace(
        task,
        idempotency_key=task.idempotency_key or key,
        shelf=int(bool(imported.archived)),
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
