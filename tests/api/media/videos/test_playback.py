"""Playing a video: who may, for how long, and what each address gives."""

import base64
import re
import time
from typing import Any
from urllib.parse import urljoin

import httpx2
import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from stowboard.core.signing import Keyring, SigningKey
from stowboard_client import Client, SignedVideoUrl, Video
from support.api.answers import data_of, error_of
from support.media.video_files import video_file
from support.servers.stowboard import Server
from support.stored.renditions import add_rendition
from support.stored.rows import rows

pytestmark = pytest.mark.cluster_in_soak

VIDEOS = "/api/v1/media/videos"
_ready: dict[str, Video] = {}


@pytest.fixture
def ready(server: Server, client: Client) -> Video:
    """A video that can be played, one for all tests, which leave it as it is."""
    if server.origin not in _ready:
        _ready[server.origin] = client.videos.upload(video_file(3, "320x180"), "Harbour", wait=120)
    return _ready[server.origin]


@pytest.fixture
def own(client: Client) -> Video:
    """A finalized video of the test's own. Its file can be played already; nothing waits for the rest."""
    return client.videos.upload(video_file(), "Harbour")


def signed(client: Client, video: Video, **options: int) -> SignedVideoUrl:
    return client.videos.signed_url(video.provider_video_id, **options)


def source_of(client: Client, video: Video) -> str:
    url = signed(client, video).mp4_url
    assert url is not None
    return url


def with_token(url: str, token: str) -> str:
    before, _, after = url.partition("/stream/")
    return f"{before}/stream/{token}/{after.partition('/')[2]}"


def token_of(url: str) -> str:
    return url.partition("/stream/")[2].partition("/")[0]


def test_a_signed_url_tells_what_it_plays_and_until_when(client: Client, admin: httpx2.Client, ready: Video) -> None:
    before = time.time()
    answer = data_of(admin.post(f"{VIDEOS}/{ready.provider_video_id}/signed-url", json={"expiresIn": 7200}))
    assert list(answer) == [
        "url", "expiresAt", "status", "providerVideoId", "hlsUrl", "mp4Url", "downloadUrl", "posterUrl",
        "storyboardUrl",
    ]  # fmt: skip
    assert (answer["status"], answer["providerVideoId"]) == ("ready", ready.provider_video_id)
    assert answer["url"] == answer["hlsUrl"]
    files = [answer[name].rpartition("/")[2] for name in ("hlsUrl", "mp4Url", "posterUrl")]
    assert files == ["master.m3u8", "video.mp4", "poster.jpg"]
    assert before + 7200 <= answer["expiresAt"] / 1000 <= time.time() + 7200 + 7200 / 12


def test_asking_again_gives_the_same_url_so_that_it_can_be_cached(client: Client, ready: Video) -> None:
    assert len({signed(client, ready, expires_in=604_800).mp4_url for _ in range(3)}) == 1


def test_the_path_takes_the_providers_id_not_the_videos(admin: httpx2.Client, ready: Video) -> None:
    assert error_of(admin.post(f"{VIDEOS}/{ready.id}/signed-url")) == (404, "not_found")
    assert data_of(admin.post(f"{VIDEOS}/{ready.provider_video_id}/signed-url"))["url"]


@pytest.mark.parametrize("seconds", [59, 604_801, 0, -1, "3600", 1.5])
def test_a_time_out_of_bounds_is_refused(admin: httpx2.Client, ready: Video, seconds: Any) -> None:
    answer = admin.post(f"{VIDEOS}/{ready.provider_video_id}/signed-url", json={"expiresIn": seconds})
    assert error_of(answer) == (400, "validation_failed")


