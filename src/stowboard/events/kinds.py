"""Every kind of event with its data: one list for the writers of events, their readers and the documentation.

The data of an event has ids and the names of changed members, never text that people wrote. A reader that may see the
subject gets the rest from the API, and no event has to be changed when a text is deleted.
"""

from typing import Any, Generic, TypeVar

import msgspec

DataT = TypeVar("DataT", bound=msgspec.Struct)
_TASK, _BOARD, _COLUMN = (
    "tsk_01ka2z5v8qj6m3t9w4x7y0b2cd",
    "brd_01ka2z5v8r4f8h2n6p0s3v7y9a",
    "col_01ka2z5v8s5c9e3g7j1k4m6q8r",
)
_COMMENT = "cmt_01ka2z5v8y0h4k8n2r6s9t1w3y"
_ASSET, _VIDEO = "ast_01ka2z5v8t6d0f4h8k2m5p7r9t", "vid_01ka2z5v8v7e1g5j9m3n6q8s0v"
_WEBHOOK = "whk_01ka2z5v8w8f2h6k0n4p7r9t1w"
_ISSUED = "tok_01ka2z5v8w8f2h6k0n4p7r9t1x"
_SPACE = "spc_01ka2z5v8x9g3j7m1q5r8t0v2x"
_PROVIDER_VIDEO = "3f0c8f5c2b4e4d0f9a6b7c8d9e0f1a2b"


class EventKind(msgspec.Struct, Generic[DataT], frozen=True):
    name: str
    #: The scope that shows it; empty for any. Media events go to every token with the scope, all others to their
    #: owner's alone.
    scope: str
    summary: str
    example: DataT

    @property
    def data(self) -> type[DataT]:
        return type(self.example)


AnyEventKind = EventKind[Any]
TASKS, MEDIA, WEBHOOKS = "tasks:read", "media:read", "webhooks:manage"
#: Shown to every token that reaches the space.
ANY_SCOPE = ""


class TaskCreated(msgspec.Struct, frozen=True, rename="camel"):
    task_id: str
    version: int


class TaskChanged(msgspec.Struct, frozen=True, rename="camel"):
    """`changed` names the members that are different now; `itemId` the one item of the checklist, if it was one."""

    task_id: str
    version: int
    changed: list[str]
    item_id: str | msgspec.UnsetType = msgspec.UNSET


class AssigneeChange(msgspec.Struct, frozen=True):
    """Usernames."""

    added: list[str]
    removed: list[str]


class TaskAssigned(msgspec.Struct, frozen=True, rename="camel"):
    task_id: str
    version: int
    assignees: AssigneeChange


class TaskComment(msgspec.Struct, frozen=True, rename="camel"):
    """`mentions` are the usernames of those whom the comment mentions, and did not mention before."""

    task_id: str
    version: int
    comment_id: str
    mentions: list[str] = []


class TaskDeleted(msgspec.Struct, frozen=True, rename="camel"):
    task_id: str


class TaskReminder(msgspec.Struct, frozen=True, rename="camel"):
    """The reminder's time, and when the task is due."""

    task_id: str
    reminder: int
    due_at: int | None
    due_on: str | None = None


class BoardCreated(msgspec.Struct, frozen=True, rename="camel"):
    board_id: str
    version: int


class BoardChanged(msgspec.Struct, frozen=True, rename="camel"):
    """`changed` names the members that are different now; `columnId` the column that was added, changed or removed."""

    board_id: str
    version: int
    changed: list[str]
    column_id: str | None = None


class BoardDeleted(msgspec.Struct, frozen=True, rename="camel"):
    board_id: str


class AssetEvent(msgspec.Struct, frozen=True, rename="camel"):
    asset_id: str
    version: int
    processing_status: str


class AssetUpdated(AssetEvent, frozen=True, rename="camel"):
    """`changed` names the members that are different now."""

    changed: list[str]


class AssetFailed(AssetEvent, frozen=True, rename="camel"):
    """`errorCode` is that of the asset's processingError."""

    error_code: str | None


class VideoEvent(msgspec.Struct, frozen=True, rename="camel"):
    video_id: str
    provider_video_id: str
    status: str


class VideoUpdated(VideoEvent, frozen=True, rename="camel"):
    """`changed` names the members that are different now."""

    changed: list[str]


class VideoFailed(VideoEvent, frozen=True, rename="camel"):
    """`errorCode` is that of the video's error."""

    error_code: str | None


class WebhookTest(msgspec.Struct, frozen=True, rename="camel"):
    webhook_id: str


class WebhookDisabled(msgspec.Struct, frozen=True, rename="camel"):
    """`reason` is `gone` after an answer of 410, or `failing` after days without one success."""

    webhook_id: str
    reason: str


