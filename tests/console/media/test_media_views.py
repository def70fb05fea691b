"""The library in its views: over the whole window, as a list with headings, and far down."""

import base64
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import httpx2
from playwright.sync_api import expect

from support.console.visitor import PHONE, Visitor
from support.media.exif import exif, photo
from support.media.pictures import noise
from support.servers.stowboard import Server

Visit = Callable[..., Visitor]
#: What the API puts there without a space is in the Library (conftest.py).
OPENS_LIBRARY = True
#: A finger that goes from one place to another.
SWIPE = """(stage, [dx, dy]) => {
  const box = stage.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2
  const at = (type, x, y) => stage.dispatchEvent(
    new PointerEvent(type, { pointerId: 1, pointerType: 'touch', clientX: x, clientY: y, bubbles: true }))
  stage.setPointerCapture = () => {}
  at('pointerdown', x, y); at('pointermove', x + dx / 2, y + dy / 2); at('pointerup', x + dx, y + dy)
}"""


def scale(picture: Any) -> float:
    return float(picture.evaluate("image => new DOMMatrix(getComputedStyle(image).transform).a"))


def test_the_viewer_fills_the_window_and_goes_by_keys_swipes_and_zoom(visit: Visit, contents: dict[str, str]) -> None:
    visitor = visit(has_touch=True)
    page = visitor.page
    visitor.go("/media")
    visitor.role("link", "vineyard.jpg").click()
    # The list became narrower, and what was opened is still in sight.
    visitor.role("complementary", "vineyard.jpg").wait_for()
    expect(visitor.role("link", "vineyard.jpg")).to_be_in_viewport()
    page.keyboard.press("f")
    viewer = visitor.role("dialog", "vineyard.jpg")
    picture = viewer.get_by_role("img")
    expect(picture).to_have_attribute("src", re.compile("/xlarge/"))
    box = viewer.bounding_box()
    assert (box["width"], box["height"]) == (1280, 800)
    assert visitor.axe(dark=False) == []
    page.keyboard.press("+")
    assert scale(picture) == 1.5
    expect(picture).to_have_attribute("src", re.compile("/original/"))
    page.keyboard.press("0")
    assert scale(picture) == 1
    picture.dblclick()
    assert scale(picture) == 2.5
    page.keyboard.press("ArrowRight")
    other = visitor.role("dialog", "storm-front.jpg")
    expect(other.get_by_role("img")).to_have_attribute("src", re.compile("/xlarge/"))
    assert scale(other.get_by_role("img")) == 1
    page.reload()
    other.locator(".stage").evaluate(SWIPE, [200, 10])
    viewer.locator(".stage").evaluate(SWIPE, [10, 200])
    expect(viewer).to_have_count(0)
    visitor.role("complementary", "vineyard.jpg").wait_for()
    page.set_viewport_size(PHONE)
    visitor.role("button", "Open in the viewer").click()
    page.go_back()
    expect(viewer).to_have_count(0)


def test_what_was_stepped_to_in_the_viewer_is_in_sight_when_it_is_closed(
    visit: Visit, contents: dict[str, str]
) -> None:
    visitor = visit(viewport={"width": 1280, "height": 480})
    page = visitor.page
    visitor.go("/media")
    first = visitor.role("list", "Items").get_by_role("link").first
    first.click()
    page.get_by_role("complementary").get_by_role("heading").first.wait_for()
    page.keyboard.press("f")
    viewer = page.locator("dialog[open]")
    for _ in range(12):
        name = viewer.get_attribute("aria-label")
        page.keyboard.press("ArrowRight")
        expect(viewer).not_to_have_attribute("aria-label", name)
    name = viewer.get_attribute("aria-label")
    page.keyboard.press("Escape")
    expect(viewer).to_have_count(0)
    tile = visitor.role("list", "Items").get_by_role("link", name=name, exact=True)
    expect(tile).to_be_in_viewport()
    expect(first).not_to_be_in_viewport()
    visitor.role("button", "Close panel").click()
    expect(tile).to_be_focused()
    expect(tile).to_be_in_viewport()


def test_a_screen_reader_hears_which_of_how_many_an_item_is(visit: Visit, contents: dict[str, str]) -> None:
    visitor = visit()
    visitor.go("/media?kind=image")
    tiles = visitor.role("list", "Items").get_by_role("listitem")
    expect(tiles.first).to_have_attribute("aria-posinset", "1")
    size = tiles.first.get_attribute("aria-setsize")
    visitor.page.get_by_text(f"{size} items", exact=True).wait_for()
    visitor.role("list", "Items").get_by_role("link").first.focus()
    visitor.page.keyboard.press("End")
    expect(tiles.last).to_have_attribute("aria-posinset", size)


