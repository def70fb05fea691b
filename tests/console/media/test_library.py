"""The media library in a browser: what people see, and what the server then has."""

import base64
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import httpx2
from playwright.sync_api import expect

from support.console.scenes import draw
from support.console.visitor import PHONE, Visitor
from support.media.documents import pdf, wav
from support.media.unique_images import png
from support.servers.stowboard import Server
from support.waiting import wait_until

Visit = Callable[..., Visitor]
#: What the API puts there without a space is in the Library (conftest.py).
OPENS_LIBRARY = True
#: Once there is something to play: a load that begins later would interrupt it.
PLAY = """async (video) => {
  while (video.readyState < 2) await new Promise((soon) => setTimeout(soon, 50));
  video.muted = true;
  await video.play();
}"""


def asset(server: Server, asset_id: str) -> dict[str, Any]:
    answer = httpx2.get(f"{server.base_url}/media/assets/{asset_id}", headers=server.headers)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()["data"]
    return found


def has_thumbnail(server: Server, asset_id: str) -> bool:
    return asset(server, asset_id)["thumbnailUrl"] is not None


def upload(server: Server, name: str, **more: Any) -> str:
    body = {"filename": name, "data": base64.b64encode(png()).decode(), **more}
    answer = httpx2.post(f"{server.base_url}/media/upload/image", json=body, headers=server.headers)
    return str(answer.json()["data"]["id"])


def upload_file(server: Server, name: str, data: bytes) -> str:
    body = {"filename": name, "data": base64.b64encode(data).decode()}
    answer = httpx2.post(f"{server.base_url}/media/upload/file", json=body, headers=server.headers)
    return str(answer.json()["data"]["id"])


def refuse_changes(route: Any) -> None:
    if route.request.method == "PATCH":
        route.abort()
    else:
        route.fallback()


def test_the_library_shows_what_there_is_with_few_calls(visit: Visit, contents: dict[str, str]) -> None:
    visitor = visit()
    visitor.go("/")
    for name in ("harbour-at-dawn.jpg", "Ferry crossing", "press-kit.pdf"):
        visitor.role("link", name).wait_for()
    expect(visitor.role("link", "Media")).to_have_attribute("aria-current", "page")
    picture = visitor.page.get_by_role("listitem").filter(has_text="north-ridge.jpg").locator("img").last
    picture.scroll_into_view_if_needed()
    expect(picture).to_have_js_property("complete", True)
    assert picture.evaluate("image => image.naturalWidth") == 200
    # None of them is for a picture: its address came with the list. One is for the bell. The video may become complete
    # meanwhile, and is then read again.
    calls = [call for call in visitor.calls if "/media/videos/vid_" not in call]
    assert len(calls) <= 6, calls
    # The protected picture is seen too: its address was signed.
    protected = visitor.page.get_by_role("listitem").filter(has_text="night-walk.jpg").locator("img").last
    protected.scroll_into_view_if_needed()
    expect(protected).to_have_attribute("src", re.compile("sig="))


def test_documents_sounds_and_texts_are_shown_and_played(console_server: Server, visit: Visit) -> None:
    paper = upload_file(console_server, "paper.pdf", pdf(12))
    note = upload_file(console_server, "voice.wav", wav(3))
    text = upload_file(console_server, "words.md", b"# Words\n<img src=x onerror=alert(1)>")
    for each in (paper, note):
        wait_until(partial(has_thumbnail, console_server, each))
    visitor = visit()
    visitor.go(f"/media/{paper}")
    panel = visitor.role("complementary", "paper.pdf")
    expect(panel.get_by_text("12 pages", exact=True)).to_be_visible()
    for name in ("paper.pdf", "voice.wav"):
        picture = visitor.page.get_by_role("listitem").filter(has_text=name).locator("img").last
        expect(picture).to_have_js_property("naturalWidth", 200)
    visitor.go(f"/media/{note}")
    player = visitor.page.get_by_label("Play voice.wav", exact=True)
    expect(player).to_have_js_property("duration", 3)
    player.evaluate("player => player.play()")
    expect(player).to_have_js_property("ended", True)
    expect(visitor.role("img", "Waveform")).to_have_js_property("naturalWidth", 768)
    visitor.go(f"/media/{text}")
    expect(visitor.role("region", "First lines")).to_have_text("# Words\n<img src=x onerror=alert(1)>")


