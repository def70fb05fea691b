"""Parts of a task over HTTP, one by one: items of its checklist, its attachments, and whether one follows it."""

from typing import Annotated

import msgspec
from msgspec import Meta

from stowboard.api.endpoint import Answer, AnyEndpoint, Call, Deleted, Endpoint
from stowboard.core.errors import InTrash, TooManyItems, ValidationFailed
from stowboard.core.ids import LONGEST_ID
from stowboard.core.reach import Role
from stowboard.db.database import Tx
from stowboard.tasks import edit
from stowboard.tasks.base import comment_store, task_store
from stowboard.tasks.base.errors import UnknownAttachment
from stowboard.tasks.base.library import Library
from stowboard.tasks.base.task import Attachment, ChecklistItem, Task
from stowboard.tasks.task_routes import IF_MATCH, TASK_ETAG, etag_header, task_id_of
from stowboard.tasks.together import checklist
from stowboard.tasks.wire import ItemBody, ItemPatchBody


class AttachBody(msgspec.Struct, frozen=True):
    """An asset or a video to attach, behind the others."""

    id: Annotated[str, Meta(max_length=LONGEST_ID, description="Of an asset or a video.")]


class FollowView(msgspec.Struct, frozen=True):
    """`following` is true if you follow the task."""

    id: str
    following: bool


async def add_item(tx: Tx, call: Call[ItemBody, None], task_id: str) -> Answer:
    """Add an item to a task's checklist."""
    task, item = await checklist.add_item(tx, call.access, task_id_of(task_id), call.body, call.if_match)
    return _part(task, item)


async def update_item(tx: Tx, call: Call[ItemPatchBody, None], task_id: str, item_id: str) -> Answer:
    """Change, tick or move one item of a checklist. The other items stay as others have left them."""
    task, item = await checklist.change_item(tx, call.access, task_id_of(task_id), item_id, call.body, call.if_match)
    return _part(task, item)


async def delete_item(tx: Tx, call: Call[None, None], task_id: str, item_id: str) -> Answer:
    """Take an item out of a checklist."""
    task = await checklist.remove_item(tx, call.access, task_id_of(task_id), item_id, call.if_match)
    return _part(task, Deleted(item_id))


async def list_attachments(tx: Tx, call: Call[None, None], task_id: str) -> Answer:
    """List the assets and videos of a task, in their order."""
    task = await task_store.get(tx, call.access, task_id_of(task_id))
    return _part(task, task.attachments)


async def add_attachment(tx: Tx, call: Call[AttachBody, None], task_id: str) -> Answer:
    """Attach an asset or a video to a task. One that is attached already stays in its place."""
    wanted, library = task_id_of(task_id), call.use(Library)
    task = await edit.attach(tx, call.access, wanted, call.body.id, call.if_match, library)
    return _part(task, next(each for each in task.attachments if each.id == call.body.id))


async def delete_attachment(tx: Tx, call: Call[None, None], task_id: str, attachment_id: str) -> Deleted:
    """Detach an asset or a video from a task. It is not deleted."""
    await edit.detach(tx, call.access, task_id_of(task_id), attachment_id, call.if_match)
    return Deleted(attachment_id)


async def get_following(tx: Tx, call: Call[None, None], task_id: str) -> FollowView:
    """Say whether you follow a task."""
    task = await task_store.get(tx, call.access, task_id_of(task_id))
    audiences = await comment_store.find_audiences(tx, [task])
    return FollowView(task.id, call.caller.person in audiences[task.id].followers)


async def follow_task(tx: Tx, call: Call[None, None], task_id: str) -> FollowView:
    """Follow a task: you are told what others do. Makers, assignees, commenters and mentioned people follow anyway."""
    return await _follow(tx, call, task_id, True)


async def unfollow_task(tx: Tx, call: Call[None, None], task_id: str) -> FollowView:
    """Stop following a task, whatever you do in it, until you choose to follow it again."""
    return await _follow(tx, call, task_id, False)


async def _follow(tx: Tx, call: Call[None, None], task_id: str, following: bool) -> FollowView:
    task = await task_store.get(tx, call.access, task_id_of(task_id))
    if call.caller.person is None:
        raise ValidationFailed("A token of a space is nobody who could follow a task. Use a token of a person.")
    await comment_store.follow(tx, task.id, call.caller.person, muted=not following)
    return FollowView(task.id, following)


def _part(task: Task, part: ChecklistItem | Attachment | list[Attachment] | Deleted) -> Answer:
    return Answer(part, headers=etag_header(task.version))


_PATH, _READ, _WRITE = "/taskapp/tasks/{task_id}", "tasks:read", "tasks:write"
_ITEM = {
    "id": "itm_01kbr2x4q8e9w6y3t7n5m1c0vz", "title": "Buy soil", "done": True, "doneAt": 1794787200000,
    "doneBy": "alice",
}  # fmt: skip
_ATTACHMENT = {"id": "ast_01kbr2x4q8e9w6y3t7n5m1c0vz", "deleted": False}
_TASK_ID = "tsk_01kbr2x4q8e9w6y3t7n5m1c0vz"

ENDPOINTS: list[AnyEndpoint] = [
    Endpoint(
        "POST", f"{_PATH}/checklist", add_item, ChecklistItem, scope=_WRITE, body=ItemBody, status=201, takes=IF_MATCH,
        headers=TASK_ETAG, errors=[TooManyItems], example=_ITEM, example_body={"title": "Buy soil"},
    ),
    Endpoint(
        "PATCH", f"{_PATH}/checklist/{{item_id}}", update_item, ChecklistItem, scope=_WRITE, body=ItemPatchBody,
        takes=IF_MATCH, headers=TASK_ETAG, example=_ITEM, example_body={"done": True},
    ),
    Endpoint(
        "DELETE", f"{_PATH}/checklist/{{item_id}}", delete_item, Deleted, scope=_WRITE, takes=IF_MATCH,
        headers=TASK_ETAG, example={"id": _ITEM["id"], "deleted": True},
    ),
    Endpoint(
        "GET", f"{_PATH}/attachments", list_attachments, list[Attachment], scope=_READ, revalidates=True,
        example=[_ATTACHMENT],
    ),
    Endpoint(
        "POST", f"{_PATH}/attachments", add_attachment, Attachment, scope=_WRITE, body=AttachBody, status=201,
        takes=IF_MATCH, headers=TASK_ETAG, errors=[TooManyItems, UnknownAttachment, InTrash],
        example=_ATTACHMENT, example_body={"id": _ATTACHMENT["id"]},
    ),
    Endpoint(
        "DELETE", f"{_PATH}/attachments/{{attachment_id}}", delete_attachment, Deleted, scope=_WRITE, takes=IF_MATCH,
        example={"id": _ATTACHMENT["id"], "deleted": True},
    ),
    Endpoint(
        "GET", f"{_PATH}/follow", get_following, FollowView, scope=_READ, example={"id": _TASK_ID, "following": True},
    ),
    Endpoint(
        "POST", f"{_PATH}/follow", follow_task, FollowView, scope=_WRITE, role=Role.VIEWER,
        example={"id": _TASK_ID, "following": True},
    ),
    Endpoint(
        "DELETE", f"{_PATH}/follow", unfollow_task, FollowView, scope=_WRITE, role=Role.VIEWER,
        example={"id": _TASK_ID, "following": False},
    ),
]  # fmt: skip
