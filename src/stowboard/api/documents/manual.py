"""The manual at /docs/manual: pages for people, with a search; the same as Markdown for language models; and /llms.txt,
which lists the latter.

The files are put into stowboard/built when Stowboard is installed. They are read when somebody asks for them.
"""

import asyncio
import re
from functools import cache
from pathlib import Path

import stowboard
from stowboard.api.documents.discovery import API_CATALOG, OPENAPI_JSON
from stowboard.core.caller import AGENTS_DOOR
from stowboard.core.errors import RouteNotFound
from stowboard.http.exchange import Exchange, Route
from stowboard.http.origin import Origins
from stowboard.http.static import HTML, StaticDocument, respond_with

BUILT = Path(stowboard.__file__).parent / "built" / "manual"
LLMS = "/llms.txt"
PAGES = "/docs/manual/"
_PLAIN = "text/plain; charset=utf-8"
_TYPES = {
    ".md": "text/markdown; charset=utf-8",
    ".html": HTML,
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".webp": "image/webp",
    ".svg": "image/svg+xml",
}
_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"
#: Folders of the manual, and the headings that their pages stand under.
_SECTIONS = {"": "Manual", "api": "API", "recipes": "Recipes", "decisions": "Optional"}
_LONGEST_NOTE = 120
_BEGINNING = re.compile(r"# (?P<title>[^\n]+)\n+(?P<note>[^#`|>\n-][^\n]*(?:\n[^\n]+)*)?")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_HEAD = """# Stowboard

> Tasks on boards and a library of media, behind one REST API that whoever you work for runs themselves.

All pages below are public. The API at {origin}/api/v1 needs a bearer token. Agents connect by the Model Context
Protocol at {origin}{mcp}: pasting that address into a client is enough, it signs in by OAuth.

## Start

- [Agents]({origin}{pages}agents.md): how to connect, and what tools there are
- [Conventions]({origin}{pages}api/conventions.md): tokens, errors, pages, retries; the same for all operations
- [OpenAPI]({origin}{openapi}): every operation of the API
- [Error codes]({origin}/docs/errors.json): what each means, and what to do
- [API catalog]({origin}{catalog}): all documents, for programs
"""


def manual_routes(origins: Origins, folder: Path = BUILT) -> list[Route]:
    manual = Manual(folder)

    async def llms(exchange: Exchange) -> None:
        origin = origins.of(exchange)
        contents = await asyncio.to_thread(manual.contents)
        text = _HEAD.format(
            origin=origin, mcp=AGENTS_DOOR, pages=PAGES, openapi=OPENAPI_JSON, catalog=API_CATALOG
        ) + contents.replace("](", f"]({origin}{PAGES}")  # fmt: skip
        respond_with(exchange, StaticDocument(_PLAIN, text.encode()))

    async def page(exchange: Exchange, name: str) -> None:
        found = await asyncio.to_thread(manual.find, name)
        if found is None:
            raise RouteNotFound
        link = f'<{origins.of(exchange)}{LLMS}>; rel="describedby"; type="text/plain"'
        headers = (("link", link), ("content-security-policy", _POLICY))
        respond_with(exchange, StaticDocument(_TYPES[Path(name).suffix], found, headers))

    async def to_contents(exchange: Exchange) -> None:
        """The addresses in the pages are relative to their folder."""
        exchange.respond(308, [("location", PAGES + "index.html")])

    return [
        Route("GET", LLMS, llms),
        Route("GET", PAGES, to_contents),
        Route("GET", PAGES + "{name...}", page),
    ]


class Manual:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._names = cache(self._list)
        self.contents = cache(self._contents)

    def find(self, name: str) -> bytes | None:
        """A file by its name; nothing else can be named."""
        return (self._folder / name).read_bytes() if name in self._names() else None

    def _list(self) -> list[str]:
        files = (path for path in self._folder.rglob("*") if path.suffix in _TYPES)
        return sorted(path.relative_to(self._folder).as_posix() for path in files)

    def _contents(self) -> str:
        """A section for each folder, with links relative to where the pages are."""
        text = ""
        for folder, heading in _SECTIONS.items():
            names = [name for name in self._names() if name.endswith(".md") and name.rpartition("/")[0] == folder]
            if names:
                text += f"\n## {heading}\n\n" + "".join(self._entry(name, folder) for name in names)
        return text

    def _entry(self, name: str, folder: str) -> str:
        beginning = _BEGINNING.match((self._folder / name).read_text("utf-8"))
        if beginning is None:
            return f"- [{name}]({name})\n"
        note = "" if folder == "decisions" else _shortened(beginning["note"] or "")
        return f"- [{beginning['title']}]({name}){f': {note}' if note else ''}\n"


def _shortened(text: str) -> str:
    """The first sentence, as plain words."""
    sentence = _LINK.sub(r"\1", " ".join(text.split())).partition(". ")[0].rstrip(".:")
    return sentence if len(sentence) <= _LONGEST_NOTE else sentence[: _LONGEST_NOTE - 1].rpartition(" ")[0] + "…"