class SpaceEvent(msgspec.Struct, frozen=True, rename="camel"):
    space_id: str
    version: int


class SpaceMemberEvent(msgspec.Struct, frozen=True, rename="camel"):
    """`role` is the one that the member has now, or had."""

    space_id: str
    username: str
    role: str


class TokenIssued(msgspec.Struct, frozen=True, rename="camel"):
    token_id: str


class InboxChanged(msgspec.Struct, frozen=True, rename="camel"):
    """The space of the person whose inbox it is."""

    space_id: str


def _space(name: str, summary: str) -> EventKind[SpaceEvent]:
    return EventKind(name, ANY_SCOPE, summary, SpaceEvent(_SPACE, 2))


def _member(name: str, summary: str) -> EventKind[SpaceMemberEvent]:
    return EventKind(name, ANY_SCOPE, summary, SpaceMemberEvent(_SPACE, "bob", "editor"))


def _task(name: str, summary: str, *changed: str) -> EventKind[TaskChanged]:
    return EventKind(name, TASKS, summary, TaskChanged(_TASK, 2, list(changed)))


def _comment(name: str, summary: str, *mentions: str) -> EventKind[TaskComment]:
    return EventKind(name, TASKS, summary, TaskComment(_TASK, 2, _COMMENT, list(mentions)))


def _asset(name: str, summary: str, status: str, version: int = 1) -> EventKind[AssetEvent]:
    return EventKind(name, MEDIA, summary, AssetEvent(_ASSET, version, status))


def _video(name: str, summary: str, status: str) -> EventKind[VideoEvent]:
    return EventKind(name, MEDIA, summary, VideoEvent(_VIDEO, _PROVIDER_VIDEO, status))


TASK_CREATED = EventKind("task.created", TASKS, "A task was created.", TaskCreated(_TASK, 1))
TASK_UPDATED = _task("task.updated", "Members of a task were changed.", "title", "dueAt")
TASK_MOVED = _task("task.moved", "A task got another place.", "boardId", "columnId", "rank")
TASK_COMPLETED = _task("task.completed", "A task is done, or rolled on to its next date.", "status", "rank")
TASK_ARCHIVED = _task("task.archived", "A task was archived.", "archived")
TASK_TRASHED = _task("task.trashed", "A task was put in the trash.", "trashedAt")
TASK_RESTORED = _task("task.restored", "A task was brought back from the archive or the trash.", "archived")
TASK_DELETED = EventKind("task.deleted", TASKS, "A task was deleted for good.", TaskDeleted(_TASK))
TASK_REMINDER = EventKind(
    "task.reminder", TASKS, "The time of a task's reminder has come.",
    TaskReminder(_TASK, 1_794_765_600_000, 1_794_769_200_000),
)  # fmt: skip
TASK_ASSIGNED = EventKind(
    "task.assigned", TASKS, "A task has other assignees.", TaskAssigned(_TASK, 2, AssigneeChange(["bob"], []))
)
TASK_COMMENTED = _comment("task.commented", "Somebody commented on a task.", "bob")
TASK_COMMENT_EDITED = _comment("task.comment.edited", "A comment on a task was changed.")
TASK_COMMENT_DELETED = _comment("task.comment.deleted", "A comment on a task was deleted.")
BOARD_CREATED = EventKind("board.created", TASKS, "A board was created.", BoardCreated(_BOARD, 1))
BOARD_UPDATED = EventKind(
    "board.updated", TASKS, "A board or one of its columns was changed.", BoardChanged(_BOARD, 2, ["columns"], _COLUMN)
)
BOARD_DELETED = EventKind("board.deleted", TASKS, "A board was deleted; its tasks stay.", BoardDeleted(_BOARD))
ASSET_CREATED = _asset("media.asset.created", "The bytes of a new asset have arrived.", "processing")
ASSET_READY = _asset("media.asset.ready", "An asset's bytes are processed and served.", "ready")
ASSET_REPLACED = _asset("media.asset.replaced", "An asset has other bytes than before.", "ready", 2)
ASSET_FAILED = EventKind(
    "media.asset.failed", MEDIA, "An asset's new bytes could not be processed.",
    AssetFailed(_ASSET, 1, "failed", "checksum_mismatch"),
)  # fmt: skip
ASSET_UPDATED = EventKind(
    "media.asset.updated", MEDIA, "What is said about an asset was changed.",
    AssetUpdated(_ASSET, 1, "ready", ["alt", "tags"]),
)  # fmt: skip
ASSET_DELETED = _asset("media.asset.deleted", "An asset was deleted.", "ready")
ASSET_DAMAGED = _asset("media.asset.damaged", "An asset's bytes were damaged in the store, and are refused.", "ready")
ASSET_REPAIRED = _asset("media.asset.repaired", "An asset's bytes are whole again.", "ready")
VIDEO_CREATED = _video("media.video.created", "A video was created, and waits for its bytes.", "awaiting_upload")
VIDEO_UPLOADED = _video("media.video.uploaded", "All bytes of a video have arrived.", "uploading")
VIDEO_PROCESSING = _video("media.video.processing", "A video was finalized, and is made playable.", "processing")
VIDEO_READY = _video("media.video.ready", "A video can be played.", "ready")
VIDEO_COMPLETED = _video("media.video.completed", "All sizes of a video that there will be are made.", "ready")
VIDEO_FAILED = EventKind(
    "media.video.failed", MEDIA, "A video cannot be made playable.",
    VideoFailed(_VIDEO, _PROVIDER_VIDEO, "failed", "invalid_media"),
)  # fmt: skip
VIDEO_EXPIRED = _video("media.video.expired", "The bytes of a video did not come in time.", "expired")
VIDEO_UPDATED = EventKind(
    "media.video.updated", MEDIA, "What is said about a video was changed.",
    VideoUpdated(_VIDEO, _PROVIDER_VIDEO, "ready", ["title"]),
)  # fmt: skip
VIDEO_DELETED = _video("media.video.deleted", "A video was deleted.", "ready")
VIDEO_DAMAGED = _video("media.video.damaged", "A file of a video was damaged in the store, and is refused.", "ready")
VIDEO_REPAIRED = _video("media.video.repaired", "A file of a video is whole again.", "ready")

