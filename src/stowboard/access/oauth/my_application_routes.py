"""A person's connected applications: list them, and disconnect one."""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from stowboard.access.accounts.person import get_person_themselves
from stowboard.access.authentication import TokenAuthenticator
from stowboard.access.base import grant_store
from stowboard.access.base.errors import AccountRequired
from stowboard.access.base.grant_store import OAuthGrant
from stowboard.access.oauth.grants import consent_store
from stowboard.access.oauth.grants.consent_store import OAuthConsent
from stowboard.access.owners import Owners
from stowboard.api.endpoint import Answer, Call, DeletedWithEnded, Endpoint, PageMeta
from stowboard.api.paging import Page, PageQuery
from stowboard.db.database import Tx
from stowboard.events import audit


class MyApplicationView(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """An application that one has allowed to act for oneself."""

    id: str
    client_id: str
    name: str
    scopes: list[str]
    resource: str
    created_at: int
    last_used_at: int
    grant_ids: Annotated[
        list[str], Meta(description="Its sign-ins. `applicationId` in events and changes is one of them.")
    ]


async def list_my_applications(tx: Tx, call: Call[None, PageQuery]) -> Answer:
    """List the applications that may act for oneself, newest first."""
    account_id = (await get_person_themselves(tx, call.caller)).account.id
    page = Page(call, "my applications", account_id)
    listed = await consent_store.list_of(tx, account_id, page.after, page.size)
    grants = await grant_store.find_live(tx, account_id)
    return page.answer([_view(each, grants, call.origin) for each in listed.items], listed.end)


async def revoke_my_application(tx: Tx, call: Call[None, None], consent_id: str) -> DeletedWithEnded:
    """Disconnect an application. Its tokens stop working within a second.

    What it made ends too, and `ended` names it: webhooks, calendars, invitations, open uploads, signed URLs.
    """
    person = await get_person_themselves(tx, call.caller)
    consent = await consent_store.remove(tx, person.account.id, consent_id)
    owners, of = call.use(Owners), (person.account.id, consent.client_id, consent.resource)
    ended = await grant_store.end_of_application(tx, owners, *of)
    await audit.record(tx, person.actor, "grant.end", consent.client_id, data={"resource": consent.resource})
    tx.after_commit(call.use(TokenAuthenticator).forget)
    return DeletedWithEnded(consent_id, ended=ended)


def _view(consent: OAuthConsent, grants: Sequence[OAuthGrant], origin: str) -> MyApplicationView:
    return MyApplicationView(
        id=consent.id, client_id=consent.client_id, name=consent.client_name, scopes=consent.scopes,
        resource=origin + consent.resource, created_at=consent.created_at, last_used_at=consent.used_at,
        grant_ids=[
            grant.id for grant in grants
            if (grant.client_id, grant.resource) == (consent.client_id, consent.resource)
        ],
    )  # fmt: skip


_EXAMPLE = {
    "id": "con_01kbr2x4q8e9w6y3t7n5m1c0vz", "clientId": "app_01kbr2x4q8e9w6y3t7n5m1c0vz", "name": "Planner",
    "scopes": ["tasks:read"], "resource": "https://stow.example.org/api/v1", "createdAt": 1794700000000,
    "lastUsedAt": 1794703600000, "grantIds": ["gra_01kbr2x4q8e9w6y3t7n5m1c0vz"],
}  # fmt: skip

ENDPOINTS = [
    Endpoint(
        "GET", "/access/me/applications", list_my_applications, list[MyApplicationView], query=PageQuery, meta=PageMeta,
        errors=[AccountRequired], example=[_EXAMPLE],
    ),
    Endpoint(
        "DELETE", "/access/me/applications/{consent_id}", revoke_my_application, DeletedWithEnded,
        errors=[AccountRequired], example={"id": _EXAMPLE["id"], "deleted": True, "ended": {"webhooks": 1}},
    ),
]  # fmt: skip
