"""Finds the people who are told of an event: they have an account, can see its subject, and did not do it."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from stowboard.access.spaces import space_store
from stowboard.core.reach import LIBRARY, is_shared
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.events.feed import Event
from stowboard.events.wire import read_actor
from stowboard.notifications.notification import NotificationKind
from stowboard.notifications.subjects import NotifiedSubject, find_for_service
from stowboard.tasks.base import comment_store
from stowboard.tasks.base.comment_store import TaskAudience
from stowboard.tasks.base.task import Task

#: The kind of notification for each kind of event. A comment is told as a mention, or to followers.
TOLD = {
    kinds.TASK_ASSIGNED.name: NotificationKind.ASSIGNED,
    kinds.TASK_COMMENTED.name: NotificationKind.COMMENTED,
    kinds.TASK_COMMENT_EDITED.name: NotificationKind.MENTIONED,
    kinds.TASK_REMINDER.name: NotificationKind.REMINDER,
    kinds.TASK_COMPLETED.name: NotificationKind.COMPLETED,
    kinds.SPACE_INVITED.name: NotificationKind.SHARED,
    kinds.SPACE_JOINED.name: NotificationKind.SHARED,
    kinds.ASSET_CREATED.name: NotificationKind.FILES_ARRIVED,
    kinds.VIDEO_UPLOADED.name: NotificationKind.FILES_ARRIVED,
    kinds.ASSET_FAILED.name: NotificationKind.FAILED,
    kinds.VIDEO_FAILED.name: NotificationKind.FAILED,
    kinds.WEBHOOK_DISABLED.name: NotificationKind.FAILED,
    kinds.TOKEN_ISSUED.name: NotificationKind.TOKEN_MADE,
}
#: Files that one person sends to a space within this time make one notification.
TOGETHER_MS = 3600 * 1000


class Telling(NamedTuple):
    """One event for one person. `board` is the one that its task is on."""

    person: str
    kind: NotificationKind
    space: str
    subject: str
    cause: str
    actor: str | None
    board: str | None


async def find_told(tx: Tx, events: Sequence[Event]) -> list[Telling]:
    """The tellings of these events, in their order; all kinds are in `TOLD`. Files of one person are told together."""
    shared = sorted({event.owner for event in events if is_shared(event.owner)} - {LIBRARY})
    members = await space_store.find_all_members(tx, shared)
    subjects = await find_for_service(tx, {event.owner for event in events}, [event.subject for event in events])
    tasks = [subject.task for subject in subjects.values() if subject.task is not None]
    audiences = await comment_store.find_audiences(tx, tasks)
    candidates: list[Telling] = []
    for event in events:
        subject = subjects.get(event.subject)
        if subject is not None and subject.task is not None:
            candidates += _of_task(event, subject.task, audiences[subject.task.id])
        elif event.subject.startswith(("ast_", "vid_")):
            candidates += _of_file(event, subject, members)
        elif not event.subject.startswith("tsk_") and not is_shared(event.owner):
            space = event.subject if event.type == kinds.SPACE_JOINED.name else event.owner
            candidates.append(_telling(event, event.owner, space=space))
    people, spaces = {each.person for each in candidates}, {each.space for each in candidates}
    reaching = await space_store.find_reaching(tx, sorted(people), sorted(spaces))
    told = {(each.person, each.kind, each.cause): each for each in reversed(candidates)}
    return [
        each for each in reversed(told.values()) if each.person != each.actor and (each.person, each.space) in reaching
    ]


def _of_task(event: Event, task: Task, audience: TaskAudience) -> list[Telling]:
    """A reminder goes to the owner; in a shared space, to assignees and maker. News go to all who follow the task."""
    data, people, mentioned = msgspec.json.decode(event.data), audience.followers, []
    match TOLD[event.type]:
        case NotificationKind.REMINDER:
            concerned = {*audience.assignees, task.extras.created_by} if is_shared(task.owner) else {task.owner}
            people = [person for person in {task.owner, *people} if person in concerned]
        case NotificationKind.ASSIGNED:
            people = data["assignees"]["added"]
        case NotificationKind.MENTIONED:
            people, mentioned = [], data.get("mentions", [])
        case NotificationKind.COMMENTED:
            mentioned = data.get("mentions", [])
    # The task may have been transferred since: its people are told where it is now, if they reach that space.
    told = [(person, TOLD[event.type]) for person in people if person not in mentioned]
    told += [(person, NotificationKind.MENTIONED) for person in mentioned]
    return [_telling(event, person, space=task.owner, board=task.board_id, kind=kind) for person, kind in told]


def _of_file(event: Event, subject: NotifiedSubject | None, members: dict[str, list[str]]) -> list[Telling]:
    if subject is None or subject.made_by is None:
        return []
    if TOLD[event.type] is NotificationKind.FAILED:
        return [_telling(event, subject.made_by)]
    cause = f"files {event.owner} {subject.made_by} {event.created_at // TOGETHER_MS}"
    return [
        Telling(person, NotificationKind.FILES_ARRIVED, event.owner, event.owner, cause, subject.made_by, None)
        for person in members.get(event.owner, [])
    ]


def _telling(
    event: Event,
    person: str,
    *,
    space: str | None = None,
    board: str | None = None,
    kind: NotificationKind | None = None,
) -> Telling:
    actor = read_actor(event.actor)
    doer = actor.person if actor is not None else None
    return Telling(person, kind or TOLD[event.type], space or event.owner, event.subject, event.id, doer, board)
