"""One task over HTTP."""

from collections.abc import Awaitable, Callable, Sequence
from itertools import islice
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from stowboard.api.endpoint import MEBIBYTE, Answer, AnyEndpoint, Call, Deleted, Endpoint, NoMeta, PageMeta
from stowboard.api.envelope import without_body
from stowboard.api.idempotency import redact_replies
from stowboard.api.paging import Page, PageQuery
from stowboard.core import clock
from stowboard.core.errors import Conflict, TooManyItems
from stowboard.core.ids import is_id
from stowboard.core.preconditions import etag_of_answer
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.search.long_texts import read_ahead
from stowboard.tasks import archive, complete, create, edit
from stowboard.tasks.base import task_store
from stowboard.tasks.base.document import TaskView, show
from stowboard.tasks.base.errors import TaskInTrash, TaskNotFound, WrongDestination, ZeroKnowledgeBody
from stowboard.tasks.base.library import Library
from stowboard.tasks.base.privacy import sees_envelopes
from stowboard.tasks.base.task import Task, TaskId, etag_of
from stowboard.tasks.boards import lane_store, move, transfer
from stowboard.tasks.quick.span import SpanView
from stowboard.tasks.quick_add import spelled_out, understand
from stowboard.tasks.quick_routes import in_own_zone, show_spans
from stowboard.tasks.recurrence.series import due_times_after
from stowboard.tasks.wire import CreateBody, MoveBody, TaskPatchBody, TransferBody

MOST_UPCOMING = 10


class CreateMeta(NoMeta, frozen=True, rename="camel", kw_only=True):
    """`meta` of a creation: whether the task was there already, and what was read of its line."""

    idempotent_replay: bool | UnsetType = UNSET
    spans: Annotated[list[SpanView], Meta(description="What was read of a line of quick add.")] | UnsetType = UNSET


class OccurrenceView(msgspec.Struct, frozen=True, rename="camel"):
    """A completed occurrence of a recurring task."""

    number: int
    due_at: int | None
    completed_at: int
    due_on: str | None


class UpcomingQuery(msgspec.Struct, frozen=True):
    """How far to look ahead."""

    limit: Annotated[int, Meta(ge=1, description="How many at most; more than 10 are given as 10.")] = 3


class UpcomingMeta(msgspec.Struct, frozen=True):
    """`meta` of the next due dates."""

    limit: int


class UpcomingView(msgspec.Struct, frozen=True, rename="camel"):
    """A date on which a recurring task will be due."""

    due_at: int
    due_on: str | None


async def create_task(tx: Tx, call: Call[CreateBody, None]) -> Answer:
    """Create a task.

    A retry with the same `idempotencyKey` answers 200 with the task as it is now, and `meta.idempotentReplay`. With
    `quick`, `meta.spans` has what was understood of the title.
    """
    body, spans = await in_own_zone(tx, call, call.body), None
    if body.quick:
        reading = await understand(tx, call.access, body.space_id, body.title, body.time_zone)
        body, spans = spelled_out(body, reading), show_spans(body.title, reading.spans)
    task, document = await create.create_task(tx, call.access, body, call.use(Library))
    data, meta = await _shown(tx, call, task, document), CreateMeta(spans=UNSET if spans is None else spans)
    headers = (("etag", task.etag), ("location", f"{call.origin}/api/v1/taskapp/tasks/{task.id}"))
    if document is not None:
        return Answer(data, meta, 201, headers, task.id)
    return Answer(data, msgspec.structs.replace(meta, idempotent_replay=True), 200, headers, task.id)


async def get_task(tx: Tx, call: Call[None, None], task_id: str) -> Answer:
    """Read one task."""
    wanted = task_id_of(task_id)
    shown, version, board_id = await task_store.get_shown(tx, call.access, wanted, sees_envelopes(call.caller))
    if board_id is not None:
        # Its position changes with the tasks around it, and its version does not.
        placed = await _shown(tx, call, await task_store.get(tx, call.access, wanted))
        return Answer(placed, headers=(("etag", etag_of_answer(etag_of(version), bytes(placed))),))
    return Answer(msgspec.Raw(shown), headers=etag_header(version))


async def update_task(tx: Tx, call: Call[TaskPatchBody, None], task_id: str) -> Answer:
    """Change a task.

    What is omitted keeps its value. `tags: []` clears the tags; `clearDueAt`, `clearReminder` or null clear a value.
    A `status` moves the task to the end of that column; `archived` archives or restores it. Turning a task
    zero-knowledge forgets its plaintext for good.
    """
    changed, library, body = task_id_of(task_id), call.use(Library), await in_own_zone(tx, call, call.body)
    task = await edit.edit_task(tx, call.access, changed, body, call.if_match, redact_replies, library)
    return await _one(tx, call, task)


async def move_task(tx: Tx, call: Call[MoveBody, None], task_id: str) -> Answer:
    """Move a task to a status, and optionally to a board and a place in its column."""
    to = move.destination(call.body)
    return await _one(tx, call, await move.move_task(tx, call.access, task_id_of(task_id), to, call.if_match))