def test_every_file_of_the_ladder_is_reached_from_the_one_address(
    client: Client, web: httpx2.Client, ready: Video
) -> None:
    url = signed(client, ready).url
    master = web.get(url)
    assert master.headers["content-type"] == "application/vnd.apple.mpegurl"
    assert web.head(url).headers["content-length"] == str(len(master.content))
    lines = master.text.splitlines()
    assert lines[:3] == ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-INDEPENDENT-SEGMENTS"]
    variants = list(zip(lines[3::2], lines[4::2], strict=True))
    assert variants
    for stream, name in variants:
        told = re.fullmatch(
            r"#EXT-X-STREAM-INF:BANDWIDTH=(\d+),AVERAGE-BANDWIDTH=(\d+)(?:,RESOLUTION=\d+x\d+,FRAME-RATE=(\d+\.\d{3}))?"
            r',CODECS="[a-z0-9.,A-F]+"',
            stream,
        )
        assert told is not None, stream
        assert 0 < int(told[2]) <= int(told[1])
        assert (name == "audio.m3u8") is (told[3] is None)
        assert told[3] is None or 10 <= float(told[3]) <= 60
        _check_variant(web, urljoin(url, name))


def _check_variant(web: httpx2.Client, url: str) -> None:
    """The ranges of a media playlist are, one after the other, its whole file."""
    playlist = web.get(url).text
    [(file, size, start)] = re.findall(r'#EXT-X-MAP:URI="([^"/]+)",BYTERANGE="(\d+)@(\d+)"', playlist)
    ranges = [
        (int(size), int(start)),
        *((int(a), int(b)) for a, b in re.findall(r"#EXT-X-BYTERANGE:(\d+)@(\d+)", playlist)),
    ]
    assert {line for line in playlist.splitlines() if line and not line.startswith("#")} == {file}
    pieces = []
    for length, first in ranges:
        piece = web.get(urljoin(url, file), headers={"range": f"bytes={first}-{first + length - 1}"})
        assert piece.status_code == 206
        assert len(piece.content) == length
        pieces.append(piece.content)
    assert b"".join(pieces) == web.get(urljoin(url, file)).content


def test_the_poster_is_a_picture_and_its_own_address_opens_nothing_else(
    client: Client, web: httpx2.Client, ready: Video
) -> None:
    assert ready.poster_url is not None
    poster = web.get(ready.poster_url)
    assert poster.headers["content-type"] == "image/jpeg"
    assert poster.content.startswith(b"\xff\xd8\xff")
    assert web.get(str(signed(client, ready).poster_url)).content == poster.content
    for file in ("master.m3u8", "video.mp4", "180p.m3u8", "180p.mp4"):
        assert error_of(web.get(urljoin(ready.poster_url, file))) == (404, "not_found")


def test_the_file_as_it_came_can_be_played_in_ranges(client: Client, web: httpx2.Client, ready: Video) -> None:
    url, content = source_of(client, ready), video_file(3, "320x180")
    whole = web.get(url)
    assert whole.content == content
    assert (whole.headers["content-type"], whole.headers["accept-ranges"]) == ("video/mp4", "bytes")
    first = web.get(url, headers={"range": "bytes=0-1"})  # as Safari asks before it plays anything
    assert (first.status_code, first.content) == (206, content[:2])
    assert first.headers["content-range"] == f"bytes 0-1/{len(content)}"
    assert web.get(url, headers={"range": "bytes=-10"}).content == content[-10:]
    assert error_of(web.get(url, headers={"range": f"bytes={len(content)}-"})) == (416, "range_not_satisfiable")
    head = web.head(url)
    assert (head.status_code, head.headers["content-length"], head.content) == (200, str(len(content)), b"")
    assert web.get(url, headers={"if-none-match": whole.headers["etag"]}).status_code == 304


def test_a_url_can_be_had_before_there_is_anything_to_play(client: Client, web: httpx2.Client) -> None:
    video = client.videos.create("Harbour")
    promise = signed(client, video)
    assert (promise.status, promise.hls_url, promise.mp4_url, promise.poster_url) == (
        "awaiting_upload", None, None, None,
    )  # fmt: skip
    for file in ("video.mp4", "master.m3u8", "poster.jpg", "720p.m3u8", "720p.mp4"):
        answer = web.get(urljoin(promise.url, file))
        assert error_of(answer) == (404, "not_found")
        assert int(answer.headers["retry-after"]) >= 1


