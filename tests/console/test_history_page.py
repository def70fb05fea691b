"""The history in the console: who changed what, each change taken back, and `z` wherever it was made."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from support.clients.agents import Agent
from support.console.visitor import RETRIES, Visitor
from support.servers.stowboard import Server

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
    page.get_by_text(f"Not undone: Changed since: title (by {visitor.name}). Undo the later changes first").wait_for()
    # A failure stays until it is closed, and leaves the buttons of the panel free.
    toast, panel = (each.bounding_box() for each in (page.locator(".toast").last, page.locator("aside")))
    assert toast["x"] + toast["width"] <= panel["x"]
    visitor.role("button", "Take back: Changed title").first.click()
    page.get_by_text("Undone: changed title of Paint the fence").wait_for()
    expect(page.locator(".toast").last).to_have_css("background-color", "rgb(32, 39, 46)")
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


def test_an_earlier_version_is_looked_at_restored_and_deleted(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.go("/media")
    file = {"name": "fence.txt", "mimeType": "text/plain", "buffer": b"green"}
    page.get_by_label("Files to upload").set_input_files(file)
    visitor.role("region", "Library").get_by_role("link", name="fence.txt").click()
    expect(visitor.role("heading", "Where it is used")).to_be_visible()
    expect(visitor.role("heading", "Earlier versions")).to_have_count(0)
    page.get_by_label("The new file").set_input_files(file | {"buffer": b"red"})
    versions = visitor.role("list", "Earlier versions").get_by_role("listitem")
    expect(versions).to_contain_text([f"replaced by {visitor.name}"])
    visitor.role("button", "Look at version 1").click()
    link = visitor.role("link", "Open version 1")
    link.wait_for()
    assert visitor.axe() == []
    assert page.request.get(link.get_attribute("href"), max_retries=RETRIES).body() == b"green"
    visitor.role("button", "Restore version 1").click()
    page.get_by_text("Version 1 is the file again").wait_for()
    expect(versions).to_contain_text(["Version 2", "Version 1"])
    page.keyboard.press("z")
    page.get_by_text("Undone: replaced the file of fence.txt").wait_for()
    expect(versions).to_contain_text(["Version 3", "Version 2", "Version 1"])
    visitor.role("button", "Delete version 1 for good").click()
    page.get_by_label("Type delete to confirm").fill("delete")
    page.keyboard.press("Enter")
    expect(versions).to_contain_text(["Version 3", "Version 2"])


def test_what_an_agent_did_today_is_taken_back_by_one_click(console_server: Server, visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    with visitor.api() as mine:
        own = mine.post("/taskapp/tasks", json={"title": "Water"}).json()["data"]["id"]
        body = {"name": "Robot", "scopes": ["tasks:read", "tasks:write"]}
        agent = Agent(console_server.origin, mine.post("/access/me/tokens", json=body).json()["data"]["token"])
        agent.call("save_task", id=own, title="Water plants")
        agent.call("save_task", id=own, priority=1)
        made = agent.call("save_task", title="Buy a drone")["task"]["id"]
        mine.patch(f"/taskapp/tasks/{own}", json={"title": "Water the plants"})
        visitor.go("/settings/applications")
        rows = visitor.role("list", "Done today").get_by_role("listitem")
        expect(rows).to_contain_text(["Robot 3 changes today"])
        page.get_by_text("Changes of Robot").click()
        lines = visitor.role("list", "Changes of Robot").get_by_role("listitem")
        expect(lines).to_contain_text(["Created Buy a drone", "Changed priority of Water the plants", "Changed title"])
        assert visitor.axe() == []
        visitor.role("button", "Take it all back: Robot").click()
        result = visitor.role("group", "Done today: the result")
        expect(result).to_contain_text("Robot: 2 changes taken back, 1 refused:")
        expect(result).to_contain_text("Changed title of Water the plants Changed since: title (by ")
        expect(rows).to_contain_text(["2 of them taken back"])
        assert mine.get(f"/taskapp/tasks/{made}").json()["data"]["trashedAt"] is not None
        task = mine.get(f"/taskapp/tasks/{own}").json()["data"]
        assert (task["title"], task["priority"]) == ("Water the plants", 0)
