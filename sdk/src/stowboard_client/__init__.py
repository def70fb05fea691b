"""The client library of Stowboard: `Client` blocks, `AsyncClient` awaits; they offer the same."""

from msgspec import UNSET

from stowboard_client import errors
from stowboard_client.auth import ClientCredentials
from stowboard_client.call import Deleted
from stowboard_client.client import OPERATIONS, AsyncClient, Client
from stowboard_client.clients import IssuedClient, OAuthClient
from stowboard_client.errors import ApiError, ConnectionFailed, StowboardError, UnreadableAnswer
from stowboard_client.paging import AsyncPager, Page, PageMeta, Pager
from stowboard_client.rate_limit import RateLimit
from stowboard_client.tokens import IssuedToken, Token
from stowboard_client.version import __version__

__all__ = [
    "OPERATIONS",
    "UNSET",
    "ApiError",
    "AsyncClient",
    "AsyncPager",
    "Client",
    "ClientCredentials",
    "ConnectionFailed",
    "Deleted",
    "IssuedClient",
    "IssuedToken",
    "OAuthClient",
    "Page",
    "PageMeta",
    "Pager",
    "RateLimit",
    "StowboardError",
    "Token",
    "UnreadableAnswer",
    "__version__",
    "errors",
]
