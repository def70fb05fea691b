"""The person behind the token: profile, password, signed-in browsers, passkeys, and their own tokens.

Needs a token of a person. To make a token or a passkey, or to change the password, needs the token of a browser that
has just signed in.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET

from stowboard_client.access.accounts import Account
from stowboard_client.access.tokens import IssuedToken, Token
from stowboard_client.transport.call import Call, Deleted, Maybe, Model, data, members, path, whole
from stowboard_client.transport.paging import Listing, Page
from stowboard_client.transport.resource import D, Operation, Resource


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
    """An application that the person has allowed."""

    id: str
    client_id: str
    name: str
    scopes: tuple[str, ...]
    #: The door that it may use: the API, or /mcp.
    resource: str
    created_at: int
    last_used_at: int
    #: The ids of its sign-ins. `application_id` in events and changes is one of these.
    grant_ids: tuple[str, ...] = ()


class Passkey(Model, frozen=True, kw_only=True):
    """A passkey works only for the host that it was made for."""

    id: str
    name: str
    host: str
    created_at: int
    last_used_at: int | None


class PasskeyOptions(Model, frozen=True, kw_only=True):
    """For `PublicKeyCredential.parseCreationOptionsFromJSON` in a browser."""

    public_key: dict[str, Any]


class Identity(Model, frozen=True, kw_only=True):
    """An identity at a provider, which signs this person in."""

    id: str
    issuer: str
    subject: str
    created_at: int
    last_used_at: int | None


class RecoveryCodes(Model, frozen=True, kw_only=True):
    """Each code replaces a passkey once. The service shows them only this once."""

    codes: list[str]


class RecoveryCodesLeft(Model, frozen=True, kw_only=True):
    left: int


class PasswordChanged(Model, frozen=True):
    changed: bool


def get_me() -> Call[Account]:
    """The account of the person whose token this is."""
    return Call("GET", "/access/me", data(Account))


def update_me(
    *,
    display_name: Maybe[str | None] = UNSET,
    email: Maybe[str | None] = UNSET,
    time_zone: Maybe[str | None] = UNSET,
    remind_by_mail: Maybe[bool] = UNSET,
    quiet_hours: Maybe[Mapping[str, str] | None] = UNSET,
    digest: Maybe[Mapping[str, Any] | None] = UNSET,
    two_factor: Maybe[bool] = UNSET,
    idempotency_key: str | None = None,
) -> Call[Account]:
    """Change the given members.

    Quiet hours are `{"from": "22:00", "to": "07:00", "timeZone": "Europe/Berlin"}`, a digest `{"at": "08:00", "days":
    ["mon", "fri"]}`.
    """
    body = members(
        display_name=display_name,
        email=email,
        time_zone=time_zone,
        remind_by_mail=remind_by_mail,
        quiet_hours=quiet_hours,
        digest=digest,
        two_factor=two_factor,
    )
    return Call("PATCH", "/access/me", data(Account), body=body, idempotency_key=idempotency_key)


def change_my_password(
    password: str, *, end_access: bool = False, idempotency_key: str | None = None
) -> Call[PasswordChanged]:
    """Choose a new password. Every other session ends; with `end_access`, the person's tokens and applications end
    too.
    """
    body = members(password=password, end_access=end_access)
    address = "/access/me/password"
    return Call("POST", address, data(PasswordChanged), body=body, idempotency_key=idempotency_key)


def list_my_sessions() -> Call[list[BrowserSession]]:
    """The browsers in which the person is signed in."""
    return Call("GET", "/access/me/sessions", data(list[BrowserSession]))


def end_my_session(session_id: str, *, idempotency_key: str | None = None) -> Call[Deleted]:
    """Sign out one browser."""
    return Call("DELETE", path("/access/me/sessions/{}", session_id), data(Deleted), idempotency_key=idempotency_key)


def begin_my_passkey(*, idempotency_key: str | None = None) -> Call[PasskeyOptions]:
    """Options for `navigator.credentials.create` in a browser."""
    return Call("POST", "/access/me/passkeys/options", data(PasskeyOptions), idempotency_key=idempotency_key)


def create_my_passkey(name: str, credential: Mapping[str, Any], *, idempotency_key: str | None = None) -> Call[Passkey]:
    """Store a passkey that a browser has made."""
    body = members(name=name, credential=credential)
    return Call("POST", "/access/me/passkeys", data(Passkey), body=body, idempotency_key=idempotency_key)


def list_my_passkeys() -> Call[list[Passkey]]:
    return Call("GET", "/access/me/passkeys", data(list[Passkey]))


def rename_my_passkey(passkey_id: str, name: str, *, idempotency_key: str | None = None) -> Call[Passkey]:
    address = path("/access/me/passkeys/{}", passkey_id)
    return Call("PATCH", address, data(Passkey), body=members(name=name), idempotency_key=idempotency_key)


def delete_my_passkey(passkey_id: str, *, idempotency_key: str | None = None) -> Call[Deleted]:
    return Call("DELETE", path("/access/me/passkeys/{}", passkey_id), data(Deleted), idempotency_key=idempotency_key)


def renew_my_recovery_codes(*, idempotency_key: str | None = None) -> Call[RecoveryCodes]:
    """Make ten recovery codes; earlier ones no longer work."""
    return Call("POST", "/access/me/recovery-codes", data(RecoveryCodes), idempotency_key=idempotency_key)


def count_my_recovery_codes() -> Call[RecoveryCodesLeft]:
    return Call("GET", "/access/me/recovery-codes", data(RecoveryCodesLeft))


def list_my_identities() -> Call[list[Identity]]:
    return Call("GET", "/access/me/identities", data(list[Identity]))


def delete_my_identity(identity_id: str, *, idempotency_key: str | None = None) -> Call[Deleted]:
    """Remove an identity at a provider, which then no longer signs the person in; another way to sign in must
    remain.
    """
    address = path("/access/me/identities/{}", identity_id)
    return Call("DELETE", address, data(Deleted), idempotency_key=idempotency_key)


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
    """The live tokens that the person has made; `limit` is the size of a page."""
    return Call("GET", "/access/me/tokens", whole(Page[Token]), query={"limit": limit})


def revoke_my_token(token_id: str, *, idempotency_key: str | None = None) -> Call[Deleted]:
    return Call("DELETE", path("/access/me/tokens/{}", token_id), data(Deleted), idempotency_key=idempotency_key)


def list_my_applications(*, limit: int | None = None) -> Call[Page[MyApplication]]:
    """The applications that may act for the person."""
    return Call("GET", "/access/me/applications", whole(Page[MyApplication]), query={"limit": limit})


def revoke_my_application(application_id: str, *, idempotency_key: str | None = None) -> Call[Deleted]:
    """End an application's right to act for the person; `application_id` is the `id` in `list_my_applications`."""
    address = path("/access/me/applications/{}", application_id)
    return Call("DELETE", address, data(Deleted), idempotency_key=idempotency_key)