def test_what_is_made_can_be_played_while_the_rest_is_not(
    idle_server: Server, idle: Client, web: httpx2.Client
) -> None:
    video = idle.videos.upload(video_file(), "Harbour")
    add_rendition(idle_server, video, "360p", progress=40)
    assert signed(idle, video).hls_url is None
    add_rendition(idle_server, video, "240p", progress=100, playlist="#EXTM3U")
    links = signed(idle, video)
    assert (links.status, links.url) == ("processing", links.mp4_url)
    master = web.get(str(links.hls_url))
    assert master.text.splitlines()[3:] == [
        '#EXT-X-STREAM-INF:BANDWIDTH=240000,RESOLUTION=426x240,CODECS="avc1.64001e"', "240p.m3u8",
    ]  # fmt: skip
    assert master.headers["cache-control"] == "no-cache"
    assert web.get(urljoin(links.url, "240p.m3u8")).text == "#EXTM3U"
    assert web.get(urljoin(links.url, "360p.m3u8")).headers["retry-after"]


def test_what_will_never_come_is_not_worth_a_retry(client: Client, web: httpx2.Client, ready: Video) -> None:
    answer = web.get(urljoin(signed(client, ready).url, "4320p.mp4"))
    assert error_of(answer) == (404, "not_found")
    assert "retry-after" not in answer.headers


@pytest.mark.parametrize(
    "file",
    ["", "master.m3u8.", "MASTER.M3U8", "p.mp4", "180p", "180p.ts", "video.mp4%00", "..%2fvideo.mp4", "%2e%2e",
     "x/180p.mp4", "180p.mp4/", "-1p.mp4", "180p%0a.mp4", "...", "etc%2fpasswd", "video.mp4%20"],
)  # fmt: skip
def test_only_known_names_are_files(client: Client, web: httpx2.Client, ready: Video, file: str) -> None:
    status, code = error_of(web.get(urljoin(source_of(client, ready), ".") + file))
    assert (status, code) in [(404, "not_found"), (404, "route_not_found")]


def test_a_token_of_another_video_opens_nothing(client: Client, web: httpx2.Client, own: Video, ready: Video) -> None:
    stolen = with_token(source_of(client, own), token_of(source_of(client, ready)))
    assert error_of(web.get(stolen)) == (404, "not_found")


@pytest.mark.parametrize(
    "token",
    ["public", "x", "1.2.3", "..", "0.k0." + "A" * 43, "9" * 12 + ".k0." + "A" * 43, "1.k0.é", "%00", "a" * 5000],
)
def test_a_made_up_token_opens_nothing(client: Client, web: httpx2.Client, ready: Video, token: str) -> None:
    url = source_of(client, ready)
    answer = web.get(with_token(url, token).replace("/../", "/%2e%2e/"))
    assert error_of(answer) == (404, "not_found")


def test_no_character_of_a_token_can_be_changed(client: Client, web: httpx2.Client, ready: Video) -> None:
    url = source_of(client, ready)
    token = token_of(url)
    assert web.get(url).status_code == 200

    @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.integers(0, len(token) - 1), st.sampled_from("0123456789.-_abcXYZ"))
    @example(len(token) - 1, chr(ord(token[-1]) + 1))
    def check(at: int, character: str) -> None:
        changed = token[:at] + character + token[at + 1 :]
        if changed != token:
            assert error_of(web.get(with_token(url, changed))) == (404, "not_found")

    check()


def test_an_expired_token_says_so(server: Server, client: Client, web: httpx2.Client, ready: Video) -> None:
    url, now = source_of(client, ready), int(time.time())
    assert web.get(with_token(url, signed_by_hand(server, ready, now + 60))).status_code == 200
    expired = web.get(with_token(url, signed_by_hand(server, ready, now - 1)))
    assert error_of(expired) == (403, "signature_expired")
    assert expired.headers["cache-control"] == "no-store"


