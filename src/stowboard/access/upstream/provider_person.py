"""A person as a provider describes them. Only the subject identifies them; the rest suggests a name."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from stowboard.access.base.account import DISPLAY_NAME, LONGEST_DISPLAY_NAME
from stowboard.core import clock
from stowboard.events.mail.address import is_mail_address

_LONGEST_STEM = 40
_NOT_OF_A_NAME = re.compile(r"[^a-z0-9._-]+")
_NAMELESS = "person"
#: A time too long ago to count as a fresh proof.
NOT_PROVEN = 0
#: How many names are tried for one stem.
_MOST_NUMBERS = 20


class ProviderPerson(msgspec.Struct, frozen=True):
    issuer: str
    subject: str
    #: The beginning of a username.
    stem: str
    display_name: str
    #: None unless the provider has verified it.
    email: str | None
    #: When they last proved to the provider who they are; NOT_PROVEN if it does not say.
    proven_at: int
    #: True if the claim makes them an admin; None if no claim is configured.
    is_admin: bool | None

    def names(self) -> Iterator[str]:
        """Usernames for them, in the order in which to try them."""
        yield self.stem
        for number in range(2, _MOST_NUMBERS):
            yield f"{self.stem}-{number}"


def describe(issuer: str, claims: dict[str, Any], admin_claim: tuple[str, str] | None) -> ProviderPerson:
    """The person whom the claims of a checked ID token describe."""
    mail = _text(claims, "email")
    return ProviderPerson(
        issuer=issuer,
        subject=claims["sub"],
        stem=_stem(_text(claims, "preferred_username") or _text(claims, "nickname") or mail),
        display_name=_display_name(_text(claims, "name")),
        email=mail if claims.get("email_verified") is True and is_mail_address(mail) else None,
        proven_at=_proven_at(claims.get("auth_time")),
        is_admin=None if admin_claim is None else _has(claims, *admin_claim),
    )


def _text(claims: dict[str, Any], name: str) -> str:
    value = claims.get(name)
    return value if isinstance(value, str) else ""


def _stem(called: str) -> str:
    name = _NOT_OF_A_NAME.sub("-", called.partition("@")[0].lower())[:_LONGEST_STEM].strip("._-")
    return name or _NAMELESS


def _display_name(name: str) -> str:
    return name if len(name) <= LONGEST_DISPLAY_NAME and DISPLAY_NAME.fullmatch(name) else ""


def _proven_at(auth_time: Any) -> int:
    if isinstance(auth_time, bool) or not isinstance(auth_time, int) or auth_time < 0:
        return NOT_PROVEN
    return min(auth_time * 1000, clock.now_ms())


def _has(claims: dict[str, Any], name: str, value: str) -> bool:
    """A claim is one value, or a list of them."""
    found = claims.get(name)
    return value in found if isinstance(found, list) else found == value or (found is True and value == "true")
