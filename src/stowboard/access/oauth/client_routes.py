"""Registration of OAuth clients over HTTP, for admins."""

from typing import Annotated

import msgspec

from stowboard.access import tokens
from stowboard.access.authentication import TokenAuthenticator
from stowboard.access.oauth import clients
from stowboard.access.owners import Owners
from stowboard.access.tokens import NewToken, OwnerName, TokenName
from stowboard.api.endpoint import Answer, Call, DeletedWithEnded, Endpoint, PageMeta, view_of
from stowboard.api.paging import Page, PageQuery
from stowboard.core.caller import Namespace
from stowboard.core.errors import Conflict
from stowboard.core.scopes import ADMIN, ScopeName, Scopes
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.events.audit import actor_of


class ClientBody(msgspec.Struct, frozen=True, kw_only=True):
    """A new client: the owner, scopes and namespace of its tokens."""

    owner: OwnerName
    name: TokenName | None = None
    namespace: Annotated[Namespace, msgspec.Meta(description="The app that it is.")] | None = None
    scopes: (
        Annotated[
            list[ScopeName],
            msgspec.Meta(max_length=20, description="Default: all scopes but `admin` and `spaces:manage`."),
        ]
        | None
    ) = None


class ClientView(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A client, without its secret."""

    client_id: str
    owner: str
    scopes: list[str]
    namespace: str | None
    name: str
    created_at: int


class ClientWithSecret(ClientView, frozen=True, rename="camel", kw_only=True):
    """A client with its secret, which is shown this once."""

    client_secret: str


async def create_client(tx: Tx, call: Call[ClientBody, None]) -> ClientWithSecret:
    """Register an OAuth client.

    It exchanges its id and secret for access tokens at `POST /oauth/token` (client credentials). The secret is shown
    this once.
    """
    body = call.body
    scopes = call.use(Scopes).granted(body.scopes, admin=False, held=call.caller.scopes)
    new = NewToken(owner=body.owner, scopes=scopes, namespace=body.namespace, name=body.name or "")
    await tokens.check_role(tx, new)
    secret = tokens.make_secret("stowc_")
    client = await clients.register(tx, call.use(DigestKey), new, secret)
    facts = {"owner": client.owner, "scopes": client.scopes, "namespace": client.namespace}
    await audit.record(tx, actor_of(call.caller), "client.create", client.client_id, data=facts)
    return ClientWithSecret(client_secret=secret, **msgspec.structs.asdict(view_of(ClientView, client)))


async def list_clients(tx: Tx, call: Call[None, PageQuery]) -> Answer:
    """List the OAuth clients, newest first."""
    page = Page(call, "clients")
    listed = await clients.list_clients(tx, page.after, page.size)
    return page.answer([view_of(ClientView, client) for client in listed.items], listed.end)


async def delete_client(tx: Tx, call: Call[None, None], client_id: str) -> DeletedWithEnded:
    """Remove an OAuth client and revoke the tokens it was given. What it made ends too, and `ended` names it."""
    ended = await clients.delete_client(tx, call.use(Owners), client_id)
    await audit.record(tx, actor_of(call.caller), "client.delete", client_id)
    tx.after_commit(call.use(TokenAuthenticator).forget)
    return DeletedWithEnded(client_id, ended=ended)


_EXAMPLE = {
    "clientId": "cli_01kbr2x4q8e9w6y3t7n5m1c0vz", "owner": "alice", "scopes": ["media:read", "media:write"],
    "namespace": "blog", "name": "blog importer", "createdAt": 1794700000000,
}  # fmt: skip

ENDPOINTS = [
    Endpoint(
        "POST", "/access/clients", create_client, ClientWithSecret, scope=ADMIN, body=ClientBody, status=201,
        secret=True, errors=[Conflict], example={**_EXAMPLE, "clientSecret": "stowc_…"},
        example_body={"owner": "alice", "name": "blog importer", "namespace": "blog", "scopes": ["media:read"]},
    ),
    Endpoint(
        "GET", "/access/clients", list_clients, list[ClientView], scope=ADMIN, query=PageQuery, meta=PageMeta,
        example=[_EXAMPLE],
    ),
    Endpoint(
        "DELETE", "/access/clients/{client_id}", delete_client, DeletedWithEnded, scope=ADMIN,
        example={"id": "cli_01kbr2x4q8e9w6y3t7n5m1c0vz", "deleted": True, "ended": {}},
    ),
]  # fmt: skip
