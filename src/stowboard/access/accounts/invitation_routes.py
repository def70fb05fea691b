"""Invitations over the API, for admins."""

from typing import Annotated

import msgspec

from stowboard.access.accounts import changes
from stowboard.access.accounts.letters import Letters
from stowboard.access.base import tickets
from stowboard.access.base.account import AccountRole
from stowboard.access.base.errors import EmailTaken, NameTaken
from stowboard.access.base.tickets import link_of
from stowboard.access.base.wire import Email, Username
from stowboard.api.endpoint import Answer, Call, Deleted, Endpoint, PageMeta, view_of
from stowboard.api.paging import Page, PageQuery
from stowboard.core.scopes import ADMIN
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.events.audit import actor_of


class InvitationBody(msgspec.Struct, frozen=True, kw_only=True):
    """An invitation: the name, the role and the address of the person."""

    username: (
        Annotated[
            Username,
            msgspec.Meta(
                description="Fixes the name, which may own tasks already. Without it they choose one that owns nothing."
            ),
        ]
        | None
    ) = None
    role: AccountRole | None = None
    email: Email | None = None


class InvitationView(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """An invitation that nobody has accepted yet."""

    id: str
    username: str | None
    role: AccountRole
    email: str | None
    created_by: str
    created_at: int
    expires_at: int


class InvitationWithLink(InvitationView, frozen=True, rename="camel", kw_only=True):
    """A new invitation with its link, which is shown this once."""

    link: str


async def create_invitation(tx: Tx, call: Call[InvitationBody, None]) -> InvitationWithLink:
    """Invite somebody. The link works once, for a week; hand it over.

    It is mailed to `email` too, if mail is set up.
    """
    body = call.body
    role, email = body.role or AccountRole.MEMBER, body.email or None
    key = call.use(DigestKey)
    ticket, secret = await changes.invite(tx, key, actor_of(call.caller), body.username, role, email)
    await call.use(Letters).send_link_later(tx, email, ticket, secret)
    return InvitationWithLink(
        link=link_of(call.origin, ticket, secret), **msgspec.structs.asdict(view_of(InvitationView, ticket))
    )


async def list_invitations(tx: Tx, call: Call[None, PageQuery]) -> Answer:
    """List the invitations that are open, newest first."""
    page = Page(call, "invitations")
    listed = await tickets.list_invitations(tx, page.after, page.size)
    return page.answer([view_of(InvitationView, each) for each in listed.items], listed.end)


async def delete_invitation(tx: Tx, call: Call[None, None], invitation_id: str) -> Deleted:
    """Withdraw an invitation: its link stops working."""
    await tickets.withdraw_invitation(tx, invitation_id)
    await audit.record(tx, actor_of(call.caller), "invitation.delete", invitation_id)
    return Deleted(invitation_id)


_EXAMPLE = {
    "id": "tic_01kbr2x4q8e9w6y3t7n5m1c0vz", "username": "bob", "role": "member", "email": None, "createdBy": "alice",
    "createdAt": 1794700000000, "expiresAt": 1795304800000,
}  # fmt: skip

ENDPOINTS = [
    Endpoint(
        "POST", "/access/invitations", create_invitation, InvitationWithLink, scope=ADMIN, body=InvitationBody,
        status=201, secret=True, errors=[NameTaken, EmailTaken], example_body={"username": "bob"},
        example={**_EXAMPLE, "link": "https://stow.example.com/invite#ticket=stowt_…"},
    ),
    Endpoint(
        "GET", "/access/invitations", list_invitations, list[InvitationView], scope=ADMIN, query=PageQuery,
        meta=PageMeta, example=[_EXAMPLE],
    ),
    Endpoint(
        "DELETE", "/access/invitations/{invitation_id}", delete_invitation, Deleted, scope=ADMIN,
        example={"id": "tic_01kbr2x4q8e9w6y3t7n5m1c0vz", "deleted": True},
    ),
]  # fmt: skip
