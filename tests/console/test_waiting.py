"""Loading and failing: a list that loads does not look empty, and messages stay as long as they are needed."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from support.console.visitor import Visitor

Visit = Callable[..., Visitor]
REFUSAL = {"error": {"code": "conflict", "message": "Somebody was faster."}}


def refuse(route: Any) -> None:
    route.fulfill(status=409, json=REFUSAL)


def hold(visitor: Visitor, address: str) -> list[Any]:
    waiting: list[Any] = []
    visitor.page.route(address, lambda route: waiting.append(route))
    return waiting


def test_a_list_that_loads_does_not_look_empty_and_one_that_failed_says_so_until_it_is_tried_again(
    visit: Visit,
) -> None:
    visitor = visit()
    for path, address, empty in (
        ("/boards", "**/taskapp/boards?*", "Make the first board"),
        ("/tasks?view=all", "**/taskapp/tasks?*", "No tasks yet"),
        ("/settings/tokens", "**/access/me/tokens*", "You have made no tokens."),
    ):
        waiting = hold(visitor, address)
        visitor.go(path)
        loading = visitor.page.get_by_role("status").filter(has_text="Loading")
        expect(loading).to_be_visible()
        expect(visitor.page.get_by_text(empty)).to_have_count(0)
        refuse(waiting[0])
        expect(visitor.page.get_by_role("alert").filter(has_text="Somebody was faster.")).to_be_visible()
        expect(loading).to_have_count(0)
        visitor.page.unroute_all()
        visitor.role("button", "Try again").click()
        expect(visitor.page.get_by_text(empty)).to_be_visible()


def test_a_failure_stays_until_it_is_closed_and_other_messages_wait_while_they_are_read(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.go("/tasks?view=all")
    visitor.page.get_by_label("Title of the new task").fill("Write")
    page.keyboard.press("Enter")
    visitor.role("link", "Write").wait_for()
    page.clock.install()
    page.route("**/taskapp/tasks/batch", refuse)
    visitor.role("button", "Complete Write").click()
    failure = page.get_by_text("1 task not completed: Somebody was faster.")
    expect(failure).to_be_visible()
    page.clock.fast_forward(120_000)
    expect(failure).to_be_visible()
    visitor.role("button", "Close message").click()
    expect(failure).to_have_count(0)
    page.unroute_all()
    visitor.role("button", "Complete Write").click()
    message = page.get_by_text("Write completed")
    message.hover()
    page.clock.fast_forward(120_000)
    expect(message).to_be_visible()
    page.mouse.move(10, 10)
    page.clock.fast_forward(120_000)
    expect(message).to_have_count(0)
