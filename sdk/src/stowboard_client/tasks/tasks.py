"""Tasks of a space, by default the token's own, and the index that lists them.

In `update_task`, an omitted member keeps its value and None clears it. With `if_match=task.version` the change happens
only if the task still has that version. A task's own key (`key`, `idempotencyKey` in the API) lives as long as the
task; the `idempotency_key` of a request is remembered for 24 hours.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import UNSET

from stowboard_client.tasks.parts import (
    add_attachment,
    add_item,
    delete_attachment,
    delete_item,
    follow_task,
    get_following,
    list_attachments,
    unfollow_task,
    update_item,
)
from stowboard_client.tasks.task import (
    Backfill,
    BatchResults,
    CalendarAddress,
    EncryptedBody,
    Occurrence,
    ParsedTask,
    RecurrenceFrom,
    Sort,
    Status,
    Task,
    Upcoming,
    Visibility,
)
from stowboard_client.transport.call import Call, Deleted, Maybe, at_version, data, members, path, space_beside, whole
from stowboard_client.transport.paging import Listing, Page
from stowboard_client.transport.resource import Conversation, D, Operation, Resource
from stowboard_client.transport.session import Session
from stowboard_client.transport.steps import Steps


def create_task(
    title: str,
    *,
    body: Maybe[str | None] = UNSET,
    encrypted_body: Maybe[EncryptedBody | None] = UNSET,
    status: Maybe[Status] = UNSET,
    due_at: Maybe[int | None] = UNSET,
    due_on: Maybe[str | None] = UNSET,
    reminder: Maybe[int | None] = UNSET,
    recurrence: Maybe[str | None] = UNSET,
    time_zone: Maybe[str | None] = UNSET,
    tags: Maybe[Sequence[str]] = UNSET,
    visibility: Maybe[Visibility] = UNSET,
    key: Maybe[str | None] = UNSET,
    priority: Maybe[int | None] = UNSET,
    board_id: Maybe[str | None] = UNSET,
    column_id: Maybe[str | None] = UNSET,
    position: Maybe[int | None] = UNSET,
    attachments: Maybe[Sequence[str] | None] = UNSET,
    metadata: Maybe[Mapping[str, str] | None] = UNSET,
    assignees: Maybe[Sequence[str] | None] = UNSET,
    checklist: Maybe[Sequence[Mapping[str, object]] | None] = UNSET,
    start_at: Maybe[int | None] = UNSET,
    reminders: Maybe[Sequence[Mapping[str, int]] | None] = UNSET,
    recurrence_from: Maybe[RecurrenceFrom | None] = UNSET,
    space: str | None = None,
    idempotency_key: str | None = None,
) -> Call[Task]:
    """Create a task. If the space has one with this `key`, that one is returned as it is now.

    Items of `checklist` are such as `{"title": "Buy soil"}`; of `reminders`, `{"at": …}` or `{"beforeDue": …}`.
    """
    content = members(
        title=title, body=body, encrypted_body=encrypted_body, status=status, due_at=due_at, due_on=due_on,
        reminder=reminder, recurrence=recurrence, time_zone=time_zone, tags=tags, visibility=visibility,
        idempotency_key=key, priority=priority, board_id=board_id, column_id=column_id, position=position,
        attachments=attachments, metadata=metadata, assignees=assignees, checklist=checklist, start_at=start_at,
        reminders=reminders, recurrence_from=recurrence_from,
    )  # fmt: skip
    return _create(content, idempotency_key, space_beside(board_id, space))


def quick_add_task(
    line: str,
    *,
    time_zone: Maybe[str | None] = UNSET,
    body: Maybe[str | None] = UNSET,
    due_at: Maybe[int | None] = UNSET,
    due_on: Maybe[str | None] = UNSET,
    tags: Maybe[Sequence[str]] = UNSET,
    key: Maybe[str | None] = UNSET,
    space: str | None = None,
    idempotency_key: str | None = None,
) -> Call[Task]:
    """Create a task from one line, such as «Renew cert fri 9am #ops every month». Dates are in the time zone."""
    content = members(
        title=line,
        quick=True,
        time_zone=time_zone,
        body=body,
        due_at=due_at,
        due_on=due_on,
        tags=tags,
        idempotency_key=key,
    )
    return _create(content, idempotency_key, space)


