"""Many changes of tasks in one request, each by its own verb: all of them or none, or each for itself."""

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import UNSET, Meta

from stowboard.api.endpoint import MEBIBYTE, Answer, Call, Endpoint, ItemRefusal, NoMeta
from stowboard.api.idempotency import redact_replies
from stowboard.core.caller import Access
from stowboard.core.errors import Conflict, PreconditionFailed, Problem, TooManyItems
from stowboard.db.database import Tx
from stowboard.tasks import archive, complete, create, edit
from stowboard.tasks.base.document import TaskView, show, without_bodies
from stowboard.tasks.base.errors import TaskNotFound, WrongDestination, ZeroKnowledgeBody
from stowboard.tasks.base.library import Library
from stowboard.tasks.base.privacy import sees_envelopes
from stowboard.tasks.base.task import Task, TaskId, etag_of
from stowboard.tasks.boards import lane_store, move
from stowboard.tasks.edit import RedactReplies
from stowboard.tasks.quick_routes import own_time_zone
from stowboard.tasks.task_routes import EXAMPLE, read_body_ahead, show_again, task_id_of
from stowboard.tasks.wire import (
    ArchiveOperation,
    CompleteOperation,
    CreateOperation,
    MoveOperation,
    RestoreOperation,
    TaskOperation,
    TrashOperation,
    UpdateOperation,
)

MOST_OPERATIONS = 100


class OperationOutcome(NamedTuple):
    """The task as one operation left it, and True if it was created; or the problem, if nothing was done."""

    task: Task | None = None
    created: bool = False
    problem: Problem | None = None


async def perform_batch(
    tx: Tx,
    access: Access,
    operations: Sequence[TaskOperation],
    atomic: bool,
    redact_replies: RedactReplies,
    library: Library,
) -> list[OperationOutcome]:
    """The outcomes, in the order of the operations, which are done one after the other.

    A problem that one of them raises is its outcome. With `atomic`, the problem is raised, and names the operation.
    """
    if len(operations) > MOST_OPERATIONS:
        raise TooManyItems(f"operations: expected at most {MOST_OPERATIONS}.")
    outcomes: list[OperationOutcome] = []
    for number, operation in enumerate(operations):
        try:
            async with tx.savepoint():
                outcomes.append(await _perform(tx, access, operation, redact_replies, library))
        except Problem as problem:
            if problem.status >= 500:
                raise
            if atomic:
                problem.message = f"operations[{number}]: {problem.message}"
                raise
            outcomes.append(OperationOutcome(problem=problem))
    return outcomes


async def _perform(
    tx: Tx, access: Access, operation: TaskOperation, redact_replies: RedactReplies, library: Library
) -> OperationOutcome:
    if isinstance(operation, CreateOperation):
        task, document = await create.create_task(tx, access, operation, library)
        return OperationOutcome(task, created=document is not None)
    task_id, version = task_id_of(operation.id), operation.if_match
    if_match = None if version is None else etag_of(version)
    if isinstance(operation, UpdateOperation):
        return OperationOutcome(await edit.edit_task(tx, access, task_id, operation, if_match, redact_replies, library))
    if isinstance(operation, MoveOperation):
        return OperationOutcome(await move.move_task(tx, access, task_id, move.destination(operation), if_match))
    # Requests are decoded to types that are derived from these, and are not the same.
    act = next(act for kind, act in _ACTS.items() if isinstance(operation, kind))
    return OperationOutcome(await act(tx, access, task_id, if_match))


_ACTS = {
    CompleteOperation: complete.complete_task,
    ArchiveOperation: archive.archive_task,
    TrashOperation: archive.trash_task,
    RestoreOperation: archive.restore_task,
}


class BatchBody(msgspec.Struct, frozen=True):
    """Operations, done one after the other."""

    #: More of them have an error of their own.
    operations: Annotated[
        list[TaskOperation], Meta(description="At most 100.", extra_json_schema={"maxItems": MOST_OPERATIONS})
    ]
    atomic: Annotated[bool, Meta(description="All or nothing; by default each for itself.")] | None = False


