"""The console in a browser: its page at every address of a screen, its files under /console.

Without a session the sign-in page is answered instead, so that nothing of the console is loaded for it. The page has
the colours and the styles of its frame inline: one round trip paints it. It may load, ask and frame nothing of another
origin, and no script stands in it; text becomes markup only through the one Trusted Types policy that Svelte has for
its own templates. The other policy names one script, the worker of the installed console.
"""

from pathlib import Path

from stowboard.access.pages.page import TOKENS, style_source
from stowboard.access.pages.routes import PageRoutes
from stowboard.console.files import BUILT, INDEX, BuiltFile, load, respond_with_file
from stowboard.core.errors import RouteNotFound
from stowboard.http.body import drain
from stowboard.http.exchange import Exchange, Headers, Route
from stowboard.http.static import HTML

#: The addresses of the screens; console/src/shell/frame/screens.ts has what is shown there.
SCREENS = ["/", "/media", "/boards", "/tasks", "/spaces", "/notifications", "/trash", "/settings"]
#: {cdn} is the origin of pictures and streams, where the settings give them one of their own; {style} the page's style.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' {style}; img-src 'self' data: blob:{cdn}; "
    "media-src 'self' blob:{cdn}; connect-src 'self'{cdn}; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types svelte-trusted-html "
    "console-worker"
)
_WORKER = "worker.js"
_ON_WORKER: Headers = [("content-security-policy", "default-src 'none'; connect-src 'self'; img-src 'self'")]
_ON_PAGE: Headers = [
    ("x-frame-options", "DENY"),
    ("referrer-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
]
#: A shared file that cannot be taken is read up to here: only then does the browser read the answer.
_MOST_MISSED = 32 << 20
_NOT_BUILT = Path(__file__).parent / "not_built.html"
_ON_NOT_BUILT: Headers = [
    ("content-type", HTML),
    ("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"),
    ("cache-control", "no-store"),
]


def console_routes(cdn_url: str | None, people: PageRoutes, directory: Path = BUILT) -> list[Route]:
    console = Console(load(directory), cdn_url, people)
    below = [f"{path}/{{rest...}}" for path in SCREENS if path != "/"]
    return [
        *(Route("GET", path, console.page, cross_origin=False) for path in [*SCREENS, *below]),
        Route("GET", "/console/{name...}", console.file, cross_origin=False),
        Route("POST", "/console/share", console.share, cross_origin=False),
    ]


class Console:
    def __init__(self, files: dict[str, BuiltFile], cdn_url: str | None, people: PageRoutes) -> None:
        self._files, self._people = files, people
        self._index: BuiltFile | None = None
        style = ""
        if files:
            self._index, style = _with_tokens(files[INDEX])
        policy = _POLICY.format(cdn=f" {cdn_url}" if cdn_url else "", style=style_source(style))
        self._on_page: Headers = [("content-security-policy", policy), *_ON_PAGE]

    async def page(self, exchange: Exchange, _rest: str = "") -> None:
        if self._index is None:
            exchange.respond(200, _ON_NOT_BUILT, _NOT_BUILT.read_bytes())
        elif not await self._people.sign_in_first(exchange):
            respond_with_file(exchange, self._index, self._on_page)

    async def file(self, exchange: Exchange, name: str) -> None:
        """One of the built files; any other name is 404, never the page."""
        file = self._files.get(name)
        if file is None or name == INDEX:
            raise RouteNotFound
        respond_with_file(exchange, file, _ON_WORKER if name == _WORKER else [])

    async def share(self, exchange: Exchange) -> None:
        """Something was shared before the console's worker could take it; the console says so."""
        await drain(exchange, _MOST_MISSED)
        exchange.respond(303, [("location", "/media?shared=missed")])


def _with_tokens(index: BuiltFile) -> tuple[BuiltFile, str]:
    """The built page with the tokens in its inline style, and that style."""
    before, _, rest = index.body.decode().partition("<style>")
    own, _, after = rest.partition("</style>")
    style = TOKENS + own
    return BuiltFile(INDEX, f"{before}<style>{style}</style>{after}".encode()), style
