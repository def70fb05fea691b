"""What an operator decides about people."""

from dataclasses import dataclass


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
