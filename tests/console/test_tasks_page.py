"""Tasks: written down, seen in their views, done many at once, and each in its panel."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from playwright.sync_api import expect

from support.clients.people import PASSWORD
from support.console.visitor import Visitor

Visit = Callable[..., Visitor]

#: The answer to a bearer that is no good any more.
ENDED = {"error": {"code": "invalid_token", "message": "The token was revoked."}}


def add(visitor: Visitor, *titles: str) -> None:
    for title in titles:
        visitor.page.get_by_label("Title of the new task").fill(title)
        visitor.role("button", "New task").click()
        row(visitor, title).wait_for()


def row(visitor: Visitor, title: str) -> Any:
    return visitor.role("listitem", title)


def view(visitor: Visitor, name: str) -> None:
    visitor.page.get_by_role("navigation", name="Views").get_by_role("link", name=name, exact=True).click()


def saved(visitor: Visitor, method: str) -> Any:
    """Around what changes a task: waits until the server has taken it."""
    return visitor.page.expect_response(lambda answer: answer.request.method == method and answer.ok)


def test_a_first_visit_shows_no_error_and_a_new_task_is_due_today(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/tasks")
    visitor.role("heading", "Nothing is due today").wait_for()
    assert "POST /taskapp/task-index/backfill?spaceId=own" in visitor.calls
    add(visitor, "Water the plants")
    expect(visitor.role("list", "Today").get_by_role("listitem")).to_have_count(1)
    with saved(visitor, "POST"):
        visitor.role("button", "Complete Water the plants").click()
    expect(row(visitor, "Water the plants")).to_have_count(0)
    visitor.role("button", "Undo").click()
    row(visitor, "Water the plants").wait_for()


def test_a_line_is_understood_before_it_is_saved(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/tasks")
    visitor.role("heading", "Nothing is due today").wait_for()
    field = visitor.page.get_by_label("Title of the new task")
    field.fill("Renew cert 24 dec 2035 9am #ops every month")
    chips = visitor.role("list", "Understood").get_by_role("listitem")
    expect(chips).to_have_count(4)
    assert chips.evaluate_all("all => all.map((one) => one.dataset.kind)") == ["date", "time", "tag", "repeat"]
    expect(chips.nth(2)).to_have_text("#ops")
    expect(chips.nth(3)).to_have_text("Every month")
    field.fill("Renew cert")
    expect(chips).to_have_count(0)
    field.fill("Renew cert 24 dec 2035 #ops")
    with saved(visitor, "POST"):
        visitor.role("button", "New task").click()
    expect(field).to_have_value("")
    view(visitor, "All")
    expect(row(visitor, "Renew cert")).to_contain_text("ops")
    expect(row(visitor, "Renew cert")).to_contain_text("Dec")


def test_many_are_tagged_completed_and_archived_at_once_by_keys(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/tasks?view=all")
    add(visitor, "One", "Two", "Three")
    page = visitor.page
    visitor.role("link", "One").focus()
    page.keyboard.press("x")
    page.get_by_label("Select Three").click(modifiers=["Shift"])
    expect(page.get_by_text("3 selected")).to_be_visible()
    page.keyboard.press("t")
    field = page.get_by_label("Tags to add")
    field.fill("x" * 65)
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_role("alert")).to_have_text("Tags: each tag needs 1 to 64 characters.")
    expect(field).to_have_value("x" * 65)
    field.fill("ops")
    page.keyboard.press("Enter")
    expect(page.get_by_text("3 tasks tagged")).to_be_visible()
    expect(page.get_by_text("ops", exact=True)).to_have_count(3)
    for key, said in (("e", "3 tasks completed"), ("a", "3 tasks archived")):
        expect(page.get_by_text("selected")).to_have_count(0)
        page.keyboard.press("Control+a")
        page.keyboard.press(key)
        expect(page.get_by_text(said)).to_be_visible()
    view(visitor, "Archive")
    expect(page.get_by_label("List of tasks").get_by_role("listitem")).to_have_count(3)
    visitor.role("link", "Two").focus()
    page.keyboard.press("r")
    expect(row(visitor, "Two")).to_have_count(0)


def test_all_of_a_task_is_changed_in_its_panel(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/tasks?view=all")
    add(visitor, "Renew")
    visitor.role("link", "Renew").click()
    page = visitor.page
    page.get_by_label("Text (Markdown)").fill("**before** Friday")
    with saved(visitor, "PATCH"):
        page.get_by_label("Title", exact=True).fill("Renew the certificate")
    with saved(visitor, "PATCH"):
        page.keyboard.press("Enter")
    with saved(visitor, "PATCH"):
        visitor.role("button", "Tomorrow").click()
    with saved(visitor, "PATCH"):
        page.get_by_label("Repeat").select_option("Every month")
    with saved(visitor, "PATCH"):
        page.get_by_label("Reminder", exact=True).fill("2030-01-02")
    with saved(visitor, "PATCH"):
        page.get_by_label("Reminder: time").fill("09:30")
    page.get_by_label("Add a tag").fill("x" * 65)
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").get_by_text("each tag needs 1 to 64 characters")).to_be_visible()
    expect(page.get_by_label("Add a tag")).to_have_value("x" * 65)
    page.get_by_label("Add a tag").fill("ops")
    with saved(visitor, "PATCH"):
        page.keyboard.press("Enter")
    page.reload()
    expect(page.get_by_label("Text (Markdown)").locator("strong")).to_have_text("before")
    expect(page.get_by_label("Repeat")).to_have_value("FREQ=MONTHLY")
    expect(page.get_by_label("Reminder", exact=True)).to_have_value("2030-01-02")
    expect(page.get_by_label("Reminder: time")).to_have_value("09:30")
    visitor.role("button", "Remove ops").wait_for()
    visitor.role("button", "Close panel").click()
    view(visitor, "Upcoming")
    visitor.role("list", "Tomorrow").get_by_role("link", name="Renew the certificate").click()
    visitor.role("button", "Delete").click()
    expect(row(visitor, "Renew the certificate")).to_have_count(0)
    expect(page).to_have_url(re.compile(r"/tasks\?view=upcoming$"))


def test_axe_finds_nothing_wrong_with_tasks(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/tasks")
    visitor.role("heading", "Nothing is due today").wait_for()
    assert visitor.axe() == []
    add(visitor, "Water the plants")
    visitor.role("button", "Select").click()
    visitor.page.get_by_label("Select Water the plants").check()
    assert visitor.axe() == []
    visitor.role("link", "Water the plants").click()
    visitor.page.get_by_label("Title", exact=True).wait_for()
    assert visitor.axe() == []


def test_several_tasks_are_moved_to_a_board_and_back(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/boards")
    visitor.role("button", "New board").click()
    visitor.page.get_by_label("Name").fill("Launch")
    visitor.role("button", "Create").click()
    visitor.role("heading", "Launch").wait_for()
    # As another application of the device shares it.
    visitor.go("/tasks?view=all&title=Read&url=https%3A%2F%2Fexample.com")
    visitor.role("button", "New task").click()
    row(visitor, "Read https://example.com").wait_for()
    add(visitor, "Write")
    visitor.role("button", "Select").click()
    visitor.page.get_by_label("Select Write").check()
    visitor.page.get_by_label("Select Read https://example.com").check()
    visitor.role("toolbar", "Selection").get_by_role("button", name="Move").click()
    visitor.page.get_by_label("Board", exact=True).select_option("Launch")
    visitor.page.get_by_label("Column").select_option("In progress")
    visitor.role("dialog", "Move 2 tasks").get_by_role("button", name="Move").click()
    expect(visitor.page.get_by_text("2 tasks moved")).to_be_visible()
    expect(row(visitor, "Write").get_by_text("Launch")).to_be_visible()
    visitor.role("button", "Undo").click()
    expect(row(visitor, "Write").get_by_text("Launch")).to_have_count(0)

    visitor.role("link", "Write").click()
    visitor.page.get_by_text("History").click()
    panel = visitor.page.get_by_role("complementary", name="Write")
    expect(panel.locator("details li").last).to_contain_text("Created")
    expect(panel.locator("details li").first).to_contain_text("Undone: moved")
    visitor.role("button", "Archive").click()
    visitor.role("button", "Undo").last.click()
    expect(panel.get_by_role("button", name="Archive", exact=True)).to_be_visible()


def test_what_was_typed_stays_when_it_is_not_saved_and_survives_a_reload(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/tasks?view=all")
    visitor.page.get_by_label("Title of the new task").fill("Write the speech")
    visitor.page.keyboard.press("Enter")
    visitor.role("link", "Write the speech").click()
    refusal = {"error": {"code": "service_unavailable", "message": "The disk is full."}}
    visitor.page.route("**/api/v1/taskapp/tasks/tsk_*", lambda route: (
        route.fulfill(status=503, json=refusal) if route.request.method == "PATCH" else route.fallback()
    ))  # fmt: skip
    text = visitor.page.get_by_label("Text (Markdown)")
    text.fill("Dear friends")
    text.blur()
    expect(visitor.page.get_by_text("Not saved. The disk is full.")).to_be_visible()
    expect(text).to_have_value("Dear friends")
    visitor.page.reload()
    expect(text).to_have_value("Dear friends")
    visitor.page.unroute_all()
    visitor.role("button", "Save text (markdown)").click()
    expect(visitor.page.get_by_text("Not saved.")).to_have_count(0)
    visitor.page.reload()
    expect(text).to_have_text("Dear friends")


def test_markdown_is_shown_and_its_boxes_are_ticked(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/tasks?view=all")
    add(visitor, "Pack")
    visitor.role("link", "Pack").click()
    page = visitor.page
    text = page.get_by_label("Text (Markdown)")
    text.fill(
        "# List\n- [ ] tent\n- [x] map\n\n![spy](https://spy.example/pixel.gif) [x](javascript:alert(1))\n<b>bold</b>"
    )
    with saved(visitor, "PATCH"):
        text.blur()
    expect(text.get_by_role("heading")).to_have_text("List")
    expect(text).to_contain_text("spy x<b>bold</b>")
    # No picture of a stranger was asked for (the visitor notes that too), and no script is a link.
    expect(text.locator("img, b")).to_have_count(0)
    expect(text.get_by_role("link")).to_have_attribute("href", "https://spy.example/pixel.gif")
    assert visitor.axe() == []
    with saved(visitor, "PATCH"):
        text.get_by_role("checkbox", name="tent").check()
    page.reload()
    expect(text.get_by_role("checkbox", name="tent")).to_be_checked()
    page.route("**/api/v1/taskapp/tasks/tsk_*", lambda route: (
        route.abort() if route.request.method == "PATCH" else route.fallback()
    ))  # fmt: skip
    text.get_by_role("checkbox", name="map").uncheck(force=True)
    page.get_by_text("Not saved: The server cannot be reached.").wait_for()
    expect(text.get_by_role("checkbox", name="map")).to_be_checked()
    page.unroute_all()
    visitor.role("button", "Edit").click()
    page.keyboard.press("Control+End")
    page.keyboard.type(" end")
    with saved(visitor, "PATCH"):
        text.blur()
    expect(text).to_contain_text("<b>bold</b> end")


def test_a_completed_task_that_repeats_gets_its_date_back(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/tasks?view=all")
    visitor.page.get_by_label("Title of the new task").fill("Water the plants tomorrow every day")
    visitor.page.keyboard.press("Enter")
    row = visitor.page.get_by_role("listitem").filter(has_text="Water the plants")
    expect(row).to_contain_text("Tomorrow")
    row.get_by_role("button", name="Complete").click()
    expect(row).not_to_contain_text("Tomorrow")
    visitor.role("button", "Undo").click()
    expect(row).to_contain_text("Tomorrow")


def test_a_row_has_one_box_and_rows_are_grouped_by_day_board_person_or_priority(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/boards")
    visitor.role("button", "New board").click()
    expect(visitor.page.get_by_label("Name")).to_be_focused()
    visitor.page.get_by_label("Name").fill("Launch")
    visitor.page.keyboard.press("Enter")
    visitor.role("heading", "Launch").wait_for()
    visitor.go("/tasks?view=all")
    for line, title in (("Order stickers !1", "Order stickers"), ("Write tomorrow !3 @Launch", "Write")):
        visitor.page.get_by_label("Title of the new task").fill(line)
        visitor.page.keyboard.press("Enter")
        row(visitor, title).wait_for()
    expect(row(visitor, "Write")).to_contain_text("High priority")
    assert row(visitor, "Write").get_by_role("button").or_(row(visitor, "Write").get_by_role("checkbox")).count() == 1
    groups = visitor.page.get_by_label("List of tasks").get_by_role("heading")
    for grouping, names in (
        ("Day", ["Tomorrow 1", "No date 1"]),
        ("Board", ["Launch 1", "On no board 1"]),
        ("Person", ["Nobody 2"]),
        ("Priority", ["High priority 1", "Low priority 1"]),
    ):
        visitor.page.get_by_label("Group by").select_option(grouping)
        expect(groups).to_have_text(names)
    visitor.page.reload()
    expect(groups).to_have_text(["High priority 1", "Low priority 1"])
    visitor.role("button", "Select").click()
    assert row(visitor, "Write").get_by_role("button").count() == 0
    visitor.page.get_by_label("Select Write").check()
    expect(visitor.page.get_by_text("1 selected")).to_be_visible()


def test_times_are_in_the_zone_of_the_profile_and_the_format_of_the_device(visit: Visit) -> None:
    visitor = visit(locale="de-DE", timezone_id="America/New_York")
    visitor.go("/settings/profile")
    visitor.page.get_by_label("Time zone").select_option("Europe/Berlin")
    visitor.role("button", "Save").click()
    visitor.page.get_by_text("Profile saved").wait_for()
    visitor.go("/tasks?view=all")
    visitor.page.get_by_label("Title of the new task").fill("Call Vienna 24 dec 2035 14:05")
    visitor.page.keyboard.press("Enter")
    expect(row(visitor, "Call Vienna")).to_contain_text("Mon, 24 Dec 14:05")
    visitor.role("link", "Call Vienna").click()
    due = visitor.page.get_by_label("Due", exact=True)
    expect(due).to_have_value("2035-12-24")
    expect(visitor.page.get_by_label("Due: time")).to_have_value("14:05")
    expect(visitor.page.get_by_text("Times in the zone Europe/Berlin.")).to_be_visible()
    with saved(visitor, "PATCH"):
        due.fill("2035-12-25")
    with saved(visitor, "PATCH"):
        visitor.page.get_by_label("Due: time").fill("00:30")
    task_id = visitor.path().partition("?")[0].removeprefix("/tasks/")
    with visitor.api() as api:
        due_at = api.get(f"/taskapp/tasks/{task_id}").json()["data"]["dueAt"]
    assert due_at == int(datetime(2035, 12, 24, 23, 30, tzinfo=UTC).timestamp()) * 1000
    assert visitor.page.evaluate("document.documentElement.lang") == "en"


def test_a_day_without_a_time_is_a_day_and_is_never_lost(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/tasks?view=all")
    add(visitor, "Wrap the gifts")
    visitor.role("link", "Wrap the gifts").click()
    page, task_id = visitor.page, visitor.path().partition("?")[0].removeprefix("/tasks/")

    def stored() -> Any:
        with visitor.api() as api:
            return api.get(f"/taskapp/tasks/{task_id}").json()["data"]

    due = page.get_by_label("Due", exact=True)
    with saved(visitor, "PATCH"):
        due.fill("2035-12-24")
    assert stored()["dueOn"] == "2035-12-24"
    expect(page.get_by_label("Due: time")).to_have_value("")
    expect(row(visitor, "Wrap the gifts").get_by_text("Mon, Dec 24", exact=True)).to_be_visible()
    with saved(visitor, "PATCH"):
        page.get_by_label("Due: time").fill("18:30")
    assert stored()["dueOn"] is None
    expect(row(visitor, "Wrap the gifts").get_by_text("Mon, Dec 24 6:30 PM")).to_be_visible()
    with saved(visitor, "PATCH"):
        page.get_by_label("Due: time").fill("")
    assert stored()["dueOn"] == "2035-12-24"
    for label in ("Start", "Reminder"):
        with saved(visitor, "PATCH"):
            page.get_by_label(label, exact=True).fill("2035-12-20")
        expect(page.get_by_label(f"{label}: time")).to_have_value("09:00")
    expect(page.get_by_text("A start or reminder without a time is at 9:00 AM.")).to_be_visible()
    # Half a date changes nothing, and says so.
    due.focus()
    page.keyboard.press("Delete")
    page.keyboard.press("Tab")
    page.get_by_label("Title", exact=True).focus()
    expect(page.get_by_role("alert").get_by_text("This date is not complete, so it was not saved.")).to_be_visible()
    assert stored()["dueOn"] == "2035-12-24"
    assert visitor.axe() == []
    with saved(visitor, "PATCH"):
        visitor.role("button", "Clear due").click()
    assert (stored()["dueOn"], stored()["dueAt"]) == (None, None)
    expect(due).to_have_value("")


def test_a_new_task_that_the_view_does_not_show_is_told_and_can_be_shown(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/tasks?view=today")
    visitor.page.get_by_label("Title of the new task").fill("Brunch 2035-12-24")
    visitor.page.keyboard.press("Enter")
    visitor.page.get_by_text("Brunch is added, due Mon, Dec 24").wait_for()
    visitor.role("button", "Show").click()
    visitor.role("complementary", "Brunch").wait_for()


def test_a_line_that_was_typed_when_the_session_ended_is_there_after_the_sign_in(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/tasks?view=all")
    field = visitor.page.get_by_label("Title of the new task")
    field.wait_for()
    visitor.context.clear_cookies()
    visitor.page.route("**/tasks/parse", lambda route: route.fulfill(status=401, json=ENDED))
    field.fill("Call the doctor")
    visitor.page.get_by_text("Your session has ended. Sign in to go on where you were.").wait_for()
    visitor.page.unroute("**/tasks/parse")
    visitor.page.get_by_label("Username").fill(visitor.name)
    visitor.page.get_by_label("Password", exact=True).fill(PASSWORD)
    visitor.page.get_by_role("button", name="Sign in", exact=True).click()
    expect(field).to_have_value("Call the doctor")
