"""The history in the console: who changed what, each change taken back, and `z` wherever it was made."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from support.console.visitor import Visitor

Visit = Callable[..., Visitor]


def add_task(visitor: Visitor, title: str) -> None:
    visitor.page.get_by_label("Title of the new task").fill(title)
    visitor.page.keyboard.press("Enter")
    visitor.role("link", title).wait_for()


def history(visitor: Visitor) -> Any:
    """The lines of the history in the panel that is open, which is opened too."""
    visitor.page.get_by_text("History", exact=True).click()
    return visitor.role("list", "History").get_by_role("listitem")


def change_title(visitor: Visitor, title: str) -> None:
    field = visitor.page.get_by_label("Title", exact=True)
    field.fill(title)
    with visitor.page.expect_response(lambda answer: answer.request.method == "PATCH" and answer.ok):
        field.blur()


def test_a_change_of_a_task_is_taken_back_from_its_history_and_brought_back(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.go("/tasks?view=all")
    add_task(visitor, "Paint")
    visitor.role("link", "Paint").click()
    lines = history(visitor)
    expect(lines).to_have_text(re.compile("Created you, "))
    change_title(visitor, "Paint the fence")
    change_title(visitor, "Paint the wall")
    visitor.role("button", "Archive").click()
    expect(lines).to_contain_text(["Archived", "Changed title", "Changed title", "Created"])
    expect(lines.first).to_contain_text("you, ")
    assert visitor.axe() == []
    visitor.role("button", "Take back: Changed title").last.click()
    page.get_by_text("Not undone: Changed since: title. Undo the later changes first").wait_for()
    visitor.role("button", "Take back: Changed title").first.click()
    page.get_by_text("Undone: changed title of Paint the fence").wait_for()
    expect(page.get_by_label("Title", exact=True)).to_have_value("Paint the fence")
    expect(lines).to_contain_text(["Undone: changed title", "Archived", "Changed title", "Changed title", "Created"])
    expect(lines.nth(2)).to_contain_text("taken back")
    visitor.role("button", "Redo").click()
    page.get_by_text("Redone: changed title of Paint the wall").wait_for()
    expect(page.get_by_label("Title", exact=True)).to_have_value("Paint the wall")
    expect(lines.first).to_contain_text("Redone: changed title")


def test_z_undoes_what_was_changed_in_this_browser_one_after_the_other(visit: Visit) -> None:
    """A board move, an edit of media, and what went to the trash, from whatever screen, also after a reload."""
    visitor = visit()
    page = visitor.page
    visitor.go("/boards")
    visitor.role("button", "New board").click()
    page.get_by_label("Name").fill("Launch")
    visitor.role("button", "Create").click()
    visitor.role("button", "Add to To do").click()
    page.get_by_label("New task in To do").fill("Write")
    page.keyboard.press("Enter")
    visitor.role("link", "Write").wait_for()
    page.keyboard.press("Escape")
    board = visitor.path()
    visitor.role("link", "Write").focus()
    page.keyboard.press("Alt+ArrowRight")
    page.get_by_text("Moved to In progress").wait_for()
    visitor.go("/media")
    file = {"name": "fence.txt", "mimeType": "text/plain", "buffer": b"green"}
    page.get_by_label("Files to upload").set_input_files(file)
    visitor.role("region", "Library").get_by_role("link", name="fence.txt").click()
    panel = visitor.role("complementary", "fence.txt")
    panel.get_by_label("Add a tag").fill("garden")
    page.keyboard.press("Enter")
    panel.get_by_role("button", name="Remove garden").wait_for()
    expect(history(visitor)).to_contain_text(["Changed tags", "Created"])
    panel.get_by_role("button", name="Delete").click()
    page.get_by_text("fence.txt is in the trash").wait_for()

    visitor.go(board)
    visitor.role("link", "Write").wait_for()
    page.keyboard.press("z")
    page.get_by_text("Undone: deleted fence.txt").wait_for()
    page.keyboard.press("z")
    page.get_by_text("Undone: changed tags of fence.txt").wait_for()
    page.keyboard.press("z")
    page.get_by_text("Undone: moved Write").wait_for()
    expect(visitor.role("list", "To do").get_by_role("link")).to_have_text(["Write"])
    visitor.role("button", "Redo").last.click()
    page.get_by_text("Redone: moved Write").wait_for()
    expect(visitor.role("list", "In progress").get_by_role("link")).to_have_text(["Write"])
    page.keyboard.press("z")
    expect(visitor.role("list", "To do").get_by_role("link")).to_have_text(["Write"])
    page.keyboard.press("z")
    page.get_by_text("Nothing was changed in this browser that could be undone.").wait_for()
    visitor.go("/media")
    visitor.role("region", "Library").get_by_role("link", name="fence.txt").click()
    expect(panel.get_by_label("Add a tag")).to_be_visible()
    expect(panel.get_by_role("button", name="Remove garden")).to_have_count(0)