async def complete_task(tx: Tx, call: Call[None, None], task_id: str) -> Answer:
    """Complete a task.

    A recurring one, even if it is done, gets its next due date and returns to the entry column while its series goes
    on; any other is done, in the terminal column.
    """
    return await _one(tx, call, await complete.complete_task(tx, call.access, task_id_of(task_id), call.if_match))


async def archive_task(tx: Tx, call: Call[None, None], task_id: str) -> Answer:
    """Hide a task from default lists. It keeps its place."""
    return await _one(tx, call, await archive.archive_task(tx, call.access, task_id_of(task_id), call.if_match))


async def trash_task(tx: Tx, call: Call[None, None], task_id: str) -> Answer:
    """Put a task in the trash.

    It is in no other list, reminds nobody, and is not changed until it is restored. After 30 days, or the time that the
    operator sets, it is deleted for good.
    """
    return await _one(tx, call, await archive.trash_task(tx, call.access, task_id_of(task_id), call.if_match))


async def restore_task(tx: Tx, call: Call[None, None], task_id: str) -> Answer:
    """Bring a task back to where it was: out of the trash if it is there, else out of the archive."""
    return await _one(tx, call, await archive.restore_task(tx, call.access, task_id_of(task_id), call.if_match))


async def transfer_task(tx: Tx, call: Call[TransferBody, None], task_id: str) -> Answer:
    """Transfer a task to another space, in which you are editor too. Its id stays; it leaves its board."""
    wanted, library = task_id_of(task_id), call.use(Library)
    task = await transfer.transfer_task(tx, call.access, wanted, call.body.space_id, call.if_match, library)
    return await _one(tx, call, task)


async def delete_task(tx: Tx, call: Call[None, None], task_id: str) -> Deleted:
    """Delete a task for good."""
    task = await archive.delete_task(tx, call.access, task_id_of(task_id), call.if_match)
    await audit.record_in(tx, call.caller, task.owner, "task.delete", task_id)
    return Deleted(task_id)


async def list_occurrences(tx: Tx, call: Call[None, PageQuery], task_id: str) -> Answer:
    """List the completed occurrences of a recurring task, latest first."""
    task = await task_store.get(tx, call.access, task_id_of(task_id))
    page = Page(call, "occurrences", task.id)
    listed = await task_store.list_occurrences(tx, task.id, page.after, page.size)
    return page.answer([OccurrenceView(*msgspec.structs.astuple(one)) for one in listed.items], listed.end)


async def list_upcoming(tx: Tx, call: Call[None, UpcomingQuery], task_id: str) -> Answer:
    """List when a recurring task will be due after its present date, if each occurrence is completed in its time."""
    task = await task_store.get(tx, call.access, task_id_of(task_id))
    limit = min(call.query.limit, MOST_UPCOMING)
    dates = islice(due_times_after(task, clock.now_ms()), limit)
    return Answer([UpcomingView(at or 0, on) for at, on in dates], UpcomingMeta(limit))


async def read_body_ahead(body: CreateBody | TaskPatchBody) -> None:
    if body.body:
        await read_ahead([body.body])


async def _one(tx: Tx, call: Call[Any, Any], task: Task) -> Answer:
    return Answer(await _shown(tx, call, task), headers=etag_header(task.version), subject=task.id)


async def _shown(tx: Tx, call: Call[Any, Any], task: Task, document: bytes | None = None) -> msgspec.Raw:
    """The task as it is answered alone; `document` is what was just stored of it."""
    interactive = sees_envelopes(call.caller)
    if task.board_id is not None:
        return show(task, await lane_store.position_of(tx, task), interactive)
    return show(task, interactive=interactive, document=document)


async def show_again(tx: Tx, call: Call[Any, Any], task_ids: Sequence[str]) -> dict[str, msgspec.Raw]:
    """The tasks as they are now; those that are gone or out of reach are left out."""
    tasks = await task_store.find_many(tx, call.access, task_ids)
    return {task.id: await _shown(tx, call, task) for task in tasks}


def task_id_of(text: str) -> TaskId:
    """The text as an id; one that cannot be an id is not looked for."""
    if not is_id("tsk", text):
        raise TaskNotFound
    return TaskId(text)


def etag_header(version: int) -> tuple[tuple[str, str], ...]:
    return (("etag", etag_of(version)),)