def test_dates_and_orders_hold_for_videos_as_for_pictures(visit: Visit, contents: dict[str, str]) -> None:
    visitor = visit()
    visitor.go("/media?tag=coast&after=2020-01-01")
    for name in ("lagoon.jpg", "Ferry crossing"):
        visitor.role("link", name).wait_for()
    visitor.go("/media?kind=video&after=2099-01-01")
    visitor.role("heading", "Nothing found").wait_for()
    coast = re.compile("^(harbour-at-dawn.jpg|lagoon.jpg|Ferry crossing)$")
    names = visitor.page.get_by_role("list").get_by_role("link", name=coast)
    visitor.go("/media?tag=coast&sort=createdAt")
    expect(names).to_have_count(3)
    expect(names.last).to_have_accessible_name("Ferry crossing")
    visitor.go("/media?tag=coast&sort=filename")
    expect(names).to_have_count(3)
    expect(names.first).to_have_accessible_name("Ferry crossing")
    visitor.go("/media?tag=coast&sort=-size")
    expect(names).to_have_count(3)


def test_search_and_filters_are_in_the_address_and_survive_a_reload(visit: Visit, contents: dict[str, str]) -> None:
    visitor = visit()
    visitor.go("/media")
    visitor.role("link", "lagoon.jpg").wait_for()
    visitor.page.keyboard.press("/")
    visitor.page.keyboard.type("ridge")
    visitor.role("link", "lagoon.jpg").wait_for(state="detached")
    expect(visitor.role("link", "north-ridge.jpg")).to_be_visible()
    expect(visitor.page).to_have_url(re.compile(r"/media\?q=ridge$"))
    visitor.page.reload()
    visitor.role("link", "north-ridge.jpg").wait_for()
    assert visitor.role("searchbox", "Search").input_value() == "ridge"
    visitor.role("searchbox", "Search").press("Escape")
    visitor.role("button", "Files").click()
    visitor.role("link", "press-kit.pdf").wait_for()
    expect(visitor.role("link", "north-ridge.jpg")).to_have_count(0)
    visitor.role("button", "Videos").click()
    visitor.role("link", "Ferry crossing").wait_for()
    expect(visitor.role("link", "press-kit.pdf")).to_have_count(0)


def test_selection_by_mouse_and_keys_shows_what_it_counts(visit: Visit, contents: dict[str, str]) -> None:
    visitor = visit()
    visitor.go("/media")
    page = visitor.page
    first = page.get_by_label("Select harbour-at-dawn.jpg")
    first.check()
    page.get_by_label("Select desert-road.jpg").click(modifiers=["Shift"])
    shown = page.locator("input[type=checkbox]:checked")
    expect(shown).to_have_count(6)
    expect(visitor.role("toolbar", "Selection")).to_contain_text("6 selected")
    page.keyboard.press("Escape")
    expect(shown).to_have_count(0)
    visitor.role("link", "harbour-at-dawn.jpg").focus()
    page.keyboard.press("x")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    expect(shown).to_have_count(3)
    page.keyboard.press("Control+a")
    expect(shown).to_have_count(page.locator("input[type=checkbox]").count())


def test_many_are_tagged_deleted_and_brought_back(
    console_server: Server, visit: Visit, contents: dict[str, str]
) -> None:
    ids = [upload(console_server, f"batch-{number}.png", tags=["bulk"]) for number in range(3)]
    visitor = visit()
    visitor.go("/media?tag=bulk")
    visitor.role("link", "batch-0.png").wait_for()
    page = visitor.page
    page.keyboard.press("Control+a")
    page.keyboard.press("t")
    visitor.page.get_by_label("Tags to add").fill("summer, 2026")
    page.keyboard.press("Enter")
    page.get_by_role("status").get_by_text("Tags of 3 items changed").wait_for()
    assert all(set(asset(console_server, each)["tags"]) == {"bulk", "summer", "2026"} for each in ids)
    page.keyboard.press("Delete")
    page.get_by_role("status").get_by_text("3 items are in the trash").wait_for()
    expect(visitor.role("link", "batch-0.png")).to_have_count(0)
    assert all(asset(console_server, each)["trashedAt"] is not None for each in ids)
    page.keyboard.press("z")
    expect(visitor.role("link", "batch-0.png")).to_be_visible()
    assert all(asset(console_server, each)["trashedAt"] is None for each in ids)


