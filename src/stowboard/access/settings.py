"""Settings of people, sign-in and OAuth."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from stowboard.core.settings.declared import Setting
from stowboard.core.settings.values import between, flag, one_of, several

_LONGEST_LABEL = 40
_LONGEST_SECRET = 2000
_SCOPE = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]+")


def read_issuer(text: str) -> str:
    """Raises ValueError. It is compared byte for byte with what the provider says of itself."""
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host = None
    if not host or parts.scheme not in ("https", "http") or "?" in text or "#" in text or "@" in parts.netloc:
        raise ValueError("must be like https://accounts.example.com, as the provider itself writes it")
    return text


def read_client_secret(text: str) -> str:
    """Raises ValueError."""
    if not 1 <= len(text) <= _LONGEST_SECRET or not text.isprintable():
        raise ValueError(f"must be 1 to {_LONGEST_SECRET} printable characters")
    return text


def read_scopes(text: str) -> tuple[str, ...]:
    """Raises ValueError."""
    scopes = tuple(text.replace(",", " ").split())
    if "openid" not in scopes or not all(map(_SCOPE.fullmatch, scopes)):
        raise ValueError("must be scopes of the provider, openid among them")
    return scopes


def read_label(text: str) -> str:
    """Raises ValueError."""
    if not text.strip() or len(text) > _LONGEST_LABEL or not text.isprintable():
        raise ValueError(f"must be 1 to {_LONGEST_LABEL} printable characters")
    return text.strip()


def read_claim(text: str) -> tuple[str, str]:
    """`groups=admins` as its two sides. Raises ValueError."""
    name, _, value = text.partition("=")
    if not name.strip() or not value.strip():
        raise ValueError("must be like groups=admins: a claim, and the value that makes an admin")
    return name.strip(), value.strip()


@dataclass(frozen=True, slots=True)
class ProviderSettings:
    """A service that says who somebody is, by OpenID Connect."""

    issuer: Annotated[str | None, Setting("oidc_issuer", read_issuer)] = None
    client_id: Annotated[str | None, Setting("oidc_client_id", str)] = None
    client_secret: Annotated[str | None, Setting("oidc_client_secret", read_client_secret)] = field(
        default=None, repr=False
    )
    client_secret_file: Annotated[Path | None, Setting("oidc_client_secret_file", Path)] = None
    asked_scopes: Annotated[tuple[str, ...], Setting("oidc_scopes", read_scopes)] = ()
    label: Annotated[str | None, Setting("oidc_label", read_label)] = None
    sign_up: Annotated[str, Setting("oidc_sign_up", one_of("invited", "open"))] = "invited"
    #: The claim that makes an admin, and the value that it needs to have.
    admin_claim: Annotated[tuple[str, str] | None, Setting("oidc_admin", read_claim)] = None

    def validate(self) -> None:
        if self.issuer is not None and self.client_id is None:
            raise ValueError("STOWBOARD_OIDC_ISSUER needs STOWBOARD_OIDC_CLIENT_ID, by which the provider knows us.")
        given = {
            "CLIENT_ID": self.client_id, "CLIENT_SECRET": self.client_secret, "LABEL": self.label,
            "ADMIN": self.admin_claim,
        }  # fmt: skip
        for name, value in given.items():
            if self.issuer is None and value is not None:
                raise ValueError(f"STOWBOARD_OIDC_{name} needs STOWBOARD_OIDC_ISSUER, the address of the provider.")

    @property
    def scopes(self) -> tuple[str, ...]:
        return self.asked_scopes or ("openid", "profile", "email")

    @property
    def open_to_all(self) -> bool:
        return self.sign_up == "open"

    @property
    def is_set(self) -> bool:
        return self.issuer is not None

    @property
    def shown_label(self) -> str:
        """The name on the button, after `Sign in with`."""
        return self.label or urlsplit(self.issuer or "").hostname or ""


@dataclass(frozen=True, slots=True)
class AccessSettings:
    #: The beginning of links in mails; without it no links are mailed.
    public_url: str | None = None
    sign_ins_per_minute: Annotated[int, Setting("sign_ins_per_minute", between(1, 100_000))] = 30
    #: By RFC 7591.
    registration: Annotated[bool, Setting("oauth_registration", flag)] = True
    registrations_per_day: Annotated[int, Setting("oauth_registrations_per_day", between(1, 100_000))] = 20
    client_documents: Annotated[tuple[str, ...], Setting("oauth_client_documents", several)] = ()
    password_sign_in: Annotated[bool, Setting("password_sign_in", flag)] = True
    #: The people who may join a space by a manager's invitation: those with an account, or anyone, who makes one then.
    space_invites: Annotated[str, Setting("space_invites", one_of("accounts", "anyone"))] = "accounts"
    audit_days: Annotated[int, Setting("audit_days", between(1, 36_500))] = 365
    provider: ProviderSettings = ProviderSettings()

    def validate(self) -> None:
        self.provider.validate()
        if not self.password_sign_in and not self.provider.is_set:
            raise ValueError(
                "STOWBOARD_PASSWORD_SIGN_IN is off and STOWBOARD_OIDC_ISSUER is not set: nobody could sign in."
            )
