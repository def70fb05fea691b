"""Spaces in the console: made, shared with others by a link, switched between, and left."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from support.api.answers import data_of
from support.console.visitor import PHONE, Visitor
from support.waiting import wait_until

Visit = Callable[..., Visitor]
#: What the shared space of a test has: its own name, and those of its board, its tasks and its file.
SHARED = re.compile("Kitchen|Shopping|Bread|Milk", re.IGNORECASE)


def make_space(visitor: Visitor, name: str) -> None:
    visitor.go("/spaces")
    visitor.role("button", "New space").click()
    visitor.role("dialog", "New space").get_by_label("Name").fill(name)
    visitor.role("button", "Create").click()
    visitor.role("heading", name).wait_for()


def invite(visitor: Visitor, role: str, *others: Visitor) -> None:
    """From the page of a space: make a link, by which the others join."""
    visitor.role("button", "Invite by link").click()
    dialog = visitor.page.get_by_role("dialog")
    dialog.get_by_label("Role").select_option(role)
    dialog.get_by_label("How many people").fill(str(len(others)))
    visitor.role("button", "Make a link").click()
    link = visitor.page.get_by_label("Copy it now")
    expect(link).to_have_value(re.compile("/join#ticket="))
    for other in others:
        other.page.goto(link.input_value())
        other.role("button", "Join the space").click()
        other.page.wait_for_url("**/spaces/spc_*")
    visitor.role("button", "Done").click()


def open_space(visitor: Visitor, name: str) -> None:
    visitor.page.keyboard.press("g")
    visitor.page.keyboard.press("s")
    visitor.role("menuitemradio", name).click()
    expect(visitor.page.get_by_role("button", name=f"Space: {name}")).to_be_visible()


def person(visitor: Visitor, name: str) -> Any:
    return visitor.role("list", "People").get_by_role("listitem").filter(has_text=name)


def test_people_join_by_a_link_get_roles_leave_and_the_space_is_restored(visit: Visit) -> None:
    alice, bob = visit(), visit(viewport=PHONE)
    make_space(alice, "Home")
    assert alice.axe() == []
    alice.role("button", "Invite by link").click()
    assert alice.axe(dark=False) == []
    alice.page.keyboard.press("Escape")
    invite(alice, "editor", bob)
    expect(person(alice, bob.name)).to_be_visible()
    expect(person(bob, alice.name).get_by_text("manager")).to_be_visible()
    assert bob.axe() == []
    expect(bob.role("button", "Invite by link")).to_have_count(0)
    expect(alice.page.get_by_text("No invitation is open.")).to_be_visible()
    alice.role("button", "Add a person").click()
    username = alice.page.get_by_label("Username of somebody who has an account here")
    username.fill("nobody-of-this-name")
    alice.role("button", "Add").click()
    expect(username).to_have_accessible_description("Username: nobody here has this name.")
    alice.role("button", "Cancel").click()
    bob.go("/tasks")
    bob.role("heading", "Tasks").wait_for()
    bob.page.keyboard.press("Control+k")
    bob.page.keyboard.type(alice.name)
    bob.role("option", f"{alice.name}, in Home Person").wait_for()
    bob.page.keyboard.press("Enter")
    expect(person(bob, alice.name)).to_be_visible()

    mine = alice.role("combobox", f"Role of {alice.name}")
    mine.select_option("viewer")
    alice.page.get_by_text("only manager. Make another member a manager first.").wait_for()
    expect(mine).to_have_value("manager")
    alice.role("button", "Leave Home").click()
    alice.role("button", "Leave").last.click()
    expect(alice.page.get_by_role("dialog").get_by_role("alert")).to_contain_text("Make another member a manager")
    alice.role("button", "Cancel").click()

    alice.role("combobox", f"Role of {bob.name}").select_option("manager")
    bob.role("button", "Invite by link").wait_for()
    alice.role("button", f"Remove {bob.name}").click()
    alice.role("button", "Remove").last.click()
    bob.role("heading", "There is nothing here").wait_for()

    alice.role("button", "Space actions").click()
    alice.role("menuitem", "Rename").click()
    alice.page.get_by_label("Name", exact=True).fill("Garden")
    alice.role("button", "Save").click()
    alice.role("heading", "Garden").wait_for()
    alice.role("button", "Space actions").click()
    alice.role("menuitem", "Move to the trash").click()
    alice.role("button", "Move to the trash").click()
    alice.role("button", "Restore Garden").wait_for()
    assert alice.axe() == []
    expect(alice.page.get_by_role("button", name="Space: My space")).to_be_visible()
    alice.role("button", "Restore Garden").click()
    alice.role("link", "People of Garden").wait_for()


def test_two_people_share_a_board_live_and_a_third_sees_nothing_of_it(visit: Visit) -> None:
    alice, bob, carol = visit(), visit(), visit()
    alice.go("/boards")
    alice.role("button", "New board").click()
    alice.page.get_by_label("Name").fill("Shopping")
    alice.role("button", "Create").click()
    alice.role("heading", "Shopping").wait_for()
    board = alice.path()
    alice.role("button", "Board actions").click()
    alice.role("menuitem", "Share…").click()
    alice.page.get_by_label("Name of the space").fill("Kitchen")
    assert alice.axe(dark=False) == []
    alice.role("button", "Share").click()
    alice.role("heading", "Kitchen").wait_for()
    kitchen = alice.path()
    invite(alice, "editor", bob)
    alice.go(board)
    bob.role("button", "Open this space").click()
    bob.role("link", "Shopping").click()
    add(alice, "Bread")
    bob.role("link", "Bread").focus()
    bob.page.keyboard.press("Alt+ArrowRight")
    expect(alice.role("list", "In progress").get_by_role("link")).to_have_text(["Bread"])
    add(bob, "Milk")
    expect(alice.role("link", "Milk")).to_be_visible()
    assert bob.axe() == []

    check_sees_nothing(carol, alice, board, kitchen)

    open_space(bob, "All spaces")
    bob.go("/tasks?view=all")
    row = bob.role("listitem", "Milk")
    expect(row.get_by_text("Kitchen")).to_be_visible()
    bob.page.get_by_label("Title of the new task").fill("Mine")
    bob.page.keyboard.press("Enter")
    expect(bob.role("listitem", "Mine").get_by_text("My space")).to_be_visible()
    assert bob.axe() == []

    alice.go("/spaces")
    alice.role("link", "People of Kitchen").click()
    alice.role("combobox", f"Role of {bob.name}").select_option("viewer")
    bob.go("/boards")
    bob.role("link", "Shopping").click()
    bob.role("link", "Bread").wait_for()
    for name in ("New task", "Add to To do", "Add column", "Move Bread", "Board actions", "Column To do"):
        expect(bob.role("button", name)).to_have_count(0)
    bob.role("link", "Bread").click()
    expect(bob.page.get_by_label("Title")).to_be_disabled()
    expect(bob.role("button", "Complete")).to_have_count(0)
    assert bob.axe() == []

    held: list[Any] = []
    bob.page.route("**/api/v1/taskapp/**", lambda route: held.append(route))
    alice.role("button", f"Remove {bob.name}").click()
    alice.role("button", "Remove").last.click()
    bob.page.get_by_text("You are no longer in Kitchen").wait_for()
    wait_until(lambda: bob.page.title() != "" and held != [])
    # Although the server has not yet said that the board is gone.
    expect(bob.page.get_by_text("Bread")).to_have_count(0)
    bob.page.unroute_all()
    bob.go("/tasks?view=all")
    expect(bob.role("listitem", "Mine")).to_be_visible()
    expect(bob.page.get_by_text("Milk")).to_have_count(0)


def check_sees_nothing(carol: Visitor, alice: Visitor, board: str, space: str) -> None:
    """On the pages of the shared board, of a task, an asset and the space itself, in All, and by searching."""
    space_id = space.removeprefix("/spaces/")
    with alice.api() as api:
        sent = api.post("/media/upload/file", json={"filename": "bread.txt", "data": "Ynk=", "spaceId": space_id})
        asset, task = (
            data_of(sent, 201)["id"],
            data_of(api.get("/taskapp/tasks", params={"spaceId": space_id}))[0]["id"],
        )
    # The board with a task beside it says so twice.
    for address, said in (
        (board, 1),
        (f"{board}?task={task}", 2),
        (f"/tasks/{task}", 1),
        (f"/media/{asset}", 1),
        (space, 1),
    ):
        carol.go(address)
        expect(carol.role("heading", "There is nothing here")).to_have_count(said)
        expect(carol.page.get_by_text(SHARED)).to_have_count(0)
    carol.go("/boards")
    open_space(carol, "All spaces")
    carol.role("heading", "Make the first board").wait_for()
    carol.go("/tasks?view=all")
    carol.role("heading", "No tasks yet").wait_for()
    carol.go("/media")
    send(carol, "mine.txt")
    expect(carol.page.get_by_text(SHARED)).to_have_count(0)
    carol.go("/spaces")
    for word in ("Bread", "bread.txt", "Shopping", "Kitchen"):
        carol.page.get_by_role("searchbox").fill(word)
        carol.page.get_by_text("Nothing found").first.wait_for()
        carol.page.get_by_role("searchbox").fill("")
        expect(carol.page.get_by_text("Nothing found")).to_have_count(0)
    expect(carol.page.get_by_text(SHARED)).to_have_count(0)


def add(visitor: Visitor, title: str) -> None:
    visitor.role("button", "Add to To do").click()
    visitor.page.get_by_label("New task in To do").fill(title)
    visitor.page.keyboard.press("Enter")
    visitor.role("link", title).wait_for()
    visitor.page.keyboard.press("Escape")


def test_media_goes_to_the_space_that_is_open(visit: Visit) -> None:
    visitor = visit()
    other = visit()
    visitor.go("/media")
    send(visitor, "mine.txt")
    visitor.page.get_by_text("Only you see what you upload.").wait_for()
    open_space(visitor, "Library")
    expect(listed(visitor, "mine.txt")).to_have_count(0)
    send(visitor, "ours.txt")
    other.go("/media")
    open_space(other, "All spaces")
    expect(listed(other, "ours.txt")).to_be_visible()
    expect(listed(other, "mine.txt")).to_have_count(0)
    expect(other.page.get_by_text("Library · ")).to_be_visible()
    visitor.page.reload()
    expect(visitor.page.get_by_role("button", name="Space: Library")).to_be_visible()


def test_the_people_who_see_a_file_are_told_by_the_name_of_their_space(visit: Visit) -> None:
    visitor, other = visit(), visit()
    visitor.go("/media")
    send(visitor, "letter.txt")
    expect_seen_by(visitor, "letter.txt", "Only you see it.")
    make_space(visitor, "Kitchen")
    invite(visitor, "viewer", other)
    open_space(visitor, "Kitchen")
    visitor.go("/media")
    send(visitor, "recipe.txt")
    visitor.page.get_by_text("Kitchen: its two members see what you upload.").wait_for()
    expect_seen_by(visitor, "recipe.txt", "Kitchen: its two members see it.")
    other.go("/media")
    open_space(other, "Kitchen")
    listed(other, "recipe.txt").click()
    other.role("complementary", "recipe.txt").wait_for()
    expect(other.page.get_by_text("applications may make links")).to_have_count(0)


def expect_seen_by(visitor: Visitor, name: str, people: str) -> None:
    listed(visitor, name).click()
    panel = visitor.role("complementary", name)
    expect(panel.get_by_role("radio", name=people)).to_be_checked()
    expect(panel.get_by_role("radio", name="Everyone with the link sees it.")).not_to_be_checked()
    visitor.page.keyboard.press("Escape")


def send(visitor: Visitor, name: str) -> None:
    file = {"name": name, "mimeType": "text/plain", "buffer": name.encode()}
    visitor.page.get_by_label("Files to upload").set_input_files(file)
    listed(visitor, name).wait_for()


def listed(visitor: Visitor, name: str) -> Any:
    """In the list of media: the uploads below it have links of their own."""
    return visitor.role("region", "Library").get_by_role("link", name=name, exact=True)
