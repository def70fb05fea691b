"""Many photos at once, at the limits that an installation has by default: none is lost, all are shown, few requests."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from stowboard_client import Client
from support.console.visitor import Visitor
from support.media.unique_images import png
from support.servers.stowboard import Server

Visit = Callable[..., Visitor]
OPENS_LIBRARY = True
PHOTOS = 60
#: For each file: itself, and its part of looks for checksums and of looks at what has changed.
MOST_REQUESTS = 2.2


@pytest.fixture(scope="module")
def console_server(make_server: Callable[[dict[str, str]], Server]) -> Server:
    return make_server({})


def counted(visitor: Visitor) -> Counter[int]:
    """The answers of the API to this page from now on, by their status."""
    answers: Counter[int] = Counter()
    visitor.page.on("response", lambda answer: "/api/v1/" in answer.url and answers.update([answer.status]))
    return answers


def photos(number: int) -> list[dict[str, Any]]:
    return [{"name": f"photo-{at}.png", "mimeType": "image/png", "buffer": png()} for at in range(number)]


def test_photos_that_are_dropped_in_one_go_all_arrive_and_are_shown_with_few_requests(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/media")
    visitor.role("heading", "Media").wait_for()
    answers = counted(visitor)
    visitor.page.get_by_label("Files to upload").set_input_files(photos(PHOTOS))
    tray = visitor.role("region", "Uploads")
    expect(tray.get_by_role("heading")).to_have_text(f"{PHOTOS} files uploaded")
    expect(visitor.role("region", "Library").get_by_text(f"{PHOTOS} items", exact=True)).to_be_visible()
    assert answers.total() <= PHOTOS * MOST_REQUESTS
    assert answers[429] == 0


def test_a_library_that_is_only_looked_at_shows_all_that_a_program_uploads(
    console_server: Server, visit: Visit
) -> None:
    visitor = visit()
    visitor.go("/media")
    visitor.role("heading", "Media").wait_for()
    heading = visitor.role("region", "Library").get_by_text(" item")
    answers = counted(visitor)
    with Client(console_server.origin, console_server.admin_token) as client:
        before = sum(1 for _ in client.assets.list())
        for at in range(PHOTOS):
            client.upload(png(), filename=f"program-{at}.png", kind="image")
    shown = visitor.role("region", "Library").get_by_text(f"{before + PHOTOS} items", exact=True)
    expect(shown.or_(heading.get_by_text(f"More than {before + PHOTOS} items"))).to_be_visible()
    assert answers[429] == 0


def test_what_failed_is_on_top_and_can_be_tried_again(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/media")
    page = visitor.page
    refusal = {"error": {"code": "conflict", "message": "Not now."}}
    page.route("**/media/upload/image", lambda route: route.fulfill(status=409, json=refusal))
    page.get_by_label("Files to upload").set_input_files(photos(2))
    tray = visitor.role("region", "Uploads")
    expect(tray.get_by_role("heading")).to_have_text("2 uploads failed")
    page.unroute_all()
    texts = [{"name": f"later-{at}.txt", "mimeType": "text/plain", "buffer": png()} for at in range(9)]
    page.get_by_label("Files to upload").set_input_files(texts)
    expect(tray.get_by_role("listitem").nth(8).get_by_label("Done")).to_be_visible()
    rows = tray.get_by_role("listitem").all_inner_texts()
    assert ["photo-" in row for row in rows] == [True, True] + [False] * 9
    tray.get_by_role("button", name="Try 2 failed again").click()
    expect(tray.get_by_role("heading")).to_have_text("11 files uploaded")
