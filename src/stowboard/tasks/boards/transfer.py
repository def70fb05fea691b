"""Transfer a task, or a board with its tasks, to another space. Ids stay.

All of it is one transaction: no task is ever on a board of another space. For the space that is left, what was
transferred is deleted; for the other one, it is created.
"""

from typing import TypeAlias

import msgspec

from stowboard.core import clock
from stowboard.core.caller import Access
from stowboard.core.errors import Conflict
from stowboard.db.database import Tx, UniqueViolation
from stowboard.events import kinds
from stowboard.events.kinds import BoardCreated, BoardDeleted
from stowboard.events.outbox import emit
from stowboard.tasks.base import task_store
from stowboard.tasks.base.errors import TooLargeToTransfer
from stowboard.tasks.base.library import Library
from stowboard.tasks.base.owners import check_takes_tasks
from stowboard.tasks.base.task import Attachment, BoardId, Task, TaskId, given_to, with_extras
from stowboard.tasks.boards import board_store, lane_store
from stowboard.tasks.boards.board import Board, Column
from stowboard.tasks.boards.move import append
from stowboard.tasks.keep import keep_transferred, stamped

#: More tasks would hold up all other writers for too long: so many take SQLite's writer for a fifth of a second.
MOST_TASKS = 1000
#: This many names or ids are looked up in one statement.
_AT_ONCE = 1000


async def transfer_task(
    tx: Tx, access: Access, task_id: TaskId, space_id: str, if_match: str | None, library: Library
) -> Task:
    """The task, off its board and at the end of its lane in the other space.

    Raises TaskNotFound, SpaceNotFound, InsufficientRole in either space, PreconditionFailed, Conflict.
    """
    task = await task_store.lock(tx, access, task_id, if_match)
    owner = access.in_tasks(space_id)
    if owner == task.owner:
        return task
    check_takes_tasks(owner)
    [after] = await _transfer(tx, library, [(task, await append(tx, given_to(task, owner), task.status, None))])
    return after


async def transfer_board(
    tx: Tx, access: Access, board_id: BoardId, space_id: str, if_match: str | None, library: Library
) -> tuple[Board, list[Column]]:
    """The board and its columns, in the other space with all of its tasks, archived ones too.

    Raises BoardNotFound, SpaceNotFound, InsufficientRole in either space, PreconditionFailed, TooLargeToTransfer,
    Conflict.
    """
    board = await board_store.lock_board(tx, access, board_id, if_match)
    owner = access.in_tasks(space_id)
    columns = await board_store.columns_of(tx, board.owner, board.id)
    if owner == board.owner:
        return board, columns
    check_takes_tasks(owner)
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
    if tasks:
        await _transfer(tx, library, [(task, given_to(task, owner)) for task in tasks])
    await emit(tx, kinds.BOARD_DELETED, board.owner, board.id, BoardDeleted(board.id))
    return after, columns


#: Tasks as they are, and as they are to be in the other space.
_Changes: TypeAlias = list[tuple[Task, Task]]


async def _transfer(tx: Tx, library: Library, changes: _Changes) -> list[Task]:
    for task, _ in changes:
        if task.zero_knowledge:
            raise Conflict(
                f"{task.id} is zero-knowledge, and stays in its owner's space. Make it server-readable first."
            )
    changes = await _with_attachments(tx, library, await _with_assignees(tx, library, changes))
    changes = [(task, stamped(tx, task, after)) for task, after in changes]
    await task_store.bury_keys(tx, [task for task, _ in changes])
    while True:
        given = await _with_free_keys(tx, changes)
        try:
            # SQLite gets slow inside of a savepoint that has many writes.
            async with tx.savepoint():
                await task_store.give(tx, [after for _, after in given])
        except UniqueViolation:  # a task that was created there since we looked
            continue
        return await keep_transferred(tx, given)


async def _with_assignees(tx: Tx, library: Library, changes: _Changes) -> _Changes:
    """Only people who are in the other space stay assigned."""
    names = sorted({name for _, after in changes if after.more is not None for name in after.extras.assignees})
    if not names:
        return changes
    there: set[str] = set()
    for start in range(0, len(names), _AT_ONCE):
        there |= await library.members_among(tx, changes[0][1].owner, names[start : start + _AT_ONCE])
    return [
        (task, with_extras(after, assignees=[name for name in after.extras.assignees if name in there]))
        for task, after in changes
    ]


async def _with_attachments(tx: Tx, library: Library, changes: _Changes) -> _Changes:
    """Attachments that would stay behind are copied along. Raises Conflict for a video, which is not copied."""
    ids = sorted({each.id for task, _ in changes for each in task.attachments if not each.deleted})
    if not ids:
        return changes
    copies: dict[str, str] = {}
    for start in range(0, len(ids), _AT_ONCE):
        copies |= await library.copy_into(tx, ids[start : start + _AT_ONCE], changes[0][1].owner)
    return [(task, msgspec.structs.replace(after, attachments=_copied(after, copies))) for task, after in changes]


def _copied(task: Task, copies: dict[str, str]) -> list[Attachment]:
    return [Attachment(copies.get(each.id, each.id), each.deleted) for each in task.attachments]


async def _with_free_keys(tx: Tx, changes: _Changes) -> _Changes:
    """A task loses its key if a task in the other space has it."""
    keys = [task.idempotency_key for task, _ in changes if task.idempotency_key is not None]
    taken = await task_store.find_used_keys(tx, changes[0][1].owner, keys)
    return [
        (task, msgspec.structs.replace(after, idempotency_key=None) if task.idempotency_key in taken else after)
        for task, after in changes
    ]
