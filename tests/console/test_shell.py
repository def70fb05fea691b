"""The frame of every screen: commands, shortcuts, themes, the page's policy; and axe on each screen."""

import re
from collections.abc import Callable
from typing import Any

import httpx2
import pytest
from playwright.sync_api import expect

from support.clients.people import fresh_name, invited
from support.console.keyboard import Keyboard
from support.console.visitor import DESKTOP, PHONE, Visitor
from support.console.walks import walk_board, walk_media, walk_tasks
from support.servers.stowboard import Server

Visit = Callable[..., Visitor]
#: What the API puts there without a space is in the Library (conftest.py).
OPENS_LIBRARY = True
#: Hints of empty fields that are longer than their field.
CUT_OFF = """() => [...document.querySelectorAll('input, textarea')].filter((field) => {
  if (!field.placeholder || field.value || !field.checkVisibility()) return false
  const style = getComputedStyle(field), pen = document.createElement('canvas').getContext('2d')
  pen.font = style.font
  const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
  return pen.measureText(field.placeholder).width > room
}).map((field) => field.placeholder)"""


def test_every_action_is_found_by_its_name_and_does_what_its_shortcut_does(
    visit: Visit, contents: dict[str, str]
) -> None:
    visitor = visit()
    visitor.go("/media")
    visitor.role("link", "lagoon.jpg").wait_for()
    page = visitor.page
    page.keyboard.press("Control+k")
    palette = visitor.role("dialog", "Commands")
    palette.wait_for()
    page.keyboard.type("grid and list")
    expect(palette.get_by_role("option")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(palette).to_be_hidden()
    expect(visitor.role("button", "List")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("v")
    expect(visitor.role("button", "Grid")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("?")
    expect(visitor.role("dialog", "Keyboard shortcuts").get_by_text("Upload files")).to_be_visible()
    page.keyboard.press("Escape")
    for keys, path in (("gb", "/boards"), ("gt", "/tasks"), ("g,", "/settings"), ("gm", "/media")):
        for key in keys:
            page.keyboard.press(key)
        expect(page).to_have_url(re.compile(f"{path}$"))


def test_one_search_finds_tasks_boards_and_media_from_every_screen(visit: Visit, contents: dict[str, str]) -> None:
    visitor = visit()
    page = visitor.page
    visitor.go("/boards")
    visitor.role("button", "New board").click()
    page.get_by_label("Name", exact=True).fill("Ridge walk")
    page.keyboard.press("Enter")
    visitor.role("heading", "Ridge walk").wait_for()
    visitor.go("/tasks?view=all")
    page.get_by_label("Title of the new task").fill("Climb the ridge")
    page.keyboard.press("Enter")
    visitor.role("link", "Climb the ridge").wait_for()
    found = visitor.role("listbox", "Found").get_by_role("option")
    visitor.go("/settings")
    page.keyboard.press("/")
    page.keyboard.type("ridge")
    expect(found).to_contain_text(["Ridge walk", "Climb the ridge", "north-ridge.jpg"])
    page.keyboard.type(' "')  # an open quote is no failure
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    visitor.role("heading", "Ridge walk").wait_for()
    # In the library, which has the words as its filter, the lines are what it does not list.
    visitor.go("/media")
    page.keyboard.press("/")
    page.keyboard.type("ridge")
    expect(found).to_contain_text(["Ridge walk", "Climb the ridge"])
    expect(visitor.role("link", "lagoon.jpg")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(found).to_have_count(0)
    expect(page).to_have_url(re.compile(r"/media\?q=ridge$"))
    page.keyboard.press("Control+k")
    page.keyboard.type("north-ri")
    expect(found).to_contain_text(["north-ridge.jpg"])
    page.keyboard.press("Enter")
    visitor.role("complementary", "north-ridge.jpg").wait_for()


def test_a_query_that_is_half_typed_is_no_failure(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    page.clock.install()
    visitor.go("/tasks?view=all")
    page.get_by_label("Title of the new task").fill("Read https://example.org/ridge")
    page.keyboard.press("Enter")
    title = "Read https://example.org/ridge"
    visitor.role("link", title).wait_for()
    search, found = visitor.role("searchbox", "Search"), visitor.role("listbox", "Found").get_by_role("option")
    failure = page.get_by_text(re.compile("did not load|search failed|Nothing found"))
    for path in ("/tasks?view=all", "/media", "/settings"):
        visitor.go(path)
        for half in ('"', ":", 'ridge "', "https:", '"https:'):
            search.fill(half)
            page.clock.run_for(1000)
            if half in ('"', ":"):
                assert "q=" not in page.url
            elif path.startswith("/tasks"):
                expect(page).to_have_url(re.compile("q="))
                expect(visitor.role("link", title)).to_be_visible()
            else:
                expect(found.filter(has_text=title)).to_be_visible()
            expect(failure if path != "/media" else page.get_by_text("did not load")).to_have_count(0)


def test_no_hint_in_a_field_is_cut_off_on_a_phone(visit: Visit) -> None:
    visitor = visit(viewport=PHONE)
    page = visitor.page
    for path, label in (
        ("/tasks", "Title of the new task"),
        ("/tasks?view=all", "Title of the new task"),
        ("/media", "Search"),
    ):
        visitor.go(path)
        page.get_by_label(label, exact=True).wait_for()
        assert page.evaluate(CUT_OFF) == []
    page.keyboard.press("Control+k")
    visitor.role("combobox", "Search or command").wait_for()
    assert page.evaluate(CUT_OFF) == []


def test_the_first_field_of_a_dialog_has_the_focus(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    for path, button in (
        ("/boards", "New board"),
        ("/spaces", "New space"),
        ("/settings/tokens", "New token"),
        ("/settings/webhooks", "New webhook"),
    ):
        visitor.go(path)
        visitor.role("button", button).click()
        expect(page.get_by_role("dialog").locator("input, select, textarea").first).to_be_focused()
    visitor.go("/tasks?view=all")
    page.get_by_label("Title of the new task").fill("Climb")
    page.keyboard.press("Enter")
    visitor.role("button", "Select").click()
    page.get_by_label("Select Climb", exact=True).check()
    for action in ("Tag", "Move"):
        visitor.role("toolbar", "Selection").get_by_role("button", name=action).click()
        expect(page.get_by_role("dialog").locator("input, select").first).to_be_focused()
        page.keyboard.press("Escape")


def test_everything_is_done_by_keys_alone(visit: Visit, contents: dict[str, str]) -> None:
    visitor = visit()
    keys = Keyboard(visitor)
    visitor.go("/media")
    visitor.role("link", "lagoon.jpg").wait_for()
    walk_media(visitor, keys)
    keys.press("g", "b")
    walk_board(visitor, keys)
    keys.press("g", "t")
    walk_tasks(visitor, keys)
    keys.command("settings access tokens")
    keys.reach("New token", "Enter")
    keys.dialog("New token")
    keys.type("by keys")
    keys.reach("Create", "Enter")
    keys.reach("Done", "Enter")
    keys.reach("Revoke by keys", "Enter")
    keys.dialog("Revoke by keys")
    keys.reach("Revoke", "Enter")
    keys.says("You have made no tokens.")
    keys.command("sign out")
    visitor.role("button", "Sign in").wait_for()


def test_a_theme_is_chosen_and_kept(visit: Visit) -> None:
    visitor = visit(color_scheme="light")
    visitor.go("/media")
    visitor.role("button", "Theme: system").click()
    visitor.role("button", "Theme: light").click()
    visitor.role("button", "Theme: dark").wait_for()
    expect(visitor.page.locator("body")).to_have_css("background-color", "rgb(16, 19, 23)")
    visitor.page.reload()
    visitor.role("button", "Theme: dark").wait_for()
    expect(visitor.page.locator("body")).to_have_css("background-color", "rgb(16, 19, 23)")


def test_nothing_moves_for_a_person_who_asked_for_that(visit: Visit, contents: dict[str, str]) -> None:
    """A colour that fades by itself, in each element after the one around it, is motion too."""
    visitor = visit(reduced_motion="reduce")
    visitor.go("/tasks")
    visitor.role("link", "Boards").wait_for()
    longest = "Math.max(...[...document.querySelectorAll('*')].map((each) => parseFloat(getComputedStyle(each).{})))"
    assert visitor.page.evaluate(longest.format("transitionDuration")) == 0
    assert visitor.page.evaluate(longest.format("animationDuration")) == 0


def test_signing_out_leads_to_the_sign_in(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/media")
    visitor.role("button", "Sign out").first.click()
    visitor.role("button", "Sign in").wait_for()
    visitor.go("/media")
    visitor.role("button", "Sign in").wait_for()


def test_a_bearer_that_was_revoked_is_replaced_without_anybody_noticing(visit: Visit, contents: dict[str, str]) -> None:
    visitor = visit()
    visitor.go("/media")
    visitor.role("link", "lagoon.jpg").wait_for()
    refused = {"left": 1}

    def refuse_once(route: Any) -> None:
        if refused["left"]:
            refused["left"] -= 1
            body = '{"error": {"code": "token_expired", "message": "The token has expired."}}'
            route.fulfill(status=401, body=body, content_type="application/json")
        else:
            route.fallback()

    visitor.page.route("**/api/v1/media/assets?*", refuse_once)
    visitor.role("button", "Files").click()
    visitor.role("link", "press-kit.pdf").wait_for()
    assert refused == {"left": 0}


def test_nothing_but_the_session_is_kept(visit: Visit, contents: dict[str, str]) -> None:
    visitor = visit()
    visitor.go("/media")
    visitor.role("link", "lagoon.jpg").wait_for()
    kept = visitor.page.evaluate("JSON.stringify({...localStorage, ...sessionStorage}) + document.cookie")
    assert "stow_" not in kept
    assert all(cookie["httpOnly"] for cookie in visitor.context.cookies())


SCREENS: list[tuple[str, Callable[[Visitor, dict[str, str]], None]]] = []


def screen(name: str) -> Callable[[Any], Any]:
    def note(show: Any) -> Any:
        SCREENS.append((name, show))
        return show

    return note


@screen("library")
def _library(visitor: Visitor, contents: dict[str, str]) -> None:
    visitor.go("/media")
    visitor.page.get_by_label("Select lagoon.jpg").check()
    visitor.role("button", "Filter").click()


@screen("list")
def _list(visitor: Visitor, contents: dict[str, str]) -> None:
    visitor.go("/media")
    visitor.page.keyboard.press("v")
    visitor.role("link", "lagoon.jpg").wait_for()


@screen("nothing found")
def _nothing(visitor: Visitor, contents: dict[str, str]) -> None:
    visitor.go("/media?q=zzzz")
    visitor.role("heading", "Nothing found").wait_for()


@screen("asset")
def _asset(visitor: Visitor, contents: dict[str, str]) -> None:
    visitor.go(f"/media/{contents['lagoon.jpg']}")
    visitor.role("heading", "Tags").wait_for()
    visitor.page.locator("summary", has_text="Applications").click()


@screen("video")
def _video(visitor: Visitor, contents: dict[str, str]) -> None:
    visitor.go(f"/media/{contents['video']}")
    visitor.page.locator("video").wait_for()


@screen("upload tray")
def _tray(visitor: Visitor, contents: dict[str, str]) -> None:
    visitor.go("/media")
    files = {"name": "note.txt", "mimeType": "text/plain", "buffer": b""}
    visitor.page.get_by_label("Files to upload").set_input_files([files])
    visitor.role("region", "Uploads").get_by_role("heading", name="1 upload failed").wait_for()


@screen("commands")
def _commands(visitor: Visitor, contents: dict[str, str]) -> None:
    visitor.go("/media")
    visitor.role("link", "lagoon.jpg").wait_for()
    visitor.page.keyboard.press("Control+k")
    visitor.role("dialog", "Commands").wait_for()


@screen("shortcuts")
def _shortcuts(visitor: Visitor, contents: dict[str, str]) -> None:
    visitor.go("/media")
    visitor.role("link", "lagoon.jpg").wait_for()
    visitor.page.keyboard.press("?")
    visitor.role("dialog", "Keyboard shortcuts").wait_for()


@screen("attaching")
def _attaching(visitor: Visitor, contents: dict[str, str]) -> None:
    visitor.go("/tasks?view=all")
    visitor.page.get_by_label("Title of the new task").fill("Print the poster")
    visitor.page.keyboard.press("Enter")
    visitor.role("link", "Print the poster").click()
    visitor.role("button", "From media").click()
    visitor.page.get_by_role("dialog").get_by_label("Space").select_option("Library")
    visitor.page.get_by_label("lagoon.jpg").check()


@pytest.mark.parametrize("viewport", [DESKTOP, pytest.param(PHONE, marks=pytest.mark.soak)], ids=["desktop", "phone"])
def test_axe_finds_nothing_wrong_on_any_screen(
    visit: Visit, contents: dict[str, str], viewport: dict[str, int]
) -> None:
    visitor = visit(viewport=viewport)
    wrong = []
    for name, show in SCREENS:
        show(visitor, contents)
        wrong += [f"{name}: {each}" for each in visitor.axe(dark=viewport is PHONE)]
        if name == "library" and viewport is DESKTOP:
            wrong += [f"{name} on a phone: {each}" for each in visitor.axe_on_phone()]
    assert wrong == []


def test_the_page_and_its_files_are_cached_as_they_may_be(console_server: Server) -> None:
    origin, person = console_server.origin, invited(console_server, fresh_name("reader"))
    for path in ("/", "/media", "/media/ast_x", "/boards/brd_x", "/tasks", "/settings/tokens"):
        page = person.get(path)
        assert page.headers["cache-control"] == "no-cache"
        policy = page.headers["content-security-policy"]
        assert "script-src 'self';" in policy
        assert "unsafe" not in policy
        assert "require-trusted-types-for 'script'" in policy
    script = re.findall(r'src="(/console/assets/[^"]+\.js)"', page.text)[0]
    answer = httpx2.get(origin + script)
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-encoding"] == "gzip"
    plain = httpx2.get(origin + script, headers={"accept-encoding": "gzip;q=0, br"})
    assert "content-encoding" not in plain.headers
    assert plain.content == answer.content
    assert httpx2.get(origin + script, headers={"if-none-match": answer.headers["etag"]}).status_code == 304
    for missing in ("/console/assets/index-00000000.js", "/console/index.html", "/console/../routes.py"):
        assert httpx2.get(origin + missing).status_code == 404
    assert "MIT" in httpx2.get(f"{origin}/console/THIRD-PARTY.md").text
