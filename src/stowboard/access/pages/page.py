"""The frame of every page for people: what it looks like, and what a browser lets it do.

Nothing of another origin is loaded or framed, no script is inline, and browsers do not cache pages. The styles are
inline, so that one round trip paints the page; the policy names them by their digest. Other rooms answer with pages of
theirs (consent, device codes) by `respond_with_page`; these send their answers to a `SessionDoor.route`.
"""

import hashlib
from base64 import b64encode
from collections.abc import Sequence
from urllib.parse import urlsplit

from stowboard.access.pages.template import Html, fill, template
from stowboard.http.exchange import Exchange, Headers
from stowboard.http.origin import Origins
from stowboard.http.static import HTML

#: The colours and sizes that the console shares with these pages.
TOKENS = template("tokens.css")
_STYLE = Html(TOKENS + template("people.css"))


def style_source(style: str) -> str:
    """The source that lets a Content-Security-Policy take this inline style."""
    return f"'sha256-{b64encode(hashlib.sha256(style.encode()).digest()).decode()}'"


POLICY = (
    f"default-src 'none'; style-src {style_source(_STYLE)}; script-src 'self'; connect-src 'self'; img-src 'self'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)
HEADERS: Headers = [
    ("content-type", HTML),
    ("content-security-policy", POLICY),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cache-control", "no-store"),
]
_NEVER_LEAVES = ("localhost", "127.0.0.1", "::1")


def respond_with_page(exchange: Exchange, origins: Origins, title: str, content: Html, status: int = 200) -> None:
    notice = template("plain_http.html") if _is_readable_on_its_way(origins.of(exchange)) else Html("")
    page = fill("frame.html", title=title, style=_STYLE, notice=notice, content=content)
    exchange.respond(status, HEADERS, page.encode())


def redirect(exchange: Exchange, path: str, headers: Sequence[tuple[str, str]] = ()) -> None:
    ours = [("location", path), ("cache-control", "no-store"), ("referrer-policy", "no-referrer")]
    exchange.respond(303, [*ours, *headers])


def safe_next(asked: str | None) -> str:
    """The path to go on to: one of ours, whatever was asked for."""
    if not asked or not asked.startswith("/") or asked[1:2] in ("/", "\\"):
        return "/"
    return asked if asked.isascii() and asked.isprintable() and "\\" not in asked else "/"


def _is_readable_on_its_way(origin: str) -> bool:
    parts = urlsplit(origin)
    return parts.scheme == "http" and parts.hostname not in _NEVER_LEAVES
