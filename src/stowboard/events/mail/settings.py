"""The mail relay: `smtp://user:password@host:587`, with STARTTLS, or `smtps://…` with TLS from the start.

`?tls=none` is for a relay on the same machine or network; then there can be no password.
"""

from typing import Annotated
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec

from stowboard.core.settings.declared import Setting
from stowboard.events.mail.address import is_mail_address

_PORTS = {"smtp": 587, "smtps": 465}


class Relay(msgspec.Struct, frozen=True):
    host: str
    port: int
    #: `starttls`, `tls` or `none`.
    tls: str
    user: str | None
    password: str | None


def relay_url(text: str) -> str:
    """The text, if it is the address of a relay. Raises ValueError."""
    read_relay(text)
    return text


def read_relay(url: str) -> Relay:
    """Raises ValueError, without the URL's password in it."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise ValueError("is not like smtp://user:password@host:587") from None
    if parts.scheme not in _PORTS or not parts.hostname or parts.path not in ("", "/") or parts.fragment:
        raise ValueError("is not like smtp://user:password@host:587")
    options = parse_qsl(parts.query, keep_blank_values=True)
    if options not in ([], [("tls", "none")]) or (options and parts.scheme == "smtps"):
        raise ValueError("knows no option but tls=none, of smtp://")
    tls = "tls" if parts.scheme == "smtps" else "none" if options else "starttls"
    user, password = (unquote(text) if text is not None else None for text in (parts.username, parts.password))
    return Relay(parts.hostname, port or _PORTS[parts.scheme], tls, user, password)


def read_sender(text: str) -> str:
    """An address, `hello@example.com`. Raises ValueError."""
    if not is_mail_address(text):
        raise ValueError("must be an address like stowboard@example.com")
    return text


class MailSettings(msgspec.Struct, frozen=True):
    smtp_url: Annotated[str | None, Setting("smtp_url", relay_url)] = None
    mail_from: Annotated[str | None, Setting("mail_from", read_sender)] = None
    #: The beginning of links; without it no links are mailed.
    public_url: str | None = None

    def validate(self) -> None:
        if self.smtp_url is None:
            return
        relay = self.relay()
        if relay.password is not None and relay.tls == "none":
            raise ValueError("STOWBOARD_SMTP_URL has a password and tls=none, which would show it to the network.")
        if self.mail_from is None:
            raise ValueError("STOWBOARD_SMTP_URL needs STOWBOARD_MAIL_FROM, the address that mail comes from.")

    def relay(self) -> Relay:
        assert self.smtp_url is not None
        return read_relay(self.smtp_url)
