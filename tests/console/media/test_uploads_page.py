"""Uploads in a browser: by each way, paused, after a reload, and through the death of the server."""

import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Dialog, expect

from support.console.visitor import DESKTOP, PHONE, Visitor
from support.media.clips import make_clip
from support.media.exif import exif, photo
from support.media.pictures import noise
from support.media.unique_images import png
from support.servers.stowboard import Server
from support.waiting import wait_until

#: This browser cannot install anything, but says so.
_INSTALLED = """
  const match = window.matchMedia.bind(window)
  window.matchMedia = (query) => match(query === '(display-mode: standalone)' ? 'all' : query)
"""
_IS_LISTENING = "async () => Boolean((await navigator.serviceWorker.getRegistration('/console/'))?.active)"
Visit = Callable[..., Visitor]
#: What the API puts there without a space is in the Library (conftest.py).
OPENS_LIBRARY = True
MIB = 1024 * 1024


@pytest.fixture(scope="module")
def clip() -> bytes:
    """A video of three MiB: a short one, and after it a box that players skip."""
    with tempfile.TemporaryDirectory() as folder:
        film = make_clip(Path(folder) / "clip.mp4").read_bytes()
    padding = 3 * MIB
    return film + padding.to_bytes(4, "big") + b"free" + bytes(padding - 8)


def choose(visitor: Visitor, *files: dict[str, Any]) -> None:
    visitor.page.get_by_label("Files to upload").set_input_files(list(files))


def slow(visitor: Visitor, bytes_per_second: int) -> Callable[[], None]:
    """Returns how to end it."""
    session = visitor.context.new_cdp_session(visitor.page)

    def limit(to: int) -> None:
        limits = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": to}
        session.send("Network.emulateNetworkConditions", limits)

    session.send("Network.enable")
    limit(bytes_per_second)
    return lambda: limit(-1)


def listed(server: Server, what: str) -> list[dict[str, Any]]:
    answer = httpx2.get(f"{server.base_url}/media/{what}", headers=server.headers, params={"limit": 100})
    found: list[dict[str, Any]] = answer.json()["data"]
    return found


def share(visitor: Visitor, **words: str) -> None:
    """As the system does for another application, by the manifest's share_target. `files` is the name of one."""
    visitor.page.evaluate(
        """words => {
          const form = document.createElement('form')
          Object.assign(form, { method: 'post', action: '/console/share', enctype: 'multipart/form-data' })
          for (const [name, text] of Object.entries(words)) {
            const input = form.appendChild(document.createElement('input'))
            input.name = name
            if (name !== 'files') input.value = text
            else {
              const given = new DataTransfer()
              given.items.add(new File([new Uint8Array(4_000_000).fill(65)], text, { type: 'text/plain' }))
              Object.assign(input, { type: 'file', files: given.files })
            }
          }
          document.body.append(form)
          form.submit()
        }""",
        words,
    )


def test_an_installed_console_is_shared_with(console_server: Server, visit: Visit) -> None:
    visitor = visit()
    visitor.go("/tasks")
    share(visitor, files="early.txt")  # before it was ever opened as an application
    visitor.page.get_by_text("Share it again").wait_for()
    visitor.context.add_init_script(_INSTALLED)
    visitor.go("/tasks")
    wait_until(lambda: visitor.page.evaluate(_IS_LISTENING))
    share(visitor, title="Read this", url="https://example.com/a")
    expect(visitor.page.get_by_label("New task")).to_have_value("Read this https://example.com/a")
    share(visitor, files="Zürich letter.txt")
    asked = visitor.role("dialog", "Upload 1 file?")
    expect(asked.get_by_role("listitem")).to_have_text("Zürich letter.txt")
    asked.get_by_role("button", name="Upload").click()
    expect(visitor.role("region", "Uploads").get_by_role("heading")).to_have_text("1 file uploaded")
    found = {each["filename"]: each["size"] for each in listed(console_server, "assets")}
    assert found["Zürich letter.txt"] == 4_000_000
    assert "early.txt" not in found
    visitor.go("/media")
    visitor.role("link", "Zürich letter.txt").wait_for()
    assert visitor.page.evaluate("caches.has('shared')") is False


