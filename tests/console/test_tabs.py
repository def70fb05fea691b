"""Several tabs of one browser: they share one event stream, and one proof of who the person is."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from support.clients.people import PASSWORD
from support.console.visitor import Visitor
from support.servers.stowboard import Server
from support.stored.rows import rows

Visit = Callable[..., Visitor]
#: More than the six connections that a browser has to one server over plain HTTP.
TABS = 8
#: A page from another machine over plain HTTP has no locks.
_NO_LOCKS = "Object.defineProperty(navigator, 'locks', { value: undefined })"


def open_tabs(visitor: Visitor) -> list[Any]:
    tabs = [visitor.page, *(visitor.context.new_page() for _ in range(TABS - 1))]
    for tab in tabs:
        tab.goto(f"{visitor.origin}/tasks?view=all")
        expect(tab.get_by_role("heading", name=re.compile("No tasks yet"))).to_be_visible()
    return tabs


def add_task(tab: Any, title: str) -> None:
    tab.get_by_label("New task").fill(title)
    tab.keyboard.press("Enter")


def test_every_tab_works_and_hears_what_happens(visit: Visit) -> None:
    visitor = visit()
    first, *others = open_tabs(visitor)
    add_task(others[-1], "Heard by all")
    for tab in (first, others[0]):
        expect(tab.get_by_role("link", name="Heard by all")).to_be_visible()
    first.close()  # it read the stream
    add_task(others[-1], "Heard after that")
    expect(others[0].get_by_role("link", name="Heard after that")).to_be_visible()
    others[0].close()
    visitor.page = others[-1]


def test_tabs_without_locks_share_the_stream_too(visit: Visit) -> None:
    visitor = visit()
    visitor.context.add_init_script(_NO_LOCKS)
    first, *others = open_tabs(visitor)
    first.close()
    add_task(others[-1], "Heard without locks")
    expect(others[0].get_by_role("link", name="Heard without locks")).to_be_visible()
    visitor.page = others[-1]


def test_not_connected_is_shown_at_once_with_the_time_and_goes_away(visit: Visit, console_server: Server) -> None:
    visitor = visit()
    visitor.go("/tasks?view=all")
    visitor.role("heading", "No tasks yet").wait_for()
    other = visitor.context.new_page()
    other.goto(f"{visitor.origin}/boards")
    other.get_by_role("heading", name="Boards", exact=True).wait_for()
    console_server.kill()
    for tab in (visitor.page, other):
        expect(tab.get_by_text(re.compile(r"Not connected since \d"))).to_be_visible()
    console_server.start()
    for tab in (visitor.page, other):
        expect(tab.get_by_text(re.compile("Not connected"))).to_have_count(0)
    visitor.complaints.clear()  # connections that were refused meanwhile


def test_all_lists_of_a_page_wait_for_one_proof(visit: Visit) -> None:
    visitor = visit(role="admin")
    rows(
        visitor.server,
        "UPDATE session SET stepped_up_at = stepped_up_at - 3600000 WHERE account_id IN"
        f" (SELECT id FROM account WHERE username = '{visitor.name}')",
    )
    visitor.go("/settings/access")
    asked = visitor.role("dialog", "Confirm that it is you")
    asked.get_by_label("Password").fill(PASSWORD)
    asked.get_by_role("button", name="Confirm", exact=True).click()
    expect(asked).to_have_count(0)
    for empty in ("There are no clients.", "There are no applications."):
        expect(visitor.page.get_by_text(empty)).to_be_visible()
    expect(visitor.role("list", "Tokens").get_by_role("listitem").first).to_be_visible()