WEBHOOK_TEST = EventKind(
    "webhook.test", WEBHOOKS, "A test was asked for; it goes to that webhook alone.", WebhookTest(_WEBHOOK)
)
WEBHOOK_DISABLED = EventKind(
    "webhook.disabled", WEBHOOKS, "A webhook is sent nothing any more.", WebhookDisabled(_WEBHOOK, "failing")
)
TOKEN_ISSUED = EventKind("token.issued", ANY_SCOPE, "An admin has made a token for you.", TokenIssued(_ISSUED))
INBOX_CHANGED = EventKind(
    "inbox.changed", ANY_SCOPE, "You have new notifications, or have read some.", InboxChanged("~alice")
)
SPACE_CREATED = _space("space.created", "A shared space was made.")
SPACE_UPDATED = _space("space.updated", "A space got another name, or another role for everybody.")
SPACE_TRASHED = _space("space.trashed", "A space, with all that is in it, was put in the trash.")
SPACE_RESTORED = _space("space.restored", "A space was taken out of the trash.")
SPACE_DELETED = _space("space.deleted", "A space was deleted for good.")
SPACE_INVITED = _space("space.invited", "You are asked to become a member of a space.")
SPACE_JOINED = _space("space.joined", "You are a member of a space now.")
SPACE_LEFT = _space("space.left", "You are no longer a member of a space: forget what you have of it.")
SPACE_MEMBER_ADDED = _member("space.member.added", "Somebody became a member of a space.")
SPACE_MEMBER_CHANGED = _member("space.member.changed", "A member of a space has another role.")
SPACE_MEMBER_REMOVED = _member("space.member.removed", "Somebody is no longer a member of a space.")

KINDS: list[AnyEventKind] = [
    TASK_CREATED, TASK_UPDATED, TASK_MOVED, TASK_COMPLETED, TASK_ARCHIVED, TASK_TRASHED, TASK_RESTORED, TASK_DELETED,
    TASK_REMINDER, TASK_ASSIGNED, TASK_COMMENTED, TASK_COMMENT_EDITED, TASK_COMMENT_DELETED,
    BOARD_CREATED, BOARD_UPDATED, BOARD_DELETED,
    ASSET_CREATED, ASSET_READY, ASSET_REPLACED, ASSET_FAILED, ASSET_UPDATED, ASSET_DELETED,
    ASSET_DAMAGED, ASSET_REPAIRED,
    VIDEO_CREATED, VIDEO_UPLOADED, VIDEO_PROCESSING, VIDEO_READY, VIDEO_COMPLETED, VIDEO_FAILED, VIDEO_EXPIRED,
    VIDEO_UPDATED, VIDEO_DELETED, VIDEO_DAMAGED, VIDEO_REPAIRED,
    WEBHOOK_TEST, WEBHOOK_DISABLED, TOKEN_ISSUED, INBOX_CHANGED,
    SPACE_CREATED, SPACE_UPDATED, SPACE_TRASHED, SPACE_RESTORED, SPACE_DELETED,
    SPACE_INVITED, SPACE_JOINED, SPACE_LEFT,
    SPACE_MEMBER_ADDED, SPACE_MEMBER_CHANGED, SPACE_MEMBER_REMOVED,
]  # fmt: skip