def test_days_of_a_filter_begin_where_the_person_is(visit: Visit) -> None:
    visitor = visit(timezone_id="America/New_York")
    with visitor.api() as api:
        assert api.patch("/access/me", json={"timeZone": "Asia/Tokyo"}).is_success
    begin = int(datetime(2026, 1, 1, 15, tzinfo=UTC).timestamp()) * 1000
    with visitor.page.expect_request(lambda asked: f"createdAfter={begin}" in asked.url):
        visitor.go("/media?after=2026-01-02")


def test_the_list_has_headings_that_order_it(console_server: Server, visit: Visit, contents: dict[str, str]) -> None:
    data = base64.b64encode(photo(noise(64, 48), exif())).decode()
    body = {"filename": "dated.jpg", "data": data, "tags": ["holiday"]}
    httpx2.post(f"{console_server.base_url}/media/upload/image", json=body, headers=console_server.headers)
    visitor = visit()
    page = visitor.page
    visitor.go("/media?tag=holiday")
    visitor.role("button", "List").click()
    heads, names = visitor.role("group", "Headings"), visitor.role("list", "Items").get_by_role("link")
    expect(heads.get_by_role("button", name="Uploaded (newest first)")).to_have_attribute("aria-pressed", "true")
    expect(names.first).to_have_text("dated.jpg")
    heads.get_by_role("button", name="Name").click()
    expect(names.nth(1)).to_have_text("desert-road.jpg")
    heads.get_by_role("button", name="Size").click()
    heads.get_by_role("button", name="Size (largest first)").click()
    expect(names.first).to_have_text("packing-list.txt")
    expect(heads.get_by_role("button", name="Size (smallest first)")).to_be_visible()
    heads.get_by_role("button", name="Taken").click()
    expect(names.first).to_have_text("dated.jpg")
    assert visitor.axe(dark=False) == []
    names.first.click()
    panel = visitor.role("complementary", "dated.jpg")
    for name, value in (
        ("Taken", re.compile("6,? .*2024|2024.* 6")), ("Camera", "Acme Snap 7"), ("Place", "53.5450, -9.9660")
    ):  # fmt: skip
        expect(panel.locator(f"dt:text-is('{name}') + dd")).to_have_text(value)
    visitor.go("/media?kind=video&tag=holiday")
    visitor.role("heading", "Nothing found").wait_for()
    page.keyboard.press("v")


def test_a_scrubber_leads_through_a_long_library_and_back(console_server: Server, visit: Visit) -> None:
    with httpx2.Client(base_url=console_server.base_url, headers=console_server.headers) as api:
        for number in range(150):
            text = base64.b64encode(f"page {number}".encode()).decode()
            api.post("/media/upload/file", json={"filename": f"p{number:03}.txt", "data": text, "tags": ["long"]})
    visitor = visit()
    visitor.go("/media?tag=long")
    visitor.role("link", "p149.txt").wait_for()
    slider = visitor.role("slider", "Time of the upload")
    slider.focus()
    visitor.page.keyboard.press("End")
    expect(visitor.role("link", "p000.txt")).to_be_in_viewport()
    assert visitor.axe(dark=False) == []
    # Newer assets stand above, and come when one scrolls there.
    visitor.role("link", "p000.txt").hover()
    for number in (40, 100, 149):
        newer = visitor.role("link", f"p{number:03}.txt")
        while newer.count() == 0:
            visitor.page.mouse.wheel(0, -600)
            visitor.page.evaluate("() => new Promise(requestAnimationFrame)")
        expect(newer).to_have_count(1)
    expect(visitor.page.get_by_text("150 items")).to_be_visible()
    visitor.page.reload()
    expect(visitor.role("link", "p000.txt")).to_be_in_viewport()


def test_a_refusal_is_told_in_words_and_tried_again_only_where_that_helps(
    console_server: Server, visit: Visit, contents: dict[str, str]
) -> None:
    visitor = visit()
    visitor.go("/media/ast_01m7p0mqbw8748bkdn84xgk7e9")
    alert = visitor.page.get_by_role("alert")
    expect(alert).to_contain_text("It was deleted, or you can no longer see it.")
    expect(alert.get_by_role("button", name="Try again")).to_have_count(0)
    visitor.go(f"/media/{contents['lagoon.jpg']}")
    visitor.page.get_by_label("Add a tag").fill("x" * 65)
    visitor.page.keyboard.press("Enter")
    expect(alert).to_have_text("Tags: each tag needs 1 to 64 characters.")
    expect(visitor.role("status", "Messages").get_by_role("button", name="Try again")).to_have_count(0)