def test_small_and_middling_files_arrive_whole_and_are_shown(console_server: Server, visit: Visit) -> None:
    visitor = visit()
    visitor.go("/boards")  # any screen takes files
    middling = bytes(range(256)) * (9 * 4096)
    choose(
        visitor,
        {"name": "small.png", "mimeType": "image/png", "buffer": png()},
        {"name": "middling.bin", "mimeType": "application/octet-stream", "buffer": middling},
    )
    tray = visitor.role("region", "Uploads")
    expect(tray.get_by_role("heading")).to_have_text("2 files uploaded")
    tray.get_by_label("Tags for all of these").fill("arrived")
    visitor.page.keyboard.press("Enter")
    visitor.role("link", "Media").click()
    visitor.role("link", "small.png").last.wait_for()
    found = {each["filename"]: each for each in listed(console_server, "assets")}
    assert found["middling.bin"]["size"] == len(middling)
    assert found["small.png"]["kind"] == "image"
    assert found["small.png"]["tags"] == ["arrived"]
    tray.get_by_role("button", name="Close uploads").click()
    expect(tray).to_have_count(0)


def test_files_are_dropped_and_pasted_anywhere(console_server: Server, visit: Visit) -> None:
    visitor = visit()
    visitor.go("/settings")
    visitor.role("link", "Media").wait_for()
    for event, name in (("drop", "dropped.txt"), ("paste", "pasted.txt")):
        visitor.page.evaluate(
            """([event, name]) => {
              const given = new DataTransfer()
              given.items.add(new File([`text of ${name}`], name, {type: 'text/plain'}))
              const made = event === 'drop'
                ? new DragEvent('drop', {dataTransfer: given, bubbles: true, cancelable: true})
                : new ClipboardEvent('paste', {clipboardData: given, bubbles: true, cancelable: true})
              document.body.dispatchEvent(made)
            }""",
            [event, name],
        )
    expect(visitor.role("region", "Uploads").get_by_role("heading")).to_have_text("2 files uploaded")
    assert {"dropped.txt", "pasted.txt"} <= {each["filename"] for each in listed(console_server, "assets")}


def test_a_video_is_paused_and_goes_on_and_survives_the_death_of_the_server(
    console_server: Server, visit: Visit, clip: bytes
) -> None:
    visitor = visit()
    visitor.go("/media")
    visitor.role("heading", "Media").wait_for()
    hurry = slow(visitor, 50 * 1024)  # it is not whole before the server dies
    choose(visitor, {"name": "crossing.mp4", "mimeType": "video/mp4", "buffer": clip})
    tray = visitor.role("region", "Uploads")
    expect(tray.get_by_text(re.compile(r"[1-9].* of 3\.\d MB"))).to_be_visible()
    tray.get_by_role("button", name="Pause crossing.mp4").click()
    expect(tray.get_by_text(re.compile("^Paused"))).to_be_visible()
    tray.get_by_role("button", name="Resume crossing.mp4").click()
    expect(tray.get_by_role("button", name="Pause crossing.mp4")).to_be_visible()
    console_server.kill()
    hurry()
    console_server.start()
    expect(tray.get_by_role("heading")).to_have_text("1 file uploaded", timeout=60_000)
    [video] = [each for each in listed(console_server, "videos") if each["title"] == "crossing"]
    assert video["size"] == len(clip)
    visitor.complaints.clear()  # connections that were refused meanwhile


