"""The documentation as pages: the interactive one at /docs, and the list of error codes for people and for programs.

Everything comes from this server, so the pages work without the internet; their Content-Security-Policy allows no
other origin and no script in the page. Swagger UI does need inline styles. Its files are put into stowboard/built when
Stowboard is installed; if they are missing, /docs says how to put them there.
"""

import html
from functools import cache
from http import HTTPStatus
from pathlib import Path

import msgspec

import stowboard
from stowboard.api.documents.catalogue import Catalogue
from stowboard.api.documents.openapi_responses import WAITING_HELPS
from stowboard.core.errors import InternalError, Problem, RequestTimeout, RouteNotFound
from stowboard.http.exchange import Exchange, Route
from stowboard.http.origin import Origins
from stowboard.http.static import HTML, JSON, StaticDocument, respond_with

PAGES = Path(__file__).parent
SWAGGER_UI = Path(stowboard.__file__).parent / "built" / "swagger-ui"
ASSETS = {
    "swagger-ui-bundle.js": (SWAGGER_UI / "swagger-ui-bundle.js", "text/javascript; charset=utf-8"),
    "swagger-ui.css": (SWAGGER_UI / "swagger-ui.css", "text/css; charset=utf-8"),
    "docs.js": (PAGES / "docs.js", "text/javascript; charset=utf-8"),
    "docs.css": (PAGES / "docs.css", "text/css; charset=utf-8"),
    "icon.svg": (PAGES / "icon.svg", "image/svg+xml"),
}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_STANDARD = {status.value for status in HTTPStatus}


class ErrorCode(msgspec.Struct, frozen=True):
    """One error code, as the list describes it."""

    code: str
    status: int
    message: str
    advice: str
    retry: bool


def docs_routes(catalogue: Catalogue, origins: Origins) -> list[Route]:
    codes = [describe(problem) for problem in catalogue.problems]
    text, find_asset = cache(_text), cache(_find_asset)
    list_document = StaticDocument(JSON, msgspec.json.encode({"errors": codes}))

    async def docs(exchange: Exchange) -> None:
        name = "index.html" if find_asset("swagger-ui-bundle.js") else "unbuilt.html"
        respond_with(exchange, _page(text(name), origins.of(exchange)))

    async def errors(exchange: Exchange) -> None:
        rows = "".join(_row(code) for code in codes)
        respond_with(exchange, _page(text("errors.html").replace("<!--rows-->", rows), origins.of(exchange)))

    async def errors_json(exchange: Exchange) -> None:
        respond_with(exchange, list_document)

    async def asset(exchange: Exchange, name: str) -> None:
        """A file that the pages need; no other file can be named."""
        found = find_asset(name) if name in ASSETS else None
        if found is None:
            raise RouteNotFound
        respond_with(exchange, found)

    return [
        Route("GET", "/docs", docs),
        Route("GET", "/docs/assets/{name}", asset),
        Route("GET", "/docs/errors", errors),
        Route("GET", "/docs/errors.json", errors_json),
    ]


def describe(problem: type[Problem]) -> ErrorCode:
    again = issubclass(problem, (*WAITING_HELPS, RequestTimeout, InternalError))
    return ErrorCode(problem.code, problem.status, problem.message, problem.advice, again)


def _page(text: str, origin: str) -> StaticDocument:
    headers = (
        ("content-security-policy", _POLICY),
        ("referrer-policy", "no-referrer"),
        ("link", f'<{origin}/.well-known/api-catalog>; rel="api-catalog"'),
    )
    return StaticDocument(HTML, text.encode(), headers)


def _text(name: str) -> str:
    return (PAGES / name).read_text("utf-8")


def _find_asset(name: str) -> StaticDocument | None:
    path, content_type = ASSETS[name]
    return StaticDocument(content_type, path.read_bytes(), max_age=3600) if path.is_file() else None


def _row(code: ErrorCode) -> str:
    phrase = HTTPStatus(code.status).phrase if code.status in _STANDARD else "Checksum Mismatch"  # 460 is TUS's own
    return (
        f'<article id="{code.code}"><h2><a href="#{code.code}">{code.code}</a> '
        f'<span class="status">{code.status} {phrase}</span></h2>'
        f"<p>{html.escape(code.message)}</p><p><b>What to do.</b> {html.escape(code.advice)}</p></article>\n"
    )
