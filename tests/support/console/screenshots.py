"""Pictures of every screen for the documentation: `make screenshots` writes docs/images again.

Each screen is shown in light, in dark, and at the width of a phone, on a server of its own with the same contents each
time. To show another screen, add a line to SHOTS. The terminal is shown as well.
"""

import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyvips

from support.clients.people import invited
from support.console import arrangements, library, terminal_picture, work
from support.console.visitor import DESKTOP, PHONE, Visitor, chromium
from support.servers.stowboard import Server
from support.waiting import wait_until

FOLDER = Path(__file__).parents[3] / "docs" / "images"
PERSON = "robin"
PASSPHRASE = "six random words make a passphrase"
vips: Any = pyvips


@dataclass(frozen=True)
class Shot:
    name: str
    path: Callable[[dict[str, str]], str]
    prepare: Callable[[Visitor], None]


def _library(visitor: Visitor) -> None:
    visitor.page.locator("li img").nth(8).wait_for()


def _selected(visitor: Visitor) -> None:
    _library(visitor)
    for name in ("north-ridge.jpg", "poppies.jpg", "lagoon.jpg"):
        visitor.page.get_by_label(f"Select {name}").check()


def _panel(visitor: Visitor) -> None:
    visitor.role("heading", "Tags").wait_for()


def _player(visitor: Visitor) -> None:
    visitor.page.locator("video").wait_for()
    wait_until(lambda: bool(visitor.page.evaluate("document.querySelector('video').readyState >= 2")))


def _cards(visitor: Visitor) -> None:
    visitor.role("link", "Choose a name").wait_for()


def _task(visitor: Visitor) -> None:
    _cards(visitor)
    visitor.page.get_by_label("Text (Markdown)").wait_for()


def _together(visitor: Visitor) -> None:
    visitor.role("list", "Checklist").wait_for()
    visitor.role("list", "Comments").wait_for()


def _tasks(visitor: Visitor) -> None:
    visitor.role("link", "Renew the certificate of the shop").wait_for()


def _palette(visitor: Visitor) -> None:
    _library(visitor)
    visitor.page.keyboard.press("Control+k")
    visitor.role("dialog", "Commands").wait_for()


def _shortcuts(visitor: Visitor) -> None:
    _library(visitor)
    visitor.page.keyboard.press("?")
    visitor.role("dialog", "Keyboard shortcuts").wait_for()


def _viewer(visitor: Visitor) -> None:
    picture = visitor.page.locator("dialog .stage img")
    picture.wait_for()
    wait_until(lambda: "/xlarge/" in str(picture.get_attribute("src")))


def _list(visitor: Visitor) -> None:
    _library(visitor)
    visitor.page.keyboard.press("v")
    visitor.role("group", "Headings").wait_for()


def _search(visitor: Visitor) -> None:
    _part(visitor)
    visitor.role("searchbox", "Search").fill("harbour")
    visitor.role("listbox", "Found").wait_for()


def _part(visitor: Visitor) -> None:
    visitor.page.locator(".part section").first.wait_for()
    # The stream of events never ends, so the network is never idle.
    wait_until(lambda: visitor.page.locator(".loading").count() == 0)


def _space(visitor: Visitor) -> None:
    visitor.role("list", "People").wait_for()
    visitor.role("list", "Invitations").wait_for()


def _switch(visitor: Visitor) -> None:
    visitor.page.locator(".boards li a").first.wait_for()
    visitor.page.keyboard.press("g")
    visitor.page.keyboard.press("s")
    visitor.role("menu", "Spaces").wait_for()


def _share(visitor: Visitor) -> None:
    _cards(visitor)
    visitor.role("button", "Board actions").click()
    visitor.role("menuitem", "Share…").click()
    visitor.page.get_by_label("Name of the space").fill("Harbour festival")


def _told(visitor: Visitor) -> None:
    visitor.role("link", "Notifications, 3 unread").wait_for()
    visitor.role("list", "Notifications").wait_for()


def _rules(visitor: Visitor) -> None:
    _part(visitor)
    visitor.page.locator("table").wait_for()
    visitor.role("heading", "What you are told").evaluate("(heading) => heading.closest('section').scrollIntoView()")


def _sign_in(visitor: Visitor) -> None:
    visitor.page.get_by_label("Password").wait_for()


def _unlocked(visitor: Visitor) -> None:
    """With the passphrase; at the first time it is set."""
    _part(visitor)
    first = visitor.role("button", "Set a passphrase")
    if first.is_visible():
        first.click()
        for label in ("New passphrase, 12 characters or more", "Repeat the passphrase"):
            visitor.page.get_by_label(label).fill(PASSPHRASE)
        visitor.role("button", "Set it").click()
        visitor.role("button", "Done").click()
        return
    visitor.page.get_by_label("Passphrase", exact=True).fill(PASSPHRASE)
    visitor.role("button", "Unlock").click()
    visitor.role("button", "Lock").wait_for()


