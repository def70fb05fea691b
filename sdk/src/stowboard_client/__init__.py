"""The client library of Stowboard: `Client` blocks, `AsyncClient` awaits; they offer the same."""

from msgspec import UNSET

from stowboard_client import errors
from stowboard_client.accounts import Account, AuditEntry, Invitation, Link, NewAccount, NewInvitation
from stowboard_client.applications import Application
from stowboard_client.assets import (
    Asset,
    AssetStats,
    AssetUse,
    BatchDeleted,
    BatchTagged,
    Figures,
    FocalPoint,
    FoundAssets,
    MediaStats,
    Placeholder,
    ProcessingError,
    UploadStats,
    VideoStats,
)
from stowboard_client.auth import ClientCredentials, SignedIn
from stowboard_client.boards import Board, Column, Placement
from stowboard_client.call import Deleted
from stowboard_client.client import OPERATIONS, AsyncClient, Client
from stowboard_client.clients import IssuedClient, OAuthClient
from stowboard_client.delivery import (
    CdnConfiguration,
    NamespaceBinding,
    RefusedUrl,
    Resolution,
    SignedUrl,
    SignedUrls,
    TransformClass,
)
from stowboard_client.device import DeviceCode, sign_in_by_device, sign_in_by_device_async
from stowboard_client.errors import ApiError, ConnectionFailed, StowboardError, UnreadableAnswer
from stowboard_client.events import AsyncFollower, Event, Follower
from stowboard_client.jobs import Job, JobCount, Queue, RetriedJob
from stowboard_client.me import (
    BrowserSession,
    Identity,
    MyApplication,
    Passkey,
    PasskeyOptions,
    PasswordChanged,
    RecoveryCodes,
    RecoveryCodesLeft,
)
from stowboard_client.paging import AsyncPager, Page, PageMeta, Pager
from stowboard_client.rate_limit import RateLimit
from stowboard_client.search import Hit
from stowboard_client.tags import Tag, TagRename
from stowboard_client.task import (
    Attachment,
    Backfill,
    BatchError,
    BatchResult,
    BatchResults,
    CalendarAddress,
    EncryptedBody,
    Occurrence,
    ParsedTask,
    QuickSpan,
    QuickTask,
    Task,
    TaskPlacement,
    Upcoming,
)
from stowboard_client.tasks import task_operation
from stowboard_client.tokens import IssuedToken, Token
from stowboard_client.uploads import AssetFailed, PresignedUpload, Replacement
from stowboard_client.vault_keys import KeyFile, VaultKey
from stowboard_client.verifying import WebhookInvalid
from stowboard_client.version import __version__
from stowboard_client.videos import SignedVideoUrl, Video, VideoError, VideoFailed, VideoProcessing, VideoUpload
from stowboard_client.webhooks import (
    DeliveryAttempt,
    IssuedWebhook,
    Replay,
    Webhook,
    WebhookDelivery,
    WebhookEvent,
    WebhookTest,
    verify,
)

__all__ = [
    "OPERATIONS",
    "UNSET",
    "Account",
    "ApiError",
    "Application",
    "Asset",
    "AssetFailed",
    "AssetStats",
    "AssetUse",
    "AsyncClient",
    "AsyncFollower",
    "AsyncPager",
    "Attachment",
    "AuditEntry",
    "Backfill",
    "BatchDeleted",
    "BatchError",
    "BatchResult",
    "BatchResults",
    "BatchTagged",
    "Board",
    "BrowserSession",
    "CalendarAddress",
    "CdnConfiguration",
    "Client",
    "ClientCredentials",
    "Column",
    "ConnectionFailed",
    "Deleted",
    "DeliveryAttempt",
    "DeviceCode",
    "EncryptedBody",
    "Event",
    "Figures",
    "FocalPoint",
    "Follower",
    "FoundAssets",
    "Hit",
    "Identity",
    "Invitation",
    "IssuedClient",
    "IssuedToken",
    "IssuedWebhook",
    "Job",
    "JobCount",
    "KeyFile",
    "Link",
    "MediaStats",
    "MyApplication",
    "NamespaceBinding",
    "NewAccount",
    "NewInvitation",
    "OAuthClient",
    "Occurrence",
    "Page",
    "PageMeta",
    "Pager",
    "ParsedTask",
    "Passkey",
    "PasskeyOptions",
    "PasswordChanged",
    "Placeholder",
    "Placement",
    "PresignedUpload",
    "ProcessingError",
    "Queue",
    "QuickSpan",
    "QuickTask",
    "RateLimit",
    "RecoveryCodes",
    "RecoveryCodesLeft",
    "RefusedUrl",
    "Replacement",
    "Replay",
    "Resolution",
    "RetriedJob",
    "SignedIn",
    "SignedUrl",
    "SignedUrls",
    "SignedVideoUrl",
    "StowboardError",
    "Tag",
    "TagRename",
    "Task",
    "TaskPlacement",
    "Token",
    "TransformClass",
    "UnreadableAnswer",
    "Upcoming",
    "UploadStats",
    "VaultKey",
    "Video",
    "VideoError",
    "VideoFailed",
    "VideoProcessing",
    "VideoStats",
    "VideoUpload",
    "Webhook",
    "WebhookDelivery",
    "WebhookEvent",
    "WebhookInvalid",
    "WebhookTest",
    "__version__",
    "errors",
    "sign_in_by_device",
    "sign_in_by_device_async",
    "task_operation",
    "verify",
]
