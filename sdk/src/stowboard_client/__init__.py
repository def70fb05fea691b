"""The client library of Stowboard: `Client` blocks, `AsyncClient` awaits; they offer the same."""

from msgspec import UNSET

from stowboard_client import errors
from stowboard_client.access.accounts import Account, AuditEntry, Invitation, Link, NewAccount, NewInvitation
from stowboard_client.access.applications import Application
from stowboard_client.access.clients import IssuedClient, OAuthClient
from stowboard_client.access.device import DeviceCode, sign_in_by_device, sign_in_by_device_async
from stowboard_client.access.me import (
    BrowserSession,
    Identity,
    MyApplication,
    Passkey,
    PasskeyOptions,
    PasswordChanged,
    RecoveryCodes,
    RecoveryCodesLeft,
)
from stowboard_client.access.spaces import IssuedInvitation, Member, Space, SpaceInvitation, SpaceSummary
from stowboard_client.access.tokens import IssuedToken, Token
from stowboard_client.client import OPERATIONS, AsyncClient, Client
from stowboard_client.errors import ApiError, ConnectionFailed, StowboardError, UnreadableAnswer
from stowboard_client.events.changes import Change, UndoneChange, UndoneChanges, UndoRefusal
from stowboard_client.events.events import AsyncFollower, Event, Follower
from stowboard_client.events.notifications import (
    Notification,
    NotificationChannel,
    NotificationRule,
    PushKey,
    ReadNotifications,
)
from stowboard_client.events.verifying import WebhookInvalid
from stowboard_client.events.webhooks import (
    DeliveryAttempt,
    IssuedWebhook,
    Replay,
    Webhook,
    WebhookDelivery,
    WebhookEvent,
    WebhookTest,
    verify,
)
from stowboard_client.jobs import Job, JobCount, RetriedJob
from stowboard_client.media.assets import (
    Asset,
    AssetStats,
    AssetUse,
    BatchDeleted,
    BatchRestored,
    BatchTagged,
    BatchTrashed,
    Figures,
    FocalPoint,
    FoundAssets,
    Location,
    MediaStats,
    Placeholder,
    ProcessingError,
    UploadStats,
    VideoStats,
)
from stowboard_client.media.delivery import (
    CdnConfiguration,
    NamespaceBinding,
    RefusedUrl,
    Resolution,
    SignedUrl,
    SignedUrls,
    TransformClass,
)
from stowboard_client.media.uploads import AssetFailed, PresignedUpload, Replacement, UrlUpload, UrlUploadError
from stowboard_client.media.versions import AssetVersion
from stowboard_client.media.videos import (
    Captions,
    Rendition,
    SignedVideoUrl,
    Video,
    VideoError,
    VideoFailed,
    VideoProcessing,
    VideoUpload,
)
from stowboard_client.search import Hit
from stowboard_client.tags import Tag, TagRename
from stowboard_client.tasks.boards import Board, Column, Placement
from stowboard_client.tasks.imports import FoundBoard, FoundInFile, Import, ImportChoices, ImportLine
from stowboard_client.tasks.task import (
    Attachment,
    Backfill,
    BatchError,
    BatchResult,
    BatchResults,
    CalendarAddress,
    ChecklistItem,
    Comment,
    EncryptedBody,
    FurtherReminder,
    ImportedFrom,
    Occurrence,
    ParsedTask,
    QuickSpan,
    QuickTask,
    Task,
    TaskPlacement,
    Upcoming,
)
from stowboard_client.tasks.tasks import task_operation
from stowboard_client.tasks.vault_keys import KeyFile, VaultKey
from stowboard_client.transport.auth import ClientCredentials, SignedIn
from stowboard_client.transport.call import Actor, Deleted
from stowboard_client.transport.paging import AsyncPager, Page, PageMeta, Pager
from stowboard_client.transport.rate_limit import RateLimit
from stowboard_client.version import __version__

__all__ = [
    "OPERATIONS", "UNSET", "Account", "Actor", "ApiError", "Application", "Asset", "AssetFailed", "AssetStats",
    "AssetUse", "AssetVersion", "AsyncClient", "AsyncFollower", "AsyncPager", "Attachment", "AuditEntry", "Backfill",
    "BatchDeleted", "BatchError", "BatchRestored", "BatchResult", "BatchResults", "BatchTagged", "BatchTrashed",
    "Board", "BrowserSession", "CalendarAddress", "Captions", "CdnConfiguration", "Change", "ChecklistItem", "Client",
    "ClientCredentials", "Column", "Comment", "ConnectionFailed", "Deleted", "DeliveryAttempt", "DeviceCode",
    "EncryptedBody", "Event", "Figures", "FocalPoint", "Follower", "FoundAssets", "FoundBoard", "FoundInFile",
    "FurtherReminder", "Hit", "Identity", "Import", "ImportChoices", "ImportLine", "ImportedFrom", "Invitation",
    "IssuedClient", "IssuedInvitation", "IssuedToken", "IssuedWebhook", "Job", "JobCount", "KeyFile", "Link",
    "Location", "MediaStats", "Member", "MyApplication", "NamespaceBinding", "NewAccount", "NewInvitation",
    "Notification", "NotificationChannel", "NotificationRule", "OAuthClient", "Occurrence", "Page", "PageMeta",
    "Pager", "ParsedTask", "Passkey", "PasskeyOptions", "PasswordChanged", "Placeholder", "Placement",
    "PresignedUpload", "ProcessingError", "PushKey", "QuickSpan", "QuickTask", "RateLimit", "ReadNotifications",
    "RecoveryCodes", "RecoveryCodesLeft", "RefusedUrl", "Rendition", "Replacement", "Replay", "Resolution",
    "RetriedJob", "SignedIn", "SignedUrl", "SignedUrls", "SignedVideoUrl", "Space", "SpaceInvitation", "SpaceSummary",
    "StowboardError", "Tag", "TagRename", "Task", "TaskPlacement", "Token", "TransformClass", "UndoRefusal",
    "UndoneChange", "UndoneChanges", "UnreadableAnswer", "Upcoming", "UploadStats", "UrlUpload", "UrlUploadError",
    "VaultKey", "Video", "VideoError", "VideoFailed", "VideoProcessing", "VideoStats", "VideoUpload", "Webhook",
    "WebhookDelivery", "WebhookEvent", "WebhookInvalid", "WebhookTest", "__version__", "errors", "sign_in_by_device",
    "sign_in_by_device_async", "task_operation", "verify",
]  # fmt: skip
