"""Answers with public documents: caches keep them for a while, and a repeated request costs little."""

import hashlib
from dataclasses import dataclass
from functools import cached_property

from stowboard.http.compression import compress_now, compressed
from stowboard.http.conditions import named_tag
from stowboard.http.exchange import Exchange, Headers

JSON = "application/json"
HTML = "text/html; charset=utf-8"


@dataclass(frozen=True)
class StaticDocument:
    """The bytes of a document, their type, and the headers that only this document needs."""

    content_type: str
    body: bytes
    headers: tuple[tuple[str, str], ...] = ()
    max_age: int = 300

    @cached_property
    def etag(self) -> str:
        return f'"{hashlib.sha256(self.body).hexdigest()[:32]}"'


def prepared(document: StaticDocument, accepted: str | None) -> StaticDocument:
    """The document, after all that takes time with a long one; `accepted` is the client's Accept-Encoding."""
    _ = document.etag, compressed(document.body, accepted)
    return document


def respond_with(exchange: Exchange, document: StaticDocument) -> None:
    """The document, or 304 if the client has it already. `Vary: Host` because links in it may begin with the host."""
    known = named_tag(exchange.header("if-none-match"), document.etag)
    headers: Headers = [
        ("etag", known or document.etag),
        ("cache-control", f"public, max-age={document.max_age}"),
        ("vary", "Host, Accept-Encoding"),
        *document.headers,
    ]
    if known is not None:
        exchange.respond(304, headers)
    else:
        headers.append(("content-type", document.content_type))
        exchange.respond(200, *compress_now(exchange, headers, document.body))
