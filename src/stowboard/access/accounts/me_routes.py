"""`/access/me`: a person's own profile, password and sessions."""

from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

from stowboard.access.accounts import changes
from stowboard.access.accounts.emails import ask_for_email
from stowboard.access.accounts.letters import Letters
from stowboard.access.accounts.passwords import LONGEST, SHORTEST, Passwords, check_password
from stowboard.access.accounts.person import get_person, get_person_themselves, get_present_person, set_two_factor
from stowboard.access.authentication import TokenAuthenticator
from stowboard.access.base import account_store, session_store
from stowboard.access.base.errors import AccountRequired, StepUpRequired
from stowboard.access.base.quiet import DigestTimes, QuietHours
from stowboard.access.base.wire import AccountView, DisplayName, SessionView, show_account, show_session
from stowboard.access.owners import Owners
from stowboard.api.endpoint import Call, Deleted, Endpoint
from stowboard.core.caller import TokenKind
from stowboard.core.errors import Conflict
from stowboard.core.signing import DigestKey
from stowboard.db.database import Database, Tx
from stowboard.events import audit
from stowboard.events.mail.address import MailAddress


class MeBody(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """Changes to one's account. Members that are left out stay as they are."""

    display_name: DisplayName | None | UnsetType = UNSET
    email: MailAddress | None | UnsetType = UNSET
    remind_by_mail: (
        Annotated[bool, msgspec.Meta(description="Whether reminders are mailed; needs an address.")] | UnsetType
    ) = UNSET
    time_zone: (
        Annotated[
            str,
            msgspec.Meta(
                max_length=64,
                description="An IANA name, for times without a zone, such as 9am; null unsets it.",
                extra_json_schema={"format": "iana-time-zone"},
            ),
        ]
        | None
        | UnsetType
    ) = UNSET
    quiet_hours: (
        Annotated[QuietHours, msgspec.Meta(description="When nothing but reminders is sent; null for never.")]
        | None
        | UnsetType
    ) = UNSET
    digest: (
        Annotated[DigestTimes, msgspec.Meta(description="When a digest is mailed, in one's time zone; null for never.")]
        | None
        | UnsetType
    ) = UNSET
    two_factor: (
        Annotated[bool, msgspec.Meta(description="Whether a password alone signs nobody in; needs a fresh proof.")]
        | UnsetType
    ) = UNSET


_PROFILE = ("display_name", "remind_by_mail", "time_zone", "quiet_hours", "digest")


class PasswordBody(msgspec.Struct, frozen=True, rename="camel"):
    """A new password."""

    password: Annotated[
        str,
        msgspec.Meta(
            description=f"{SHORTEST} to {LONGEST} characters, and none of the common ones.",
            extra_json_schema={"minLength": SHORTEST, "maxLength": LONGEST},
        ),
    ]

    end_access: Annotated[bool, msgspec.Meta(description="Also ends one's tokens and applications.")] | None = False


class PasswordView(msgspec.Struct, frozen=True):
    """The password was changed; every other session has ended."""

    changed: bool = True


async def get_me(tx: Tx, call: Call[None, None]) -> AccountView:
    """Read the account of the person whose token this is. Only an interactive token sees the e-mail address."""
    account = (await get_person(tx, call.caller)).account
    if call.caller.kind != TokenKind.INTERACTIVE:
        account = msgspec.structs.replace(account, email=None, pending_email=None)
    return show_account(account)


async def update_me(tx: Tx, call: Call[MeBody, None]) -> AccountView:
    """Change one's profile, e-mail address, or whether signing in needs two factors. Only from one's own browser.

    The last two need a fresh proof of identity. A link is mailed to a new address, and a notice to the old one, which
    stays until the link is opened. Without mail, the new address is kept unconfirmed.
    """
    person, body = await get_person_themselves(tx, call.caller), call.body
    if person.session is None:
        raise StepUpRequired("A person's profile is changed in their own browser, after they have signed in.")
    # Locked: each change writes the whole profile, so another one at the same time would be undone.
    account = await account_store.lock(tx, person.account.id)
    if body.two_factor is not UNSET:
        await get_present_person(tx, call.caller)
        account = await set_two_factor(tx, person.actor, account.id, body.two_factor)
    if body.email is not UNSET:
        if body.email != account.email:
            await get_present_person(tx, call.caller)
        key, letters = call.use(DigestKey), call.use(Letters)
        account = await ask_for_email(tx, key, letters, person.actor, account, body.email)
    given = {name: value for name in _PROFILE if (value := getattr(body, name)) is not UNSET}
    if given.get("display_name", "") is None:
        given["display_name"] = ""
    after = msgspec.structs.replace(account, **given)
    return show_account(await changes.change_profile(tx, person.actor, account, after))


async def keep_password(call: Call[PasswordBody, None]) -> str:
    # Checked before the hashing and again with the change: only a person who may change it makes us work.
    await call.use(Database).read(get_present_person, call.caller)
    await check_password(call.body.password, call.caller.owner)
    return await call.use(Passwords).keep(call.body.password)


async def change_my_password(tx: Tx, call: Call[PasswordBody, None], kept: str) -> PasswordView:
    """Choose a new password. Every other session ends; with `endAccess` one's tokens and applications end too."""
    person = await get_present_person(tx, call.caller)
    assert person.session is not None
    owners, end_access = call.use(Owners), bool(call.body.end_access)
    await changes.change_password(tx, owners, person.actor, person.account, kept, end_access, person.session.id)
    await call.use(Letters).tell_of_change_later(tx, person.account)
    tx.after_commit(call.use(TokenAuthenticator).forget)
    return PasswordView()


async def list_my_sessions(tx: Tx, call: Call[None, None]) -> list[SessionView]:
    """List the browsers in which one is signed in, newest first."""
    person = await get_person_themselves(tx, call.caller)
    current = person.session.id if person.session else None
    return [show_session(session, current) for session in await session_store.list_of(tx, person.account.id)]


async def end_my_session(tx: Tx, call: Call[None, None], session_id: str) -> Deleted:
    """Sign out one browser; its tokens stop within a second."""
    person = await get_person_themselves(tx, call.caller)
    await session_store.end(tx, person.account.id, session_id)
    await audit.record(tx, person.actor, "session.end", session_id)
    tx.after_commit(call.use(TokenAuthenticator).forget)
    return Deleted(session_id)


ACCOUNT_EXAMPLE = {
    "id": "acc_01kbr2x4q8e9w6y3t7n5m1c0vz", "username": "alice", "displayName": "Alice", "email": "alice@example.com",
    "emailConfirmed": True, "pendingEmail": None, "timeZone": "Europe/Berlin",
    "remindByMail": False, "quietHours": {"from": "22:00", "to": "07:00", "timeZone": "Europe/Berlin"},
    "digest": {"at": "08:00", "days": ["mon", "fri"]}, "role": "member", "twoFactor": False, "disabled": False,
    "createdAt": 1794700000000, "lastSeenAt": 1794703600000,
}  # fmt: skip
_SESSION_EXAMPLE = {
    "id": "ses_01kbr2x4q8e9w6y3t7n5m1c0vz", "method": "password", "address": "192.0.2.7",
    "userAgent": "Mozilla/5.0 …", "createdAt": 1794700000000, "lastSeenAt": 1794703600000,
    "expiresAt": 1802476000000, "current": True,
}  # fmt: skip

ENDPOINTS = [
    Endpoint("GET", "/access/me", get_me, AccountView, errors=[AccountRequired], example=ACCOUNT_EXAMPLE),
    Endpoint(
        "PATCH", "/access/me", update_me, AccountView, body=MeBody, errors=[AccountRequired, StepUpRequired, Conflict],
        example_body={"displayName": "Alice", "remindByMail": False}, example=ACCOUNT_EXAMPLE,
    ),
    Endpoint(
        "POST", "/access/me/password", change_my_password, PasswordView, body=PasswordBody, prepare=keep_password,
        errors=[AccountRequired, StepUpRequired], secret=True,
        example_body={"password": "correct horse battery staple"}, example={"changed": True},
    ),
    Endpoint(
        "GET", "/access/me/sessions", list_my_sessions, list[SessionView], errors=[AccountRequired],
        example=[_SESSION_EXAMPLE],
    ),
    Endpoint(
        "DELETE", "/access/me/sessions/{session_id}", end_my_session, Deleted, errors=[AccountRequired],
        example={"id": "ses_01kbr2x4q8e9w6y3t7n5m1c0vz", "deleted": True},
    ),
]  # fmt: skip
