"""Who is told of an event: people with an account who can see what it is about, and never the one who did it."""

from collections.abc import Sequence
from typing import NamedTuple

from stowboard.access.spaces import space_store
from stowboard.core.caller import Access
from stowboard.core.reach import LIBRARY, is_shared
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.events.feed import Event
from stowboard.events.wire import read_actor
from stowboard.notifications.notification import NotificationKind
from stowboard.notifications.subjects import NotifiedSubject, find_subjects

#: By the kind of event.
TOLD = {
    kinds.TASK_REMINDER.name: NotificationKind.REMINDER,
    kinds.TASK_COMPLETED.name: NotificationKind.COMPLETED,
    kinds.SPACE_JOINED.name: NotificationKind.SHARED,
    kinds.ASSET_CREATED.name: NotificationKind.FILES_ARRIVED,
    kinds.VIDEO_UPLOADED.name: NotificationKind.FILES_ARRIVED,
    kinds.ASSET_FAILED.name: NotificationKind.FAILED,
    kinds.VIDEO_FAILED.name: NotificationKind.FAILED,
    kinds.WEBHOOK_DISABLED.name: NotificationKind.FAILED,
    kinds.TOKEN_ISSUED.name: NotificationKind.TOKEN_MADE,
}
#: Files that one person sends to a space within this time are told once.
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
    """Of events of the kinds in `TOLD`, in their order. Files of one person in a space are told together."""
    shared = sorted({event.owner for event in events if is_shared(event.owner)} - {LIBRARY})
    members = await space_store.find_all_members(tx, shared)
    access = Access.of_service(*sorted({event.owner for event in events}))
    subjects = await find_subjects(tx, access, [event.subject for event in events])
    candidates = [
        each for event in events for each in _candidates(event, subjects.get(event.subject), members)
    ]  # fmt: skip
    people, spaces = {each.person for each in candidates}, {each.space for each in candidates}
    reaching = await space_store.find_reaching(tx, sorted(people), sorted(spaces))
    told = {(each.person, each.kind, each.cause): each for each in reversed(candidates)}
    return [each for each in reversed(told.values()) if (each.person, each.space) in reaching]


def _candidates(event: Event, subject: NotifiedSubject | None, members: dict[str, list[str]]) -> list[Telling]:
    """Before it is asked whether they may see it."""
    kind, actor = TOLD[event.type], read_actor(event.actor)
    doer = actor.person if actor is not None else None
    space, about, cause, board = event.owner, event.subject, event.id, None
    people = [] if is_shared(event.owner) else [event.owner]
    match kind:
        case NotificationKind.SHARED:
            space = event.subject
        case NotificationKind.FILES_ARRIVED if subject is not None:
            doer = subject.made_by
            people, about = members.get(space, people), space if is_shared(space) else event.subject
            cause = f"files {space} {doer} {event.created_at // TOGETHER_MS}"
        case NotificationKind.REMINDER | NotificationKind.COMPLETED if subject is not None and subject.task is not None:
            people, board = _concerned(subject), subject.task.board_id
        case NotificationKind.FAILED if subject is not None:
            people, doer = [subject.made_by] if subject.made_by else [], None
        case NotificationKind.FAILED | NotificationKind.TOKEN_MADE:
            pass
        case _:  # it is gone
            people = []
    return [Telling(person, kind, space, about, cause, doer, board) for person in people if person != doer]


def _concerned(subject: NotifiedSubject) -> list[str]:
    """The people whom a task concerns."""
    return [subject.made_by] if subject.made_by is not None else []
