"""The client library of Stowboard: `Client` blocks, `AsyncClient` awaits; they offer the same."""

from msgspec import UNSET

from stowboard_client import errors
from stowboard_client.auth import ClientCredentials
from stowboard_client.boards import Board, Column, Placement
from stowboard_client.call import Deleted
from stowboard_client.client import OPERATIONS, AsyncClient, Client
from stowboard_client.clients import IssuedClient, OAuthClient
from stowboard_client.errors import ApiError, ConnectionFailed, StowboardError, UnreadableAnswer
from stowboard_client.paging import AsyncPager, Page, PageMeta, Pager
from stowboard_client.rate_limit import RateLimit
from stowboard_client.tags import Tag
from stowboard_client.tasks import Backfill, EncryptedBody, Occurrence, Task, TaskPlacement
from stowboard_client.tokens import IssuedToken, Token
from stowboard_client.version import __version__

__all__ = [
    "OPERATIONS",
    "UNSET",
    "ApiError",
    "AsyncClient",
    "AsyncPager",
    "Backfill",
    "Board",
    "Client",
    "ClientCredentials",
    "Column",
    "ConnectionFailed",
    "Deleted",
    "EncryptedBody",
    "IssuedClient",
    "IssuedToken",
    "OAuthClient",
    "Occurrence",
    "Page",
    "PageMeta",
    "Pager",
    "Placement",
    "RateLimit",
    "StowboardError",
    "Tag",
    "Task",
    "TaskPlacement",
    "Token",
    "UnreadableAnswer",
    "__version__",
    "errors",
]
