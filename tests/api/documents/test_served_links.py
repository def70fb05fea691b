"""Every link of the served pages leads somewhere: to a page that is there, and to a heading in it."""

import re
from collections.abc import Callable
from html import unescape
from urllib.parse import urldefrag, urljoin

import httpx2
import pytest

from build_steps.manual import FOLDER, build
from support.api.markdown import anchors, targets
from support.servers.stowboard import Server

pytestmark = pytest.mark.cluster_in_soak

BEGINNINGS = ["/docs", "/docs/errors", "/llms.txt"]
_HTML_LINK = re.compile(r'<(?:a|link|script|img)\b[^>]*?\b(?:href|src)="([^"]+)"')
_ABSOLUTE = re.compile(r"\]\((https?://[^)\s]+)\)")


def test_every_link_of_docs_errors_and_manual_leads_somewhere(server: Server) -> None:
    build(FOLDER)
    pages, dead, waiting = dict[str, httpx2.Response](), [], [(server.origin + path, "") for path in BEGINNINGS]
    with httpx2.Client(timeout=30, follow_redirects=True) as web:
        while waiting:
            address, found_on = waiting.pop()
            page, anchor = urldefrag(address)
            if page not in pages:
                pages[page] = web.get(page)
                if reads := reader_of(pages[page]):
                    links = [urljoin(str(pages[page].url), link) for link in reads(pages[page].text)]
                    waiting += [(link, page) for link in links if link.startswith(f"{server.origin}/")]
            if not pages[page].is_success or (anchor and anchor not in names_in(pages[page])):
                dead.append((found_on, address, pages[page].status_code))
    assert dead == [], "\n".join(map(str, dead))
    manual = [page for page in pages if "/docs/manual/" in page]
    assert len(manual) > 30, "the manual is reached from llms.txt"


def reader_of(page: httpx2.Response) -> Callable[[str], list[str]] | None:
    """Finds the links of a page of this type. Documents for programs have tests of their own."""
    kind = page.headers.get("content-type", "")
    if kind.startswith("text/html"):
        return lambda text: [unescape(link) for link in _HTML_LINK.findall(text)]
    if kind.startswith(("text/markdown", "text/plain")):
        return lambda text: [*targets(text), *_ABSOLUTE.findall(text)]
    return None


def names_in(page: httpx2.Response) -> set[str]:
    if page.headers["content-type"].startswith("text/html"):
        return set(re.findall(r'\bid="([^"]+)"', page.text))
    return anchors(page.text)
