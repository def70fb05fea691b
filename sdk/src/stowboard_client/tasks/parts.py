"""Parts of a task: items of its checklist, attachments, comments and followers."""

from collections.abc import Sequence

from msgspec import UNSET

from stowboard_client.tasks.task import Attachment, ChecklistItem, Comment, Following, ImportedFrom
from stowboard_client.transport.call import Call, Deleted, Maybe, at_version, data, members, path, whole
from stowboard_client.transport.paging import Listing, Page
from stowboard_client.transport.resource import D, Operation, Resource


def add_item(
    task_id: str,
    title: str,
    *,
    position: Maybe[int | None] = UNSET,
    if_match: int | None = None,
    idempotency_key: str | None = None,
) -> Call[ChecklistItem]:
    """Add an item to a task's checklist, by default the last one."""
    address, body = path("/taskapp/tasks/{}/checklist", task_id), members(title=title, position=position)
    return Call("POST", address, data(ChecklistItem), {}, body, at_version(if_match), idempotency_key)


def update_item(
    task_id: str,
    item_id: str,
    *,
    title: Maybe[str] = UNSET,
    done: Maybe[bool] = UNSET,
    position: Maybe[int] = UNSET,
    if_match: int | None = None,
    idempotency_key: str | None = None,
) -> Call[ChecklistItem]:
    """Change, tick or move one item. The other items stay as they are at the service."""
    address = path("/taskapp/tasks/{}/checklist/{}", task_id, item_id)
    body = members(title=title, done=done, position=position)
    return Call("PATCH", address, data(ChecklistItem), {}, body, at_version(if_match), idempotency_key)


def delete_item(
    task_id: str, item_id: str, *, if_match: int | None = None, idempotency_key: str | None = None
) -> Call[Deleted]:
    address = path("/taskapp/tasks/{}/checklist/{}", task_id, item_id)
    return Call("DELETE", address, data(Deleted), headers=at_version(if_match), idempotency_key=idempotency_key)


def list_attachments(task_id: str) -> Call[Sequence[Attachment]]:
    """The assets and videos of a task, in their order."""
    return Call("GET", path("/taskapp/tasks/{}/attachments", task_id), data(tuple[Attachment, ...]))


def add_attachment(
    task_id: str, target: str, *, if_match: int | None = None, idempotency_key: str | None = None
) -> Call[Attachment]:
    """Attach an asset or a video, after those that the task has."""
    address, body = path("/taskapp/tasks/{}/attachments", task_id), {"id": target}
    return Call("POST", address, data(Attachment), {}, body, at_version(if_match), idempotency_key)


def delete_attachment(
    task_id: str, target: str, *, if_match: int | None = None, idempotency_key: str | None = None
) -> Call[Deleted]:
    """Detach an asset or a video. It is not deleted."""
    address = path("/taskapp/tasks/{}/attachments/{}", task_id, target)
    return Call("DELETE", address, data(Deleted), headers=at_version(if_match), idempotency_key=idempotency_key)


def get_following(task_id: str) -> Call[Following]:
    """Ask whether you follow a task."""
    return Call("GET", path("/taskapp/tasks/{}/follow", task_id), data(Following))


def follow_task(task_id: str, *, idempotency_key: str | None = None) -> Call[Following]:
    address = path("/taskapp/tasks/{}/follow", task_id)
    return Call("POST", address, data(Following), idempotency_key=idempotency_key)


def unfollow_task(task_id: str, *, idempotency_key: str | None = None) -> Call[Following]:
    address = path("/taskapp/tasks/{}/follow", task_id)
    return Call("DELETE", address, data(Following), idempotency_key=idempotency_key)


def list_comments(task_id: str, *, limit: int | None = None) -> Call[Page[Comment]]:
    """The comments on a task, newest first."""
    return Call("GET", path("/taskapp/tasks/{}/comments", task_id), whole(Page[Comment]), query={"limit": limit})


def add_comment(
    task_id: str,
    body: str,
    *,
    imported: Maybe[ImportedFrom | None] = UNSET,
    if_match: int | None = None,
    idempotency_key: str | None = None,
) -> Call[Comment]:
    """Comment on a task, in Markdown. `@username` mentions a member of the space."""
    address, content = path("/taskapp/tasks/{}/comments", task_id), members(body=body, imported=imported)
    return Call("POST", address, data(Comment), {}, content, at_version(if_match), idempotency_key)


def edit_comment(
    task_id: str, comment_id: str, body: str, *, if_match: int | None = None, idempotency_key: str | None = None
) -> Call[Comment]:
    address = path("/taskapp/tasks/{}/comments/{}", task_id, comment_id)
    return Call("PATCH", address, data(Comment), {}, {"body": body}, at_version(if_match), idempotency_key)


def delete_comment(
    task_id: str, comment_id: str, *, if_match: int | None = None, idempotency_key: str | None = None
) -> Call[Deleted]:
    address = path("/taskapp/tasks/{}/comments/{}", task_id, comment_id)
    return Call("DELETE", address, data(Deleted), headers=at_version(if_match), idempotency_key=idempotency_key)


class Comments(Resource[D]):
    list = Listing("listComments", list_comments)
    create = Operation("addComment", add_comment)
    update = Operation("editComment", edit_comment)
    delete = Operation("deleteComment", delete_comment)
