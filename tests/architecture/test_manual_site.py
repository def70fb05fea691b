"""The manual as a site: pages whose links all lead somewhere, and an index that finds their sections."""

import json
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from build_steps import manual

MOST_BYTES_OF_THE_INDEX = 240_000


class PageReader(HTMLParser):
    """The addresses that a page names, and the anchors that it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value is not None:
                self.targets.append(value)
            elif name == "id" and value is not None:
                self.anchors.add(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    manual.build(folder)
    return folder


def read_pages(site: Path) -> dict[Path, PageReader]:
    return {path: PageReader(path.read_text()) for path in site.rglob("*.html")}


def find_dead(site: Path, pages: dict[Path, PageReader]) -> list[str]:
    dead = []
    for path, page in pages.items():
        for target in page.targets:
            parts = urlsplit(target)
            if parts.scheme:
                continue
            other = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            known = pages[other].anchors if other in pages else set()
            if not other.is_file() or (parts.fragment and unquote(parts.fragment) not in known):
                dead.append(f"{path.relative_to(site)}: {target}")
    return dead


def test_every_link_of_every_page_leads_to_a_file_and_a_heading_of_the_site(site: Path) -> None:
    pages = read_pages(site)
    assert len(pages) == 1 + len(list(manual.SOURCES.rglob("*.md")))
    assert find_dead(site, pages) == []


def test_a_dead_link_of_the_site_is_found(site: Path) -> None:
    pages = read_pages(site)
    page = site / "api" / "tasks.html"
    pages[page] = PageReader('<a href="gone.html">a</a> <a href="boards.html#gone">b</a> <a href="boards.html">c</a>')
    dead = [each for each in find_dead(site, pages) if each.startswith("api/tasks.html")]
    assert dead == ["api/tasks.html: gone.html", "api/tasks.html: boards.html#gone"]


def test_every_page_is_in_the_contents(site: Path) -> None:
    listed = {target for target in PageReader((site / "index.html").read_text()).targets if target.endswith(".html")}
    assert listed == {str(path.relative_to(site)) for path in site.rglob("*.html")}


def test_the_index_has_every_section_and_stays_small(site: Path) -> None:
    text = (site / "search_index.js").read_text()
    rows = json.loads(text.removeprefix("const SECTIONS = "))
    pages = read_pages(site)
    for address, _, _, _ in rows:
        path, _, anchor = address.partition("#")
        assert anchor in pages[site / path].anchors, address
    assert len(text.encode()) <= MOST_BYTES_OF_THE_INDEX


def test_pages_that_are_gone_from_docs_are_gone_from_the_site(site: Path, tmp_path: Path) -> None:
    (tmp_path / "old.html").touch()
    manual.build(tmp_path)
    assert not (tmp_path / "old.html").exists()
    assert (tmp_path / "operations.html").read_bytes() == (site / "operations.html").read_bytes()
