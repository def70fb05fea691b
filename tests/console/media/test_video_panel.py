"""The panel of a video in a browser: sizes that join it, captions, posters, a download; and uploads from a link."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from stowboard.console.files import BUILT
from stowboard_client import Client
from support.console.visitor import Visitor
from support.media.held_ffmpeg import HeldFfmpeg
from support.media.unique_images import png
from support.media.video_files import video_file
from support.outgoing.file_server import ALLOWED, File, FileServer
from support.servers.stacks import UNLIMITED
from support.servers.stowboard import Server
from support.waiting import wait_until

Visit = Callable[..., Visitor]
#: What the API puts there without a space is in the Library (conftest.py).
OPENS_LIBRARY = True
CAPTIONS = b"1\n00:00:00,000 --> 00:00:03,000\nGood morning.\n"


@pytest.fixture(scope="module")
def held_ffmpeg(tmp_path_factory: pytest.TempPathFactory) -> HeldFfmpeg:
    return HeldFfmpeg(tmp_path_factory.mktemp("ffmpeg"))


@pytest.fixture(scope="module")
def console_server(make_server: Callable[[dict[str, str]], Server], held_ffmpeg: HeldFfmpeg) -> Server:
    """It makes 240p at once, and 360p when it is told to."""
    if not (BUILT / "index.html").is_file():
        pytest.skip("NOT TESTED: the console was not built; `python -m build_steps.console` says why")
    return make_server(UNLIMITED | ALLOWED | {"STOWBOARD_FFMPEG": str(held_ffmpeg.program)})


@pytest.fixture(scope="module")
def video_id(console_server: Server) -> str:
    with Client(console_server.origin, console_server.admin_token) as client:
        return client.videos.upload(video_file(4, "640x360"), "Harbour", wait=120).id


def test_a_video_is_described_while_its_larger_sizes_are_made_and_shows_them_then(
    console_server: Server, visit: Visit, video_id: str, held_ffmpeg: HeldFfmpeg
) -> None:
    visitor = visit()
    visitor.go(f"/media/{video_id}")
    panel, film = visitor.role("complementary", "Harbour"), visitor.page.locator("video")
    expect(panel.get_by_text("audio · 240p · original", exact=True)).to_be_visible()
    expect(panel.get_by_text(re.compile("Making further sizes, .* %"))).to_be_visible()

    panel.get_by_label("A file with captions").set_input_files(
        {"name": "harbour.de.srt", "mimeType": "application/x-subrip", "buffer": CAPTIONS}
    )
    language = panel.get_by_label("Language")
    expect(language).to_have_value("de")
    language.fill("German, I think")
    panel.get_by_role("button", name="Add captions").click()
    expect(language).to_have_accessible_description("Language: expected a language tag such as en, pt-BR or zh-Hant.")
    language.fill("de")
    panel.get_by_role("button", name="Add captions").click()
    expect(visitor.role("list", "Captions").get_by_role("listitem")).to_have_text(
        re.compile(r"Deutsch\s*de, 1 caption")
    )
    film.evaluate("film => { film.textTracks[0].mode = 'showing' }")
    wait_until(lambda: film.evaluate("film => film.textTracks[0].cues?.length") == 1)
    assert film.evaluate("film => [film.textTracks[0].label, film.textTracks[0].cues[0].text]") == [
        "Deutsch",
        "Good morning.",
    ]

    poster = panel.get_by_alt_text("The present poster")
    expect(poster).to_have_js_property("naturalWidth", 640)
    panel.get_by_label("A picture for the poster").set_input_files(
        {"name": "cover.png", "mimeType": "image/png", "buffer": png()}
    )
    expect(poster).not_to_have_js_property("naturalWidth", 640)
    film.evaluate("film => { film.currentTime = 2 }")
    panel.get_by_role("button", name="Use this frame").click()
    expect(poster).to_have_js_property("naturalWidth", 640)
    panel.get_by_label("Seek").hover()
    expect(panel.get_by_text("0:02", exact=True)).to_be_visible()
    assert visitor.axe() == []

    panel.get_by_role("button", name="Full screen").click()
    viewer = visitor.role("dialog", "Harbour")
    large = viewer.locator("video")
    expect(large).to_have_js_property("textTracks.length", 1)
    wait_until(lambda: large.evaluate("film => film.readyState > 0"))
    large.evaluate("film => { film.textTracks[0].mode = 'showing' }")
    wait_until(lambda: large.evaluate("film => film.textTracks[0].cues?.[0]?.text") == "Good morning.")
    assert visitor.axe() == []
    visitor.page.keyboard.press("Escape")
    expect(viewer).to_have_count(0)

    held_ffmpeg.release()
    expect(panel.get_by_text("audio · 240p · 360p", exact=True)).to_be_visible()
    expect(panel.get_by_text(re.compile("Making further sizes"))).to_have_count(0)
    with visitor.page.expect_download() as download:
        panel.get_by_role("button", name="Download MP4").click()
    assert download.value.suggested_filename == "Harbour.mp4"
    panel.get_by_role("button", name="Remove captions in Deutsch").click()
    expect(visitor.role("list", "Captions")).to_have_count(0)


def test_something_on_the_web_is_uploaded_by_its_link(visit: Visit) -> None:
    visitor = visit()
    with FileServer() as files:
        files.files["/harbour.png"] = File(png(), headers={"content-type": "image/png"})
        visitor.go("/media")
        visitor.role("button", "More ways to upload").click()
        visitor.role("menuitem", "Upload from a link").click()
        dialog = visitor.role("dialog", "Upload from a link")
        expect(dialog.get_by_text("Everybody with an account here sees what you upload.")).to_be_visible()
        dialog.get_by_label("Address").fill("ftp://nowhere/at.all")
        dialog.get_by_role("button", name="Fetch it").click()
        # At the field, in its own words.
        expect(dialog.get_by_label("Address")).to_have_accessible_description(re.compile("^Address: .*http"))
        expect(dialog.get_by_label("Address")).to_be_focused()
        assert visitor.axe() == []
        dialog.get_by_label("Address").fill(f"{files.origin}/harbour.png")
        dialog.get_by_role("button", name="Fetch it").click()
        visitor.role("complementary", "harbour.png").wait_for()
        expect(visitor.role("button", "Open in the viewer").locator("img").last).to_have_js_property("complete", True)
        expect(visitor.role("complementary", "harbour.png").get_by_text("Processing")).to_have_count(0)
        expect(
            visitor.role("complementary", "harbour.png").get_by_label("Everybody with an account here sees it")
        ).to_be_checked()
