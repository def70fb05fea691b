"""The two clients. All that they offer is in `Api`, once; they differ in the driver that runs it.

To add a capability, write one file like `access/tokens.py`: models, a function from arguments to a `Call` for each
operation, and a `Resource` that names them. Then give it a line in `Api` and one in `OPERATIONS`.
"""

import asyncio
import dataclasses
import time
from collections.abc import Awaitable, Callable, Mapping
from copy import copy
from types import TracebackType
from typing import Any, Self

import httpx2
from msgspec import UNSET

from stowboard_client.access.accounts import Accounts
from stowboard_client.access.applications import Applications
from stowboard_client.access.clients import Clients
from stowboard_client.access.me import Me
from stowboard_client.access.spaces import Spaces
from stowboard_client.access.tokens import Tokens
from stowboard_client.events.changes import Changes
from stowboard_client.events.events import Events, Following
from stowboard_client.events.notifications import Notifications
from stowboard_client.events.webhooks import Webhooks
from stowboard_client.jobs import Jobs
from stowboard_client.media.assets import Assets
from stowboard_client.media.delivery import Delivery
from stowboard_client.media.upload_by_size import upload
from stowboard_client.media.uploads import Uploads
from stowboard_client.media.versions import Versions
from stowboard_client.media.videos import Videos
from stowboard_client.search import search
from stowboard_client.tags import Tags
from stowboard_client.tasks.boards import Boards
from stowboard_client.tasks.imports import Imports
from stowboard_client.tasks.parts import Comments
from stowboard_client.tasks.tasks import Tasks
from stowboard_client.tasks.vault_keys import VaultKeys
from stowboard_client.transport.auth import Bearer, ClientCredentials, SignedIn
from stowboard_client.transport.call import Call, QueryValue, data
from stowboard_client.transport.drivers import AsyncDriver, SyncDriver
from stowboard_client.transport.paging import Listing
from stowboard_client.transport.rate_limit import RateLimit
from stowboard_client.transport.resource import Conversation, D, Operation, Resource
from stowboard_client.transport.session import Session
from stowboard_client.transport.steps import Steps


def get_index() -> Call[dict[str, Any]]:
    """The index of the documents that describe the service."""
    return Call("GET", "", data(dict[str, Any]))


def raw_call(
    method: str,
    path: str,
    *,
    query: Mapping[str, QueryValue] | None = None,
    body: object = UNSET,
    headers: Mapping[str, str] | None = None,
    idempotency_key: str | None = None,
) -> Call[httpx2.Response]:
    """Send any request below the base URL, with the client's credentials, retries and errors; returns the raw
    answer.
    """
    return Call(method, path, lambda response: response, query or {}, body, headers or {}, idempotency_key)


def present_token(session: Session) -> Steps[str]:
    """The token that requests use now, for addresses of the service outside of the API."""
    return session.bearer.token(session.send)


