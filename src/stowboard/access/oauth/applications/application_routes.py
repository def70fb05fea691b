"""Applications that act for people, over the API, for admins."""

from typing import Annotated, ClassVar

import msgspec

from stowboard.access.authentication import TokenAuthenticator
from stowboard.access.base import grant_store
from stowboard.access.oauth.applications import application_store
from stowboard.access.oauth.applications.application import LONGEST_NAME, NAME, ApplicationOrigin, OAuthApplication
from stowboard.access.oauth.applications.redirects import LONGEST, MOST, problem_with
from stowboard.access.owners import Owners
from stowboard.access.tokens import ClientId
from stowboard.api.endpoint import Answer, Call, Deleted, Endpoint, PageMeta, view_of
from stowboard.api.paging import Page, PageQuery
from stowboard.core import clock
from stowboard.core.errors import ValidationFailed
from stowboard.core.ids import new_id
from stowboard.core.scopes import ADMIN
from stowboard.core.wording import EXPECTED, TEXT_END
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.events.audit import actor_of


class ApplicationBody(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """An application to register. It needs addresses for its answers, unless it is for devices."""

    AT_LEAST_ONE: ClassVar = ("redirectUris", "device")

    name: Annotated[
        str,
        msgspec.Meta(
            min_length=1,
            max_length=LONGEST_NAME,
            pattern=f"^{NAME.pattern}{TEXT_END}",
            description="What people are told.",
            extra={EXPECTED: f"1 to {LONGEST_NAME} printable characters"},
        ),
    ]
    redirect_uris: (
        Annotated[
            list[Annotated[str, msgspec.Meta(max_length=LONGEST)]],
            msgspec.Meta(max_length=MOST, description="Where answers go, exactly; a loopback port is free."),
        ]
        | None
    ) = None
    device: Annotated[bool, msgspec.Meta(description="Whether people let it in by typing a code.")] | None = False


class ApplicationView(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """An application that may ask people to act for them."""

    client_id: str
    name: str
    origin: ApplicationOrigin
    redirect_uris: list[str]
    device: bool
    registered_from: str
    created_at: int
    used_at: int | None


async def create_application(tx: Tx, call: Call[ApplicationBody, None]) -> ApplicationView:
    """Register an application that acts for people.

    It has no secret: it proves with PKCE that the answer is its own.
    """
    body, uris = call.body, list(dict.fromkeys(call.body.redirect_uris or []))
    for uri in uris:
        if problem := problem_with(uri):
            raise ValidationFailed(f"redirectUris: {problem}.")
    if not uris and not body.device:
        raise ValidationFailed("redirectUris: expected at least one address, or device.")
    application = OAuthApplication(
        ClientId(new_id("app")),
        ApplicationOrigin.ADMIN,
        body.name,
        uris,
        bool(body.device),
        call.caller.owner,
        clock.now_ms(),
    )
    await application_store.insert(tx, application)
    await audit.record(tx, actor_of(call.caller), "application.create", application.client_id)
    return view_of(ApplicationView, application)


async def list_applications(tx: Tx, call: Call[None, PageQuery]) -> Answer:
    """List the applications that may ask people: registered by admins, by themselves, or known by a document."""
    page = Page(call, "applications")
    listed = await application_store.list_applications(tx, page.after, page.size)
    return page.answer([view_of(ApplicationView, each) for each in listed.items], listed.end)


async def delete_application(tx: Tx, call: Call[None, None], client_id: str) -> Deleted:
    """Remove an application. All that people allowed it ends, within a second."""
    await application_store.remove(tx, client_id)
    await grant_store.end_of_client(tx, call.use(Owners), client_id)
    await audit.record(tx, actor_of(call.caller), "application.delete", client_id)
    tx.after_commit(call.use(TokenAuthenticator).forget)
    return Deleted(client_id)


_EXAMPLE = {
    "clientId": "app_01kbr2x4q8e9w6y3t7n5m1c0vz", "name": "Planner", "origin": "admin",
    "redirectUris": ["https://planner.example.com/callback"], "device": False, "registeredFrom": "alice",
    "createdAt": 1794700000000, "usedAt": None,
}  # fmt: skip

ENDPOINTS = [
    Endpoint(
        "POST", "/access/applications", create_application, ApplicationView, scope=ADMIN, body=ApplicationBody,
        status=201, example=_EXAMPLE,
        example_body={"name": "Planner", "redirectUris": ["https://planner.example.com/callback"]},
    ),
    Endpoint(
        "GET", "/access/applications", list_applications, list[ApplicationView], scope=ADMIN, query=PageQuery,
        meta=PageMeta, example=[_EXAMPLE],
    ),
    Endpoint(
        "DELETE", "/access/applications/{client_id}", delete_application, Deleted, scope=ADMIN,
        example={"id": "app_01kbr2x4q8e9w6y3t7n5m1c0vz", "deleted": True},
    ),
]  # fmt: skip