def parse_task(line: str, *, time_zone: Maybe[str | None] = UNSET, space: str | None = None) -> Call[ParsedTask]:
    """The task that `quick_add` would make of the line, and how each part was understood."""
    body = members(text=line, time_zone=time_zone)
    return Call("POST", "/taskapp/tasks/parse", data(ParsedTask), body=body, space=space)


def list_tasks(
    *,
    status: Status | Literal["open"] | Sequence[Status] | None = None,
    tags: str | Sequence[str] | None = None,
    archived: bool | Literal["only"] | None = None,
    board_id: str | None = None,
    due_before: int | None = None,
    due_after: int | None = None,
    due: Literal["none"] | None = None,
    updated_after: int | None = None,
    metadata: tuple[str, str] | None = None,
    assignee: str | None = None,
    start_before: int | None = None,
    sort: Sort | None = None,
    q: str | None = None,
    trashed: Literal["only"] | None = None,
    space: str | None = None,
    limit: int | None = None,
) -> Call[Page[Task]]:
    """The tasks for which every given filter holds, newest first. A task needs all of the given `tags`,
    and one of several statuses; `open` is all but `done`. `due="none"` lists those without a due date.

    `trashed="only"` lists the trash, the latest there first. Beside it only `space` has an effect.

    Tasks of a board come in the board's order, unless `sort` is given. `assignee` is a username or `me`. With
    space="all" it lists those of every space.

    Raises TaskIndexNotActivated until the owner's index is activated, once: see `activate_index`.
    """
    query = {
        "status": status if status is None or isinstance(status, str) else ",".join(status),
        "tags": tags if tags is None or isinstance(tags, str) else ",".join(tags),
        "archived": archived,
        "boardId": board_id,
        "dueBefore": due_before,
        "dueAfter": due_after,
        "due": due,
        "updatedAfter": updated_after,
        "metadata": metadata and ":".join(metadata),
        "assignee": assignee,
        "startBefore": start_before,
        "sort": sort,
        "q": q,
        "trashed": trashed,
        "limit": limit,
    }
    return Call("GET", "/taskapp/tasks", whole(Page[Task]), query=query, space=space_beside(board_id, space))


def get_task(task_id: str) -> Call[Task]:
    return Call("GET", path("/taskapp/tasks/{}", task_id), data(Task))


def update_task(
    task_id: str,
    *,
    title: Maybe[str] = UNSET,
    body: Maybe[str | None] = UNSET,
    encrypted_body: Maybe[EncryptedBody | None] = UNSET,
    status: Maybe[Status] = UNSET,
    due_at: Maybe[int | None] = UNSET,
    due_on: Maybe[str | None] = UNSET,
    reminder: Maybe[int | None] = UNSET,
    recurrence: Maybe[str | None] = UNSET,
    time_zone: Maybe[str | None] = UNSET,
    tags: Maybe[Sequence[str] | None] = UNSET,
    visibility: Maybe[Visibility] = UNSET,
    archived: Maybe[bool] = UNSET,
    priority: Maybe[int | None] = UNSET,
    attachments: Maybe[Sequence[str] | None] = UNSET,
    metadata: Maybe[Mapping[str, str] | None] = UNSET,
    assignees: Maybe[Sequence[str] | None] = UNSET,
    checklist: Maybe[Sequence[Mapping[str, object]] | None] = UNSET,
    start_at: Maybe[int | None] = UNSET,
    reminders: Maybe[Sequence[Mapping[str, int]] | None] = UNSET,
    recurrence_from: Maybe[RecurrenceFrom | None] = UNSET,
    if_match: int | None = None,
    idempotency_key: str | None = None,
) -> Call[Task]:
    """Change the given members. `status` moves the task to the end of that column; `archived` archives or restores."""
    content = members(
        title=title, body=body, encrypted_body=encrypted_body, status=status, due_at=due_at, due_on=due_on,
        reminder=reminder, recurrence=recurrence, time_zone=time_zone, tags=tags, visibility=visibility,
        archived=archived, priority=priority, attachments=attachments, metadata=metadata, assignees=assignees,
        checklist=checklist, start_at=start_at, reminders=reminders, recurrence_from=recurrence_from,
    )  # fmt: skip
    address = path("/taskapp/tasks/{}", task_id)
    return Call("PATCH", address, data(Task), {}, content, at_version(if_match), idempotency_key)


