"""Scopes as sentences, for the people who grant them."""

from collections.abc import Iterable, Mapping

from stowboard.core.caller import TokenKind
from stowboard.core.scopes import ADMIN, Scopes

SENTENCES = {
    "tasks:read": "See your tasks and boards.",
    "media:read": "See all images, files and videos of this installation.",
    "tasks:write": "Create and change your tasks and boards.",
    "media:write": "Upload and change images, files and videos.",
    "tasks:delete": "Delete your tasks and boards for good.",
    "media:delete": "Delete images, files and videos for good.",
    "webhooks:manage": "Send your events to addresses that it chooses.",
    ADMIN: "Administer this installation: everybody's accounts, tokens and applications.",
}
SEALED = "Read the text of zero-knowledge tasks."
ACCOUNT = "Change your password, your account, or your other applications."


def reading(scopes: Iterable[str], known: Scopes) -> list[str]:
    return [_sentence(name, known.known) for name in _in_order(scopes, known) if name.endswith(":read")]


def writing(scopes: Iterable[str], known: Scopes) -> list[str]:
    """Sentences for the scopes that do more than read; `admin` has its own place on the page."""
    names = _in_order(scopes, known)
    return [_sentence(name, known.known) for name in names if not name.endswith(":read") and name != ADMIN]


def withheld(scopes: Iterable[str], known: Scopes, kind: TokenKind) -> list[str]:
    """Sentences for all that an application with these scopes may not do."""
    allowed = known.implied(scopes)
    rest = [_sentence(name, known.known) for name in known.known if name not in allowed]
    sealed = [SEALED] if kind == TokenKind.AUTOMATION else []
    return [*rest, *sealed, ACCOUNT]


def _in_order(scopes: Iterable[str], known: Scopes) -> list[str]:
    allowed = known.implied([name for name in scopes if name != ADMIN])
    return [name for name in known.known if name in allowed]


def _sentence(name: str, described: Mapping[str, str]) -> str:
    return SENTENCES.get(name) or described[name]