def test_after_a_reload_the_same_file_goes_on_where_it_was(console_server: Server, visit: Visit, clip: bytes) -> None:
    visitor = visit()
    page = visitor.page
    visitor.go("/media")
    visitor.role("heading", "Media").wait_for()
    hurry = slow(visitor, 50 * 1024)  # it is not whole before the reload
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "return.mp4"
        file.write_bytes(clip)
        page.get_by_label("Files to upload").set_input_files(file)
        tray = visitor.role("region", "Uploads")
        expect(tray.get_by_text(re.compile(r"[1-9].* of 3\.\d MB"))).to_be_visible()
        asked: list[str] = []

        def leave(dialog: Dialog) -> None:
            asked.append(dialog.type)
            dialog.accept()

        page.on("dialog", leave)
        tray.get_by_role("heading").click()  # browsers ask only whom has touched the page
        page.reload()
        assert asked == ["beforeunload"]
        assert "return.mp4" in page.evaluate("localStorage['stowboard.person.uploads'] ?? ''")
        expect(tray.get_by_text("Choose the same file to continue.")).to_be_visible()
        hurry()
        page.get_by_label("Files to upload").set_input_files(file)
        expect(tray.get_by_role("heading")).to_have_text("1 file uploaded", timeout=60_000)
    [video] = [each for each in listed(console_server, "videos") if each["title"] == "return"]
    assert video["size"] == len(clip)