def move_task(
    task_id: str,
    status: Status,
    *,
    board: Maybe[str | None] = UNSET,
    column_id: Maybe[str | None] = UNSET,
    position: Maybe[int | None] = UNSET,
    before_task_id: Maybe[str | None] = UNSET,
    after_task_id: Maybe[str | None] = UNSET,
    if_match: int | None = None,
    idempotency_key: str | None = None,
) -> Call[Task]:
    """Move a task to a status, and optionally to a board (None: off its board) and a place in the column."""
    content = members(
        status=status, board=board, column_id=column_id, position=position, before_task_id=before_task_id,
        after_task_id=after_task_id,
    )  # fmt: skip
    address = path("/taskapp/tasks/{}/move", task_id)
    return Call("PATCH", address, data(Task), {}, content, at_version(if_match), idempotency_key)


def complete_task(task_id: str, *, if_match: int | None = None, idempotency_key: str | None = None) -> Call[Task]:
    """A recurring task gets its next due date while its series goes on; any other is done."""
    return _post(task_id, "complete", if_match, idempotency_key)


def archive_task(task_id: str, *, if_match: int | None = None, idempotency_key: str | None = None) -> Call[Task]:
    """Hide a task from default lists. It keeps its place."""
    return _post(task_id, "archive", if_match, idempotency_key)


def trash_task(task_id: str, *, if_match: int | None = None, idempotency_key: str | None = None) -> Call[Task]:
    """Put a task in the trash. There it is in no list, and cannot be changed until it is restored."""
    return _post(task_id, "trash", if_match, idempotency_key)


def restore_task(task_id: str, *, if_match: int | None = None, idempotency_key: str | None = None) -> Call[Task]:
    """Bring a task back to where it was: out of the trash if it is there, else out of the archive."""
    return _post(task_id, "restore", if_match, idempotency_key)


def transfer_task(
    task_id: str, space: str, *, if_match: int | None = None, idempotency_key: str | None = None
) -> Call[Task]:
    """Transfer a task to another space, by its id. It leaves its board."""
    address, body = path("/taskapp/tasks/{}/transfer", task_id), {"spaceId": space}
    return Call("POST", address, data(Task), {}, body, at_version(if_match), idempotency_key)


def delete_task(task_id: str, *, if_match: int | None = None, idempotency_key: str | None = None) -> Call[Deleted]:
    """Delete a task for good."""
    address = path("/taskapp/tasks/{}", task_id)
    return Call("DELETE", address, data(Deleted), headers=at_version(if_match), idempotency_key=idempotency_key)


def task_operation(
    op: Literal["create", "update", "move", "complete", "archive", "trash", "restore"], **given: object
) -> dict[str, object]:
    """One operation of a batch: `task_operation("move", id=task.id, status="done", if_match=task.version)`.

    It takes the members of the operation of that name. For a creation, `idempotency_key` is the key of the task.
    """
    return members(op=op, **given)


def batch_tasks(
    operations: Sequence[dict[str, object]], *, atomic: Maybe[bool] = UNSET, idempotency_key: str | None = None
) -> Call[BatchResults]:
    """Do up to 100 operations, one after the other. With `atomic`, one refusal undoes all, and its error is raised."""
    body = members(operations=operations, atomic=atomic)
    return Call("POST", "/taskapp/tasks/batch", whole(BatchResults), body=body, idempotency_key=idempotency_key)