def signed_by_hand(server: Server, video: Video, expiry: int) -> str:
    """With the server's own key, since nobody wants to wait for a minute."""
    found = rows(server, "SELECT id, secret, created_at FROM signing_key WHERE purpose = 'sign'")
    keyring = Keyring([SigningKey(key_id, bytes(secret), created_at) for key_id, secret, created_at in found])
    message = msgspec.json.encode((video.provider_video_id, 0, 0, expiry, ""))
    key_id, signature = keyring.sign("stream", message)
    return f"{expiry}.{key_id}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"


def test_a_deleted_video_stops_at_once(client: Client, web: httpx2.Client, own: Video) -> None:
    url = source_of(client, own)
    assert web.get(url).status_code == 200
    client.videos.delete(own.id)
    assert error_of(web.get(url)) == (404, "not_found")
    assert error_of(web.get(with_token(url, "public"))) == (404, "not_found")


def test_a_public_video_needs_no_signature_and_a_protected_one_again_does(
    client: Client, web: httpx2.Client, own: Video
) -> None:
    first = source_of(client, own)
    public = with_token(first, "public")
    assert error_of(web.get(public)) == (404, "not_found")
    client.videos.update(own.id, visibility="public")
    assert web.get(public).status_code == 200
    assert web.get(first).status_code == 200  # who was watching goes on
    second = source_of(client, own)
    client.videos.update(own.id, visibility="protected")
    for url in (public, first, second):
        assert error_of(web.get(url)) == (404, "not_found")
    assert web.get(source_of(client, own)).status_code == 200


def test_a_title_may_be_changed_while_links_are_out(client: Client, web: httpx2.Client, own: Video) -> None:
    url = source_of(client, own)
    client.videos.update(own.id, title="Port", tags=["a"])
    assert web.get(url).status_code == 200


def test_what_is_signed_is_cached_for_its_own_time_and_by_nobody_else(
    client: Client, web: httpx2.Client, ready: Video
) -> None:
    links = signed(client, ready, expires_in=60)
    for url, most in ((links.url, 120), (str(links.mp4_url), 120), (str(links.poster_url), 120)):
        [age] = re.findall(r"^private, max-age=(\d+)(?:, immutable)?$", web.get(url).headers["cache-control"])
        assert 0 < int(age) <= most
    assert web.get(str(links.mp4_url)).headers["cache-control"].endswith("immutable")


def test_what_is_public_is_cached_by_all(client: Client, web: httpx2.Client, own: Video) -> None:
    client.videos.update(own.id, visibility="public")
    public = web.get(with_token(source_of(client, own), "public"))
    assert public.headers["cache-control"] == "public, max-age=31536000, immutable"


def test_a_player_on_any_page_may_ask_and_learns_why_not(client: Client, web: httpx2.Client, ready: Video) -> None:
    url = source_of(client, ready)
    for address in (url, with_token(url, "x"), urljoin(url, "poster.png")):
        assert (
            web.get(address, headers={"origin": "https://page.example"}).headers["access-control-allow-origin"] == "*"
        )
    preflight = web.options(
        url, headers={"origin": "https://page.example", "access-control-request-method": "GET",
                      "access-control-request-headers": "range"},
    )  # fmt: skip
    assert "Range" in preflight.headers["access-control-allow-headers"]


def test_nothing_that_is_played_can_run_in_the_servers_name(client: Client, web: httpx2.Client, ready: Video) -> None:
    links = signed(client, ready)
    for url in (links.url, links.mp4_url, links.poster_url):
        headers = web.get(str(url)).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert "sandbox" in headers["content-security-policy"]


def test_a_bearer_token_is_neither_needed_nor_looked_at(client: Client, web: httpx2.Client, ready: Video) -> None:
    url = source_of(client, ready)
    assert web.get(url, headers={"authorization": "Bearer wrong"}).status_code == 200
    assert web.post(url).status_code == 405
