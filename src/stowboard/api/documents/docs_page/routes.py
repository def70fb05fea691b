"""The documentation as pages: the interactive one at /docs, and the list of error codes for people and for programs.

Everything comes from this server, so the pages work without the internet; their Content-Security-Policy allows no
other origin and no script in the page. Swagger UI does need inline styles.
"""

import html
from functools import cache
from http import HTTPStatus
from pathlib import Path

import msgspec

from stowboard.api.documents.catalogue import Catalogue
from stowboard.api.documents.openapi_responses import WAITING_HELPS
from stowboard.core.errors import InternalError, Problem, RequestTimeout, RouteNotFound
from stowboard.http.exchange import Exchange, Route
from stowboard.http.origin import Origins
from stowboard.http.static import HTML, JSON, Document, respond_with

DIRECTORY = Path(__file__).parent
ASSETS = {
    "swagger-ui-bundle.js": ("swagger-ui/swagger-ui-bundle.js", "text/javascript; charset=utf-8"),
    "swagger-ui.css": ("swagger-ui/swagger-ui.css", "text/css; charset=utf-8"),
    "docs.js": ("docs.js", "text/javascript; charset=utf-8"),
    "docs.css": ("docs.css", "text/css; charset=utf-8"),
    "icon.svg": ("icon.svg", "image/svg+xml"),
}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_STANDARD = {status.value for status in HTTPStatus}
_ADVICE = {
    400: "Correct the request: the message names what is wrong. Sent again as it is, it fails again.",
    401: "Get a valid token, then send the request again.",
    403: "Use a token that may do this, or the operation that the message names.",
    404: "Check the path and the id. What belongs to another owner looks the same as what does not exist.",
    405: "Use one of the methods in the header Allow.",
    408: "Send it again; a write with the same Idempotency-Key.",
    409: "Bring about the state that the message asks for, then send the request again.",
    410: "Start again: create a new upload.",
    412: "Read the present version, and repeat the change on it.",
    413: "Send less at once, or use the operation that the message names.",
    415: "Send the body as JSON.",
    416: "Ask for bytes that are there; Content-Range has the length.",
    422: "Use a new Idempotency-Key for a new request.",
    423: "Wait a second, then send it again.",
    429: "Wait for the seconds in Retry-After, then send it again.",
    431: "Send less in the headers: an ordinary request has a few hundred bytes of them.",
    460: "Send the same bytes again from the same offset.",
    500: "Send it again, a write with the same Idempotency-Key. Report X-Request-Id if it goes on.",
    503: "Wait for the seconds in Retry-After, then send it again, a write with the same Idempotency-Key.",
    507: "Tell the operator, and send it again once there is room.",
}


class ErrorCode(msgspec.Struct, frozen=True):
    """One error code, as the list describes it."""

    code: str
    status: int
    message: str
    advice: str
    retry: bool


def docs_routes(catalogue: Catalogue, origins: Origins) -> list[Route]:
    codes = [describe(problem) for problem in catalogue.problems]
    file = cache(_file)
    made = cache(_asset)
    list_document = Document(JSON, msgspec.json.encode({"errors": codes}))

    async def docs(exchange: Exchange) -> None:
        respond_with(exchange, _page(file("index.html").decode(), origins.of(exchange)))

    async def errors(exchange: Exchange) -> None:
        rows = "".join(_row(code) for code in codes)
        respond_with(exchange, _page(file("errors.html").decode().replace("<!--rows-->", rows), origins.of(exchange)))

    async def errors_json(exchange: Exchange) -> None:
        respond_with(exchange, list_document)

    async def asset(exchange: Exchange, name: str) -> None:
        """A file that the pages need; no other file can be named."""
        if name not in ASSETS:
            raise RouteNotFound
        respond_with(exchange, made(*ASSETS[name]))

    return [
        Route("GET", "/docs", docs),
        Route("GET", "/docs/assets/{name}", asset),
        Route("GET", "/docs/errors", errors),
        Route("GET", "/docs/errors.json", errors_json),
    ]


def describe(problem: type[Problem]) -> ErrorCode:
    again = issubclass(problem, (*WAITING_HELPS, RequestTimeout, InternalError))
    return ErrorCode(problem.code, problem.status, problem.message, _ADVICE[problem.status], again)


def _page(text: str, origin: str) -> Document:
    headers = (
        ("content-security-policy", _POLICY),
        ("referrer-policy", "no-referrer"),
        ("link", f'<{origin}/.well-known/api-catalog>; rel="api-catalog"'),
    )
    return Document(HTML, text.encode(), headers)


def _asset(path: str, content_type: str) -> Document:
    return Document(content_type, _file(path), max_age=3600)


def _file(path: str) -> bytes:
    return (DIRECTORY / path).read_bytes()


def _row(code: ErrorCode) -> str:
    return (
        f'<article id="{code.code}"><h2><a href="#{code.code}">{code.code}</a> '
        f'<span class="status">{code.status} {_phrase(code.status)}</span></h2>'
        f"<p>{html.escape(code.message)}</p><p><b>What to do.</b> {html.escape(code.advice)}</p></article>\n"
    )


def _phrase(status: int) -> str:
    return HTTPStatus(status).phrase if status in _STANDARD else "Checksum Mismatch"  # 460 is TUS's own
