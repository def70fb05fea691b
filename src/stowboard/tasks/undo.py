"""Undo a change of a task: its members get the values that they had, and the task its place.

It goes back to its rank if its lane is there, else to the end of a column of the same status on its board, else off the
board. A completed occurrence of a recurring task is taken back, or counted again.
"""

from functools import partial
from typing import Any

import msgspec

from stowboard.core import clock
from stowboard.core.caller import Access
from stowboard.core.errors import Conflict
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.events.changes import change_store
from stowboard.events.changes.change_store import Change
from stowboard.events.changes.undo import check_undoable
from stowboard.tasks.attachments import checked_attachments
from stowboard.tasks.base import task_store
from stowboard.tasks.base.library import Library
from stowboard.tasks.base.task import Task, TaskExtras, TaskId, shelved, with_extras
from stowboard.tasks.boards import board_store
from stowboard.tasks.boards.board import Column, column_for
from stowboard.tasks.boards.move import LaneAim, append, lock_place, place_back
from stowboard.tasks.keep import KEPT, KEPT_EXTRAS, keep, keep_trashed
from stowboard.tasks.together.members import with_assignees

_PLACE = ("status", "board_id", "column_id", "rank")


async def undo_task(tx: Tx, access: Access, change: Change, library: Library) -> Task:
    """Raises TaskNotFound, InsufficientRole, Conflict, UnknownAttachment, ValidationFailed."""
    task_id, (earlier, extras) = TaskId(change.subject), _read(change.before)
    if "trashed_at" in earlier or not change.changed:
        return await _undo_trash(tx, access, change, earlier.get("trashed_at") is None and bool(change.changed))
    moved = any(name in earlier for name in _PLACE)
    if moved:
        task, column = await lock_place(tx, access, task_id, None, partial(_aim, tx, earlier))
    else:
        task, column = await task_store.lock(tx, access, task_id), None
    await check_undoable(tx, change)
    after = shelved(task, earlier.pop("archived", task.archived), None)
    after = msgspec.structs.replace(after, **{name: value for name, value in earlier.items() if name not in _PLACE})
    if "attachments" in earlier:
        ids = [attachment.id for attachment in after.attachments]
        attachments = await checked_attachments(tx, library, access, task.owner, ids, task.attachments)
        after = msgspec.structs.replace(after, attachments=attachments)
    if "assignees" in extras:
        after = await with_assignees(tx, library, after, extras.pop("assignees"))
    after = with_extras(after, **extras) if extras else after
    if moved:
        after = await _placed(tx, after, column, earlier)
    if "completions" in earlier and await change_store.first_kind(tx, change) == kinds.TASK_COMPLETED.name:
        await _count_occurrence(tx, task, after)
    kept = await keep(tx, task, after, kinds.TASK_UPDATED)
    if kept is task:
        raise Conflict("The task is as it was before this change already.")
    return kept


async def _undo_trash(tx: Tx, access: Access, change: Change, restore: bool) -> Task:
    """Take the task out of the trash, or put it there: the undo of a creation puts it in the trash."""
    task = await task_store.lock_wherever(tx, access, TaskId(change.subject))
    await check_undoable(tx, change)
    return await keep_trashed(tx, task, not restore)


def _read(before: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """The values by the names of a task's fields, and of its extras."""
    values = msgspec.json.decode(before)
    return _values(values, KEPT, Task), _values(values, KEPT_EXTRAS, TaskExtras)


def _values(values: dict[str, Any], names: dict[str, str], kind: type[msgspec.Struct]) -> dict[str, Any]:
    types = {field.name: field.type for field in msgspec.structs.fields(kind)} | {"archived": bool}
    return {name: msgspec.convert(values[wire], types[name]) for wire, name in names.items() if wire in values}


async def _aim(tx: Tx, place: dict[str, Any], task: Task) -> LaneAim:
    board_id, column_id = place.get("board_id", task.board_id), place.get("column_id", task.column_id)
    status = place.get("status", task.status)
    columns = await board_store.columns_of(tx, task.owner, board_id) if board_id is not None else []
    if any(column.id == column_id for column in columns):
        return LaneAim(board_id=board_id, status=status, column_id=column_id)
    return LaneAim(board_id=board_id if column_for(columns, status) else None, status=status)


async def _placed(tx: Tx, task: Task, column: Column | None, place: dict[str, Any]) -> Task:
    status, rank = place.get("status", task.status), place.get("rank", task.rank)
    if (column.id if column else None) == place.get("column_id", task.column_id):
        return await place_back(tx, task, status, column, rank)
    return await append(tx, task, status, column)


async def _count_occurrence(tx: Tx, task: Task, after: Task) -> None:
    last = await task_store.last_occurrence(tx, task.id)
    if after.completions < task.completions:
        await task_store.remove_occurrence(tx, task.id, last)
    else:
        await task_store.add_occurrence(tx, task, last + 1, clock.now_ms())