class Me(Resource[D]):
    get = Operation("getMe", get_me)
    update = Operation("updateMe", update_me)
    change_password = Operation("changeMyPassword", change_my_password)
    sessions = Operation("listMySessions", list_my_sessions)
    end_session = Operation("endMySession", end_my_session)
    begin_passkey = Operation("beginMyPasskey", begin_my_passkey)
    create_passkey = Operation("createMyPasskey", create_my_passkey)
    passkeys = Operation("listMyPasskeys", list_my_passkeys)
    rename_passkey = Operation("renameMyPasskey", rename_my_passkey)
    delete_passkey = Operation("deleteMyPasskey", delete_my_passkey)
    renew_recovery_codes = Operation("renewMyRecoveryCodes", renew_my_recovery_codes)
    recovery_codes_left = Operation("countMyRecoveryCodes", count_my_recovery_codes)
    identities = Operation("listMyIdentities", list_my_identities)
    delete_identity = Operation("deleteMyIdentity", delete_my_identity)
    create_token = Operation("createMyToken", create_my_token)
    tokens = Listing("listMyTokens", list_my_tokens)
    revoke_token = Operation("revokeMyToken", revoke_my_token)
    applications = Listing("listMyApplications", list_my_applications)
    revoke_application = Operation("revokeMyApplication", revoke_my_application)