def _sealed(visitor: Visitor) -> None:
    """A text that was sealed, unlocked; at the first time it is sealed."""
    _cards(visitor)
    visitor.page.get_by_label("Title").wait_for()
    if visitor.page.get_by_label("Text (Markdown)", exact=True).is_visible():
        visitor.role("button", "Seal the text").click()
    visitor.page.get_by_label("Passphrase", exact=True).fill(PASSPHRASE)
    visitor.role("button", "Unlock").click()
    text = visitor.page.get_by_label("Sealed text (Markdown)")
    visitor.role("button", "Seal").or_(text).wait_for()
    if visitor.role("button", "Seal").is_visible():
        visitor.role("button", "Seal").click()
    text.wait_for()


SHOTS = [
    Shot("media", lambda _: "/media", _library),
    Shot("media-selected", lambda _: "/media", _selected),
    Shot("viewer", lambda ids: f"/media/{ids['harbour-at-dawn.jpg']}?full=1", _viewer),
    Shot("asset", lambda ids: f"/media/{ids['harbour-at-dawn.jpg']}", _panel),
    Shot("video", lambda ids: f"/media/{ids['video']}", _player),
    Shot("board", lambda ids: f"/boards/{ids['board']}", _cards),
    Shot("task", lambda ids: f"/boards/{ids['board']}?task={ids['Write the announcement']}", _task),
    Shot("tasks", lambda _: "/tasks", _tasks),
    Shot("together", lambda ids: f"/boards/{ids['garden']}?task={ids['shared']}", _together),
    Shot("share", lambda ids: f"/boards/{ids['board']}", _share),
    Shot("space", lambda ids: f"/spaces/{ids['space']}", _space),
    Shot("spaces", lambda _: "/boards", _switch),
    Shot("notifications", lambda _: "/notifications", _told),
    Shot("settings-notifications", lambda _: "/settings/notifications", _rules),
    Shot("sign-in", lambda _: "/signin?again=1", _sign_in),
    Shot("settings-tokens", lambda _: "/settings/tokens", _part),
    Shot("settings-webhook", lambda ids: f"/settings/webhooks?webhook={ids['webhook']}", _part),
    Shot("settings-sealed", lambda _: "/settings/encryption", _unlocked),
    Shot("sealed", lambda ids: f"/boards/{ids['board']}?task={ids['Book the harbour hall']}", _sealed),
    Shot("settings-people", lambda _: "/settings/people", _part),
    Shot("settings-sizes", lambda _: "/settings/sizes", _part),
    Shot("settings-storage", lambda _: "/settings/storage", _part),
    Shot("commands", lambda _: "/media", _palette),
    Shot("search", lambda _: "/settings/profile", _search),
    Shot("shortcuts", lambda _: "/media", _shortcuts),
    # The browser remembers the view, so it comes last.
    Shot("list", lambda _: "/media", _list),
]
LOOKS: list[tuple[str, dict[str, Any]]] = [
    ("light", {"viewport": DESKTOP, "color_scheme": "light"}),
    ("dark", {"viewport": DESKTOP, "color_scheme": "dark"}),
    ("phone", {"viewport": PHONE, "color_scheme": "light", "has_touch": True, "device_scale_factor": 1.5}),
]


def main(into: str = "", only: str = "") -> None:
    folder = Path(into) if into else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, chromium() as browser:
        server = Server(Path(place), {"STOWBOARD_RATE_LIMIT_PER_MINUTE": "6000000"}).start()
        try:
            bearer = invited(server, PERSON, "admin").bearer()
            ids = (
                library.fill(server, bearer, grain=1, space="own")
                | work.fill(server, bearer)
                | arrangements.fill(server, bearer)
            )
            if only in terminal_picture.NAME:
                terminal_picture.draw(server, bearer, Path(place), folder)
            for look, options in LOOKS:
                context = browser.new_context(**options, reduced_motion="reduce")
                for shot in SHOTS:
                    if only in shot.name:
                        _take(context, server, shot, ids, folder / f"{shot.name}-{look}.webp")
        finally:
            server.kill()


def _take(context: Any, server: Server, shot: Shot, ids: dict[str, str], file: Path) -> None:
    visitor = Visitor(context, server)
    visitor.sign_in(PERSON)
    visitor.go(shot.path(ids))
    shot.prepare(visitor)
    wait_until(lambda: bool(visitor.page.evaluate("[...document.images].every(image => image.complete)")))
    visitor.page.mouse.move(0, 0)
    picture = vips.Image.new_from_buffer(visitor.page.screenshot(), "")
    picture.webpsave(str(file), Q=80, smart_subsample=True, keep=0)
    visitor.page.close()
    complaints = visitor.elsewhere + visitor.complaints
    print(file.name, f"{file.stat().st_size // 1024} kB", *complaints)


if __name__ == "__main__":
    main(*sys.argv[1:3])