def test_an_upload_that_is_refused_says_why_and_can_be_cancelled(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/media")
    choose(visitor, {"name": "empty.txt", "mimeType": "text/plain", "buffer": b""})
    tray = visitor.role("region", "Uploads")
    expect(tray.get_by_role("heading")).to_have_text("1 upload failed")
    expect(tray.get_by_text("The file is empty: there is nothing to upload.")).to_be_visible()
    expect(tray.get_by_role("button", name="Retry empty.txt")).to_have_count(0)
    tray.get_by_role("button", name="Cancel empty.txt").click()
    expect(tray).to_have_count(0)


def test_nothing_of_an_unfinished_upload_is_kept_after_sign_out(visit: Visit, clip: bytes) -> None:
    visitor = visit()
    visitor.go("/media")
    visitor.role("heading", "Media").wait_for()
    slow(visitor, 100 * 1024)
    choose(visitor, {"name": "private-name.mp4", "mimeType": "video/mp4", "buffer": clip})
    kept = "JSON.stringify({...localStorage, ...sessionStorage})"
    wait_until(lambda: "private-name" in visitor.page.evaluate(kept))
    visitor.role("region", "Uploads").get_by_role("button", name="Pause private-name.mp4").click()
    visitor.role("button", "Sign out").first.click()
    visitor.role("button", "Sign in").wait_for()
    left = visitor.page.evaluate(kept)
    assert "private-name" not in left
    assert "/uploads/" not in left


def test_a_photo_that_is_there_already_is_told_before_it_is_sent_and_the_tray_covers_nothing(
    console_server: Server, visit: Visit
) -> None:
    visitor = visit()
    visitor.go("/media")
    twice, once = png(), png()
    choose(visitor, {"name": "first.png", "mimeType": "image/png", "buffer": twice})
    tray = visitor.role("region", "Uploads")
    expect(tray.get_by_role("heading")).to_have_text("1 file uploaded")
    visitor.calls.clear()
    choose(visitor, {"name": "again.png", "mimeType": "image/png", "buffer": twice})
    expect(tray.get_by_role("heading")).to_have_text("1 file is already in the library")
    expect(tray.get_by_text("Already in the library as first.png")).to_be_visible()
    assert not [call for call in visitor.calls if call.startswith("POST /media/upload")]
    for viewport in (DESKTOP, PHONE):
        visitor.page.set_viewport_size(viewport)
        tops = [each.bounding_box() for each in (visitor.page.get_by_role("main"), tray)]
        assert tops[0]["y"] + tops[0]["height"] <= tops[1]["y"]
        assert tops[1]["y"] + tops[1]["height"] <= viewport["height"]
        assert visitor.axe(dark=False) == []
    visitor.page.set_viewport_size(DESKTOP)
    choose(visitor, {"name": "other.png", "mimeType": "image/png", "buffer": once})
    tray.get_by_role("button", name="Upload anyway").click()
    expect(tray.get_by_role("heading")).to_have_text("3 files uploaded")
    assert {"first.png", "again.png", "other.png"} <= {each["filename"] for each in listed(console_server, "assets")}


def test_a_file_that_is_there_already_is_attached_to_the_task_that_it_is_uploaded_for(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/tasks?view=all")
    visitor.role("button", "Space: Library").click()
    visitor.role("menuitemradio", "My space").click()
    once, tray = png(), visitor.role("region", "Uploads")
    visitor.go("/media")
    choose(visitor, {"name": "other.png", "mimeType": "image/png", "buffer": once})
    expect(tray.get_by_role("heading")).to_have_text("1 file uploaded")
    visitor.role("button", "Close uploads").click()
    visitor.go("/tasks?view=all")
    visitor.page.get_by_label("Title of the new task").fill("Print it")
    visitor.page.keyboard.press("Enter")
    visitor.role("link", "Print it").click()
    copy = {"name": "copy.png", "mimeType": "image/png", "buffer": once}
    visitor.page.get_by_label("Files to attach").set_input_files([copy])
    visitor.page.get_by_text("copy.png was here already as other.png, which is attached").wait_for()
    expect(visitor.role("list", "Attachments").get_by_role("link")).to_have_text(["other.png"])
    expect(tray).to_have_count(0)


def test_what_is_uploaded_is_protected_until_one_chooses_otherwise(console_server: Server, visit: Visit) -> None:
    visitor = visit()
    visitor.go("/media")
    choose(visitor, {"name": "mine.png", "mimeType": "image/png", "buffer": png()})
    tray = visitor.role("region", "Uploads")
    expect(tray.get_by_role("heading")).to_have_text("1 file uploaded")
    expect(tray.get_by_text("Everybody with an account here sees what you upload.")).to_be_visible()
    visitor.role("button", "More ways to upload").click()
    visitor.role("menuitemradio", "Everyone with the link sees it").click()
    expect(tray.get_by_text("Everyone with the link sees what you upload.")).to_be_visible()
    visitor.page.reload()
    choose(visitor, {"name": "everyones.png", "mimeType": "image/png", "buffer": png()})
    expect(tray.get_by_role("heading")).to_have_text("1 file uploaded")
    found = {each["filename"]: each["visibility"] for each in listed(console_server, "assets")}
    assert (found["mine.png"], found["everyones.png"]) == ("protected", "public")


def test_a_photo_is_uploaded_without_its_place(console_server: Server, visit: Visit) -> None:
    visitor = visit()
    visitor.go("/media")
    visitor.role("button", "More ways to upload").click()
    visitor.role("menuitemradio", "Leave out where photos were taken").click()
    choose(visitor, {"name": "harbour.jpg", "mimeType": "image/jpeg", "buffer": photo(noise(64, 48), exif())})
    tray = visitor.role("region", "Uploads")
    expect(tray.get_by_text("The place is left out of photos.")).to_be_visible()
    expect(tray.get_by_role("heading")).to_have_text("1 file uploaded")
    [found] = [each for each in listed(console_server, "assets") if each["filename"] == "harbour.jpg"]
    assert found["location"] is None


def test_an_image_that_does_not_decode_can_be_kept_as_a_file(console_server: Server, visit: Visit) -> None:
    visitor = visit()
    visitor.go("/media")
    choose(visitor, {"name": "broken.png", "mimeType": "image/png", "buffer": png()[:60]})
    tray = visitor.role("region", "Uploads")
    expect(tray.get_by_role("heading")).to_have_text("1 upload failed")
    expect(tray.get_by_role("button", name="Retry broken.png")).to_have_count(0)
    # The API names an operation to programs; a person has a button.
    expect(tray).not_to_contain_text("POST /")
    tray.get_by_role("button", name="Keep as a file").click()
    expect(tray.get_by_role("heading")).to_have_text("1 file uploaded")
    [kept] = [each for each in listed(console_server, "assets") if each["filename"] == "broken.png"]
    assert kept["kind"] == "file"
