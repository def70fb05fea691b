"""Parses a URL that a user gave us, strictly: a URL that two parsers could read differently is refused."""

import re
from ipaddress import IPv6Address, ip_address
from urllib.parse import urlsplit

import msgspec

from stowboard.http.outgoing.failure import OutgoingFailed, OutgoingReason

LONGEST_URL = 2048
_PORTS = {"https": 443, "http": 80}
_URL = re.compile(r"https?://[\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+", re.IGNORECASE)
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")


class OutgoingTarget(msgspec.Struct, frozen=True):
    scheme: str
    #: A name, or an address without brackets.
    host: str
    port: int
    #: Path and query, as they stand in the request line.
    path: str

    @property
    def is_address(self) -> bool:
        return ":" in self.host or self.host.rpartition(".")[2].isdecimal()

    @property
    def authority(self) -> str:
        """The value of the Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


def read_target(url: str) -> OutgoingTarget:
    """Raises OutgoingFailed, which says what is wrong. The addresses of its name are checked later."""
    if len(url) > LONGEST_URL or not _URL.fullmatch(url):
        raise _wrong(f"expected https://… of at most {LONGEST_URL} plain ASCII characters")
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname or ""
    except ValueError:
        raise _wrong("its host or port cannot be read") from None
    if "@" in parts.netloc:
        raise _wrong("a name or password before the host is not taken")
    if parts.fragment or url.endswith("#"):
        raise _wrong("what follows # is never sent; leave it out")
    if port is None:
        port = _PORTS[parts.scheme]
    if port != _PORTS[parts.scheme] and not 1024 <= port <= 65535:
        raise _wrong("the port must be the scheme's own, or 1024 and above")
    query = f"?{parts.query}" if parts.query else ""
    return OutgoingTarget(parts.scheme, _host(host, bracketed="[" in parts.netloc), port, (parts.path or "/") + query)


def _host(host: str, bracketed: bool) -> str:
    if bracketed:
        try:
            return str(IPv6Address(host.replace("%", " ")))  # a zone would choose one of our own interfaces
        except ValueError:
            raise _wrong("the address in brackets is not an IPv6 address") from None
    labels = host.split(".")
    if len(host) > 253 or not all(map(_LABEL.fullmatch, labels)):
        raise _wrong("the host is not a name; write international names as xn--…")
    if labels[-1].isdecimal() or labels[-1].startswith("0x"):
        try:  # 0x7f.1, 2130706433 and 0177.0.0.1 are addresses to some and names to others
            return str(ip_address(host))
        except ValueError:
            raise _wrong("an address is written as four decimal numbers") from None
    return host


def _wrong(text: str) -> OutgoingFailed:
    return OutgoingFailed(OutgoingReason.FORBIDDEN, f"This URL cannot be used: {text}.")
