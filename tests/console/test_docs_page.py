"""The documentation page in a browser, with nothing to reach but our own server."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from support.console.visitor import HOST, PATIENCE_MS
from support.servers.stowboard import Server

#: From 150 rows on, Swagger UI makes only those that are in sight; here they all are.
TALL = {"width": 1280, "height": 30_000}
USUAL = {"width": 1280, "height": 800}


class Visitor:
    """A browser page that notes what it asked for and what it complained about."""

    def __init__(self, page: Any, origin: str) -> None:
        self.page = page
        page.set_default_timeout(PATIENCE_MS)
        self.origin = origin
        self.asked: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("console", lambda message: self.complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def asked_elsewhere(self) -> list[str]:
        return [url for url in self.asked if not url.startswith((self.origin + "/", "data:", "blob:"))]


@pytest.fixture(scope="module")
def server(make_server: Callable[[dict[str, str]], Server]) -> Server:
    """One is enough: the pages know nothing of databases."""
    return make_server({})


@pytest.fixture
def visitor(server: Server, browser: Any) -> Iterator[Visitor]:
    """At a name: Swagger UI treats localhost in a way of its own."""
    page = browser.new_page()
    yield Visitor(page, f"http://{HOST}:{server.port}")
    page.close()


def test_the_page_shows_every_operation_with_what_it_refers_to_calls_one_and_asks_no_other_origin(
    server: Server, visitor: Visitor
) -> None:
    page = visitor.page
    page.set_viewport_size(TALL)
    page.goto(f"{visitor.origin}/docs#/Discovery/getIndex")
    page.wait_for_selector("#operations-Discovery-getIndex .btn.execute")
    document = page.evaluate("fetch('/openapi.json').then(answer => answer.json())")
    items = [*document["paths"].values(), *document["webhooks"].values()]
    operations = [each["operationId"] for item in items for each in item.values()]
    shown = page.locator(".opblock").evaluate_all("blocks => blocks.map(block => block.id.split('-').pop())")
    assert sorted(shown) == sorted(operations)
    page.set_viewport_size(USUAL)
    page.click(".btn.authorize")
    page.fill(".auth-container input[type=text] >> nth=0", server.admin_token)
    page.click(".auth-container .btn.authorize >> nth=0")
    page.click(".btn-done >> nth=0")
    page.fill(".operation-filter-input", "Discovery")
    page.click("#operations-Discovery-getIndex .btn.execute")
    answer = page.wait_for_selector("#operations-Discovery-getIndex .live-responses-table .highlight-code")
    assert f"{visitor.origin}/.well-known/api-catalog" in answer.inner_text()
    check_references(page, document)
    assert visitor.asked_elsewhere() == []
    assert visitor.complaints == []


def check_references(page: Any, document: dict[str, Any]) -> None:
    """The page shows parameters, headers and schemas where an operation refers to them."""
    page.fill(".operation-filter-input", "Tasks")
    operation = page.locator("#operations-Tasks-createTask")
    operation.locator(".opblock-summary-control").click()
    expect(operation.locator(".parameters").get_by_text("Idempotency-Key", exact=True)).to_be_visible()
    answer = operation.locator("tr.response", has_text="201")
    expect(answer.locator(".headers").get_by_text("X-Request-Id", exact=True)).to_be_visible()
    operation.get_by_role("tab", name="Schema").first.click()
    operation.get_by_role("button", name="Expand all").first.click()
    for name in document["components"]["schemas"]["CreateBody"]["properties"]:
        expect(operation.get_by_text(name, exact=True).first).to_be_visible()


def test_the_list_of_errors_has_an_anchor_for_each_code(visitor: Visitor) -> None:
    page = visitor.page
    page.goto(f"{visitor.origin}/docs/errors#rate_limited")
    assert page.locator("article:target h2 a").inner_text() == "rate_limited"
    assert visitor.asked_elsewhere() == []
    assert visitor.complaints == []


def test_the_manual_is_searched_from_any_page_and_asks_no_other_origin(server: Server, visitor: Visitor) -> None:
    from build_steps import manual

    manual.build(manual.FOLDER)
    page = visitor.page
    page.goto(f"{visitor.origin}/docs/manual")
    expect(page).to_have_url(f"{visitor.origin}/docs/manual/index.html")
    page.get_by_role("link", name="Operating Stowboard").click()
    page.wait_for_url("**/operations.html")  # and until its script listens to keys
    page.keyboard.press("/")
    page.keyboard.type("rotat keys")
    page.locator("#found").get_by_role("link", name="Tokens and keys").click()
    expect(page).to_have_url(f"{visitor.origin}/docs/manual/operations.html#tokens-and-keys")
    page.get_by_role("searchbox").fill("xylophone")
    expect(page.get_by_text("Nothing found.")).to_be_visible()
    page.goto(f"{visitor.origin}/docs/manual/api/delivery.html")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.evaluate("[...document.images].every(image => image.complete && image.naturalWidth)")
    assert visitor.asked_elsewhere() == []
    assert visitor.complaints == []
