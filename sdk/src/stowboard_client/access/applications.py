"""Applications that act for people: registered by an admin, by themselves, or known by a document. For admins."""

from collections.abc import Sequence

from msgspec import UNSET

from stowboard_client.transport.call import Call, Deleted, Maybe, Model, data, members, path, whole
from stowboard_client.transport.paging import Listing, Page
from stowboard_client.transport.resource import D, Operation, Resource


class Application(Model, frozen=True, kw_only=True):
    client_id: str
    name: str
    #: `admin`, `itself` or `document`.
    origin: str
    redirect_uris: tuple[str, ...]
    device: bool
    registered_from: str
    created_at: int
    used_at: int | None = None


def create_application(
    name: str,
    *,
    redirect_uris: Maybe[Sequence[str]] = UNSET,
    device: Maybe[bool] = UNSET,
    idempotency_key: str | None = None,
) -> Call[Application]:
    """Register an application; it has no secret. `device` lets people type its code."""
    body = members(name=name, redirect_uris=redirect_uris, device=device)
    return Call("POST", "/access/applications", data(Application), body=body, idempotency_key=idempotency_key)


def list_applications(*, limit: int | None = None) -> Call[Page[Application]]:
    return Call("GET", "/access/applications", whole(Page[Application]), query={"limit": limit})


def delete_application(client_id: str, *, idempotency_key: str | None = None) -> Call[Deleted]:
    """Remove the application. All access that people gave to it ends."""
    return Call("DELETE", path("/access/applications/{}", client_id), data(Deleted), idempotency_key=idempotency_key)


class Applications(Resource[D]):
    create = Operation("createApplication", create_application)
    list = Listing("listApplications", list_applications)
    delete = Operation("deleteApplication", delete_application)