def test_a_change_that_the_server_refuses_is_put_back_and_can_be_tried_again(
    console_server: Server, visit: Visit
) -> None:
    changed = upload(console_server, "fragile.png", tags=["fragile"])
    visitor = visit()
    page = visitor.page
    visitor.go(f"/media/{changed}")
    visitor.role("heading", "Tags").wait_for()
    page.route("**/api/v1/media/assets/ast_*", refuse_changes)
    page.get_by_label("Add a tag").fill("broken")
    page.keyboard.press("Enter")
    message = page.get_by_role("status").get_by_text("Not saved: The server cannot be reached.")
    message.wait_for()
    expect(page.get_by_role("button", name="Remove broken")).to_have_count(0)
    page.unroute_all()
    visitor.role("button", "Try again").click()
    page.get_by_role("button", name="Remove broken").wait_for()
    expect(message).to_have_count(0)
    assert set(asset(console_server, changed)["tags"]) == {"fragile", "broken"}


def test_the_panel_describes_links_and_steps_on(console_server: Server, visit: Visit, contents: dict[str, str]) -> None:
    visitor = visit()
    page = visitor.page
    visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visitor.go("/media")
    visitor.role("link", "vineyard.jpg").click()
    panel = visitor.role("complementary", "vineyard.jpg")
    panel.get_by_label("Alt text").fill("Rows of vines")
    page.keyboard.press("Tab")
    panel.get_by_role("button", name="Markdown").click()
    page.get_by_role("status").get_by_text("Markdown copied").wait_for()
    found = asset(console_server, contents["vineyard.jpg"])
    assert found["alt"] == "Rows of vines"
    assert page.evaluate("navigator.clipboard.readText()") == f"![Rows of vines]({found['url']})"
    panel.get_by_label("Sizes").select_option("square")
    expect(panel.get_by_alt_text("As square")).to_have_js_property("naturalWidth", 512)
    panel.get_by_role("button", name="Focal point").click()
    panel.get_by_role("button", name="Choose the focal point").click(position={"x": 10, "y": 10})
    panel.get_by_role("button", name="Clear").wait_for()
    visitor.role("button", "Next item").click()
    visitor.role("complementary", "storm-front.jpg").wait_for()
    page.keyboard.press("Escape")
    expect(visitor.role("complementary", "storm-front.jpg")).to_have_count(0)
    expect(visitor.role("link", "storm-front.jpg")).to_be_focused()
    assert asset(console_server, contents["vineyard.jpg"])["focalPoint"]["x"] < 0.1


def test_a_video_plays(visit: Visit, contents: dict[str, str]) -> None:
    visitor = visit()
    visitor.go(f"/media/{contents['video']}")
    film = visitor.page.locator("video")
    film.evaluate(PLAY)
    expect(film).not_to_have_js_property("currentTime", 0)
    panel = visitor.role("complementary", "Ferry crossing")
    expect(panel.get_by_text("Type")).to_be_visible()
    for name in ("Media id", "Provider id"):  # for programs
        expect(panel.get_by_text(name)).to_be_hidden()
    panel.locator("summary", has_text="Applications").click()
    expect(panel.get_by_text("Media id")).to_be_visible()
    expect(panel.get_by_text("Provider id")).to_be_visible()


