"""Uploads that would like to run, opened in a browser: none of them does."""

from collections.abc import Iterator
from typing import Any

import pytest

from stowboard_client import Client
from support.console.visitor import PATIENCE_MS, chromium
from support.servers.stacks import UNLIMITED, MakeServer
from support.servers.stowboard import Server

CALL = "fetch('/ran'); document.title = 'ran'"
SVG = f"""<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="{CALL}">
<script>{CALL}</script><foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml"
src="javascript:parent.fetch('/ran')"></iframe></foreignObject><rect width="9" height="9" fill="red"/></svg>"""
HTML = f'<!doctype html><title>no</title><script>{CALL}</script><img src=x onerror="{CALL}">'
XHTML = f'<html xmlns="http://www.w3.org/1999/xhtml"><head><script>{CALL}</script></head><body/></html>'
ACTIVE = {
    "page.html": HTML, "page.htm": HTML, "picture.svg": SVG, "page.xhtml": XHTML, "feed.xml": XHTML, "code.js": CALL,
    "code.mjs": CALL, "picture.png": HTML, "note.txt": HTML, "nothing": HTML, "archive.mht": HTML, "style.css": HTML,
}  # fmt: skip


@pytest.fixture(scope="module")
def server(make_server: MakeServer) -> Server:
    """One is enough: where the bytes are makes no difference to a browser."""
    return make_server(UNLIMITED)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as launched:
        yield launched


@pytest.fixture
def asked(browser: Any) -> Iterator[tuple[Any, list[str]]]:
    """A page, and the addresses that were asked for."""
    page = browser.new_page()
    page.set_default_timeout(PATIENCE_MS)
    seen: list[str] = []
    page.on("request", lambda request: seen.append(request.url))
    yield page, seen
    page.close()


@pytest.mark.parametrize("name", ACTIVE)
def test_nothing_that_is_uploaded_runs(client: Client, server: Server, asked: tuple[Any, list[str]], name: str) -> None:
    page, seen = asked
    asset = client.uploads.file(name, ACTIVE[name].encode())
    urls = [asset.url, client.delivery.url(asset.id, disposition="inline").url]
    for url in urls:
        _open(page, url)
    page.goto(f"{server.origin}/healthz")
    # Every way in which a page of ours could be made to load it; frames and scripts come from this origin.
    page.evaluate(
        """urls => Promise.all(urls.flatMap(url => ["iframe", "script", "embed", "object", "img"].map(kind =>
            new Promise(done => {
                const element = document.createElement(kind);
                element[kind === "object" ? "data" : "src"] = url;
                element.onload = element.onerror = done;
                document.documentElement.append(element);
                setTimeout(done, 400);
            }))))""",
        urls,
    )
    assert not [url for url in seen if url.endswith("/ran")]
    assert page.title() != "ran"
    assert len([url for url in seen if "/cdn/" in url]) >= 2


def test_a_style_sheet_cannot_dress_a_page_of_ours(
    client: Client, server: Server, asked: tuple[Any, list[str]]
) -> None:
    page, _ = asked
    asset = client.uploads.file("style.css", b"html { color: rgb(1, 2, 3) }")
    page.goto(f"{server.origin}/healthz")
    color = page.evaluate(
        """url => new Promise(done => {
            const link = document.createElement("link");
            link.rel = "stylesheet";
            link.onload = link.onerror = () => done(getComputedStyle(document.documentElement).color);
            link.href = url;
            document.head.append(link);
        })""",
        asset.url,
    )
    assert color != "rgb(1, 2, 3)"


def test_an_svg_is_still_a_picture_in_a_page(client: Client, server: Server, asked: tuple[Any, list[str]]) -> None:
    page, seen = asked
    asset = client.uploads.file("picture.svg", SVG.encode())
    page.goto(f"{server.origin}/healthz")
    width = page.evaluate(
        """url => new Promise(done => {
            const image = new Image();
            image.onload = () => done(image.naturalWidth);
            image.onerror = () => done(0);
            image.src = url;
        })""",
        asset.url,
    )
    assert width == 9
    assert not [url for url in seen if url.endswith("/ran")]


def _open(page: Any, url: str | None) -> None:
    """As if its address was typed in. What is saved instead of shown ends the navigation."""
    try:
        page.goto(url)
        page.wait_for_timeout(100)
    except Exception as error:
        if "Download is starting" not in str(error) and "ERR_ABORTED" not in str(error):
            raise
