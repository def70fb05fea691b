"""Without the network: what was done counts once, what does not come is said, and goes on by itself afterwards."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from support.console.visitor import Visitor
from support.media.unique_images import png

Visit = Callable[..., Visitor]
DAY_MS = 24 * 3600 * 1000
DUE = 2_000_000_000_000


def lose_the_answer(route: Any) -> None:
    """The request arrives, and the page hears nothing."""
    route.fetch()
    route.abort()


def come_back(visitor: Visitor) -> None:
    visitor.page.unroute_all()
    visitor.page.evaluate("dispatchEvent(new Event('online'))")  # else it takes until the next sign of life


def daily_task(visitor: Visitor, **place: str) -> str:
    body = {"title": "Water", "dueAt": DUE, "timeZone": "UTC", "recurrence": "FREQ=DAILY", "spaceId": "own", **place}
    with visitor.api() as api:
        return str(api.post("/taskapp/tasks", json=body).raise_for_status().json()["data"]["id"])


def due(visitor: Visitor, task: str) -> int:
    with visitor.api() as api:
        return int(api.get(f"/taskapp/tasks/{task}").json()["data"]["dueAt"])


def new_board(visitor: Visitor) -> str:
    with visitor.api() as api:
        answer = api.post("/taskapp/boards", json={"name": "Home", "spaceId": "own"}).raise_for_status()
    return str(answer.json()["data"]["id"])


def test_a_completion_whose_answer_was_lost_counts_once_when_it_is_tried_again(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    board = new_board(visitor)
    on_board, in_list = daily_task(visitor, boardId=board), daily_task(visitor)
    tried = visitor.role("button", "Try again")
    for path, address, act, task in (
        (f"/boards/{board}", "**/complete", lambda: page.keyboard.press("e"), on_board),
        (f"/tasks/{in_list}?view=all", "**/complete", visitor.role("button", "Complete").click, in_list),
    ):
        visitor.go(path)
        visitor.role("link", "Water").first.focus()
        page.route(address, lose_the_answer)
        act()
        expect(page.get_by_text("Not completed: The server cannot be reached.")).to_be_visible()
        page.unroute_all()
        tried.click()
        expect(page.get_by_text("Water completed")).to_be_visible()
        assert due(visitor, task) == DUE + DAY_MS
    visitor.go("/tasks?view=all")
    page.route("**/tasks/batch", lose_the_answer)
    page.get_by_role("button", name="Complete Water").first.click()
    expect(page.get_by_text("1 task not completed")).to_be_visible()
    page.unroute_all()
    tried.click()
    expect(page.get_by_text("Water completed")).to_be_visible()
    assert sorted([due(visitor, on_board), due(visitor, in_list)]) == [DUE + DAY_MS, DUE + 2 * DAY_MS]


def test_a_card_and_a_screen_that_do_not_load_say_so_and_open_by_themselves(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    board = new_board(visitor)
    daily_task(visitor, boardId=board)
    page.route("**/console/assets/TaskPanel*", lambda route: route.abort())
    page.route("**/console/assets/Inbox*", lambda route: route.abort())
    visitor.go(f"/boards/{board}")
    visitor.role("link", "Water").click()
    message = page.get_by_text("This does not load now. It opens by itself when the server is there")
    expect(message).to_be_visible()
    come_back(visitor)
    expect(page.get_by_label("Title", exact=True)).to_have_value("Water")
    expect(message).to_have_count(0)
    page.route("**/console/assets/Inbox*", lambda route: route.abort())
    visitor.go("/boards")
    page.get_by_role("link", name="Notifications").click()
    failure = page.get_by_role("alert").filter(has_text="The server cannot be reached. It opens by itself")
    expect(failure).to_be_visible()
    come_back(visitor)
    visitor.role("heading", "Notifications").wait_for()
    expect(failure).to_have_count(0)


def test_lists_that_did_not_load_come_when_the_network_is_back(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    board = new_board(visitor)
    for path, address, here in (
        ("/media", "**/media/assets?*", "0 items"),
        ("/tasks?view=all", "**/taskapp/tasks?*", "No tasks yet"),
        ("/boards", "**/taskapp/boards?*", "Home"),
        ("/settings/tokens", "**/access/me/tokens*", "You have made no tokens."),
        (f"/boards/{board}", "**/taskapp/boards/*", "0 tasks"),
    ):
        page.route(address, lambda route: route.abort())
        visitor.go(path)
        failure = page.get_by_role("alert").filter(has_text="The server cannot be reached.")
        expect(failure).to_be_visible()
        expect(page.get_by_text("More than")).to_have_count(0)
        come_back(visitor)
        expect(page.get_by_text(here, exact=True)).to_be_visible()
        expect(failure).to_have_count(0)


def test_what_others_did_is_asked_for_again_when_the_network_is_back(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    board = new_board(visitor)
    task = daily_task(visitor, boardId=board)
    for path in (f"/boards/{board}", "/tasks?view=all"):
        visitor.go(path)
        visitor.role("link", "Water").wait_for()
        page.route(f"**/taskapp/tasks/{task}", lambda route: route.abort())
        with page.expect_event("requestfailed"), visitor.api() as api:
            api.patch(f"/taskapp/tasks/{task}", json={"title": "Feed"}).raise_for_status()
        come_back(visitor)
        visitor.role("link", "Feed").wait_for()
        with visitor.api() as api:
            api.patch(f"/taskapp/tasks/{task}", json={"title": "Water"}).raise_for_status()
        visitor.role("link", "Water").wait_for()
    visitor.go("/media")
    page.get_by_text("0 items", exact=True).wait_for()
    page.route("**/media/assets/by-ids", lambda route: route.abort())
    with page.expect_event("requestfailed"), visitor.api() as api:
        members = {"json": '{"filename": "later.png", "spaceId": "own"}'}
        api.post("/media/upload/image", data=members, files={"file": ("later.png", png())}).raise_for_status()
    come_back(visitor)
    visitor.role("link", "later.png").wait_for()