class BatchError(msgspec.Struct, frozen=True):
    """The reason why nothing was done: the error that the operation would have had alone."""

    code: str
    message: str


class BatchResult(msgspec.Struct, frozen=True):
    """One operation's result: the status that it would have had alone, and its task or its error."""

    status: int
    task: TaskView | None
    error: BatchError | None


class BatchMeta(NoMeta, frozen=True):
    """`meta` of a batch: how many operations were done, and which tasks were left as they are."""

    done: int
    refused: list[ItemRefusal]


async def batch_tasks(tx: Tx, call: Call[BatchBody, None]) -> Answer:
    """Create, change, move, complete, archive, trash and restore up to 100 tasks in one request.

    Operations are done in their order, and each has a result. With `atomic`, the first one that is refused undoes all
    of them: its error is the answer, and names it.
    """
    atomic = bool(call.body.atomic)
    operations = await _with_time_zones(tx, call)
    outcomes = await perform_batch(tx, call.access, operations, atomic, redact_replies, call.use(Library))
    # If one operation wrote a plaintext and a later one had to forget it, it is neither told nor kept.
    sealed = {outcome.task.id for outcome in outcomes if outcome.task is not None and outcome.task.zero_knowledge}
    results = [await _result(tx, call, outcome, sealed) for outcome in outcomes]
    refused = [
        ItemRefusal(getattr(operation, "id", None), outcome.problem.code, outcome.problem.message)
        for operation, outcome in zip(call.body.operations, outcomes, strict=True)
        if outcome.problem is not None
    ]
    subjects = {outcome.task.id for outcome in outcomes if outcome.task is not None}
    meta = BatchMeta(done=len(outcomes) - len(refused), refused=refused)
    return Answer(results, meta, subjects=tuple(sorted(subjects)))


async def _read_bodies_ahead(body: BatchBody) -> None:
    for operation in body.operations:
        if isinstance(operation, CreateOperation | UpdateOperation):
            await read_body_ahead(operation)


async def _with_time_zones(tx: Tx, call: Call[BatchBody, None]) -> list[TaskOperation]:
    """The operations, with the person's own time zone where the zone is left to us."""
    operations = call.body.operations
    if not any(_lacks_zone(operation) for operation in operations):
        return operations
    zone = await own_time_zone(tx, call)
    return [msgspec.structs.replace(each, time_zone=zone) if _lacks_zone(each) else each for each in operations]


def _lacks_zone(operation: TaskOperation) -> bool:
    return isinstance(operation, CreateOperation | UpdateOperation) and operation.time_zone is None


async def _result(tx: Tx, call: Call[Any, Any], outcome: OperationOutcome, sealed: set[TaskId]) -> BatchResult:
    task, problem = outcome.task, outcome.problem
    if task is None:
        assert problem is not None
        return BatchResult(problem.status, None, BatchError(problem.code, problem.message))
    position = await lane_store.position_of(tx, task) if task.board_id is not None else UNSET
    told = msgspec.structs.replace(task, body=None) if task.id in sealed else task
    view: Any = show(told, position, sees_envelopes(call.caller))
    return BatchResult(201 if outcome.created else 200, view, None)


#: Room for a hundred tasks, or for a few with long bodies.
_MAX_BODY = 8 * MEBIBYTE

ENDPOINTS = [
    Endpoint(
        "POST", "/taskapp/tasks/batch", batch_tasks, list[BatchResult], scope="tasks:write", body=BatchBody,
        meta=BatchMeta, ahead=_read_bodies_ahead, redact=without_bodies, show_again=show_again, max_body=_MAX_BODY,
        errors=[TooManyItems, TaskNotFound, PreconditionFailed, WrongDestination, ZeroKnowledgeBody, Conflict],
        example=[{"status": 201, "task": EXAMPLE, "error": None}],
        example_body={"operations": [{"op": "create", "title": "Water the plants", "tags": ["home"]}], "atomic": True},
    ),
]  # fmt: skip