def test_what_others_upload_and_delete_is_seen_without_asking(console_server: Server, visit: Visit) -> None:
    visitor = visit()
    with visitor.page.expect_response("**/events/stream"):
        visitor.go("/media")
    visitor.role("heading", "Media").wait_for()
    name, data = draw(3, grain=4)
    body = {"filename": f"late-{name}", "data": base64.b64encode(data).decode()}
    made = httpx2.post(f"{console_server.base_url}/media/upload/image", json=body, headers=console_server.headers)
    visitor.role("link", f"late-{name}").wait_for()
    address = f"{console_server.base_url}/media/assets/{made.json()['data']['id']}"
    httpx2.delete(address, headers=console_server.headers)
    visitor.role("link", f"late-{name}").wait_for(state="detached")


def test_on_a_phone_the_places_are_at_the_bottom_and_nothing_is_cut_off(visit: Visit, contents: dict[str, str]) -> None:
    visitor = visit(viewport=PHONE, has_touch=True)
    visitor.go("/media?q=lagoon")
    visitor.role("link", "lagoon.jpg").wait_for()
    places = visitor.role("navigation", "Main").bounding_box()
    assert places["y"] > PHONE["height"] - 100
    assert visitor.page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    visitor.role("link", "lagoon.jpg").tap()
    visitor.role("complementary", "lagoon.jpg").wait_for()
    visitor.role("button", "Close panel").tap()
    expect(visitor.role("complementary", "lagoon.jpg")).to_have_count(0)


def test_things_of_the_library_are_attached_to_a_task_and_say_so(visit: Visit, contents: dict[str, str]) -> None:
    visitor = visit()
    visitor.go("/tasks?view=all")
    visitor.page.get_by_label("Title of the new task").fill("Print the poster")
    visitor.page.keyboard.press("Enter")
    visitor.role("link", "Print the poster").click()
    visitor.role("button", "From media").click()
    pick = visitor.role("dialog", "Attach media")
    pick.get_by_label("Space").select_option("Library")
    pick.get_by_label("Search media").fill("lagoon")
    expect(pick.get_by_role("checkbox")).to_have_count(1)
    pick.get_by_label("lagoon.jpg").check()
    pick.get_by_role("button", name="Attach 1 item").click()
    names = visitor.role("list", "Attachments").get_by_role("link")
    expect(names).to_have_text(["lagoon.jpg"])
    note = {"name": "paper-sizes.txt", "mimeType": "text/plain", "buffer": b"A1, A2"}
    visitor.page.get_by_label("Files to attach").set_input_files([note])
    expect(names).to_have_text(["lagoon.jpg", "paper-sizes.txt"])
    visitor.role("button", "Attachment paper-sizes.txt").click()
    visitor.role("menuitem", "Move up").click()
    expect(names).to_have_text(["paper-sizes.txt", "lagoon.jpg"])
    picture = visitor.role("list", "Attachments").locator("img").last
    expect(picture).to_have_js_property("complete", True)
    assert picture.evaluate("image => image.naturalWidth") == 200

    visitor.page.route("**/api/v1/taskapp/tasks/*", lambda route: route.abort())
    visitor.role("button", "Attachment lagoon.jpg").click()
    visitor.role("menuitem", "Take out").click()
    expect(visitor.page.get_by_text("Not saved: The server cannot be reached.")).to_be_visible()
    expect(names).to_have_text(["paper-sizes.txt", "lagoon.jpg"])
    visitor.page.unroute("**/api/v1/taskapp/tasks/*")

    visitor.page.route("**/api/v1/media/assets/by-ids", lambda route: route.abort())
    visitor.page.reload()
    expect(visitor.page.get_by_text("What is attached could not be read.")).to_be_visible()
    expect(visitor.role("list", "Attachments").get_by_role("listitem")).to_have_text(["A file", "A file"])
    visitor.page.unroute("**/api/v1/media/assets/by-ids")
    visitor.role("button", "Try again").click()

    names.last.click()
    visitor.role("list", "Where it is used").get_by_role("link", name="Print the poster").click()
    expect(visitor.page.get_by_label("Title", exact=True)).to_have_value("Print the poster")
    visitor.role("button", "Attachment lagoon.jpg").click()
    visitor.role("menuitem", "Take out").click()
    expect(names).to_have_text(["paper-sizes.txt"])
    visitor.go(f"/media/{contents['lagoon.jpg']}")
    expect(visitor.page.get_by_text("None of your tasks uses it.")).to_be_visible()
