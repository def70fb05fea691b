"""The trash in the console: what is deleted is undone at once, restored from its screen, or deleted for good."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from support.api.answers import data_of
from support.clients.space_people import people
from support.console.visitor import PATIENCE_MS, PHONE, Visitor
from support.servers.stowboard import Server

Visit = Callable[..., Visitor]
IS_ON_TOP = """(each) => {
  const { x, y, width, height } = each.getBoundingClientRect()
  return each.contains(document.elementFromPoint(x + width / 2, y + height / 2))
}"""


def test_what_is_deleted_is_undone_restored_or_deleted_for_good(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.go("/trash")
    visitor.role("heading", "The trash is empty").wait_for()
    make_tasks(visitor, "Paint the fence", "Buy brushes")
    trash_task(visitor, "Paint the fence")
    page.keyboard.press("z")
    expect(visitor.role("link", "Paint the fence")).to_be_visible()
    trash_task(visitor, "Paint the fence")
    trash_task(visitor, "Buy brushes")
    file = {"name": "fence.txt", "mimeType": "text/plain", "buffer": b"green"}
    visitor.go("/media")
    page.get_by_label("Files to upload").set_input_files(file)
    region = visitor.role("region", "Library")
    region.get_by_role("link", name="fence.txt").click()
    visitor.role("complementary", "fence.txt").get_by_role("button", name="Delete").click()
    page.get_by_text("fence.txt is in the trash").wait_for()
    expect(page).to_have_url(re.compile("/media$"))
    expect(region.get_by_role("link", name="fence.txt")).to_have_count(0)

    visitor.role("link", "Trash").click()
    tasks = visitor.role("list", "Tasks").get_by_role("listitem")
    expect(tasks).to_contain_text(["Buy brushes", "Paint the fence"])
    assert visitor.axe() == []
    visitor.role("button", "Restore Buy brushes").click()
    expect(tasks).to_contain_text(["Paint the fence"])
    visitor.role("button", "Restore fence.txt").click()
    expect(visitor.role("list", "Pictures and files")).to_have_count(0)
    visitor.role("button", "Delete for good: Paint the fence").click()
    dialog = visitor.role("dialog", "Delete Paint the fence for good")
    expect(dialog.get_by_role("button", name="Delete", exact=True)).to_be_disabled()
    assert visitor.axe(dark=False) == []
    dialog.get_by_label("Type delete to confirm").fill("delete")
    page.keyboard.press("Enter")
    visitor.role("heading", "The trash is empty").wait_for()
    visitor.role("link", "Media").click()
    expect(region.get_by_role("link", name="fence.txt")).to_be_visible()
    visitor.go("/tasks?view=all")
    expect(visitor.role("link", "Buy brushes")).to_be_visible()
    expect(visitor.role("link", "Paint the fence")).to_have_count(0)


def test_deleting_media_asks_as_much_as_deleting_a_task(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.go("/media")
    file = {"name": "fence.txt", "mimeType": "text/plain", "buffer": b"green"}
    page.get_by_label("Files to upload").set_input_files(file)
    visitor.role("region", "Library").get_by_role("link", name="fence.txt").wait_for()
    make_tasks(visitor, "Paint the fence")
    for path, list_of, name in (
        ("/tasks?view=all", "Tasks", "Paint the fence"),
        ("/media", "Library", "fence.txt"),
    ):
        visitor.go(path)
        link = visitor.role("region", list_of).get_by_role("link", name=name, exact=True)
        for undone in (True, False):
            link.click()
            visitor.role("complementary", name).get_by_role("button", name="Delete", exact=True).click()
            # Nothing is asked, as nothing is lost.
            page.get_by_text(f"{name} is in the trash").last.wait_for()
            expect(page.get_by_role("dialog")).to_have_count(0)
            expect(link).to_have_count(0)
            if undone:
                visitor.role("button", "Undo").last.click()
                expect(link).to_be_visible()
        visitor.go("/trash")
        visitor.role("button", f"Delete for good: {name}").click()
        dialog = visitor.role("dialog", f"Delete {name} for good")
        delete = dialog.get_by_role("button", name="Delete", exact=True)
        expect(delete).to_be_disabled()
        dialog.get_by_label("Type delete to confirm").fill("delete")
        delete.click()
        visitor.role("heading", "The trash is empty").wait_for()


def test_a_viewer_sees_the_trash_on_a_phone_with_the_days_that_are_set_and_no_buttons(
    make_server: Callable[[dict[str, str]], Server], browser: Any
) -> None:
    server = make_server({"STOWBOARD_TRASH_DAYS": "7"})
    with people(server, "alice", "bob") as (alice, bob):
        space = alice.make_space()
        alice.add(space, bob, "viewer")
        title = "Paint the fence behind the old greenhouse before the first frost"
        task = data_of(alice.api.post("/taskapp/tasks", json={"title": title, "spaceId": space}), 201)["id"]
        data_of(alice.api.post(f"/taskapp/tasks/{task}/trash"))
        context = browser.new_context(viewport=PHONE)
        context.set_default_timeout(PATIENCE_MS)
        visitor = Visitor(context, server)
        visitor.sign_in(bob.name)
        visitor.page.add_init_script(f"localStorage.setItem('stowboard.person.space', '{space}')")
        visitor.go("/trash")
        expect(visitor.role("list", "Tasks").get_by_role("listitem")).to_contain_text([title])
        visitor.page.get_by_text("deleted for good after 7 days").wait_for()
        assert visitor.axe() == []
        expect(visitor.page.get_by_role("button", name="Restore")).to_have_count(0)
        expect(visitor.page.get_by_role("button", name="Delete")).to_have_count(0)
        alice.api.patch(f"/spaces/{space}/members/{bob.name}", json={"role": "editor"})
        visitor.page.reload()
        restore = visitor.role("button", f"Restore {title}")
        restore.wait_for()
        assert visitor.axe() == []
        assert visitor.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        restore.click()
        visitor.role("heading", "The trash is empty").wait_for()
        context.close()


def test_a_message_covers_no_button_at_the_end_of_a_panel_and_gives_way_to_the_next(visit: Visit) -> None:
    visitor = visit()
    make_tasks(visitor, "Paint the fence", "Buy brushes")
    trash_task(visitor, "Paint the fence")
    visitor.role("link", "Buy brushes").click()
    panel = visitor.role("complementary", "Buy brushes")
    delete = panel.get_by_role("button", name="Delete", exact=True)
    delete.wait_for()
    visitor.role("group", "About this task").evaluate("each => each.scrollTo(0, each.scrollHeight)")
    assert delete.evaluate(IS_ON_TOP)
    messages = visitor.role("status", "Messages")
    expect(messages).to_contain_text("Paint the fence is in the trash")
    delete.click()
    expect(messages).to_contain_text("Buy brushes is in the trash")
    expect(messages).not_to_contain_text("Paint the fence")


def make_tasks(visitor: Visitor, *titles: str) -> None:
    visitor.go("/tasks?view=all")
    for title in titles:
        visitor.page.get_by_label("Title of the new task").fill(title)
        visitor.page.keyboard.press("Enter")
        visitor.role("link", title).wait_for()


def trash_task(visitor: Visitor, title: str) -> None:
    visitor.role("link", title).click()
    visitor.role("complementary", title).get_by_role("button", name="Delete").click()
    visitor.page.get_by_text(f"{title} is in the trash").last.wait_for()
    expect(visitor.role("link", title)).to_have_count(0)
