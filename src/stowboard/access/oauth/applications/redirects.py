"""Redirect addresses: an answer goes only to an address that the application has registered, character by character.

The one exception is a port on the loopback interface: programs take whichever is free (RFC 8252, 7.3).
"""

import re
from collections.abc import Iterable
from urllib.parse import SplitResult, urlencode, urlsplit

LONGEST = 2000
MOST = 10
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_PRINTABLE = re.compile(r"[!-~]+")
_PORT = re.compile(r"^(http://(?:127\.0\.0\.1|\[::1\]|localhost)):\d{1,5}(?=[/?]|$)")
_OWN_SCHEME = re.compile(r"[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+")
#: Schemes without a dot, against RFC 8252 (7.1), of widely used programs, which could not sign in without them. As with
#: any scheme, the person is asked each time, and a code is of no use without the verifier.
_KNOWN_SCHEMES = {"cursor", "vscode", "vscode-insiders", "windsurf"}


def problem_with(uri: str) -> str | None:
    """The reason why an application may not name this address; None if it may."""
    if not uri or len(uri) > LONGEST or not _PRINTABLE.fullmatch(uri) or "#" in uri or "\\" in uri:
        return f"expected an absolute address of at most {LONGEST} plain characters, without a fragment"
    parts = _split(uri)
    if parts is None or "@" in parts.netloc:
        return "expected an address that can be read in one way, without a name or password in it"
    if parts.scheme == "https":
        return None if parts.hostname else "expected a host"
    if parts.scheme == "http":
        return None if parts.hostname in _LOOPBACK else "expected https; http is for 127.0.0.1, [::1] and localhost"
    if _OWN_SCHEME.fullmatch(parts.scheme) or parts.scheme in _KNOWN_SCHEMES:
        return None
    return "expected https, http on the loopback interface, or a scheme of your own with a dot, as org.example.app"


def is_registered(uri: str, registered: Iterable[str]) -> bool:
    return problem_with(uri) is None and any(uri == each or _bare(uri) == _bare(each) for each in registered)


def is_proof(uri: str) -> bool:
    """True if nobody else can receive what is sent there: an https address, not loopback nor an app's scheme."""
    return uri.startswith("https://")


def is_loopback(uri: str) -> bool:
    parts = _split(uri)
    return parts is not None and parts.scheme == "http" and parts.hostname in _LOOPBACK


def place_of(uri: str) -> str:
    """The address in a form that a person can judge: its host, or its scheme."""
    parts = _split(uri)
    return uri if parts is None else parts.netloc or f"{parts.scheme}:"


def with_parameters(uri: str, parameters: dict[str, str]) -> str:
    joint = "" if uri.endswith(("?", "&")) else "&" if "?" in uri else "?"
    return uri + joint + urlencode(parameters)


def _bare(uri: str) -> str:
    """The address without its port, if its port is free to choose."""
    return _PORT.sub(r"\1", uri)


def _split(uri: str) -> SplitResult | None:
    try:
        parts = urlsplit(uri)
        _ = parts.port
    except ValueError:
        return None
    return parts
