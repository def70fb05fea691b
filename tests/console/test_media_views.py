"""The library in its views: over the whole window, as a list with headings, and far down."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from support.console.visitor import PHONE, Visitor

Visit = Callable[..., Visitor]
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
