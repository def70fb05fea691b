"""Accounts and invitations over the API, for admins."""

from collections import Counter
from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

from stowboard.access.accounts import changes
from stowboard.access.accounts.emails import give_email
from stowboard.access.accounts.letters import Letters
from stowboard.access.accounts.me_routes import ACCOUNT_EXAMPLE
from stowboard.access.accounts.person import set_two_factor
from stowboard.access.authentication import TokenAuthenticator
from stowboard.access.base import account_store, tickets
from stowboard.access.base.account import Account, AccountRole, NewAccount
from stowboard.access.base.errors import EmailTaken, LastAdmin, NameTaken
from stowboard.access.base.tickets import link_of
from stowboard.access.base.wire import AccountView, DisplayName, Username, show_account
from stowboard.access.owners import Owners
from stowboard.api.endpoint import (
    Answer,
    AnyCall,
    Call,
    Deleted,
    DeletedWithEnded,
    Ended,
    Endpoint,
    PageMeta,
    view_of,
)
from stowboard.api.paging import Page, PageQuery
from stowboard.core.scopes import ADMIN
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.events.audit import actor_of
from stowboard.events.mail.address import MailAddress


class AccountBody(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """An account that an admin makes for somebody."""

    username: Annotated[
        Username, msgspec.Meta(description="The owner of their tasks. It may own some already; it never changes.")
    ]
    display_name: DisplayName | None = None
    email: MailAddress | None = None
    role: AccountRole | None = None


class AccountPatch(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """Changes to an account. Members that are left out stay as they are."""

    display_name: DisplayName | None | UnsetType = UNSET
    email: MailAddress | None | UnsetType = UNSET
    role: AccountRole | UnsetType = UNSET
    disabled: bool | UnsetType = UNSET
    two_factor: (
        Annotated[bool, msgspec.Meta(description="False for somebody who lost passkey and codes.")] | UnsetType
    ) = UNSET


class LinkView(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A link to hand over. It works once, and is shown only now."""

    link: str
    expires_at: int


class ChangedAccountView(AccountView, frozen=True, kw_only=True):
    """A changed account, and what ended with the change."""

    ended: Ended


class AccountWithLink(AccountView, frozen=True, rename="camel", kw_only=True):
    """A new account, and the link by which its person chooses a password."""

    link: str
    link_expires_at: int


async def create_account(tx: Tx, call: Call[AccountBody, None]) -> AccountWithLink:
    """Make an account for somebody. The link in the answer lets them choose a password; it works once, for a day.

    It is mailed to their address too, if mail is set up.
    """
    body, actor = call.body, actor_of(call.caller)
    new = NewAccount(body.username, body.display_name or "", body.email, body.role or AccountRole.MEMBER)
    account = await changes.create_account(tx, actor, new)
    made, shown = await _make_link(tx, call, account), msgspec.structs.asdict(show_account(account))
    return AccountWithLink(**shown, link=made.link, link_expires_at=made.expires_at)


async def list_accounts(tx: Tx, call: Call[None, PageQuery]) -> Answer:
    """List the accounts, newest first."""
    page = Page(call, "accounts")
    listed = await account_store.list_accounts(tx, page.after, page.size)
    return page.answer([show_account(each) for each in listed.items], listed.end)


async def get_account(tx: Tx, _: Call[None, None], account_id: str) -> AccountView:
    """Read one account."""
    return show_account(await account_store.get(tx, account_id))


async def update_account(tx: Tx, call: Call[AccountPatch, None], account_id: str) -> ChangedAccountView:
    """Change an account: its profile, its role, whether it is disabled or needs two factors.

    A disabled account cannot sign in, and no token acts for its owner until it is enabled again. This, and the loss of
    a role, take effect everywhere within a second. What acts for the person ends, and `ended` names it: tokens of
    spaces, invitations, webhooks, calendars, open uploads, signed URLs and channels.
    """
    body, actor, owners = call.body, actor_of(call.caller), call.use(Owners)
    ended = Counter[str]()
    account = await account_store.lock(tx, account_id)
    if body.display_name is not UNSET:
        named = msgspec.structs.replace(account, display_name=body.display_name or "")
        account = await changes.change_profile(tx, actor, account, named)
    if body.email is not UNSET:
        await give_email(tx, call.use(Letters), actor, account, body.email)
    if body.role is not UNSET:
        ended.update((await changes.change_role(tx, actor, account_id, body.role, owners))[1])
    if body.disabled is not UNSET:
        if body.disabled:
            ended.update((await changes.disable(tx, actor, account_id, owners))[1])
        else:
            await changes.enable(tx, actor, account_id)
    if body.two_factor is not UNSET:
        await set_two_factor(tx, actor, account_id, body.two_factor)
    tx.after_commit(call.use(TokenAuthenticator).forget)
    shown = msgspec.structs.asdict(show_account(await account_store.get(tx, account_id)))
    return ChangedAccountView(**shown, ended=dict(ended))


async def delete_account(tx: Tx, call: Call[None, None], account_id: str) -> DeletedWithEnded:
    """Delete an account, with its sessions, tokens, OAuth clients and all that acts for it; `ended` names that.

    Tasks stay; the name is never given again.
    """
    ended = await changes.delete_account(tx, actor_of(call.caller), account_id, call.use(Owners))
    tx.after_commit(call.use(TokenAuthenticator).forget)
    return DeletedWithEnded(account_id, ended=ended)


async def create_reset_link(tx: Tx, call: Call[None, None], account_id: str) -> LinkView:
    """Make a link by which the person chooses a new password; it works once, for a day, and ends earlier ones.

    It is mailed to their confirmed address too, if mail is set up.
    """
    return await _make_link(tx, call, await account_store.lock(tx, account_id))


async def _make_link(tx: Tx, call: AnyCall, account: Account) -> LinkView:
    ticket, secret = await changes.make_reset_link(tx, call.use(DigestKey), actor_of(call.caller), account)
    await call.use(Letters).send_link_later(tx, account.confirmed_email, ticket, secret, account.username)
    return LinkView(link=link_of(call.origin, ticket, secret), expires_at=ticket.expires_at)


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
    email: MailAddress | None = None


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
    role, email = body.role or AccountRole.MEMBER, body.email
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


_INVITATION = {
    "id": "tic_01kbr2x4q8e9w6y3t7n5m1c0vz", "username": "bob", "role": "member", "email": None, "createdBy": "alice",
    "createdAt": 1794700000000, "expiresAt": 1795304800000,
}  # fmt: skip
_LINK_EXAMPLE = {"link": "https://stow.example.com/reset#ticket=stowt_…", "expiresAt": 1794786400000}
ENDPOINTS = [
    Endpoint(
        "POST", "/access/accounts", create_account, AccountWithLink, scope=ADMIN, body=AccountBody, status=201,
        secret=True, errors=[NameTaken, EmailTaken], example_body={"username": "alice", "displayName": "Alice"},
        example={
            **ACCOUNT_EXAMPLE, "link": _LINK_EXAMPLE["link"], "linkExpiresAt": 1794786400000, "lastSeenAt": None,
        },
    ),
    Endpoint(
        "GET", "/access/accounts", list_accounts, list[AccountView], scope=ADMIN, query=PageQuery, meta=PageMeta,
        example=[ACCOUNT_EXAMPLE],
    ),
    Endpoint("GET", "/access/accounts/{account_id}", get_account, AccountView, scope=ADMIN, example=ACCOUNT_EXAMPLE),
    Endpoint(
        "PATCH", "/access/accounts/{account_id}", update_account, ChangedAccountView, scope=ADMIN, body=AccountPatch,
        errors=[LastAdmin, EmailTaken], example_body={"role": "admin"},
        example={**ACCOUNT_EXAMPLE, "role": "admin", "ended": {}},
    ),
    Endpoint(
        "DELETE", "/access/accounts/{account_id}", delete_account, DeletedWithEnded, scope=ADMIN, errors=[LastAdmin],
        example={"id": "acc_01kbr2x4q8e9w6y3t7n5m1c0vz", "deleted": True, "ended": {"webhooks": 1}},
    ),
    Endpoint(
        "POST", "/access/accounts/{account_id}/reset-link", create_reset_link, LinkView, scope=ADMIN, status=201,
        secret=True, example=_LINK_EXAMPLE,
    ),
    Endpoint(
        "POST", "/access/invitations", create_invitation, InvitationWithLink, scope=ADMIN, body=InvitationBody,
        status=201, secret=True, errors=[NameTaken, EmailTaken], example_body={"username": "bob"},
        example={**_INVITATION, "link": "https://stow.example.com/invite#ticket=stowt_…"},
    ),
    Endpoint(
        "GET", "/access/invitations", list_invitations, list[InvitationView], scope=ADMIN, query=PageQuery,
        meta=PageMeta, example=[_INVITATION],
    ),
    Endpoint(
        "DELETE", "/access/invitations/{invitation_id}", delete_invitation, Deleted, scope=ADMIN,
        example={"id": "tic_01kbr2x4q8e9w6y3t7n5m1c0vz", "deleted": True},
    ),
]  # fmt: skip
