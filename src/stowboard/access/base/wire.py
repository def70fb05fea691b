"""Accounts and sessions as answers show them."""

from typing import Annotated

import msgspec

from stowboard.access.base.account import (
    DISPLAY_NAME,
    LONGEST_DISPLAY_NAME,
    USERNAME,
    Account,
    AccountRole,
)
from stowboard.access.base.quiet import DigestTimes, QuietHours
from stowboard.access.base.session import Session

DisplayName = Annotated[
    str, msgspec.Meta(max_length=LONGEST_DISPLAY_NAME, extra_json_schema={"pattern": f"^{DISPLAY_NAME.pattern}$"})
]
Username = Annotated[str, msgspec.Meta(extra_json_schema={"pattern": f"^{USERNAME.pattern}$", "maxLength": 63})]


class AccountView(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A person's account; `username` is the owner of their tasks and tokens."""

    id: str
    username: str
    display_name: str
    email: str | None
    email_confirmed: bool
    pending_email: (
        Annotated[str, msgspec.Meta(description="Replaces `email` once the link mailed to it was opened.")] | None
    )
    time_zone: Annotated[str, msgspec.Meta(description="An IANA name, such as Europe/Berlin.")] | None
    remind_by_mail: bool
    quiet_hours: Annotated[QuietHours | None, msgspec.Meta(description="When nothing but reminders is sent.")]
    digest: Annotated[DigestTimes | None, msgspec.Meta(description="When a digest is mailed.")]
    role: AccountRole
    two_factor: bool
    disabled: bool
    created_at: int
    last_seen_at: int | None


class SessionView(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A browser in which the person is signed in."""

    id: str
    method: str
    address: str
    user_agent: str
    created_at: int
    last_seen_at: int
    expires_at: int
    #: True for the session that asks.
    current: bool


def show_account(account: Account) -> AccountView:
    return msgspec.convert(account, AccountView, from_attributes=True)


def show_session(session: Session, current_id: str | None) -> SessionView:
    return SessionView(
        id=session.id,
        method=session.method,
        address=session.address,
        user_agent=session.user_agent,
        created_at=session.created_at,
        last_seen_at=session.seen_at,
        expires_at=session.expires_at,
        current=session.id == current_id,
    )
