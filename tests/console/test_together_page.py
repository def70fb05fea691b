"""Work on a task together, in the console: what one person does is seen by the other at once."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from support.api.answers import data_of
from support.console.visitor import PHONE, Visitor

Visit = Callable[..., Visitor]


def shared_task(alice: Visitor, role: str, *others: Visitor, **members: Any) -> dict[str, Any]:
    """A task on a board of a space that the others are in."""
    with alice.api() as api:
        space = api.post("/spaces", json={"name": "Home"}).json()["data"]["id"]
        for other in others:
            member = {"username": other.name, "role": role}
            assert api.post(f"/spaces/{space}/members", json=member).status_code == 201
            with other.api() as theirs:
                assert theirs.post("/spaces/join", json={"spaceId": space}).status_code == 200
        board = api.post("/taskapp/boards", json={"name": "Garden", "spaceId": space}).json()["data"]["id"]
        made = api.post("/taskapp/tasks", json={"title": "Repot the fern", "boardId": board, **members})
        assert made.status_code == 201, made.text
        task: dict[str, Any] = made.json()["data"]
        return task


def open_task(visitor: Visitor, task: dict[str, Any]) -> Any:
    visitor.go(f"/boards/{task['placement']['boardId']}?task={task['id']}")
    panel = visitor.role("complementary", task["title"])
    panel.wait_for()
    return panel


def items(panel: Any) -> Any:
    return panel.get_by_role("list", name="Checklist").get_by_role("listitem")


def box(panel: Any, title: str) -> Any:
    return panel.get_by_role("checkbox", name=title, exact=True)


def test_a_checklist_is_worked_on_by_keys_and_seen_by_others(visit: Visit) -> None:
    alice, bob = visit(), visit()
    task = shared_task(alice, "editor", bob)
    ours, theirs = open_task(alice, task), open_task(bob, task)
    keys = alice.page.keyboard
    ours.get_by_label("Add an item").focus()
    for title in ("Buy soil", "Find a pot", "Water it"):
        keys.type(title)
        keys.press("Enter")
    expect(items(theirs)).to_have_text(["Buy soil", "Find a pot", "Water it"])
    box(theirs, "Find a pot").check()
    expect(box(ours, "Find a pot")).to_be_checked()
    card = alice.role("listitem", "Repot the fern")
    expect(card).to_contain_text("1 of 3")

    box(ours, "Water it").focus()
    keys.press("Space")
    keys.press("Alt+ArrowUp")
    keys.press("Alt+ArrowUp")
    expect(box(ours, "Water it")).to_be_focused()
    expect(ours.get_by_role("status").filter(has_text="Water it: 1 of 3")).to_be_attached()
    expect(items(theirs)).to_have_text(["Water it", "Buy soil", "Find a pot"])
    expect(box(ours, "Water it")).to_be_checked()
    keys.press("Enter")
    keys.type("Water it well")
    keys.press("Enter")
    expect(items(theirs)).to_have_text(["Water it well", "Buy soil", "Find a pot"])
    expect(box(ours, "Water it well")).to_be_focused()
    assert alice.axe() == []

    keys.press("ArrowDown")
    keys.press("t")
    expect(alice.role("list", "To do").get_by_role("link")).to_have_text(["Repot the fern", "Buy soil"])
    expect(bob.role("link", "Buy soil")).to_be_visible()
    expect(box(ours, "Find a pot")).to_be_focused()
    keys.press("Delete")
    expect(items(theirs)).to_have_text(["Water it well"])
    keys.press("Escape")
    keys.press("z")
    expect(items(theirs)).to_have_text(["Water it well", "Find a pot"])
    expect(box(theirs, "Find a pot")).to_be_checked()

    held: list[Any] = []
    alice.page.route("**/checklist/*", lambda route: held.append(route))
    box(open_task(alice, task), "Water it well").uncheck()
    box(theirs, "Find a pot").uncheck()
    expect(card).to_contain_text("1 of 2")
    held[0].continue_()
    expect(card).to_contain_text("0 of 2")
    expect(bob.role("listitem", "Repot the fern")).to_contain_text("0 of 2")


def test_people_are_assigned_and_talk_about_a_task(visit: Visit) -> None:
    alice, bob = visit(), visit(viewport=PHONE)
    task = shared_task(alice, "commenter", bob)
    ours, theirs = open_task(alice, task), open_task(bob, task)
    ours.get_by_label("Assign", exact=True).select_option(bob.name)
    ours.get_by_role("button", name="Assign to me").click()
    names = [f"Assigned to {bob.name}, {alice.name}"]
    expect(alice.role("listitem", "Repot the fern").get_by_text("Assigned to")).to_have_text(names)
    expect(theirs.get_by_role("list", name="Assigned to").get_by_role("listitem")).to_have_count(2)
    ours.get_by_role("button", name=f"Do not assign {alice.name}").click()
    expect(theirs.get_by_role("list", name="Assigned to").get_by_role("listitem")).to_have_count(1)
    expect(theirs.get_by_label("Assign", exact=True)).to_be_hidden()

    keys = alice.page.keyboard
    ours.get_by_label("Write a comment").focus()
    keys.type(f"**Soon**, @{bob.name[:-1]}")
    people = ours.get_by_role("listbox", name="People")
    expect(people.get_by_role("option", selected=True)).to_contain_text(bob.name)
    assert alice.axe() == []
    keys.press("Enter")
    keys.type("? <b>no</b>")
    keys.press("Control+Enter")
    said = theirs.get_by_role("list", name="Comments").get_by_role("listitem")
    expect(said).to_have_count(1)
    expect(said.locator("strong").last).to_have_text("Soon")
    expect(said).to_contain_text(f"Soon, @{bob.name} ? <b>no</b>")
    with bob.api() as api:
        comment = api.get(f"/taskapp/tasks/{task['id']}/comments").json()["data"][0]
    assert comment["mentions"] == [bob.name]
    expect(said.get_by_role("button", name="Comment of")).to_have_count(0)
    assert bob.axe() == []

    theirs.get_by_label("Write a comment").fill("Tomorrow")
    theirs.get_by_role("button", name="Comment", exact=True).click()
    heard = ours.get_by_role("list", name="Comments").get_by_role("listitem")
    expect(heard.first).to_contain_text("Tomorrow")
    ours.get_by_text("History", exact=True).click()
    thread = ours.get_by_role("list", name="History").get_by_role("listitem")
    expect(thread).to_contain_text(["Tomorrow", "Soon", *["Changed assignees you"] * 3, "Created you"])
    assert alice.axe() == []
    heard = thread
    theirs.get_by_role("button", name=f"Comment of {bob.name}").click()
    bob.role("menuitem", "Edit").click()
    theirs.get_by_label("Comment", exact=True).fill("Today")
    theirs.get_by_role("button", name="Save").click()
    expect(heard.first).to_contain_text("Today")
    expect(heard.first).to_contain_text("edited")
    ours.get_by_role("button", name=f"Comment of {bob.name}").click()
    alice.role("menuitem", "Delete").click()
    alice.role("dialog", "Delete this comment").get_by_role("button", name="Delete").click()
    expect(said).to_have_count(1)


def test_my_work_is_what_is_assigned_to_me_in_every_space(visit: Visit) -> None:
    alice, bob = visit(), visit(viewport=PHONE)
    task = shared_task(alice, "viewer", bob)
    panel = open_task(bob, task)
    bell = panel.get_by_role("button", name="Follow this task")
    expect(bell).to_have_attribute("aria-pressed", "false")
    bob.page.keyboard.press("g")
    bob.page.keyboard.press("w")
    bob.role("heading", "Nothing is assigned to you").wait_for()
    open_task(alice, task).get_by_label("Assign", exact=True).select_option(bob.name)
    row = bob.role("listitem", "Repot the fern")
    expect(row).to_contain_text("Home")
    bob.page.get_by_label("Title of the new task").fill("Buy soil")
    bob.page.keyboard.press("Enter")
    expect(bob.role("listitem", "Buy soil")).to_contain_text(f"Assigned to {bob.name}")
    assert bob.axe() == []
    row.get_by_role("link").click()
    expect(bell).to_have_attribute("aria-pressed", "true")
    bell.click()
    expect(bell).to_have_attribute("aria-pressed", "false")
    bob.page.reload()
    expect(bell).to_have_attribute("aria-pressed", "false")
    alice.role("button", f"Do not assign {bob.name}").click()
    bob.role("button", "Close panel").click()
    expect(row).to_have_count(0)
    expect(bob.role("listitem", "Buy soil")).to_be_visible()


def test_a_viewer_is_offered_nothing_and_a_sealed_task_no_new_items(visit: Visit) -> None:
    alice, bob = visit(), visit(viewport=PHONE)
    task = shared_task(alice, "viewer", bob, checklist=[{"title": "Buy soil"}])
    panel = open_task(bob, task)
    expect(box(panel, "Buy soil")).to_be_disabled()
    expect(panel.get_by_role("button", name="Item Buy soil")).to_have_count(0)
    for label in ("Add an item", "Assign", "Write a comment", "Add a reminder"):
        expect(panel.get_by_label(label, exact=True)).to_be_hidden()
    assert bob.axe() == []
    with alice.api() as api:
        sealed = {"title": "Diary", "visibility": "zero-knowledge", "checklist": [{"title": "Told"}]}
        mine = api.post("/taskapp/tasks", json=sealed).json()["data"]
    alice.go(f"/tasks/{mine['id']}")
    panel = alice.role("complementary", "Diary")
    box(panel, "Told").check()
    panel.get_by_text("Items are not sealed.").wait_for()
    expect(panel.get_by_label("Add an item")).to_have_count(0)


def test_a_mention_leads_to_the_comment_and_an_imported_one_says_so(visit: Visit) -> None:
    alice, bob = visit(), visit()
    task = shared_task(alice, "editor", bob)
    path = f"/taskapp/tasks/{task['id']}/comments"
    with alice.api() as api, bob.api() as his:
        data_of(api.post(path, json={"body": f"@{bob.name}, this one"}), 201)
        for number in range(60):
            data_of(his.post(path, json={"body": f"Line {number}"}), 201)
        imported = {"author": bob.name, "at": 1_600_000_000_000}
        data_of(api.post(path, json={"body": "From elsewhere", "imported": imported}), 201)
    bob.go("/notifications")
    bob.page.get_by_role("link", name=f"{alice.name} mentioned you").click()
    said = bob.role("list", "Comments").get_by_role("listitem")
    line = said.filter(has_text="this one")
    expect(line).to_be_focused()
    expect(line).to_be_in_viewport()
    foreign = said.filter(has_text="From elsewhere")
    expect(foreign).to_contain_text(f"{alice.name} , imported, written elsewhere by “{bob.name}”")
    expect(foreign.get_by_role("link")).to_have_count(0)
