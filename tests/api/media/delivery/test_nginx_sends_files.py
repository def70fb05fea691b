"""Files that nginx sends for the service: nobody who asks can tell, and nobody else is told where they are."""

import re
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager
from email.utils import formatdate
from pathlib import Path

import httpx2
import pytest

from stowboard.blobs.recent import LONGEST
from stowboard_client import Asset, Client
from support.api.answers import error_of
from support.media.pictures import noise, saved
from support.servers.nginx import needs_nginx, nginx
from support.servers.stacks import UNLIMITED, MakeServer
from support.servers.stowboard import Server
from support.stored import blobs as stored_blobs

OPERATIONS = Path(__file__).parents[4] / "docs" / "operations.md"
LOCATION = "/stowboard-files"
CONTENT = bytes(range(256)) * 300
SIZE = len(CONTENT)
KEPT = "public, max-age=31536000, immutable"
#: What differs with every answer, and between servers.
OF_SERVERS = {"server", "date", "connection", "x-request-id"}

assert SIZE > LONGEST


@pytest.fixture(scope="module")
def handing_over(make_server: MakeServer) -> Server:
    settings = {"STOWBOARD_ACCEL_REDIRECT": LOCATION, "STOWBOARD_TRUSTED_PROXIES": "127.0.0.1"}
    return make_server(UNLIMITED | settings)


@pytest.fixture(scope="module")
def owner(handing_over: Server) -> Iterator[Client]:
    with Client(handing_over.origin, handing_over.admin_token) as client:
        yield client


@pytest.fixture(scope="module")
def file(owner: Client) -> Asset:
    return owner.uploads.file('50 % "of" übrig; x.bin', CONTENT)


@pytest.fixture(scope="module")
def proxy(handing_over: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx2.Client]:
    folder = tmp_path_factory.mktemp("nginx")
    running = _nginx(folder / "nginx", handing_over, handing_over.data_dir / "blobs")
    with running as origin, httpx2.Client(base_url=origin) as client:
        yield client


def _nginx(folder: Path, server: Server, blobs: Path) -> AbstractContextManager[str]:
    """With the settings of the documentation."""
    [settings] = re.findall(r"```nginx\n(.*?)```", OPERATIONS.read_text(), re.DOTALL)
    return nginx(folder, settings, {
        "server 127.0.0.1:8080;": f"server 127.0.0.1:{server.port};",
        "/var/lib/stowboard/blobs/": f"{blobs}/",
        "/var/log/nginx/access.log": "access.log",
    })  # fmt: skip


def path_of(asset: Asset) -> str:
    assert asset.url is not None
    return httpx2.URL(asset.url).raw_path.decode()


def shown(answer: httpx2.Response) -> tuple[int, dict[str, str], bytes]:
    """Without what differs between servers: nginx does not tell of ranges where there is one."""
    left_out = OF_SERVERS | ({"accept-ranges"} if answer.status_code == 206 else set())
    headers = {name: value for name, value in answer.headers.items() if name not in left_out}
    return answer.status_code, headers, answer.content


def both(
    server: Server, proxy: httpx2.Client, path: str, method: str = "GET", **headers: str
) -> tuple[httpx2.Response, httpx2.Response]:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx2.request(method, server.origin + path, headers=sent), proxy.request(method, path, headers=sent)


