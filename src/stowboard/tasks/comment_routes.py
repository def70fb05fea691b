"""Comments on a task over HTTP."""

from typing import Annotated

import msgspec
from msgspec import Meta

from stowboard.api.endpoint import Answer, AnyEndpoint, Call, Deleted, Endpoint, PageMeta
from stowboard.api.paging import Page, PageQuery
from stowboard.core.clock import Timestamp
from stowboard.core.errors import TooManyItems
from stowboard.core.plain_text import LINES_NOT_BLANK, ONE_LINE, checked_line
from stowboard.core.reach import Role
from stowboard.db.database import Tx
from stowboard.events.wire import ActorView, read_actor
from stowboard.search.long_texts import read_ahead
from stowboard.tasks.base import comment_store, task_store
from stowboard.tasks.base.comment_store import Comment, ImportedFrom
from stowboard.tasks.base.errors import ZeroKnowledgeBody
from stowboard.tasks.base.library import Library
from stowboard.tasks.task_routes import IF_MATCH, TASK_ETAG, etag_header, task_id_of
from stowboard.tasks.together import comments

CommentText = Annotated[
    str,
    Meta(
        min_length=1, max_length=10_000, description="Markdown. `@username` mentions a member of the space.",
        extra_json_schema=LINES_NOT_BLANK,
    ),
]  # fmt: skip


class ImportedBody(msgspec.Struct, frozen=True):
    """The one who wrote it elsewhere, and when."""

    author: Annotated[str, Meta(min_length=1, max_length=200, extra_json_schema=ONE_LINE)]
    at: Timestamp | None = None


class CommentBody(msgspec.Struct, frozen=True):
    """A new comment."""

    body: CommentText
    imported: (
        Annotated[ImportedBody, Meta(description="For a comment that was written elsewhere. It needs an editor.")]
        | None
    ) = None


class CommentPatchBody(msgspec.Struct, frozen=True):
    """The new text of a comment."""

    body: CommentText


class CommentView(msgspec.Struct, frozen=True, rename="camel"):
    """A comment on a task."""

    id: str
    author: Annotated[str | None, Meta(description="The person; null for a token of a space.")]
    body: str
    mentions: list[str]
    created_at: int
    edited_at: int | None
    version: int
    imported: Annotated[ImportedFrom | None, Meta(description="Who wrote it elsewhere, as its author says.")]
    actor: Annotated[ActorView | None, Meta(description="Who made it, and through what.")]


async def list_comments(tx: Tx, call: Call[None, PageQuery], task_id: str) -> Answer:
    """List the comments on a task, newest first."""
    task = await task_store.get(tx, call.access, task_id_of(task_id))
    page = Page(call, "comments", task.id)
    listed = await comment_store.list_comments(tx, task.id, page.after, page.size)
    return page.answer([_view(comment) for comment in listed.items], listed.end)


async def add_comment(tx: Tx, call: Call[CommentBody, None], task_id: str) -> Answer:
    """Comment on a task. You, and those whom you mention, follow it from now on."""
    given = call.body.imported
    imported = ImportedFrom(checked_line("imported.author", given.author), given.at) if given is not None else None
    task, comment = await comments.add_comment(
        tx, call.access, task_id_of(task_id), call.body.body, imported, call.if_match, call.use(Library)
    )
    return Answer(_view(comment), headers=etag_header(task.version))


async def edit_comment(tx: Tx, call: Call[CommentPatchBody, None], task_id: str, comment_id: str) -> Answer:
    """Change a comment of your own."""
    task, comment = await comments.edit_comment(
        tx, call.access, task_id_of(task_id), comment_id, call.body.body, call.if_match, call.use(Library)
    )
    return Answer(_view(comment), headers=etag_header(task.version))


async def delete_comment(tx: Tx, call: Call[None, None], task_id: str, comment_id: str) -> Deleted:
    """Delete a comment of your own, or as a manager anybody's."""
    await comments.delete_comment(tx, call.access, task_id_of(task_id), comment_id, call.if_match)
    return Deleted(comment_id)


async def _read_ahead(body: CommentBody | CommentPatchBody) -> None:
    await read_ahead([body.body])


def _view(comment: Comment) -> CommentView:
    return CommentView(
        comment.id, comment.author, comment.body, comment.mentions, comment.created_at, comment.edited_at,
        comment.version, comment.imported, read_actor(comment.actor),
    )  # fmt: skip


_PATH = "/taskapp/tasks/{task_id}/comments"
_EXAMPLE = {
    "id": "cmt_01kbr2x4q8e9w6y3t7n5m1c0vz", "author": "alice", "body": "The soil is in the shed, @bob.",
    "mentions": ["bob"], "createdAt": 1794787200000, "editedAt": None, "version": 1, "imported": None,
    "actor": {
        "person": "alice", "tokenId": "tok_01kbr2x4q8e9w6y3t7n5m1c0vz", "applicationId": None, "door": "/api/v1",
    },
}  # fmt: skip

ENDPOINTS: list[AnyEndpoint] = [
    Endpoint(
        "GET", _PATH, list_comments, list[CommentView], scope="tasks:read", query=PageQuery, meta=PageMeta,
        example=[_EXAMPLE],
    ),
    Endpoint(
        "POST", _PATH, add_comment, CommentView, scope="tasks:write", role=Role.COMMENTER, body=CommentBody, status=201,
        ahead=_read_ahead, takes=IF_MATCH, headers=TASK_ETAG, errors=[TooManyItems, ZeroKnowledgeBody],
        example=_EXAMPLE, example_body={"body": "The soil is in the shed, @bob."},
    ),
    Endpoint(
        "PATCH", f"{_PATH}/{{comment_id}}", edit_comment, CommentView, scope="tasks:write", role=Role.COMMENTER,
        body=CommentPatchBody, ahead=_read_ahead, takes=IF_MATCH, headers=TASK_ETAG,
        example=_EXAMPLE, example_body={"body": "It is in the garage."},
    ),
    Endpoint(
        "DELETE", f"{_PATH}/{{comment_id}}", delete_comment, Deleted, scope="tasks:delete", role=Role.COMMENTER,
        takes=IF_MATCH, example={"id": "cmt_01kbr2x4q8e9w6y3t7n5m1c0vz", "deleted": True},
    ),
]  # fmt: skip
