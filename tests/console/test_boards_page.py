"""Boards: made, filled, and cards moved by keys, menu and pointer, also under other people's eyes."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from support.console.visitor import Visitor
from support.servers.stowboard import Server

Visit = Callable[..., Visitor]
CARDS, MOVES = 200, 4
#: Counts, from now on until it is asked: places asked for in a frame, and nodes that come and go in columns.
WATCH_LAYOUT = """() => {
  const ask = Element.prototype.getBoundingClientRect
  let looked = 0, frames = 0, changed = 0
  const frame = () => { frames += 1; requestAnimationFrame(frame) }
  requestAnimationFrame(frame)
  Element.prototype.getBoundingClientRect = function () { looked += 1; return ask.call(this) }
  new MutationObserver((records) => {
    for (const {addedNodes, removedNodes} of records) changed += addedNodes.length + removedNodes.length
  }).observe(document.querySelector('[aria-label=Columns]'), {childList: true, subtree: true})
  window.watchedLayout = () => [looked / (frames + 1), changed]
}"""


def new_board(visitor: Visitor, *titles: str) -> None:
    visitor.go("/boards")
    visitor.role("button", "New board").click()
    visitor.page.get_by_label("Name").fill("Launch")
    visitor.role("button", "Create").click()
    visitor.role("heading", "Launch").wait_for()
    for title in titles:
        add(visitor, title)


def add(visitor: Visitor, title: str) -> None:
    visitor.role("button", "New task").click()
    visitor.page.get_by_label("New task in To do").fill(title)
    visitor.page.keyboard.press("Enter")
    card(visitor, "To do", title).wait_for()


def column(visitor: Visitor, name: str) -> Any:
    return visitor.role("list", name)


def card(visitor: Visitor, where: str, title: str) -> Any:
    return column(visitor, where).get_by_role("listitem", name=title, exact=True)


def saved(visitor: Visitor, where: str, *titles: str) -> None:
    """The cards of the column, also after a reload."""
    expect(column(visitor, where).get_by_role("link")).to_have_text(list(titles))
    visitor.page.reload()
    expect(column(visitor, where).get_by_role("link")).to_have_text(list(titles))


def moved(visitor: Visitor) -> Any:
    """Around what moves a card: waits until the server has taken it."""
    return visitor.page.expect_response(lambda answer: answer.url.endswith("/move") and answer.ok)


def test_a_card_is_moved_by_keys_by_the_menu_and_by_the_pointer(visit: Visit) -> None:
    visitor = visit()
    new_board(visitor, "Write", "Print", "Send")
    page = visitor.page
    visitor.role("link", "Send").focus()
    with moved(visitor):
        page.keyboard.press("Alt+ArrowUp")
    expect(page.get_by_role("status").filter(has_text="Send: To do, 2 of 3")).to_be_attached()
    saved(visitor, "To do", "Write", "Send", "Print")

    visitor.role("button", "Move Send").click()
    with moved(visitor):
        visitor.role("menuitemradio", "Move to In progress").click()
    expect(page.get_by_text("Moved to In progress")).to_be_visible()
    saved(visitor, "In progress", "Send")

    drag(visitor, card(visitor, "To do", "Print"), card(visitor, "In progress", "Send"))
    page.keyboard.press("Escape")
    page.mouse.up()
    expect(card(visitor, "To do", "Print")).to_be_visible()
    drag(visitor, card(visitor, "To do", "Print"), card(visitor, "In progress", "Send"))
    with moved(visitor):
        page.mouse.up()
    saved(visitor, "In progress", "Print", "Send")


def test_under_a_filter_a_card_is_moved_among_those_that_are_shown(visit: Visit) -> None:
    visitor = visit()
    new_board(visitor, "Write a", "Print", "Write b", "Send", "Write c")
    page = visitor.page
    page.goto(f"{page.url}?q=write")
    expect(column(visitor, "To do").get_by_role("link")).to_have_text(["Write a", "Write b", "Write c"])
    visitor.role("link", "Write a").focus()
    page.keyboard.press("ArrowDown")
    expect(visitor.role("link", "Write b")).to_be_focused()
    with moved(visitor):
        page.keyboard.press("Alt+ArrowDown")
    expect(page.get_by_role("status").filter(has_text="Write b: To do, 3 of 3")).to_be_attached()
    drag(visitor, card(visitor, "To do", "Write b"), before=card(visitor, "To do", "Write c"))
    with moved(visitor):
        page.mouse.up()
    page.goto(page.url.removesuffix("?q=write"))
    saved(visitor, "To do", "Write a", "Write b", "Print", "Send", "Write c")


def drag(visitor: Visitor, what: Any, before: Any) -> None:
    mouse, start, end = visitor.page.mouse, what.bounding_box(), before.bounding_box()
    mouse.move(start["x"] + 20, start["y"] + 12)
    mouse.down()
    mouse.move(end["x"] + 30, end["y"] + 3, steps=6)
    visitor.page.locator(".ghost").wait_for()


def test_a_finger_drags_after_a_long_press(visit: Visit) -> None:
    visitor = visit(has_touch=True)
    new_board(visitor, "Write")
    fingers = visitor.context.new_cdp_session(visitor.page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        places = [{"x": x, "y": y} for x, y in points]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    start, end = card(visitor, "To do", "Write").bounding_box(), column(visitor, "Done").bounding_box()
    touch("touchStart", (start["x"] + 20, start["y"] + 12))
    visitor.page.locator(".ghost").wait_for()
    touch("touchMove", (start["x"] + 60, start["y"] + 20))
    touch("touchMove", (end["x"] + 60, end["y"] + 4))
    with moved(visitor):
        touch("touchEnd")
    saved(visitor, "Done", "Write")


def test_a_recurring_card_comes_back_with_its_next_date(visit: Visit) -> None:
    visitor = visit()
    new_board(visitor)
    visitor.role("button", "Add to To do").click()
    visitor.page.get_by_label("New task in To do").fill("Water 24 dec 2035 9am #home every month")
    chips = visitor.role("list", "Understood").get_by_role("listitem")
    expect(chips.filter(has_text="Every month")).to_be_visible()
    visitor.page.keyboard.press("Enter")
    expect(card(visitor, "To do", "Water")).to_contain_text("home")
    visitor.role("link", "Water").click()
    visitor.page.get_by_text("Next: Thu, Jan 24 · Sun, Feb 24 · Mon, Mar 24").wait_for()
    visitor.page.get_by_label("Repeat").select_option("Every week")
    visitor.page.get_by_text("Next: Mon, Dec 31 · Mon, Jan 7 · Mon, Jan 14").wait_for()
    card(visitor, "To do", "Water").get_by_text("Repeats").wait_for()
    visitor.role("button", "Close panel").click()
    visitor.role("button", "Move Water").click()
    with moved(visitor):
        visitor.role("menuitemradio", "Move to In progress").click()
    visitor.role("link", "Water").focus()
    visitor.page.keyboard.press("e")
    expect(visitor.page.get_by_text("Completed. ↻ next:")).to_be_visible()
    expect(card(visitor, "To do", "Water")).to_be_visible()


def test_a_move_that_is_refused_is_put_back_with_the_reason(visit: Visit) -> None:
    visitor = visit()
    new_board(visitor, "Write")
    body = '{"error": {"code": "conflict", "message": "Somebody was faster."}}'
    refuse = lambda route: route.fulfill(status=409, body=body, content_type="application/json")  # noqa: E731
    visitor.page.route("**/move", refuse)
    visitor.role("link", "Write").focus()
    visitor.page.keyboard.press("Alt+ArrowRight")
    expect(visitor.page.get_by_text("Not moved: Somebody was faster.")).to_be_visible()
    expect(card(visitor, "To do", "Write")).to_be_visible()
    visitor.page.unroute("**/move")
    visitor.role("button", "Try again").click()
    expect(card(visitor, "In progress", "Write")).to_be_visible()


def test_a_card_that_was_not_saved_is_still_in_the_line(visit: Visit) -> None:
    visitor = visit()
    new_board(visitor)
    visitor.page.route("**/api/v1/taskapp/tasks", lambda route: route.abort())
    visitor.page.keyboard.press("n")
    line = visitor.page.get_by_label("New task in To do")
    line.fill("Write")
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.get_by_text("Not added: The server cannot be reached.")).to_be_visible()
    expect(line).to_have_value("Write")
    visitor.page.unroute("**/api/v1/taskapp/tasks")
    visitor.role("button", "Try again").click()
    expect(card(visitor, "To do", "Write")).to_be_visible()
    expect(line).to_have_value("")


def test_what_is_completed_or_archived_can_be_undone(visit: Visit) -> None:
    visitor = visit()
    new_board(visitor, "Write")
    visitor.role("link", "Write").focus()
    visitor.page.keyboard.press("e")
    expect(card(visitor, "Done", "Write")).to_be_visible()
    visitor.role("button", "Undo").click()
    expect(card(visitor, "To do", "Write")).to_be_visible()
    visitor.role("link", "Write").focus()
    visitor.page.keyboard.press("a")
    expect(visitor.role("link", "Write")).to_have_count(0)
    visitor.role("button", "Undo").click()
    expect(card(visitor, "To do", "Write")).to_be_visible()


def test_a_move_is_seen_in_another_window(visit: Visit) -> None:
    visitor = visit()
    new_board(visitor, "Write")
    other = visitor.context.new_page()
    other.goto(visitor.page.url)
    other.get_by_role("link", name="Write", exact=True).wait_for()
    visitor.role("link", "Write").focus()
    visitor.page.keyboard.press("Alt+ArrowRight")
    moved_there = other.get_by_role("list", name="In progress").get_by_role("listitem", name="Write")
    expect(moved_there).to_be_visible()


def test_axe_finds_nothing_wrong_with_boards(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/boards")
    visitor.role("button", "New board").wait_for()
    assert visitor.axe() == []
    new_board(visitor, "Write")
    assert visitor.axe() + visitor.axe_on_phone() == []
    visitor.role("link", "Write").click()
    visitor.page.get_by_label("Title").wait_for()
    assert visitor.axe() + visitor.axe_on_phone() == []
    visitor.page.keyboard.press("Escape")
    expect(visitor.page).to_have_url(re.compile(r"/boards/brd_\w+$"))


def test_columns_are_renamed_moved_given_their_part_and_deleted(visit: Visit) -> None:
    visitor = visit()
    new_board(visitor, "Write")
    headings = visitor.page.locator("section.column h2 .ellipsis")

    def choose(name: str, action: str) -> None:
        visitor.role("button", f"Column {name}").click()
        visitor.role("menuitem", action).click()

    visitor.role("button", "Add column").click()
    expect(visitor.page.get_by_label("Name", exact=True)).to_be_focused()
    visitor.page.get_by_label("Name", exact=True).fill("Soon")
    visitor.page.get_by_label("Tasks in it are").select_option("to do")
    visitor.role("button", "Save").click()
    others = ["To do", "In progress", "Done"]
    expect(headings).to_have_text([*others, "Soon"])
    for place in (2, 1, 0):
        choose("Soon", "Move left")
        expect(headings).to_have_text([*others[:place], "Soon", *others[place:]])
    visitor.page.get_by_text("Soon moved left").last.wait_for()
    choose("To do", "Rename")
    visitor.role("dialog", "Rename To do").get_by_label("Name").fill("This week")
    visitor.role("dialog", "Rename To do").get_by_role("button", name="Save").click()
    expect(column(visitor, "This week").get_by_role("link")).to_have_text(["Write"])
    choose("Soon", "Make it the entry")
    expect(visitor.page.get_by_text("Repeating tasks return to Soon")).to_be_visible()
    choose("This week", "Delete column")
    visitor.role("button", "Delete").click()
    saved(visitor, "Soon", "Write")
    expect(headings).to_have_text(["Soon", "In progress", "Done"])


def test_a_card_shows_its_priority_its_attachments_and_its_seal(visit: Visit, console_server: Server) -> None:
    visitor = visit()
    new_board(visitor)
    with visitor.api() as api:
        file = {"filename": "plan.txt", "data": "cGxhbg=="}
        asset = api.post("/media/upload/file", json=file).json()["data"]["id"]
        place = {"boardId": visitor.path().removeprefix("/boards/")}
        api.post("/taskapp/tasks", json={"title": "Plan", "priority": 3, "attachments": [asset], **place})
        api.post("/taskapp/tasks", json={"title": "Secret", "visibility": "zero-knowledge", **place})
    plan = card(visitor, "To do", "Plan")
    expect(plan).to_contain_text("High priority")
    expect(plan).to_contain_text("1 attachment")
    expect(card(visitor, "To do", "Secret")).to_contain_text("Sealed")
    visitor.role("link", "Plan").click()
    visitor.page.get_by_label("Priority").select_option("Medium")
    expect(plan).to_contain_text("Medium priority")


def large_board(visitor: Visitor) -> None:
    """All of its cards in To do."""
    new_board(visitor)
    with visitor.api() as api:
        place = {"boardId": visitor.path().removeprefix("/boards/")}
        made = [{"op": "create", "title": f"Card {number}", **place} for number in range(CARDS)]
        for begin in range(0, CARDS, 100):
            assert api.post("/taskapp/tasks/batch", json={"operations": made[begin : begin + 100]}).status_code == 200
    visitor.page.reload()
    visitor.page.locator("[data-card]").nth(CARDS - 1).wait_for(state="attached")


def test_a_card_that_moves_leaves_the_others_alone(visit: Visit, browser: Any, tmp_path: Path) -> None:
    """However many cards there are: what is done for each of them makes a large board stop."""
    visitor = visit()
    large_board(visitor)
    mouse, keyboard = visitor.page.mouse, visitor.page.keyboard
    start = card(visitor, "To do", "Card 0").bounding_box()
    mouse.move(start["x"] + 20, start["y"] + 12)
    mouse.down()
    mouse.move(start["x"] + 40, start["y"] + 12, steps=4)
    visitor.page.locator(".ghost").wait_for()
    visitor.page.evaluate(WATCH_LAYOUT)
    for step in range(MOVES):
        mouse.move(start["x"] + 40, start["y"] + 100 + 10 * step)
    looked, changed = visitor.page.evaluate("window.watchedLayout()")
    assert looked < CARDS
    assert changed == 0
    with moved(visitor):
        mouse.up()

    visitor.role("link", "Card 5").focus()
    visitor.page.evaluate(WATCH_LAYOUT)
    with counted(browser, visitor, tmp_path / "trace.json") as counts:
        for key in ("Alt+ArrowDown", "Alt+ArrowUp", "Alt+ArrowRight"):
            with moved(visitor):
                keyboard.press(key)
        expect(visitor.page.get_by_text("Moved to In progress")).to_be_visible()
    expect(visitor.role("link", "Card 5")).to_be_focused()
    assert 0 < counts["styled"] < CARDS / 2
    assert 0 < counts["laid out"] < CARDS / 2
    assert visitor.page.evaluate("window.watchedLayout()")[1] < 20


@contextmanager
def counted(browser: Any, visitor: Visitor, path: Path) -> Iterator[dict[str, int]]:
    """The most elements that the browser styled and laid out at once, when it is over."""
    counts: dict[str, int] = {}
    browser.start_tracing(page=visitor.page, path=str(path), categories=["devtools.timeline"])
    yield counts
    browser.stop_tracing()
    found = json.loads(path.read_text())["traceEvents"]
    counts["styled"] = max(each["args"].get("elementCount", 0) for each in found if each["name"] == "UpdateLayoutTree")
    layouts = [each["args"]["beginData"] for each in found if each["name"] == "Layout" and "beginData" in each["args"]]
    counts["laid out"] = max(each["dirtyObjects"] for each in layouts)
