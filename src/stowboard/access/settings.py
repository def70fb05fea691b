"""What an operator decides about people."""

import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

_LONGEST_LABEL = 40
_LONGEST_SECRET = 2000
_SCOPE = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]+")


@dataclass(frozen=True, slots=True)
class ProviderSettings:
    """A service that says who somebody is, by OpenID Connect."""

    issuer: str | None = None
    client_id: str | None = None
    client_secret: str | None = field(default=None, repr=False)
    scopes: tuple[str, ...] = ("openid",)
    label: str | None = None
    #: Whether who is not known yet gets an account, or only who was invited.
    open_to_all: bool = False
    #: The claim that makes an admin, and the value that it needs to have.
    admin_claim: tuple[str, str] | None = None

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
    def is_set(self) -> bool:
        return self.issuer is not None

    @property
    def shown_label(self) -> str:
        """What the button says after `Sign in with`."""
        return self.label or urlsplit(self.issuer or "").hostname or ""


@dataclass(frozen=True, slots=True)
class AccessSettings:
    #: What links in mails begin with; without it none is mailed.
    public_url: str | None = None
    #: Attempts to sign in that one address has, whoever they are for.
    sign_ins_per_minute: int = 30
    #: How long audit entries are kept.
    audit_days: int = 365
    #: Whether programs may register themselves (RFC 7591), and how many a day from one address.
    registration: bool = True
    registrations_per_day: int = 20
    #: Hosts whose documents describe applications; none named is every host, `off` is none.
    client_documents: tuple[str, ...] = ()
    #: Whether a password signs anybody in; a command can allow it for a while although it is off.
    password_sign_in: bool = True
    provider: ProviderSettings = ProviderSettings()

    def validate(self) -> None:
        self.provider.validate()
        if not self.password_sign_in and not self.provider.is_set:
            raise ValueError(
                "STOWBOARD_PASSWORD_SIGN_IN is off and STOWBOARD_OIDC_ISSUER is not set: nobody could sign in."
            )


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
