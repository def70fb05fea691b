"""Complete a task: a recurring one rolls on to its next due date, any other is done."""

import msgspec

from stowboard.core import clock
from stowboard.core.caller import Caller
from stowboard.db.database import Tx
from stowboard.tasks import task_store
from stowboard.tasks.keep import keep
from stowboard.tasks.placing import at_entry, at_terminal
from stowboard.tasks.series import next_occurrence
from stowboard.tasks.task import Status, Task
from stowboard.tasks.versions import check_version


async def complete_task(tx: Tx, caller: Caller, task_id: str, if_match: str | None) -> Task:
    """Raises TaskNotFound. Completing what is done already changes nothing."""
    task = await task_store.get_owned_for_change(tx, caller.owner, task_id)
    check_version(task, if_match)
    if task.status is Status.DONE:
        return task
    now = clock.now_ms()
    due_at = next_occurrence(task, now)
    after = await (at_terminal(tx, task) if due_at is None else at_entry(tx, _rolled(task, due_at)))
    if task.recurrence is not None:
        await task_store.add_occurrence(tx, task, await task_store.last_occurrence(tx, task.id) + 1, now)
        after = msgspec.structs.replace(after, completions=task.completions + 1)
    return await keep(tx, task, after, "task.completed")


def _rolled(task: Task, due_at: int) -> Task:
    """Due again, with the reminder at the same distance."""
    reminder = task.reminder
    if reminder is not None and task.due_at is not None:
        reminder = max(0, reminder + due_at - task.due_at)
    anchor_at = task.anchor_at if task.anchor_at is not None else due_at
    return msgspec.structs.replace(task, due_at=due_at, reminder=reminder, anchor_at=anchor_at)
