"""A person's account. Its username is the owner of their tasks, boards and tokens."""

import re
from enum import StrEnum
from typing import NewType

import msgspec

from stowboard.access.base.quiet import DigestTimes, QuietHours
from stowboard.core.errors import ValidationFailed
from stowboard.core.reach import is_shared
from stowboard.core.time_zones import WrongTimeZone, check_time_zone
from stowboard.events.mail.address import WORDS, is_mail_address

AccountId = NewType("AccountId", str)
USERNAME = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,61}[a-z0-9])?")
LONGEST_DISPLAY_NAME = 100
DISPLAY_NAME = re.compile(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]*")


class AccountRole(StrEnum):
    MEMBER = "member"
    ADMIN = "admin"


class Account(msgspec.Struct, frozen=True):
    id: AccountId
    username: str
    display_name: str
    email: str | None
    email_confirmed_at: int | None
    #: The address that takes the place of `email` once its link was opened.
    pending_email: str | None
    #: An IANA name.
    time_zone: str | None
    remind_by_mail: bool
    role: AccountRole
    #: If true, a password alone signs nobody in.
    two_factor: bool = msgspec.field(name="two_factors")
    created_at: int
    last_seen_at: int | None
    disabled_at: int | None
    quiet_hours: QuietHours | None = None
    digest: DigestTimes | None = None

    @property
    def disabled(self) -> bool:
        return self.disabled_at is not None

    @property
    def email_confirmed(self) -> bool:
        return self.email_confirmed_at is not None

    @property
    def confirmed_email(self) -> str | None:
        """The address that letters go to."""
        return self.email if self.email_confirmed else None

    @property
    def is_admin(self) -> bool:
        return self.role == AccountRole.ADMIN


class NewAccount(msgspec.Struct, frozen=True):
    """An account to be made; checked by `validate`."""

    username: str
    display_name: str = ""
    #: It counts as confirmed: an admin names it, or a provider has verified it.
    email: str | None = None
    role: AccountRole = AccountRole.MEMBER
    #: The hash of the password; without one the person signs in by a link first.
    password: str | None = None

    def validate(self) -> None:
        check_username(self.username)
        check_display_name(self.display_name)
        check_email(self.email)


def typed_username(text: str) -> str:
    """A username as somebody typed it: case and surrounding spaces do not count."""
    return text.strip().lower()


def check_username(username: str) -> None:
    if is_shared(username):
        raise ValidationFailed("username: spc_ begins the ids of spaces. Choose another name.")
    if not USERNAME.fullmatch(username):
        raise ValidationFailed(
            "username: expected 1 to 63 of a-z, 0-9, '.', '_', '-', with a letter or digit at both ends."
        )


def check_display_name(name: str) -> None:
    if len(name) > LONGEST_DISPLAY_NAME or not DISPLAY_NAME.fullmatch(name):
        raise ValidationFailed(f"displayName: expected at most {LONGEST_DISPLAY_NAME} printable characters.")


def check_zone(name: str | None, quiet_hours: QuietHours | None = None) -> None:
    try:
        if name is not None:
            check_time_zone(name)
        if quiet_hours is not None:
            quiet_hours.validate()
    except WrongTimeZone as wrong:
        raise ValidationFailed(f"timeZone: {wrong}") from None


def check_email(email: str | None) -> None:
    if email is not None and not is_mail_address(email):
        raise ValidationFailed(f"email: expected {WORDS}.")
