"""OAuth clients: programs that fetch their own tokens with an id and a secret. All of it needs an admin token."""

from collections.abc import Sequence

from msgspec import UNSET

from stowboard_client.transport.call import Call, Deleted, Maybe, Model, data, members, path, whole
from stowboard_client.transport.paging import Listing, Page
from stowboard_client.transport.resource import D, Operation, Resource


class OAuthClient(Model, frozen=True, kw_only=True):
    client_id: str
    owner: str
    scopes: tuple[str, ...]
    created_at: int
    name: str | None = None
    namespace: str | None = None


class IssuedClient(OAuthClient, frozen=True, kw_only=True):
    #: Shown only this once; pass it to `ClientCredentials(client_id, client_secret)`.
    client_secret: str


def create_client(
    owner: str,
    *,
    name: Maybe[str | None] = UNSET,
    namespace: Maybe[str | None] = UNSET,
    scopes: Maybe[Sequence[str]] = UNSET,
    idempotency_key: str | None = None,
) -> Call[IssuedClient]:
    """Register a client whose tokens act as `owner`."""
    body = members(owner=owner, name=name, namespace=namespace, scopes=scopes)
    return Call("POST", "/access/clients", data(IssuedClient), body=body, idempotency_key=idempotency_key)


def list_clients(*, limit: int | None = None) -> Call[Page[OAuthClient]]:
    return Call("GET", "/access/clients", whole(Page[OAuthClient]), query={"limit": limit})


def delete_client(client_id: str, *, idempotency_key: str | None = None) -> Call[Deleted]:
    """Remove the client; its tokens stop working."""
    return Call("DELETE", path("/access/clients/{}", client_id), data(Deleted), idempotency_key=idempotency_key)


class Clients(Resource[D]):
    create = Operation("createClient", create_client)
    list = Listing("listClients", list_clients)
    delete = Operation("deleteClient", delete_client)
