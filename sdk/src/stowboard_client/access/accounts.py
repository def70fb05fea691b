"""Accounts, invitations and the audit log, for admins."""

from typing import Any, Literal

import msgspec
from msgspec import UNSET

from stowboard_client.transport.call import Call, Deleted, Maybe, Model, data, members, path, whole
from stowboard_client.transport.paging import Listing, Page
from stowboard_client.transport.resource import D, Operation, Resource


class Account(Model, frozen=True, kw_only=True):
    """A person; `username` is the owner of their tasks and tokens."""

    id: str
    username: str
    display_name: str
    role: str
    disabled: bool
    created_at: int
    email: str | None = None
    email_confirmed: bool = False
    #: A new address. It takes the place of `email` once the person has opened the link that was mailed to it.
    pending_email: str | None = None
    time_zone: str | None = None
    remind_by_mail: bool = False
    quiet_hours: dict[str, Any] | None = None
    digest: dict[str, Any] | None = None
    two_factor: bool = False
    last_seen_at: int | None = None


class NewAccount(Account, frozen=True, kw_only=True):
    #: The person sets a password by this link, which works once.
    link: str
    link_expires_at: int


class Link(Model, frozen=True, kw_only=True):
    """A link that works once, to be handed over."""

    link: str
    expires_at: int


class Invitation(Model, frozen=True, kw_only=True):
    """An invitation that nobody has accepted yet."""

    id: str
    role: str
    created_by: str
    created_at: int
    expires_at: int
    username: str | None = None
    email: str | None = None


class NewInvitation(Invitation, frozen=True, kw_only=True):
    link: str


class AuditEntry(Model, frozen=True, kw_only=True):
    """Something that was done, or refused."""

    id: str
    action: str
    outcome: str
    actor: str
    subject: str
    created_at: int
    token_id: str | None = None
    address: str | None = None
    data: dict[str, Any] = msgspec.field(default_factory=dict)


def create_account(
    username: str,
    *,
    display_name: Maybe[str | None] = UNSET,
    email: Maybe[str | None] = UNSET,
    role: Maybe[Literal["member", "admin"]] = UNSET,
    idempotency_key: str | None = None,
) -> Call[NewAccount]:
    """Make an account; hand its `link` over."""
    body = members(username=username, display_name=display_name, email=email, role=role)
    return Call("POST", "/access/accounts", data(NewAccount), body=body, idempotency_key=idempotency_key)


def list_accounts(*, limit: int | None = None) -> Call[Page[Account]]:
    return Call("GET", "/access/accounts", whole(Page[Account]), query={"limit": limit})


def get_account(account_id: str) -> Call[Account]:
    return Call("GET", path("/access/accounts/{}", account_id), data(Account))


def update_account(
    account_id: str,
    *,
    display_name: Maybe[str | None] = UNSET,
    email: Maybe[str | None] = UNSET,
    role: Maybe[Literal["member", "admin"]] = UNSET,
    disabled: Maybe[bool] = UNSET,
    two_factor: Maybe[bool] = UNSET,
    idempotency_key: str | None = None,
) -> Call[Account]:
    """Change the given members. A disabled account cannot sign in, and no token acts for its owner."""
    body = members(display_name=display_name, email=email, role=role, disabled=disabled, two_factor=two_factor)
    address = path("/access/accounts/{}", account_id)
    return Call("PATCH", address, data(Account), body=body, idempotency_key=idempotency_key)


def delete_account(account_id: str, *, idempotency_key: str | None = None) -> Call[Deleted]:
    """Delete an account and every token of its owner; tasks stay."""
    return Call("DELETE", path("/access/accounts/{}", account_id), data(Deleted), idempotency_key=idempotency_key)


def create_reset_link(account_id: str, *, idempotency_key: str | None = None) -> Call[Link]:
    """A link by which the person chooses a new password."""
    address = path("/access/accounts/{}/reset-link", account_id)
    return Call("POST", address, data(Link), idempotency_key=idempotency_key)


def create_invitation(
    *,
    username: Maybe[str | None] = UNSET,
    role: Maybe[Literal["member", "admin"]] = UNSET,
    email: Maybe[str | None] = UNSET,
    idempotency_key: str | None = None,
) -> Call[NewInvitation]:
    """Invite somebody; hand the `link` over. Without `username` they choose a name that owns nothing yet."""
    body = members(username=username, role=role, email=email)
    return Call("POST", "/access/invitations", data(NewInvitation), body=body, idempotency_key=idempotency_key)


def list_invitations(*, limit: int | None = None) -> Call[Page[Invitation]]:
    return Call("GET", "/access/invitations", whole(Page[Invitation]), query={"limit": limit})


def delete_invitation(invitation_id: str, *, idempotency_key: str | None = None) -> Call[Deleted]:
    address = path("/access/invitations/{}", invitation_id)
    return Call("DELETE", address, data(Deleted), idempotency_key=idempotency_key)


def list_audit(
    *,
    actor: str | None = None,
    action: str | None = None,
    subject: str | None = None,
    since: int | None = None,
    until: int | None = None,
    limit: int | None = None,
) -> Call[Page[AuditEntry]]:
    """The audit log of accounts, tokens and the installation, newest first."""
    query = {"actor": actor, "action": action, "subject": subject, "since": since, "until": until, "limit": limit}
    return Call("GET", "/access/audit", whole(Page[AuditEntry]), query=query)


class Accounts(Resource[D]):
    create = Operation("createAccount", create_account)
    list = Listing("listAccounts", list_accounts)
    get = Operation("getAccount", get_account)
    update = Operation("updateAccount", update_account)
    delete = Operation("deleteAccount", delete_account)
    reset_link = Operation("createResetLink", create_reset_link)
    invite = Operation("createInvitation", create_invitation)
    invitations = Listing("listInvitations", list_invitations)
    withdraw = Operation("deleteInvitation", delete_invitation)
    audit = Listing("listAudit", list_audit)
