"""Answers that are public documents: caches keep them for a while, and to ask for one again costs little."""

import hashlib
from dataclasses import dataclass
from functools import cached_property

from stowboard.http.exchange import Exchange, Headers

JSON = "application/json"
HTML = "text/html; charset=utf-8"


@dataclass(frozen=True)
class Document:
    """Bytes of a type, with the headers that they need beyond those of every document."""

    content_type: str
    body: bytes
    headers: tuple[tuple[str, str], ...] = ()
    max_age: int = 300

    @cached_property
    def etag(self) -> str:
        return f'"{hashlib.sha256(self.body).hexdigest()[:32]}"'


def respond_with(exchange: Exchange, document: Document) -> None:
    """The document, or 304 if the client has it already. `Vary: Host` because links in it may begin with the host."""
    etag = document.etag
    headers: Headers = [
        ("etag", etag),
        ("cache-control", f"public, max-age={document.max_age}"),
        ("vary", "Host"),
        *document.headers,
    ]
    if has_it(exchange.header("if-none-match"), etag):
        exchange.respond(304, headers)
    else:
        exchange.respond(200, [*headers, ("content-type", document.content_type)], document.body)


def has_it(if_none_match: str | None, etag: str) -> bool:
    """Whether the client names what it would be given."""
    tags = [tag.strip().removeprefix("W/") for tag in (if_none_match or "").split(",")]
    return etag in tags or "*" in tags
