"""The first load: what a slow line shows, how little it carries, and the sign-in before the console."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, expect

from support.clients.people import PASSWORD
from support.console.visitor import PHONE, Visitor
from support.servers.stowboard import Server
from support.waiting import wait_until

Visit = Callable[..., Visitor]
#: The page's own address, scripts, style, icon, session and bearer, the stream, the screen and its lists.
MOST_REQUESTS = 18
PAINTED = "performance.getEntriesByName('first-contentful-paint').length > 0"


class Held:
    """Lets nothing of an address through but pages, until it is released."""

    def __init__(self, visitor: Visitor, address: str = "**/*") -> None:
        self._waiting: list[Any] = []
        self._is_open = False
        visitor.page.route(address, self._decide)

    def _decide(self, route: Any) -> None:
        if self._is_open or route.request.resource_type == "document":
            route.fallback()
        else:
            self._waiting.append(route)

    def release(self) -> None:
        self._is_open = True
        for route in self._waiting:
            route.fallback()


def is_painted(visitor: Visitor, what: Locator) -> None:
    expect(what).to_be_visible()
    wait_until(lambda: bool(visitor.page.evaluate(PAINTED)))


def test_one_round_trip_paints_the_frame_and_the_sign_in(visit: Visit) -> None:
    visitor = visit()
    held = Held(visitor)
    visitor.page.goto(visitor.origin + "/boards", wait_until="commit")
    is_painted(visitor, visitor.role("link", "Boards"))
    expect(visitor.page.locator("body")).to_have_css("background-color", "rgb(245, 246, 247)")
    held.release()
    visitor.role("heading", "Make the first board").wait_for()
    visitor.context.clear_cookies()
    held = Held(visitor)
    visitor.page.goto(visitor.origin + "/boards?q=launch", wait_until="commit")
    is_painted(visitor, visitor.page.get_by_label("Username"))
    expect(visitor.page.get_by_role("button", name="Sign in", disabled=True)).to_have_css(
        "background-color", "rgb(11, 107, 107)"
    )
    held.release()


def test_nothing_of_the_console_is_loaded_before_the_sign_in_which_leads_back(visit: Visit) -> None:
    visitor = visit(viewport=PHONE)
    visitor.context.clear_cookies()
    asked: list[str] = []
    visitor.page.on("request", lambda request: asked.append(request.url.removeprefix(visitor.origin)))
    visitor.go("/tasks?view=all&q=%C3%BCber")
    visitor.page.get_by_label("Username").fill(visitor.name)
    visitor.page.get_by_label("Password").fill(PASSWORD)
    assert not [path for path in asked if path.startswith(("/console/", "/session", "/api/"))]
    visitor.role("button", "Sign in").click()
    visitor.role("heading", "Nothing found").wait_for()
    assert visitor.path() == "/tasks?view=all&q=%C3%BCber"


def test_a_screen_takes_few_requests_and_the_others_wait_for_the_session(visit: Visit) -> None:
    visitor = visit()
    visitor.page.clock.install()
    asked: list[str] = []
    visitor.page.on("request", lambda request: asked.append(request.url))
    held = Held(visitor, "**/session")
    visitor.go("/tasks?view=all")
    visitor.role("heading", "No tasks yet").wait_for()
    assert len(asked) < MOST_REQUESTS, asked
    visitor.page.clock.fast_forward(10_000)
    assert not [url for url in asked if "/assets/Settings" in url]
    held.release()
    visitor.page.get_by_text(visitor.name).wait_for()
    with visitor.page.expect_request("**/assets/Settings*.js"):
        visitor.page.clock.fast_forward(10_000)


def test_before_the_first_account_the_page_says_where_the_link_is(
    make_server: Callable[[dict[str, str]], Server], browser: Any
) -> None:
    page = browser.new_page()
    page.goto(make_server({}).origin)
    expect(page.get_by_text("Nobody has an account here yet.")).to_be_visible()
    expect(page.get_by_text("stowboard account invite --admin")).to_be_visible()
    expect(page.get_by_label("Password")).to_have_count(0)
    page.close()


def test_the_upload_button_stands_beside_the_title_however_narrow_the_window(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/media")
    for width in (320, 390, 720, 1280):
        visitor.page.set_viewport_size({"width": width, "height": 800})
        title, button, menu = (
            each.bounding_box()
            for each in (
                visitor.role("heading", "Media"),
                visitor.role("button", "Upload"),
                visitor.role("button", "More ways to upload"),
            )
        )
        for box in (button, menu):
            assert title["y"] - box["height"] < box["y"] < title["y"] + title["height"], width
            assert box["x"] + box["width"] <= width
