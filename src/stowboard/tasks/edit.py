"""Change what a task says. What is omitted keeps its value, whatever else is in the body."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeAlias

import msgspec
from msgspec import UNSET

from stowboard.core.caller import Access
from stowboard.core.errors import Conflict, NotFound
from stowboard.core.metadata import checked_metadata
from stowboard.core.tags import checked_tags
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.events.changes.change_store import forget_member
from stowboard.tasks.attachments import checked_attachments
from stowboard.tasks.base import task_store
from stowboard.tasks.base.document import Envelope
from stowboard.tasks.base.errors import ZeroKnowledgeBody
from stowboard.tasks.base.library import NO_LIBRARY, Library
from stowboard.tasks.base.privacy import checked_bodies, sees_envelopes
from stowboard.tasks.base.task import Status, Task, TaskId, Visibility, checked_title
from stowboard.tasks.boards.move import LaneAim, append, lock_place
from stowboard.tasks.due import contradiction, dated, due_changes
from stowboard.tasks.keep import keep, keep_archived
from stowboard.tasks.recurrence.series import checked_series
from stowboard.tasks.together.members import with_assignees, with_given
from stowboard.tasks.wire import TaskPatchBody

#: Takes the text of a subject out of all kept answers.
RedactReplies: TypeAlias = Callable[[Tx, str], Awaitable[None]]


async def edit_task(
    tx: Tx,
    access: Access,
    task_id: TaskId,
    body: TaskPatchBody,
    if_match: str | None,
    redact_replies: RedactReplies,
    library: Library = NO_LIBRARY,
) -> Task:
    """Raises TaskNotFound, ZeroKnowledgeBody, PreconditionFailed, TooManyItems, ValidationFailed or Conflict."""
    if body.status is UNSET:
        task, column = await task_store.lock(tx, access, task_id, if_match), None
    else:
        task, column = await lock_place(tx, access, task_id, if_match, partial(_aim, body.status))
    if isinstance(body.encrypted_body, Envelope) and not sees_envelopes(access.caller):
        raise ZeroKnowledgeBody  # an equal one too: a caller who may not read it must not find out what it is
    changed = msgspec.structs.replace(task, **_changes(task, body))
    changed = checked_series(checked_bodies(access.caller, task, with_given(dated(changed), body, access.caller)), task)
    if body.assignees is not UNSET:
        changed = await with_assignees(tx, library, changed, body.assignees or [])
    if body.attachments is not UNSET:
        attachments = await checked_attachments(
            tx, library, access, task.owner, body.attachments or [], task.attachments
        )
        changed = msgspec.structs.replace(changed, attachments=attachments)
    if body.status is not UNSET and body.status is not task.status:
        changed = await append(tx, changed, body.status, column)
    if changed.zero_knowledge and not task.zero_knowledge:  # the server forgets the plaintext that it has had
        if task.extras.comment_count:
            raise Conflict("The task has comments, which stay readable. Delete them first.")
        await redact_replies(tx, task.id)
        await forget_member(tx, task.id, "body")
        tx.scrub()
    task = await keep(tx, task, changed, kinds.TASK_UPDATED)
    return task if body.archived is UNSET else await keep_archived(tx, task, body.archived)


async def attach(tx: Tx, access: Access, task_id: TaskId, target: str, if_match: str | None, library: Library) -> Task:
    """Attach one more thing. Raises TaskNotFound, PreconditionFailed, TooManyItems, UnknownAttachment."""
    task = await task_store.lock(tx, access, task_id, if_match)
    ids = [*(each.id for each in task.attachments), target]
    attachments = await checked_attachments(tx, library, access, task.owner, ids, task.attachments)
    return await keep(tx, task, msgspec.structs.replace(task, attachments=attachments), kinds.TASK_UPDATED)


async def detach(tx: Tx, access: Access, task_id: TaskId, target: str, if_match: str | None) -> Task:
    """Take one thing off. Raises TaskNotFound, PreconditionFailed, NotFound if it is not attached."""
    task = await task_store.lock(tx, access, task_id, if_match)
    left = [each for each in task.attachments if each.id != target]
    if len(left) == len(task.attachments):
        raise NotFound
    return await keep(tx, task, msgspec.structs.replace(task, attachments=left), kinds.TASK_UPDATED)


async def _aim(status: Status, task: Task) -> LaneAim | None:
    if task.board_id is None or status is task.status:
        return None
    return LaneAim(board_id=task.board_id, status=status)


def _changes(task: Task, body: TaskPatchBody) -> dict[str, Any]:
    given = {name: value for name, value in msgspec.structs.asdict(body).items() if value is not UNSET}
    changes = {name: given[name] for name in _PLAIN if name in given}
    changes |= {name: read(given[name]) for name, read in _READ.items() if name in given}
    if given.get("visibility", task.visibility) is Visibility.ZERO_KNOWLEDGE:
        changes.setdefault("body", None)  # the old plaintext is forgotten, one that is sent is refused
    return changes | due_changes(task, body) | _cleared_reminder(body)


#: Members that are kept as they are given; for the others, functions that make the value that is kept.
_PLAIN = ("body", "reminder", "recurrence", "visibility")
_READ: dict[str, Callable[[Any], Any]] = {
    "title": checked_title,
    "tags": lambda tags: checked_tags(tags or []),
    "metadata": lambda pairs: checked_metadata(pairs or {}),
    "priority": lambda priority: priority or 0,
    "time_zone": lambda zone: zone or "UTC",
    "encrypted_body": lambda envelope: None if envelope is None else msgspec.json.encode(envelope),
}


def _cleared_reminder(body: TaskPatchBody) -> dict[str, None]:
    if not body.clear_reminder:
        return {}
    if body.reminder not in (UNSET, None):
        raise contradiction("reminder", "clearReminder")
    return {"reminder": None}
