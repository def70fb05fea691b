"""Transfer a task, or a board with its tasks, to another space. Ids stay.

All of it is one transaction: no task is ever on a board of another space. For the space that is left, what was
transferred is deleted; for the other one, it is created.
"""

import msgspec

from stowboard.core import clock
from stowboard.core.caller import Access
from stowboard.core.errors import Conflict
from stowboard.core.preconditions import check_if_match
from stowboard.db.database import Tx, UniqueViolation
from stowboard.events import kinds
from stowboard.events.kinds import BoardCreated, BoardDeleted
from stowboard.events.outbox import emit
from stowboard.tasks.base import task_store
from stowboard.tasks.base.errors import TooLargeToTransfer
from stowboard.tasks.base.library import Library
from stowboard.tasks.base.task import KEY_REST_MS, Attachment, BoardId, Task, TaskId, given_to, with_extras
from stowboard.tasks.boards import board_store, lane_store
from stowboard.tasks.boards.board import Board, Column
from stowboard.tasks.boards.move import append
from stowboard.tasks.keep import keep

#: More would hold up all other writers for too long.
MOST_TASKS = 2000


async def transfer_task(
    tx: Tx, access: Access, task_id: TaskId, space_id: str, if_match: str | None, library: Library
) -> Task:
    """The task, off its board and at the end of its lane in the other space.

    Raises TaskNotFound, SpaceNotFound, InsufficientRole in either space, PreconditionFailed, Conflict.
    """
    task = await task_store.lock(tx, access, task_id)
    check_if_match(if_match, task.etag)
    owner = access.in_tasks(space_id)
    if owner == task.owner:
        return task
    return await _transfer(tx, library, task, await append(tx, given_to(task, owner), task.status, None))


async def transfer_board(
    tx: Tx, access: Access, board_id: BoardId, space_id: str, if_match: str | None, library: Library
) -> tuple[Board, list[Column]]:
    """The board and its columns, in the other space with all of its tasks, archived ones too.

    Raises BoardNotFound, SpaceNotFound, InsufficientRole in either space, PreconditionFailed, TooLargeToTransfer,
    Conflict.
    """
    board = await board_store.lock_board(tx, access, board_id)
    check_if_match(if_match, board.etag)
    owner = access.in_tasks(space_id)
    columns = await board_store.columns_of(tx, board.owner, board.id)
    if owner == board.owner:
        return board, columns
    tx.takes_time()
    for column in columns:
        await lane_store.lock(tx, column.id)
    tasks = await task_store.find_and_lock_in_lanes(tx, [column.id for column in columns], MOST_TASKS + 1)
    if len(tasks) > MOST_TASKS:
        raise TooLargeToTransfer(f"The board has more than {MOST_TASKS} tasks. Move some of them off it first.")
    updated_by = tx.author.person if tx.author is not None else board.updated_by
    after = msgspec.structs.replace(
        board, owner=owner, updated_at=clock.now_ms(), version=board.version + 1, updated_by=updated_by
    )
    await board_store.update_board(tx, after)
    await emit(tx, kinds.BOARD_CREATED, owner, board.id, BoardCreated(board.id, after.version))
    for task in tasks:
        await _transfer(tx, library, task, given_to(task, owner))
    await emit(tx, kinds.BOARD_DELETED, board.owner, board.id, BoardDeleted(board.id))
    return after, columns


async def _transfer(tx: Tx, library: Library, task: Task, after: Task) -> Task:
    if task.zero_knowledge:
        raise Conflict(f"{task.id} is zero-knowledge, and stays in its owner's space. Make it server-readable first.")
    after = await _with_attachments(tx, library, after)
    if task.more is not None and (assignees := task.extras.assignees):
        there = await library.members_among(tx, after.owner, assignees)
        after = with_extras(after, assignees=[name for name in assignees if name in there])
    if task.idempotency_key is not None:
        await task_store.bury_key(tx, task.owner, task.idempotency_key, clock.now_ms() + KEY_REST_MS)
        try:
            async with tx.savepoint():
                await task_store.give_to(tx, task, after.owner, task.idempotency_key)
        except UniqueViolation:  # a task there has the key
            after = msgspec.structs.replace(after, idempotency_key=None)
    if after.idempotency_key is None:
        await task_store.give_to(tx, task, after.owner, None)
    return await keep(tx, task, after, kinds.TASK_UPDATED)


async def _with_attachments(tx: Tx, library: Library, after: Task) -> Task:
    """Attachments that would stay behind are copied along. Raises Conflict for a video, which cannot be."""
    ids = [attachment.id for attachment in after.attachments if not attachment.deleted]
    copies = await library.copy_into(tx, ids, after.owner) if ids else {}
    attachments = [Attachment(copies.get(each.id, each.id), each.deleted) for each in after.attachments]
    return msgspec.structs.replace(after, attachments=attachments)
