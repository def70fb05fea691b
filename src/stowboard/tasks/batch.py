"""Many changes of tasks in one request, each by its own verb: all of them or none, or each for itself."""

from collections.abc import Sequence
from typing import NamedTuple

from stowboard.core.caller import Caller
from stowboard.core.errors import Problem, TooManyItems
from stowboard.core.ids import is_id
from stowboard.db.database import Tx
from stowboard.tasks import archive, complete, create, edit
from stowboard.tasks.base.errors import TaskNotFound
from stowboard.tasks.base.library import Library
from stowboard.tasks.base.task import Task, TaskId, etag_of
from stowboard.tasks.boards import move
from stowboard.tasks.edit import RedactReplies
from stowboard.tasks.wire import (
    CompleteOperation,
    CreateOperation,
    MoveOperation,
    TaskOperation,
    UpdateOperation,
)

MOST_OPERATIONS = 100


class OperationOutcome(NamedTuple):
    """One operation's task as it left it, and whether it was created; or why nothing was done."""

    task: Task | None = None
    created: bool = False
    problem: Problem | None = None


async def perform_batch(
    tx: Tx,
    caller: Caller,
    operations: Sequence[TaskOperation],
    atomic: bool,
    redact_replies: RedactReplies,
    library: Library,
) -> list[OperationOutcome]:
    """The outcomes, in the order of the operations, which are done one after the other.

    What one of them raises is its outcome; if all are asked for or none, it is raised, and names the operation.
    """
    if len(operations) > MOST_OPERATIONS:
        raise TooManyItems(f"operations: expected at most {MOST_OPERATIONS}.")
    outcomes: list[OperationOutcome] = []
    for number, operation in enumerate(operations):
        try:
            async with tx.savepoint():
                outcomes.append(await _perform(tx, caller, operation, redact_replies, library))
        except Problem as problem:
            if problem.status >= 500:
                raise
            if atomic:
                problem.message = f"operations[{number}]: {problem.message}"
                raise
            outcomes.append(OperationOutcome(problem=problem))
    return outcomes


async def _perform(
    tx: Tx, caller: Caller, operation: TaskOperation, redact_replies: RedactReplies, library: Library
) -> OperationOutcome:
    if isinstance(operation, CreateOperation):
        return OperationOutcome(*await create.create_task(tx, caller, operation, library))
    task_id, if_match = _task_id(operation.id), _version(operation.if_match)
    if isinstance(operation, UpdateOperation):
        return OperationOutcome(await edit.edit_task(tx, caller, task_id, operation, if_match, redact_replies, library))
    if isinstance(operation, MoveOperation):
        return OperationOutcome(await move.move_task(tx, caller, task_id, move.destination(operation), if_match))
    if isinstance(operation, CompleteOperation):
        return OperationOutcome(await complete.complete_task(tx, caller, task_id, if_match))
    return OperationOutcome(await archive.archive_task(tx, caller, task_id, if_match))


def _task_id(text: TaskId) -> TaskId:
    """The text as an id; one that cannot be an id is not looked for."""
    if not is_id("tsk", text):
        raise TaskNotFound
    return text


def _version(version: int | None) -> str | None:
    return None if version is None else etag_of(version)
