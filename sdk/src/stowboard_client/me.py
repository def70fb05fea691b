"""Oneself: profile, password, the browsers in which one is signed in, tokens of one's own.

Needs a token of a person. Making a token and changing the password need one of a browser that has just signed in.
"""

from collections.abc import Sequence

from msgspec import UNSET

from stowboard_client.accounts import Account
from stowboard_client.call import Call, Deleted, Maybe, Model, data, members, path, whole
from stowboard_client.paging import Listing, Page
from stowboard_client.resource import D, Operation, Resource
from stowboard_client.tokens import IssuedToken, Token


class BrowserSession(Model, frozen=True, kw_only=True):
    """A browser in which the person is signed in."""

    id: str
    method: str
    address: str
    user_agent: str
    created_at: int
    last_seen_at: int
    expires_at: int
    current: bool


class MyApplication(Model, frozen=True, kw_only=True):
    """An application that one has let in."""

    id: str
    client_id: str
    name: str
    scopes: tuple[str, ...]
    #: The door that it may use.
    resource: str
    created_at: int
    last_used_at: int


class PasswordChanged(Model, frozen=True):
    changed: bool


def get_me() -> Call[Account]:
    """The account of the person whose token this is."""
    return Call("GET", "/access/me", data(Account))


def update_me(
    *,
    display_name: Maybe[str | None] = UNSET,
    email: Maybe[str | None] = UNSET,
    remind_by_mail: Maybe[bool] = UNSET,
    idempotency_key: str | None = None,
) -> Call[Account]:
    """Change what is given."""
    body = members(display_name=display_name, email=email, remind_by_mail=remind_by_mail)
    return Call("PATCH", "/access/me", data(Account), body=body, idempotency_key=idempotency_key)


def change_my_password(password: str, *, idempotency_key: str | None = None) -> Call[PasswordChanged]:
    """Choose a new password; every other session ends."""
    body = members(password=password)
    address = "/access/me/password"
    return Call("POST", address, data(PasswordChanged), body=body, idempotency_key=idempotency_key)


def list_my_sessions() -> Call[list[BrowserSession]]:
    """The browsers in which one is signed in."""
    return Call("GET", "/access/me/sessions", data(list[BrowserSession]))


def end_my_session(session_id: str, *, idempotency_key: str | None = None) -> Call[Deleted]:
    """Sign out one browser."""
    return Call("DELETE", path("/access/me/sessions/{}", session_id), data(Deleted), idempotency_key=idempotency_key)


def create_my_token(
    name: str,
    *,
    scopes: Maybe[Sequence[str]] = UNSET,
    expires_in: Maybe[int | None] = UNSET,
    idempotency_key: str | None = None,
) -> Call[IssuedToken]:
    """Make a token of one's own; it expires `expires_in` seconds from now, by default in 90 days."""
    body = members(name=name, scopes=scopes, expires_in=expires_in)
    return Call("POST", "/access/me/tokens", data(IssuedToken), body=body, idempotency_key=idempotency_key)


def list_my_tokens(*, limit: int | None = None) -> Call[Page[Token]]:
    """The live tokens that one has made; `limit` is the size of a page."""
    return Call("GET", "/access/me/tokens", whole(Page[Token]), query={"limit": limit})


def revoke_my_token(token_id: str, *, idempotency_key: str | None = None) -> Call[Deleted]:
    return Call("DELETE", path("/access/me/tokens/{}", token_id), data(Deleted), idempotency_key=idempotency_key)


def list_my_applications(*, limit: int | None = None) -> Call[Page[MyApplication]]:
    """The applications that may act for oneself."""
    return Call("GET", "/access/me/applications", whole(Page[MyApplication]), query={"limit": limit})


def revoke_my_application(application_id: str, *, idempotency_key: str | None = None) -> Call[Deleted]:
    """Let an application act for oneself no longer; `application_id` is the `id` of the list."""
    address = path("/access/me/applications/{}", application_id)
    return Call("DELETE", address, data(Deleted), idempotency_key=idempotency_key)


class Me(Resource[D]):
    get = Operation("getMe", get_me)
    update = Operation("updateMe", update_me)
    change_password = Operation("changeMyPassword", change_my_password)
    sessions = Operation("listMySessions", list_my_sessions)
    end_session = Operation("endMySession", end_my_session)
    create_token = Operation("createMyToken", create_my_token)
    tokens = Listing("listMyTokens", list_my_tokens)
    revoke_token = Operation("revokeMyToken", revoke_my_token)
    applications = Listing("listMyApplications", list_my_applications)
    revoke_application = Operation("revokeMyApplication", revoke_my_application)