def list_occurrences(task_id: str, *, limit: int | None = None) -> Call[Page[Occurrence]]:
    """The completed occurrences of a recurring task, latest first."""
    return Call("GET", path("/taskapp/tasks/{}/occurrences", task_id), whole(Page[Occurrence]), query={"limit": limit})


def list_upcoming(task_id: str, *, limit: int | None = None) -> Call[list[Upcoming]]:
    """When a recurring task will be due after its present date: three dates, or up to ten."""
    return Call("GET", path("/taskapp/tasks/{}/upcoming", task_id), data(list[Upcoming]), query={"limit": limit})


def backfill_task_index(*, space: str | None = None, idempotency_key: str | None = None) -> Call[Backfill]:
    """Index the owner's next tasks, up to 500 of them. Repeating it is safe."""
    address = "/taskapp/task-index/backfill"
    return Call("POST", address, data(Backfill), idempotency_key=idempotency_key, space=space)


def activate_index(session: Session, *, space: str | None = None) -> Steps[Backfill]:
    """Backfill until the index is active. If it is active already, this is one request."""
    while True:
        progress = yield from session.perform(backfill_task_index(space=space))
        if progress.complete:
            return progress


def create_calendar(
    *,
    titles: Maybe[bool] = UNSET,
    space: str | None = None,
    assigned_to_me: Maybe[bool] = UNSET,
    idempotency_key: str | None = None,
) -> Call[CalendarAddress]:
    """Make a secret address for calendar programs; the previous one ends. Without `titles` it shows only the times."""
    address, body = "/taskapp/calendar", members(titles=titles, assigned_to_me=assigned_to_me)
    return Call("POST", address, data(CalendarAddress), body=body, idempotency_key=idempotency_key, space=space)


def delete_calendar(*, space: str | None = None, idempotency_key: str | None = None) -> Call[Deleted]:
    """End the address of the calendar."""
    return Call("DELETE", "/taskapp/calendar", data(Deleted), idempotency_key=idempotency_key, space=space)


class Tasks(Resource[D]):
    create = Operation("createTask", create_task)
    quick_add = Operation("createTask", quick_add_task)
    parse = Operation("parseTask", parse_task)
    list = Listing("listTasks", list_tasks)
    get = Operation("getTask", get_task)
    update = Operation("updateTask", update_task)
    move = Operation("moveTask", move_task)
    complete = Operation("completeTask", complete_task)
    archive = Operation("archiveTask", archive_task)
    trash = Operation("trashTask", trash_task)
    restore = Operation("restoreTask", restore_task)
    delete = Operation("deleteTask", delete_task)
    transfer = Operation("transferTask", transfer_task)
    batch = Operation("batchTasks", batch_tasks)
    add_item = Operation("addItem", add_item)
    update_item = Operation("updateItem", update_item)
    delete_item = Operation("deleteItem", delete_item)
    attachments = Operation("listAttachments", list_attachments)
    attach = Operation("addAttachment", add_attachment)
    detach = Operation("deleteAttachment", delete_attachment)
    following = Operation("getFollowing", get_following)
    follow = Operation("followTask", follow_task)
    unfollow = Operation("unfollowTask", unfollow_task)
    occurrences = Listing("listOccurrences", list_occurrences)
    upcoming = Operation("listUpcoming", list_upcoming)
    backfill = Operation("backfillTaskIndex", backfill_task_index)
    activate_index = Conversation(activate_index)
    create_calendar = Operation("createCalendar", create_calendar)
    delete_calendar = Operation("deleteCalendar", delete_calendar)


def _create(content: object, idempotency_key: str | None, space: Maybe[str | None]) -> Call[Task]:
    return Call("POST", "/taskapp/tasks", data(Task), body=content, idempotency_key=idempotency_key, space=space)


def _post(task_id: str, verb: str, if_match: int | None, idempotency_key: str | None) -> Call[Task]:
    address = path("/taskapp/tasks/{}/" + verb, task_id)
    return Call("POST", address, data(Task), headers=at_version(if_match), idempotency_key=idempotency_key)
