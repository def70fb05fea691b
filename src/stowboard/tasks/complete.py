"""Complete a task: a recurring one rolls on to its next due date, any other is done."""

from functools import partial

import msgspec

from stowboard.core import clock
from stowboard.core.caller import Access
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.tasks.base import task_store
from stowboard.tasks.base.task import FurtherReminder, Status, Task, TaskId, with_extras
from stowboard.tasks.boards.move import LaneAim, append, lock_place
from stowboard.tasks.keep import keep
from stowboard.tasks.recurrence.series import DueTime, next_occurrence
from stowboard.tasks.together.checklist import unticked


async def complete_task(tx: Tx, access: Access, task_id: TaskId, if_match: str | None) -> Task:
    """Raises TaskNotFound. Completing what is done already changes nothing, unless its series goes on."""
    now = clock.now_ms()
    task, column = await lock_place(tx, access, task_id, if_match, partial(_aim, now))
    due = next_occurrence(task, now)
    if due is None and task.status is Status.DONE:
        return task
    if due is None:
        after = await append(tx, task, Status.DONE, column)
    else:
        after = await append(tx, _rolled(task, due), column.status if column else Status.TODO, column)
    if task.recurrence is not None:
        await task_store.add_occurrence(tx, task, await task_store.last_occurrence(tx, task.id) + 1, now)
        after = msgspec.structs.replace(after, completions=task.completions + 1)
    return await keep(tx, task, after, kinds.TASK_COMPLETED)


async def _aim(now: int, task: Task) -> LaneAim | None:
    """The terminal column of the task's board, or the entry column if the task recurs."""
    if task.board_id is None:
        return None
    if next_occurrence(task, now) is None:
        return None if task.status is Status.DONE else LaneAim(board_id=task.board_id, status=Status.DONE)
    return LaneAim(board_id=task.board_id, status=Status.TODO, entry=True)


def _rolled(task: Task, due: DueTime) -> Task:
    """The task, due again, with its start and its reminders at the same distance, and nothing ticked."""
    due_at, due_on = due
    assert due_at is not None
    distance = due_at - task.due_at if task.due_at is not None else 0
    anchor_at = task.anchor_at if task.anchor_at is not None else due_at
    rolled = msgspec.structs.replace(
        task,
        due_at=due_at,
        due_on=due_on,
        reminder=_moved(task.reminder, distance),
        anchor_at=anchor_at,
    )
    if task.more is None:
        return rolled
    extras = task.extras
    start_at = _moved(extras.start_at, distance)
    return with_extras(
        rolled,
        checklist=unticked(extras.checklist),
        start_at=start_at if start_at is None else min(start_at, due_at),
        reminders=[FurtherReminder(_moved(each.at, distance), each.before_due) for each in extras.reminders],
    )


def _moved(at: int | None, distance: int) -> int | None:
    return None if at is None else max(0, at + distance)
