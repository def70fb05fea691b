"""`/changes`: the history of tasks, boards, assets and videos, and how to take a change back."""

from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from stowboard.api.endpoint import Answer, Call, Endpoint, NoMeta, PageMeta
from stowboard.api.envelope import without_body
from stowboard.api.paging import Page, PageQuery
from stowboard.core.clock import Timestamp
from stowboard.core.errors import Conflict, InsufficientScope, TooManyItems, ValidationFailed
from stowboard.core.ids import LONGEST_ID, checked_id
from stowboard.core.reach import Role, SpaceId, space_id_of
from stowboard.db.database import Tx
from stowboard.events.changes import change_store, undo
from stowboard.events.changes.change_store import Change, ChangeFilter, forget_changes
from stowboard.events.changes.settings import HistorySettings
from stowboard.events.changes.undo import Undoing, UndoRefusal
from stowboard.events.wanted import Subject
from stowboard.events.wire import ActorView
from stowboard.jobs.schedule import sweep

_Id = Annotated[str, Meta(min_length=1, max_length=LONGEST_ID)]
ApplicationId = Annotated[_Id, Meta(description="The grant or OAuth client of an application.")]
TokenIdText = Annotated[_Id, Meta(description="The id of a token.")]
SubjectShown = Annotated[dict[str, Any], Meta(description="The task, asset or video, as its own operation answers it.")]


class ChangesQuery(PageQuery, frozen=True, rename="camel"):
    """Filters of the history; all that are given must hold."""

    subject: Subject = UNSET
    space_id: Annotated[SpaceId, Meta(description="By default all that the token reaches.")] | UnsetType = UNSET
    application_id: ApplicationId | UnsetType = UNSET
    token_id: TokenIdText | UnsetType = UNSET
    person: Annotated[_Id, Meta(description="The username of the person who made them.")] | UnsetType = UNSET
    since: Annotated[Timestamp, Meta(description="At this time or later.")] | UnsetType = UNSET


class ChangeView(msgspec.Struct, frozen=True, rename="camel"):
    """A change. `changed` names the members; `before` has what they were, if the history of one thing is asked for."""

    id: str
    subject: Annotated[str, Meta(description="The id of the task, asset or video.")]
    space_id: str
    kind: Annotated[str, Meta(description="The event that told of it.")]
    version: Annotated[int, Meta(description="Grows with every change of the subject.")]
    actor: Annotated[ActorView | None, Meta(description="null for the service itself.")]
    at: int
    changed: list[str]
    undoes: Annotated[str | None, Meta(description="The change that this one takes back, or brings back.")]
    undone_by: Annotated[str | None, Meta(description="The change that took this one back.")]
    before: Annotated[Any, Meta(extra_json_schema={"type": "object"})] | UnsetType = UNSET


class UndoMeta(NoMeta, frozen=True, rename="camel", kw_only=True):
    """`meta` of an undo: the change that it made. To redo, undo that."""

    change_id: str


