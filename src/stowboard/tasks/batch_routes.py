"""Many changes of tasks in one request, over HTTP."""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta

from stowboard.api.endpoint import MEBIBYTE, Answer, Call, Endpoint, ItemRefusal, NoMeta
from stowboard.api.idempotency import redact_replies
from stowboard.core.errors import Conflict, PreconditionFailed, Problem, TooManyItems
from stowboard.db.database import Tx
from stowboard.tasks.base.document import TaskView, view, without_bodies
from stowboard.tasks.base.errors import TaskNotFound, WrongDestination, ZeroKnowledgeBody
from stowboard.tasks.base.library import Library
from stowboard.tasks.base.privacy import sees_envelopes
from stowboard.tasks.base.task import TaskId
from stowboard.tasks.batch import MOST_OPERATIONS, OperationOutcome, perform_batch
from stowboard.tasks.boards import lane_store
from stowboard.tasks.quick_routes import own_time_zone
from stowboard.tasks.task_routes import EXAMPLE, read_body_ahead
from stowboard.tasks.wire import CreateOperation, TaskOperation, UpdateOperation


class BatchBody(msgspec.Struct, frozen=True):
    """Operations, done one after the other."""

    #: More of them have an error of their own.
    operations: Annotated[
        list[TaskOperation], Meta(description="At most 100.", extra_json_schema={"maxItems": MOST_OPERATIONS})
    ]
    atomic: Annotated[bool, Meta(description="All or nothing; by default each for itself.")] | None = False


class BatchError(msgspec.Struct, frozen=True):
    """Why nothing was done: what the operation alone would have been refused with."""

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
    """Create, change, move, complete and archive up to 100 tasks in one request.

    Operations are done in their order, and each has a result. With `atomic`, the first one that is refused undoes all
    of them: its error is the answer, and names it.
    """
    atomic = bool(call.body.atomic)
    operations = await _with_time_zones(tx, call)
    outcomes = await perform_batch(tx, call.caller, operations, atomic, redact_replies, call.use(Library))
    # A plaintext that one operation wrote and a later one was to forget is not told, nor kept.
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
    """The operations, with the person's own time zone in lines of quick add that name none."""
    operations = call.body.operations
    if not any(_lacks_zone(operation) for operation in operations):
        return operations
    zone = await own_time_zone(tx, call)
    return [msgspec.structs.replace(each, time_zone=zone) if _lacks_zone(each) else each for each in operations]


def _lacks_zone(operation: TaskOperation) -> bool:
    return isinstance(operation, CreateOperation) and bool(operation.quick) and operation.time_zone is None


async def _result(tx: Tx, call: Call[Any, Any], outcome: OperationOutcome, sealed: set[TaskId]) -> BatchResult:
    task, problem = outcome.task, outcome.problem
    if task is None:
        assert problem is not None
        return BatchResult(problem.status, None, _error(problem))
    position = await lane_store.position_of(tx, task) if task.board_id is not None else UNSET
    shown = msgspec.structs.replace(task, body=None) if task.id in sealed else task
    return BatchResult(201 if outcome.created else 200, view(shown, position, sees_envelopes(call.caller)), None)


def _error(problem: Problem) -> BatchError:
    return BatchError(problem.code, problem.message)


#: Room for a hundred tasks, or for a few with long bodies.
_MAX_BODY = 8 * MEBIBYTE

ENDPOINTS = [
    Endpoint(
        "POST", "/taskapp/tasks/batch", batch_tasks, list[BatchResult], scope="tasks:write", body=BatchBody,
        meta=BatchMeta, ahead=_read_bodies_ahead, redact=without_bodies, max_body=_MAX_BODY,
        errors=[TooManyItems, TaskNotFound, PreconditionFailed, WrongDestination, ZeroKnowledgeBody, Conflict],
        example=[{"status": 201, "task": EXAMPLE, "error": None}],
        example_body={"operations": [{"op": "create", "title": "Water the plants", "tags": ["home"]}], "atomic": True},
    ),
]  # fmt: skip
