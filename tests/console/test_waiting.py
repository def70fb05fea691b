"""Loading and failing: a list that loads does not look empty, messages stay as long as they are needed, and so
does what was typed."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from support.console.visitor import Visitor
from support.media.unique_images import png

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


def test_grey_lines_stand_in_for_a_list_that_takes_longer_than_150_ms(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.go("/boards")
    visitor.role("heading", "Make the first board").wait_for()
    waiting = hold(visitor, "**/taskapp/tasks?*")
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 60)
    with page.expect_request("**/taskapp/tasks?*"):
        visitor.role("link", "Tasks").click()
    visitor.role("heading", "Tasks").wait_for()
    loading, empty = page.get_by_role("status").filter(has_text="Loading"), page.get_by_text("Nothing is due today")
    page.clock.run_for(149)
    expect(loading).to_have_count(0)
    expect(empty).to_have_count(0)
    page.clock.run_for(1)
    expect(loading).to_be_visible()
    expect(empty).to_have_count(0)
    page.clock.resume()
    page.unroute_all()
    for each in waiting:
        each.fallback()
    expect(empty).to_be_visible()
    expect(loading).to_have_count(0)


@pytest.mark.parametrize("label", ["Title", "Alt text"])
def test_what_was_typed_into_a_line_stays_with_the_reason_until_it_is_saved(visit: Visit, label: str) -> None:
    visitor = visit()
    page = visitor.page
    if label == "Title":
        visitor.go("/tasks?view=all")
        page.get_by_label("Title of the new task").fill("Write")
        page.keyboard.press("Enter")
        visitor.role("link", "Write").click()
    else:
        visitor.go("/media")
        picture = {"name": "vines.png", "mimeType": "image/png", "buffer": png()}
        page.get_by_label("Files to upload").set_input_files(picture)
        visitor.role("region", "Library").get_by_role("link", name="vines.png").click()
    field = page.get_by_label(label, exact=True)
    page.route("**/api/v1/**", lambda route: refuse(route) if route.request.method == "PATCH" else route.fallback())
    field.fill("Rows of vines")
    field.blur()
    expect(field).to_have_accessible_description(re.compile(r"Not saved\. Somebody was faster\.$"))
    expect(field).to_have_value("Rows of vines")
    page.reload()
    expect(field).to_have_value("Rows of vines")
    expect(field).to_have_accessible_description(re.compile(r"Not saved\. This was not saved yet\.$"))
    page.unroute_all()
    with page.expect_response(lambda answer: answer.request.method == "PATCH" and answer.ok):
        visitor.role("button", f"Save {label.lower()}").click()
    expect(page.get_by_text("Not saved.")).to_have_count(0)
    page.reload()
    expect(field).to_have_value("Rows of vines")
    expect(page.get_by_text("Not saved.")).to_have_count(0)