@needs_nginx
def test_nobody_can_tell_who_sends_a_file(
    handing_over: Server, proxy: httpx2.Client, owner: Client, file: Asset
) -> None:
    direct = httpx2.get(handing_over.origin + path_of(file))
    etag, modified = direct.headers["etag"], direct.headers["last-modified"]
    before, later = formatdate(file.created_at // 1000 - 60, usegmt=True), formatdate(2e9, usegmt=True)
    wanted: list[dict[str, str]] = [
        {},
        {"range": "bytes=0-99"},
        {"range": "bytes=-1"},
        {"range": f"bytes={SIZE}-"},
        {"range": "bytes=0-9", "if_range": etag},
        {"range": "bytes=0-9", "if_range": '"other"'},
        {"range": "bytes=0-9", "if_range": modified},
        {"range": "bytes=0-9", "if_range": before},
        {"if_none_match": etag},
        {"if_none_match": '"other"'},
        {"if_modified_since": modified},
        {"if_modified_since": before},
        {"if_match": etag},
        {"if_match": '"other"'},
        {"if_unmodified_since": before},
        {"if_unmodified_since": later, "range": "bytes=5-6"},
    ]
    for headers in wanted:
        itself, through = both(handing_over, proxy, path_of(file), **headers)
        if itself.status_code < 400:
            assert shown(through) == shown(itself), headers
        else:
            assert error_of(through) == error_of(itself), headers
    itself, through = both(handing_over, proxy, path_of(file), "HEAD")
    assert shown(through) == shown(itself)
    assert "x-accel-redirect" not in through.headers


@needs_nginx
def test_several_ranges_come_from_nginx_too(proxy: httpx2.Client, file: Asset) -> None:
    answer = proxy.get(path_of(file), headers={"range": "bytes=0-1,10-12"})
    assert answer.status_code == 206
    assert answer.headers["content-type"].startswith("multipart/byteranges")
    for start, end in ((0, 2), (10, 13)):
        part = f"content-range: bytes {start}-{end - 1}/{SIZE}\r\n\r\n".encode() + CONTENT[start:end] + b"\r\n"
        assert part in answer.content.replace(b"Content-Range", b"content-range")


@needs_nginx
def test_what_is_signed_and_what_is_made_of_an_image_come_with_their_own_headers(
    handing_over: Server, proxy: httpx2.Client, owner: Client
) -> None:
    image = owner.uploads.image("noise.png", saved(noise(1000, 1000), ".png"), visibility="protected")
    for transform_class in ("original", "large"):
        url = httpx2.URL(owner.delivery.url(image.id, transform_class=transform_class).url).raw_path.decode()
        itself, through = both(handing_over, proxy, url)
        assert len(itself.content) > LONGEST
        assert shown(through) == shown(itself)
        assert through.headers["cache-control"].startswith("private")
        assert proxy.get(url.partition("?")[0]).status_code == 404


@needs_nginx
def test_nginx_reads_the_file_itself_and_asks_again_if_it_is_gone(
    handing_over: Server, file: Asset, tmp_path: Path
) -> None:
    key = stored_blobs.key_of(handing_over, file.id)
    copy = tmp_path / "blobs" / key
    copy.parent.mkdir(parents=True)
    copy.write_bytes(CONTENT[::-1])
    with _nginx(tmp_path / "nginx", handing_over, tmp_path / "blobs") as origin:
        assert httpx2.get(origin + path_of(file)).content == CONTENT[::-1]
        assert httpx2.get(origin + f"{LOCATION}/{key}").status_code == 404
        shutil.rmtree(tmp_path / "blobs")
        for headers in ({}, {"range": "bytes=0-9"}):
            itself = httpx2.get(handing_over.origin + path_of(file), headers=headers)
            through = httpx2.get(origin + path_of(file), headers=headers)
            assert through.headers["cache-control"] == f"{KEPT}, {KEPT}"
            through.headers["cache-control"] = KEPT
            assert shown(through) == shown(itself)


def test_only_a_proxy_that_knows_the_location_is_told_of_the_file(handing_over: Server, file: Asset) -> None:
    url = handing_over.origin + path_of(file)
    told = httpx2.get(url, headers={"x-accel-location": LOCATION})
    assert (told.status_code, told.content) == (200, b"")
    assert told.headers["x-accel-redirect"] == f"{LOCATION}/{stored_blobs.key_of(handing_over, file.id)}"
    for location in ("", "/", "/other", LOCATION + "/"):
        answer = httpx2.get(url, headers={"x-accel-location": location})
        assert (answer.content, "x-accel-redirect" in answer.headers) == (CONTENT, False)


def test_a_proxy_that_is_not_trusted_gets_the_bytes(handing_over: Server, file: Asset) -> None:
    with httpx2.Client(transport=httpx2.HTTPTransport(local_address="127.0.0.2")) as stranger:
        said = {"x-accel-location": LOCATION, "x-forwarded-for": "127.0.0.1"}
        assert stranger.get(handing_over.origin + path_of(file), headers=said).content == CONTENT


def test_a_file_that_is_gone_is_not_handed_over(handing_over: Server, owner: Client) -> None:
    asset = owner.uploads.file("gone.bin", CONTENT[::-1])
    stored_blobs.remove(handing_over, stored_blobs.key_of(handing_over, asset.id))
    answer = httpx2.get(handing_over.origin + path_of(asset), headers={"x-accel-location": LOCATION})
    assert (answer.status_code, "x-accel-redirect" in answer.headers) == (404, False)
