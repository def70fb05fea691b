"""Applications that act for people. They have no secret: one is known by the address that its answers go to.

`stow`, the program for terminals, is one that every installation knows. An admin registers others; a program registers
itself (RFC 7591); or its id is the https address of a document that describes it.
"""

import re
from enum import StrEnum
from urllib.parse import urlsplit

import msgspec

from stowboard.access.oauth.applications.redirects import is_registered
from stowboard.access.tokens import ClientId
from stowboard.core.caller import TokenKind

LONGEST_NAME = 100
#: No control characters, and none that change the direction of text: people trust the page that shows the name.
NAME = re.compile(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]*")


class ApplicationOrigin(StrEnum):
    BUILT_IN = "built-in"
    ADMIN = "admin"
    ITSELF = "itself"
    DOCUMENT = "document"


class OAuthApplication(msgspec.Struct, frozen=True, rename={"client_id": "id"}):
    client_id: ClientId
    origin: ApplicationOrigin
    name: str
    redirect_uris: list[str]
    #: True if a person may allow it by typing a code (RFC 8628).
    device: bool
    #: The username of the admin, the address of a program that registered itself, or the host of its document.
    registered_from: str
    created_at: int
    fresh_until: int | None = None
    used_at: int | None = None

    @property
    def kind(self) -> TokenKind:
        """Only our own program counts as the person's own client; no other reads zero-knowledge bodies."""
        return TokenKind.INTERACTIVE if self.origin == ApplicationOrigin.BUILT_IN else TokenKind.AUTOMATION

    def takes(self, redirect_uri: str) -> bool:
        return is_registered(redirect_uri, self.redirect_uris)


STOW = OAuthApplication(
    ClientId("stow"),
    ApplicationOrigin.BUILT_IN,
    "stow",
    ["http://127.0.0.1/callback", "http://[::1]/callback"],
    True,
    "",
    0,
)


def is_document_address(client_id: str) -> bool:
    """True if a client's id is the address of a document about it: https, with a path, and unambiguous."""
    if not client_id.startswith("https://") or len(client_id) > 1000 or not re.fullmatch(r"[!-~]+", client_id):
        return False
    try:
        parts = urlsplit(client_id)
        _ = parts.port
    except ValueError:
        return False
    segments = parts.path.split("/")
    plain = not parts.fragment and "#" not in client_id and "@" not in parts.netloc and "\\" not in client_id
    return bool(parts.hostname) and len(parts.path) > 1 and plain and not {".", ".."} & set(segments)


def readable_name(name: str, client_id: str) -> str:
    """The name to show for an application that gave this name; its id if that is empty or unreadable."""
    name = name.strip()
    return name if name and len(name) <= LONGEST_NAME and NAME.fullmatch(name) else client_id[:LONGEST_NAME]
