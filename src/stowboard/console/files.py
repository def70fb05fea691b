"""The console's built files: read once, compressed once, known by their names alone.

`npm run build` names a script by its content, so a browser keeps it for ever; the page itself is asked for each time.
"""

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from stowboard.http.compression import coded_headers, is_taken
from stowboard.http.conditions import named_tag
from stowboard.http.exchange import Exchange, Headers

BUILT = Path(__file__).parents[1] / "built" / "console"
INDEX = "index.html"
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".md": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
}
_HASHED = "assets/"
_FOR_EVER, _EACH_TIME, _A_WHILE = "public, max-age=31536000, immutable", "no-cache", "public, max-age=3600"


@dataclass(frozen=True)
class BuiltFile:
    name: str
    body: bytes

    @cached_property
    def compressed(self) -> bytes:
        return gzip.compress(self.body, 9, mtime=0)

    @cached_property
    def etag(self) -> str:
        return f'"{hashlib.sha256(self.body).hexdigest()[:32]}"'

    @property
    def content_type(self) -> str:
        suffix = Path(self.name).suffix
        return _TYPES.get(suffix) or mimetypes.types_map.get(suffix, "application/octet-stream")

    @property
    def caching(self) -> str:
        if self.name.startswith(_HASHED):
            return _FOR_EVER
        return _EACH_TIME if self.name == INDEX else _A_WHILE


def load(directory: Path) -> dict[str, BuiltFile]:
    """Every built file by its name; none where the console was not built."""
    if not (directory / INDEX).is_file():
        return {}
    names = [path.relative_to(directory).as_posix() for path in sorted(directory.rglob("*")) if path.is_file()]
    return {name: BuiltFile(name, (directory / name).read_bytes()) for name in names}


def respond_with_file(exchange: Exchange, file: BuiltFile, extra: Headers) -> None:
    """The file, or 304 if the client has it already; compressed if the client takes that."""
    known = named_tag(exchange.header("if-none-match"), file.etag)
    etag = ("etag", known or file.etag)
    headers: Headers = [etag, ("cache-control", file.caching), ("vary", "Accept-Encoding"), *extra]
    if known is not None:
        exchange.respond(304, headers)
        return
    headers.append(("content-type", file.content_type))
    if is_taken("gzip", exchange.header("accept-encoding")):
        exchange.respond(200, coded_headers(headers, "gzip"), file.compressed)
    else:
        exchange.respond(200, headers, file.body)
