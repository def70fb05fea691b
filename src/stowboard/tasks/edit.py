"""Change what a task says. What is omitted keeps its value, whatever else is in the body."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from stowboard.core.caller import Caller
from stowboard.core.errors import ValidationFailed
from stowboard.core.tags import checked_tags
from stowboard.db.database import Tx
from stowboard.tasks import task_store
from stowboard.tasks.boards.board import Column
from stowboard.tasks.boards.placing import append, hold_end, hold_task
from stowboard.tasks.errors import ZeroKnowledgeBody
from stowboard.tasks.keep import keep
from stowboard.tasks.privacy import checked_bodies, sees_envelopes, turns_private
from stowboard.tasks.recurrence.series import checked_series
from stowboard.tasks.task import Status, Task, Visibility, checked_title
from stowboard.tasks.versions import check_version
from stowboard.tasks.wire import Envelope, PatchBody

#: From now on nothing that was answered about the subject tells its text again.
RedactReplies: TypeAlias = Callable[[Tx, str], Awaitable[None]]


async def edit_task(
    tx: Tx, caller: Caller, task_id: str, body: PatchBody, if_match: str | None, redact_replies: RedactReplies
) -> Task:
    """Raises TaskNotFound, ZeroKnowledgeBody, PreconditionFailed or ValidationFailed."""
    task, column = await _hold(tx, caller, task_id, body.status, if_match)
    if isinstance(body.encrypted_body, Envelope) and not sees_envelopes(caller):
        raise ZeroKnowledgeBody  # an equal one too: who may not read it shall not find out what it is
    changed = msgspec.structs.replace(task, **_changes(task, body))
    changed = checked_series(checked_bodies(caller, task, changed), task)
    if body.status is not UNSET and body.status is not task.status:
        changed = await append(tx, changed, body.status, column)
    if turns_private(task, changed):
        await redact_replies(tx, task.id)
        tx.scrub()
    return await keep(tx, task, changed, "task.updated")


async def _hold(
    tx: Tx, caller: Caller, task_id: str, status: Status | UnsetType, if_match: str | None
) -> tuple[Task, Column | None]:
    """The task, and the column of its new status if there is one."""
    if status is not UNSET:
        return await hold_task(tx, caller, task_id, if_match, lambda task: hold_end(tx, task, status))
    task = await task_store.get_owned_for_change(tx, caller.owner, task_id)
    check_version(task, if_match)
    return task, None


def _changes(task: Task, body: PatchBody) -> dict[str, Any]:
    given = {name: value for name, value in msgspec.structs.asdict(body).items() if value is not UNSET}
    changes = {name: given[name] for name in _PLAIN if name in given}
    if "title" in given:
        changes["title"] = checked_title(given["title"])
    if "tags" in given:
        changes["tags"] = checked_tags(given["tags"])
    if "time_zone" in given:
        changes["time_zone"] = given["time_zone"] or "UTC"
    if "encrypted_body" in given:
        envelope = given["encrypted_body"]
        changes["encrypted_body"] = msgspec.json.encode(envelope) if envelope is not None else None
    if given.get("visibility", task.visibility) is Visibility.ZERO_KNOWLEDGE:
        changes.setdefault("body", None)  # a plaintext of old is forgotten, one that is sent is refused
    return changes | _cleared(body, "due_at") | _cleared(body, "reminder")


_PLAIN = ("body", "due_at", "reminder", "recurrence", "visibility")
_WIRE_NAMES = {"due_at": ("dueAt", "clearDueAt"), "reminder": ("reminder", "clearReminder")}


def _cleared(body: PatchBody, name: str) -> dict[str, None]:
    if not getattr(body, f"clear_{name}"):
        return {}
    if getattr(body, name) not in (UNSET, None):
        member, flag = _WIRE_NAMES[name]
        raise ValidationFailed(f"{member} and {flag} contradict each other; send one of them.")
    return {name: None}
