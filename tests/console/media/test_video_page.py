"""A video through a browser: the manual's own page uploads one with tus-js-client and plays it with hls.js.

The page comes from another origin than the service, as pages of users do.
"""

import functools
import shutil
import threading
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from stowboard_client import Client
from support.console.visitor import PATIENCE_MS
from support.media.held_ffmpeg import HeldFfmpeg
from support.media.video_files import video_file
from support.servers.stowboard import Server
from support.waiting import wait_until

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "api" / "upload-page.html"
MODULES = ROOT / "tests" / "tools" / "node_modules"
SCRIPTS = [MODULES / "tus-js-client" / "dist" / "tus.min.js", MODULES / "hls.js" / "dist" / "hls.min.js"]
H264 = 'video/mp4; codecs="avc1.64001e,mp4a.40.2"'
WAIT_MS = 60_000
PLAYS = (
    "() => { const v = document.querySelector('video');"
    " return v.currentTime > 1 && v.getVideoPlaybackQuality().totalVideoFrames > 5; }"
)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def held_ffmpeg(tmp_path_factory: pytest.TempPathFactory) -> HeldFfmpeg:
    """It encodes nothing before it is released: until then videos are played as they are."""
    return HeldFfmpeg(tmp_path_factory.mktemp("ffmpeg"), "180p")


@pytest.fixture(scope="module")
def server(make_server: Callable[[dict[str, str]], Server], held_ffmpeg: HeldFfmpeg) -> Server:
    """One is enough: what a browser sees does not depend on databases."""
    return make_server({"STOWBOARD_FFMPEG": str(held_ffmpeg.program)})


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    """The address of the page, with its scripts beside it."""
    if not all(script.exists() for script in SCRIPTS):
        pytest.skip(
            "NOT TESTED: hls.js and tus-js-client are not installed (npm ci in tests/tools), so nothing was played"
        )
    for file in (PAGE, *SCRIPTS):
        shutil.copy(file, tmp_path)
    handler = functools.partial(_Quiet, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as http:
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{http.server_port}/{PAGE.name}"
        http.shutdown()
        thread.join()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    page = browser.new_page()
    page.set_default_timeout(PATIENCE_MS)
    if not page.evaluate("kind => MediaSource.isTypeSupported(kind)", H264):
        pytest.skip("NOT TESTED: this chromium has no decoder of H.264, so no video was played")
    yield page
    page.close()


def test_a_page_of_another_origin_uploads_a_video_and_plays_it(
    server: Server, site: str, page: Any, tmp_path: Path, held_ffmpeg: HeldFfmpeg
) -> None:
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    clip = tmp_path / "clip.mp4"
    clip.write_bytes(video_file(4, "320x180"))

    page.goto(site)
    page.fill("input[name=origin]", server.origin)
    page.fill("input[name=token]", server.admin_token)
    page.set_input_files("input[name=file]", clip)
    page.click("button")
    page.wait_for_function("document.querySelector('output').value === 'Ready'", timeout=WAIT_MS)
    page.wait_for_function(PLAYS, timeout=WAIT_MS)

    playing = page.evaluate(
        "() => { const v = document.querySelector('video');"
        " return {width: v.videoWidth, seconds: v.duration, poster: v.poster, error: v.error}; }"
    )
    assert playing["error"] is None
    assert 0 < playing["width"] <= 320
    assert playing["seconds"] == pytest.approx(4, abs=0.5)
    poster = page.evaluate(
        "url => new Promise((done, fail) => { const i = new Image(); i.onload = () => done(i.naturalWidth);"
        " i.onerror = fail; i.src = url; })",
        playing["poster"],
    )
    assert poster == 320
    assert page.evaluate("document.querySelector('progress').value") == 1

    with Client(server.origin, server.admin_token) as client:
        [video] = client.videos.list(limit=1).page().items
        assert [each.name for each in video.renditions] == ["original"]
        held_ffmpeg.release()
        wait_until(lambda: client.videos.get(video.id).processing is None)
        assert [each.name for each in client.videos.get(video.id).renditions] == ["audio", "180p"]
        url = client.videos.signed_url(video.provider_video_id).hls_url
    page.evaluate(
        "url => { const v = document.querySelector('video'), player = new Hls(); v.currentTime = 0;"
        " player.loadSource(url); player.attachMedia(v); return v.play(); }",
        url,
    )
    page.wait_for_function(PLAYS, timeout=WAIT_MS)
    assert complaints == []


def test_a_browser_plays_and_seeks_in_the_file_as_it_came(server: Server, site: str, page: Any) -> None:
    with Client(server.origin, server.admin_token) as client:
        video = client.videos.upload(video_file(4, "320x180"), "Harbour")
        url = client.videos.signed_url(video.provider_video_id).mp4_url
    page.goto(site)
    page.evaluate(
        "url => { const v = document.querySelector('video'); v.src = url; v.currentTime = 2; return v.play(); }", url
    )
    page.wait_for_function("document.querySelector('video').currentTime > 2.3", timeout=WAIT_MS)
    assert page.evaluate("document.querySelector('video').error") is None
