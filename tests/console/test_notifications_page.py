"""Notifications in the console: the bell and the inbox, live in every tab."""

import time
from collections.abc import Callable

from playwright.sync_api import expect

from support.api.answers import data_of
from support.console.visitor import PHONE, Visitor

Visit = Callable[..., Visitor]


def remind(visitor: Visitor, title: str) -> str:
    """A task whose reminder is due now."""
    with visitor.api() as api:
        body = {"title": title, "reminder": int(time.time() * 1000)}
        task_id: str = data_of(api.post("/taskapp/tasks", json=body), 201)["id"]
        return task_id


def test_the_bell_counts_live_and_the_inbox_leads_to_each_subject(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.go("/media")
    visitor.role("link", "Notifications").click()
    visitor.role("heading", "No notifications yet").wait_for()
    assert visitor.axe() == []
    first = remind(visitor, "Renew cert")
    visitor.role("link", "Notifications, 1 unread").wait_for()
    told = visitor.role("list", "Notifications").get_by_role("link")
    expect(told).to_contain_text(["Renew cert"])
    remind(visitor, "Water plants")
    expect(told).to_contain_text(["Water plants", "Renew cert"])
    gone = remind(visitor, "Old plan")
    visitor.role("link", "Notifications, 3 unread").wait_for()
    assert visitor.axe() == []
    page.keyboard.press("j")
    expect(told.first).to_be_focused()
    page.keyboard.press("r")
    visitor.role("link", "Notifications, 2 unread").wait_for()
    told.filter(has_text="Renew cert").click()
    visitor.role("complementary", "Renew cert").wait_for()
    assert visitor.path() == f"/tasks/{first}"
    visitor.role("link", "Notifications, 1 unread").wait_for()

    with visitor.api() as api:
        data_of(api.delete(f"/taskapp/tasks/{gone}"))
    page.keyboard.press("g")
    page.keyboard.press("n")
    expect(visitor.role("list", "Notifications").get_by_role("listitem").first).to_contain_text("It was deleted")
    expect(told).to_contain_text(["Water plants", "Renew cert"])
    visitor.role("button", "Only unread").click()
    expect(told).to_contain_text(["Water plants"])
    with visitor.api() as api:  # another device of the same person
        newest = data_of(api.get("/notifications"))[0]["id"]
        assert data_of(api.post("/notifications/read", json={"until": newest})) == {"read": 1}
    visitor.role("link", "Notifications").wait_for()
    visitor.role("heading", "You have read everything").wait_for()


def test_a_member_is_told_of_a_space_and_marks_all_as_read(visit: Visit) -> None:
    alice, bob = visit(), visit(viewport=PHONE)
    bob.go("/media")
    with alice.api() as api:
        space_id = data_of(api.post("/spaces", json={"name": "Home"}), 201)["id"]
        data_of(api.post(f"/spaces/{space_id}/members", json={"username": bob.name, "role": "editor"}), 201)
        task = {"title": "Buy paint", "spaceId": space_id, "assignees": [bob.name]}
        data_of(api.post("/taskapp/tasks", json=task), 201)
    bob.role("link", "Notifications, 2 unread").click()
    rows = bob.role("list", "Notifications").get_by_role("link")
    expect(rows).to_contain_text([f"{alice.name} assigned a task to you", f"{alice.name} shared a space with you"])
    assert bob.axe() == []
    bob.role("button", "Mark all as read").click()
    bob.role("link", "Notifications").wait_for()
    expect(bob.role("button", "Mark all as read")).to_be_disabled()
    rows.nth(1).click()
    bob.role("heading", "Home").wait_for()