_READ, _WRITE, _DELETE = "tasks:read", "tasks:write", "tasks:delete"
EXAMPLE = {
    "id": "tsk_01kbr2x4q8e9w6y3t7n5m1c0vz", "title": "Water the plants", "body": None, "status": "todo",
    "dueAt": 1794787200000, "dueOn": None, "reminder": None, "recurrence": "FREQ=WEEKLY;BYDAY=MO",
    "timeZone": "Europe/Berlin", "tags": ["home"], "placement": None, "archived": False,
    "visibility": "server-readable", "idempotencyKey": None,
    "hasBody": False, "createdAt": 1794700000000, "updatedAt": 1794700000000, "completedAt": None, "version": 1,
    "priority": 0,
    "attachments": [{"id": "ast_01kbr2x4q8e9w6y3t7n5m1c0vz", "deleted": False}], "metadata": {"order": "4711"},
    "spaceId": "~alice", "createdBy": "alice", "updatedBy": "alice", "assignees": ["alice"],
    "checklist": [
        {"id": "itm_01kbr2x4q8e9w6y3t7n5m1c0vz", "title": "Fill the can", "done": False, "doneAt": None, "doneBy": None}
    ],
    "startAt": None, "reminders": [{"at": None, "beforeDue": 3600000}], "recurrenceFrom": "due", "commentCount": 0,
    "trashedAt": None,
}  # fmt: skip
IF_MATCH = {"If-Match": "The ETag of the version that the change is for; another one is answered with 412."}
#: Room for the longest body with every character escaped, and for an envelope.
_MAX_BODY = 2 * MEBIBYTE
TASK_ETAG = {"ETag": "The task's version, for If-Match."}


def _act(name: str, run: Callable[[Tx, Call[None, None], str], Awaitable[Answer]]) -> AnyEndpoint:
    """A change that needs no body."""
    return Endpoint(
        "POST", f"/taskapp/tasks/{{task_id}}/{name}", run, TaskView, scope=_WRITE, errors=[TaskInTrash],
        short=True, takes=IF_MATCH, redact=without_body, show_again=show_again, headers=TASK_ETAG, example=EXAMPLE,
    )  # fmt: skip


ENDPOINTS = [
    Endpoint(
        "POST", "/taskapp/tasks", create_task, TaskView, scope=_WRITE, body=CreateBody, meta=CreateMeta, status=201,
        short=True, ahead=read_body_ahead, redact=without_body, show_again=show_again, max_body=_MAX_BODY,
        errors=[ZeroKnowledgeBody, Conflict, TooManyItems, WrongDestination],
        headers=TASK_ETAG | {"Location": "Where the task is."},
        also={200: "The task that was created with this idempotencyKey before."}, example=EXAMPLE,
        example_body={"title": "Water the plants", "tags": ["home"], "idempotencyKey": "plants-2026-46"},
    ),
    Endpoint(
        "GET", "/taskapp/tasks/{task_id}", get_task, TaskView, scope=_READ, headers=TASK_ETAG,
        revalidates=True, example=EXAMPLE,
    ),
    Endpoint(
        "PATCH", "/taskapp/tasks/{task_id}", update_task, TaskView, scope=_WRITE, body=TaskPatchBody, takes=IF_MATCH,
        short=True, ahead=read_body_ahead, redact=without_body, show_again=show_again, max_body=_MAX_BODY,
        headers=TASK_ETAG,
        errors=[TaskInTrash, ZeroKnowledgeBody, TooManyItems, Conflict], example=EXAMPLE,
        example_body={"dueAt": 1794787200000, "tags": ["home"], "clearReminder": True},
    ),
    Endpoint(
        "PATCH", "/taskapp/tasks/{task_id}/move", move_task, TaskView, scope=_WRITE, body=MoveBody, takes=IF_MATCH,
        short=True, redact=without_body, show_again=show_again,
        headers=TASK_ETAG,
        errors=[TaskInTrash, WrongDestination], example=EXAMPLE,
        example_body={"status": "in_progress", "position": 0},
    ),
    _act("complete", complete_task),
    _act("archive", archive_task),
    _act("trash", trash_task),
    _act("restore", restore_task),
    Endpoint(
        "POST", "/taskapp/tasks/{task_id}/transfer", transfer_task, TaskView, scope=_DELETE, body=TransferBody,
        takes=IF_MATCH, redact=without_body, show_again=show_again, headers=TASK_ETAG, errors=[TaskInTrash],
        example_body={"spaceId": "spc_01kbr2x4q8e9w6y3t7n5m1c0vz"}, example=EXAMPLE,
    ),
    Endpoint(
        "DELETE", "/taskapp/tasks/{task_id}", delete_task, Deleted, scope=_DELETE, errors=[TaskInTrash],
        takes=IF_MATCH,
        example={"id": "tsk_01kbr2x4q8e9w6y3t7n5m1c0vz", "deleted": True},
    ),
    Endpoint(
        "GET", "/taskapp/tasks/{task_id}/occurrences", list_occurrences, list[OccurrenceView], scope=_READ,
        query=PageQuery, meta=PageMeta,
        example=[{"number": 1, "dueAt": 1794787200000, "completedAt": 1794790000000, "dueOn": None}],
    ),
    Endpoint(
        "GET", "/taskapp/tasks/{task_id}/upcoming", list_upcoming, list[UpcomingView], scope=_READ, query=UpcomingQuery,
        meta=UpcomingMeta, example=[{"dueAt": 1795392000000, "dueOn": None}, {"dueAt": 1795996800000, "dueOn": None}],
    ),
]  # fmt: skip