class UndoBody(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The changes to undo: those of an application or of a token, in a time."""

    application_id: ApplicationId | None = None
    token_id: TokenIdText | None = None
    since: Timestamp
    until: Annotated[Timestamp, Meta(description="Not later than this; by default up to now.")] | None = None
    before: Annotated[_Id, Meta(description="Go on from here: `meta.before` of the answer before.")] | None = None
    space_id: (
        Annotated[SpaceId, Meta(description="Everybody's changes in this space, of which you are a manager.")] | None
    ) = None
    EITHER: ClassVar = ("applicationId", "tokenId")


class UndoneView(msgspec.Struct, frozen=True):
    """How many changes were undone, and those that were left."""

    undone: int
    refused: list[UndoRefusal]


class UndoneMeta(NoMeta, frozen=True, kw_only=True):
    """`meta` of an undo of many: while `more` is true, ask again with this `before`."""

    more: bool
    before: str | None


async def list_changes(tx: Tx, call: Call[None, ChangesQuery]) -> Answer:
    """List what was changed, newest first.

    With `tasks:read` a token sees changes of tasks, with `media:read` those of assets and videos. With `subject`, the
    list is the history of one thing, with what its members were before each change.
    """
    query, access = call.query, call.access
    space_id = query.space_id or None
    owners = access.reach.every() if space_id is None else (access.in_tasks(space_id),)
    wanted = ChangeFilter(
        query.application_id, query.token_id, query.person, query.since,
        prefixes=call.use(Undoing).readable(call.caller.scopes),
    )  # fmt: skip
    page = Page(call, "changes", call.caller.owner, space_id, query.subject or None, wanted)
    if query.subject is not UNSET:
        listed = await change_store.list_of_subject(tx, owners, query.subject, wanted, page.after, page.size)
    else:
        listed = await change_store.list_changes(tx, owners, wanted, page.after, page.size)
    return page.answer([_view(change, query.subject is not UNSET) for change in listed.items], listed.end)


async def undo_change(tx: Tx, call: Call[None, None], change_id: str) -> Answer:
    """Undo a change: its members get the values that they had.

    It needs the scope that changing the subject needs. The undo of a creation puts it in the trash; a board is
    archived. It is refused if a member was changed since. An undo is a change as well: to redo, undo the undo.
    """
    change = await change_store.get(tx, call.access, checked_id("chg", change_id))
    shown, made = await undo.undo_change(tx, call.access, call.use(Undoing), change, call)
    return Answer(shown, UndoMeta(change_id=made), subject=change.subject)


async def undo_changes(tx: Tx, call: Call[UndoBody, None]) -> Answer:
    """Undo all that an application or a token did in a time, newest first, up to 25 changes in a request.

    These are changes that were made in your name, wherever you are still an editor. With `spaceId` they are everybody's
    in that space, and you must be a manager there. Each change that cannot be undone is named, with the reason.
    """
    body, access = call.body, call.access
    if (body.application_id is None) == (body.token_id is None):
        raise ValidationFailed("applicationId: say whose changes, by either applicationId or tokenId.")
    owners = access.reach.every() if body.space_id is None else (access.in_tasks(body.space_id),)
    wanted = ChangeFilter(
        application_id=UNSET if body.application_id is None else body.application_id,
        token_id=UNSET if body.token_id is None else body.token_id,
        person=call.caller.person if body.space_id is None else UNSET,
        since=body.since,
        until=UNSET if body.until is None else body.until,
        before=UNSET if body.before is None else body.before,
        in_effect=True,
    )
    done = await undo.undo_changes(tx, access.needing(Role.EDITOR), call.use(Undoing), owners, wanted, call)
    return Answer(UndoneView(done.undone, done.refused), UndoneMeta(more=done.before is not None, before=done.before))


def _view(change: Change, with_before: bool) -> ChangeView:
    actor = None
    if change.token_id is not None:
        actor = ActorView(change.person, change.token_id, change.application_id, change.door or "")
    return ChangeView(
        change.id, change.subject, space_id_of(change.owner), change.kind, change.version, actor, change.created_at,
        change.changed, change.undoes, change.undone_by, msgspec.Raw(change.before) if with_before else UNSET,
    )  # fmt: skip


_CHANGE, _TASK, _NOW = "chg_01kbr2x4q8e9w6y3t7n5m1c0vz", "tsk_01kbr2x4q8e9w6y3t7n5m1c0vz", 1794787200000
_GRANT = "grt_01kbr2x4q8e9w6y3t7n5m1c0vz"
PERIODICS = [sweep("platform.sweep_changes", 600_000, forget_changes, lambda job: job.use(HistorySettings).history_ms)]
ENDPOINTS = [
    Endpoint(
        "GET", "/changes", list_changes, list[ChangeView], role=Role.VIEWER, query=ChangesQuery, meta=PageMeta,
        errors=[InsufficientScope, TooManyItems],
        example=[{
            "id": _CHANGE, "subject": _TASK, "spaceId": "~alice", "kind": "task.updated", "version": 2,
            "actor": {"person": "alice", "tokenId": "tok_01kbr2x4q8e9w6y3t7n5m1c0vz", "applicationId": _GRANT,
                      "door": "/mcp"},
            "at": _NOW, "changed": ["title"], "undoes": None, "undoneBy": None, "before": {"title": "Water plants"},
        }],
    ),
    Endpoint(
        "POST", "/changes/{change_id}/undo", undo_change, SubjectShown, role=Role.EDITOR, meta=UndoMeta,
        redact=without_body, errors=[InsufficientScope, Conflict], example={"id": _TASK, "title": "Water plants"},
    ),
    Endpoint(
        "POST", "/changes/undo", undo_changes, UndoneView, role=Role.MANAGER, body=UndoBody, meta=UndoneMeta,
        errors=[TooManyItems],
        example_body={"applicationId": _GRANT, "since": _NOW},
        example={"undone": 7, "refused": [
            {"changeId": _CHANGE, "code": "conflict", "message": "Changed since: title."}]},
    ),
]  # fmt: skip
