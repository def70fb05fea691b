"""The history of tasks, assets and videos, and undo."""

from typing import Any

import msgspec
from msgspec import UNSET

from stowboard_client.transport.call import Actor, Call, Maybe, Model, members, path, whole
from stowboard_client.transport.paging import Listing, Page
from stowboard_client.transport.resource import D, Operation, Resource


class Change(Model, frozen=True, kw_only=True):
    """`changed` names members; `before` has what they were, in the history of one subject. No actor: the service."""

    id: str
    subject: str
    space_id: str
    kind: str
    version: int
    actor: Actor | None
    at: int
    changed: tuple[str, ...]
    undoes: str | None
    undone_by: str | None
    before: dict[str, Any] | None = None


class UndoMeta(Model, frozen=True, kw_only=True):
    change_id: str


class UndoneChange(Model, frozen=True, kw_only=True):
    """The task, asset or video as it is now; `meta.change_id` is the change to undo in order to redo."""

    subject: dict[str, Any] = msgspec.field(name="data")
    meta: UndoMeta


class UndoRefusal(Model, frozen=True, kw_only=True):
    change_id: str
    code: str
    message: str


class UndoneCount(Model, frozen=True, kw_only=True):
    undone: int
    refused: tuple[UndoRefusal, ...]


class UndoneMeta(Model, frozen=True, kw_only=True):
    more: bool
    before: str | None


class UndoneChanges(Model, frozen=True, kw_only=True):
    """While `meta.more` is true, ask again with `before=meta.before`."""

    result: UndoneCount = msgspec.field(name="data")
    meta: UndoneMeta


def list_changes(
    *,
    subject: str | None = None,
    space: str | None = None,
    application_id: str | None = None,
    token_id: str | None = None,
    person: str | None = None,
    since: int | None = None,
    limit: int | None = None,
) -> Call[Page[Change]]:
    """Changes, newest first: of one subject, or in all spaces that the token reaches."""
    query = {
        "subject": subject, "spaceId": space, "applicationId": application_id, "tokenId": token_id, "person": person,
        "since": since, "limit": limit,
    }  # fmt: skip
    return Call("GET", "/changes", whole(Page[Change]), query=query)


def undo_change(change_id: str, *, idempotency_key: str | None = None) -> Call[UndoneChange]:
    """Take one change back. Raises Conflict if a member was changed since."""
    return Call("POST", path("/changes/{}/undo", change_id), whole(UndoneChange), idempotency_key=idempotency_key)


def undo_changes(
    *,
    since: int,
    application_id: Maybe[str] = UNSET,
    token_id: Maybe[str] = UNSET,
    until: Maybe[int | None] = UNSET,
    before: Maybe[str | None] = UNSET,
    space: Maybe[str] = UNSET,
    idempotency_key: str | None = None,
) -> Call[UndoneChanges]:
    """Take back what an application or a token did in your name, or in a space that you manage: the newest 25.

    While `meta.more` is true, there is more: ask again with `before=meta.before`.
    """
    body = members(
        since=since, application_id=application_id, token_id=token_id, until=until, before=before, space_id=space
    )
    return Call("POST", "/changes/undo", whole(UndoneChanges), body=body, idempotency_key=idempotency_key)


class Changes(Resource[D]):
    list = Listing("listChanges", list_changes)
    undo = Operation("undoChange", undo_change)
    undo_all = Operation("undoChanges", undo_changes)