class Api(Resource[D]):
    token = Conversation(present_token)
    index = Operation("getIndex", get_index)
    search = Listing("search", search)
    raw = Operation(None, raw_call)
    upload = Conversation(upload)

    def __init__(self, driver: D) -> None:
        Resource.__init__(self, driver)
        self.me: Me[D] = Me(driver)
        self.accounts: Accounts[D] = Accounts(driver)
        self.tokens: Tokens[D] = Tokens(driver)
        self.clients: Clients[D] = Clients(driver)
        self.applications: Applications[D] = Applications(driver)
        self.spaces: Spaces[D] = Spaces(driver)
        self.assets: Assets[D] = Assets(driver)
        self.uploads: Uploads[D] = Uploads(driver)
        self.delivery: Delivery[D] = Delivery(driver)
        self.versions: Versions[D] = Versions(driver)
        self.videos: Videos[D] = Videos(driver)
        self.tasks: Tasks[D] = Tasks(driver)
        self.comments: Comments[D] = Comments(driver)
        self.tags: Tags[D] = Tags(driver)
        self.boards: Boards[D] = Boards(driver)
        self.imports: Imports[D] = Imports(driver)
        self.events: Events[D] = Events(driver)
        self.changes: Changes[D] = Changes(driver)
        self.webhooks: Webhooks[D] = Webhooks(driver)
        self.notifications: Notifications[D] = Notifications(driver)
        self.vault_keys: VaultKeys[D] = VaultKeys(driver)
        self.jobs: Jobs[D] = Jobs(driver)

    @property
    def base_url(self) -> str:
        return self._driver.session.base_url

    @property
    def space(self) -> str | None:
        """The space of every list, creation, upload and search that names none; see `with_options`."""
        return self._driver.session.options.space

    @property
    def request_id(self) -> str | None:
        """`X-Request-Id` of the latest answer."""
        return self._driver.session.last.request_id

    @property
    def rate_limit(self) -> RateLimit | None:
        """The token's quota, as the latest answer told it."""
        return self._driver.session.last.rate_limit

    def with_options(
        self,
        *,
        retries: int | None = None,
        patience: float | None = None,
        timeout: float | None = None,
        space: str | None = None,
    ) -> Self:
        """A client with other options and the same connections and credentials. This client keeps its options.

        `space` is the id of a space, for every list, creation, upload and search that names none.
        """
        given: dict[str, Any] = {"retries": retries, "patience": patience, "timeout": timeout, "space": space}
        session = self._driver.session
        changed = {name: value for name, value in given.items() if value is not None}
        options = dataclasses.replace(session.options, **changed)
        twin = copy(self)
        Api.__init__(twin, dataclasses.replace(self._driver, session=dataclasses.replace(session, options=options)))
        return twin


def _uses_tls(base_url: str) -> bool:
    """Reading the system's certificates takes a quarter of a second, which plain HTTP has no use for."""
    return not base_url.lower().startswith("http://")


class Client(Api[SyncDriver]):
    """The blocking client. Threads may share it.

    `http` is an HTTP client with your own configuration (a private CA, a proxy). This client takes it over and closes
    it.
    """

    def __init__(
        self,
        base_url: str,
        auth: str | ClientCredentials | SignedIn | Bearer,
        *,
        http: httpx2.Client | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        super().__init__(
            SyncDriver(Session.to(base_url, auth), http or httpx2.Client(verify=_uses_tls(base_url)), sleep)
        )

    def close(self) -> None:
        self._driver.http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


class AsyncClient(Api[AsyncDriver]):
    """The async client, for one event loop; `sleep` is there for loops that are not asyncio's."""

    def __init__(
        self,
        base_url: str,
        auth: str | ClientCredentials | SignedIn | Bearer,
        *,
        http: httpx2.AsyncClient | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        super().__init__(
            AsyncDriver(Session.to(base_url, auth), http or httpx2.AsyncClient(verify=_uses_tls(base_url)), sleep)
        )

    async def close(self) -> None:
        await self._driver.http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()


def _operations(prefix: str, resource: type[Resource[Any]]) -> dict[str, str]:
    return {
        prefix + name: member.operation_id
        for name, member in vars(resource).items()
        if isinstance(member, Operation | Listing | Following) and member.operation_id is not None
    }


#: Each operation of a client by its name there, with its operationId in the service's OpenAPI document.
OPERATIONS: Mapping[str, str] = {
    **_operations("", Api),
    **_operations("me.", Me),
    **_operations("accounts.", Accounts),
    **_operations("tokens.", Tokens),
    **_operations("clients.", Clients),
    **_operations("applications.", Applications),
    **_operations("spaces.", Spaces),
    **_operations("assets.", Assets),
    **_operations("uploads.", Uploads),
    **_operations("delivery.", Delivery),
    **_operations("versions.", Versions),
    **_operations("videos.", Videos),
    **_operations("tasks.", Tasks),
    **_operations("comments.", Comments),
    **_operations("tags.", Tags),
    **_operations("boards.", Boards),
    **_operations("webhooks.", Webhooks),
    **_operations("events.", Events),
    **_operations("notifications.", Notifications),
    **_operations("changes.", Changes),
    **_operations("imports.", Imports),
    **_operations("vault_keys.", VaultKeys),
    **_operations("jobs.", Jobs),
}
