"""Uploads that the service fetches itself: from where, how much, and what becomes of them."""

import threading
from collections.abc import Iterator

import httpx2
import pytest

from stowboard_client import ApiError, Client, UrlUpload
from support.api.answers import error_of, message_of
from support.media.pictures import plain, saved
from support.media.video_files import video_file
from support.outgoing.file_server import ALLOWED, File, FileServer
from support.servers.stacks import UNLIMITED, MakeServer, Stack
from support.servers.stowboard import Server
from support.stored.rows import rows
from support.waiting import wait_until

pytestmark = pytest.mark.cluster_in_soak

_servers: dict[str, Server] = {}
FROM_URL = "/api/v1/media/upload/from-url"


@pytest.fixture
def server(stack: Stack, make_server: MakeServer) -> Server:
    """One for each stack, that may ask this machine and takes a megabyte at most."""
    name = stack.name
    if name not in _servers:
        _servers[name] = make_server(stack() | UNLIMITED | ALLOWED | {"STOWBOARD_MAX_UPLOAD_MIB": "1"})
    return _servers[name]


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    with Client(server.origin, server.admin_token) as client:
        yield client


@pytest.fixture
def files() -> Iterator[FileServer]:
    with FileServer() as files:
        yield files


def ended(client: Client, upload: UrlUpload, *states: str) -> UrlUpload:
    found = [upload]

    def look() -> bool:
        found[0] = client.uploads.get_from_url(upload.id)
        return found[0].status in (states or ("ready", "failed"))

    wait_until(look)
    return found[0]


def test_an_image_is_fetched_over_a_redirect_and_processed(server: Server, client: Client, files: FileServer) -> None:
    content = saved(plain(40, 30), ".png")
    files.files["/old"] = File(status=302, headers={"location": "/pictures/red%20one.png?key=s3cret"})
    files.files["/pictures/red%20one.png?key=s3cret"] = File(content, headers={"content-type": "image/png"})
    url = f"{files.origin}/old"
    upload = client.uploads.from_url(url, filename="red one.png", tags=["web"], kind="image")
    assert (upload.kind, upload.status, upload.error) == ("image", "pending", None)
    done = ended(client, upload)
    assert (done.status, done.received, done.length) == ("ready", len(content), len(content))
    asset = client.assets.get(upload.id)
    assert (asset.filename, asset.tags, asset.width, asset.mime_type) == ("red one.png", ("web",), 40, "image/png")
    told = rows(server, f"SELECT type FROM event WHERE subject = '{upload.id}' ORDER BY id")
    assert told == [("media.asset.created",), ("media.asset.ready",)]
    assert "s3cret" not in server.log()


def test_a_redirect_to_no_address_ends_it_at_once(client: Client, files: FileServer) -> None:
    files.files["/old"] = File(status=302, headers={"location": "https://[nowhere"})
    done = ended(client, client.uploads.from_url(f"{files.origin}/old", kind="file"))
    assert done.status == "failed"
    assert done.error is not None
    assert (done.error.code, "no address" in done.error.message) == ("fetch_failed", True)


def test_a_file_is_called_as_its_url_says_and_progress_can_be_read(client: Client, files: FileServer) -> None:
    released = threading.Event()
    files.files["/a/notes.txt"] = File(b"x" * 300_000, midway=lambda: released.wait(60))
    upload = client.uploads.from_url(f"{files.origin}/a/notes.txt")
    wait_until(lambda: 0 < client.uploads.get_from_url(upload.id).received < 300_000)
    midway = client.uploads.get_from_url(upload.id)
    assert (midway.status, midway.length) == ("pending", 300_000)
    released.set()
    assert ended(client, upload).status == "ready"
    assert (client.assets.get(upload.id).filename, client.assets.get(upload.id).kind) == ("notes.txt", "file")


def test_a_video_is_fetched_and_made_playable(client: Client, files: FileServer) -> None:
    files.files["/harbour.mp4"] = File(video_file(), sized=False)
    upload = client.uploads.from_url(f"{files.origin}/harbour.mp4", kind="video", title="Harbour")
    assert (upload.kind, upload.status) == ("video", "awaiting_upload")
    assert ended(client, upload).status == "ready"
    video = client.videos.get(upload.id)
    assert (video.title, video.visibility, video.size) == ("Harbour", "protected", len(video_file()))


@pytest.mark.parametrize(
    ("file", "code", "words"),
    [
        (File(status=404), "fetch_failed", "127.0.0.1 answered 404"),
        (File(b"x" * (1024 * 1024 + 1)), "payload_too_large", "1048576 bytes"),
        (File(b"x" * (1024 * 1024 + 1), sized=False), "payload_too_large", "1048576 bytes"),
        (File(status=302, headers={"location": "/file.png"}), "fetch_failed", "again and again"),
        (
            File(status=302, headers={"location": "http://169.254.169.254/latest"}),
            "fetch_failed",
            "address that is not public",
        ),
        (File(status=302, headers={"location": "file:///etc/passwd"}), "fetch_failed", "cannot be used"),
        (File(b"no picture"), "invalid_media", "image"),
    ],
    ids=["missing", "too large", "too large in secret", "a circle", "metadata", "a local file", "no image"],
)
def test_what_cannot_be_had_fails_with_a_reason(
    server: Server, client: Client, files: FileServer, file: File, code: str, words: str
) -> None:
    files.files["/file.png"] = file
    failed = ended(client, client.uploads.from_url(f"{files.origin}/file.png", kind="image"))
    assert (failed.status, failed.error and failed.error.code) == ("failed", code)
    assert failed.error is not None
    assert words in failed.error.message
    error = client.assets.get(failed.id).processing_error
    assert error is not None
    assert (error.code, error.message) == (failed.error.code, failed.error.message)
    told = rows(server, f"SELECT type FROM event WHERE subject = '{failed.id}' ORDER BY id")
    assert told[-1] == ("media.asset.failed",)


def test_a_video_that_cannot_be_had_fails_too(client: Client, files: FileServer) -> None:
    missing = client.uploads.from_url(f"{files.origin}/none.mp4", kind="video")
    failed = ended(client, missing)
    assert (failed.status, failed.error and failed.error.code) == ("failed", "fetch_failed")
    files.files["/page.mp4"] = File(b"<!doctype html>")
    page = ended(client, client.uploads.from_url(f"{files.origin}/page.mp4", kind="video"))
    assert (page.status, page.error and page.error.code) == ("failed", "invalid_media")


def test_a_deletion_ends_the_fetching(server: Server, client: Client, files: FileServer) -> None:
    released = threading.Event()
    files.files["/a.txt"] = File(b"x" * 300_000, midway=lambda: released.wait(60))
    upload = client.uploads.from_url(f"{files.origin}/a.txt")
    wait_until(lambda: files.asked != [])
    client.assets.delete(upload.id)
    released.set()
    wait_until(lambda: rows(server, "SELECT id FROM job WHERE kind IN ('media.fetch', 'media.discard')") == [])
    with pytest.raises(ApiError, match="not_found"):
        client.uploads.get_from_url(upload.id)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "ftp://example.com/a",
        "file:///etc/passwd",
        "http://169.254.169.254/latest",
        "https://[::1]:22/",
        "https://u:p@x/",
    ],
)
def test_a_url_that_may_not_be_asked_is_refused_at_once(server: Server, client: Client, url: str) -> None:
    answer = httpx2.post(f"{server.origin}{FROM_URL}", json={"url": url}, headers=server.headers)
    assert error_of(answer) == (400, "validation_failed")
    assert "url" in message_of(answer)


def test_what_is_not_there_is_not_found(client: Client) -> None:
    for unknown in ("ast_01kbr2x4q8e9w6y3t7n5m1c0vz", "vid_01kbr2x4q8e9w6y3t7n5m1c0vz", "x"):
        with pytest.raises(ApiError, match="not_found"):
            client.uploads.get_from_url(unknown)


def test_an_operator_can_turn_it_off(make_server: MakeServer) -> None:
    server = make_server({"STOWBOARD_UPLOAD_FROM_URL": "false"})
    answer = httpx2.post(f"{server.origin}{FROM_URL}", json={"url": "https://example.com/"}, headers=server.headers)
    assert error_of(answer) == (403, "upload_from_url_off")
    server.stop()


def test_addresses_that_hang_hold_up_two_fetches_of_their_owner_and_nobody_elses(
    server: Server, client: Client, files: FileServer
) -> None:
    released = threading.Event()
    hanging = [f"/hang{number}.txt" for number in range(5)]
    files.files |= {path: File(b"x" * 300_000, midway=lambda: released.wait(60)) for path in hanging}
    files.files["/other.txt"] = File(b"of another owner")
    with Client(server.origin, client.tokens.create("hung").token) as hung:
        uploads = [hung.uploads.from_url(f"{files.origin}{path}") for path in hanging]
        wait_until(lambda: len(files.asked) == 2)
        for _ in range(3):
            other = client.uploads.from_url(f"{files.origin}/other.txt")
            assert ended(client, other).status == "ready"
        assert sorted(set(files.asked) - {"/other.txt"}) == hanging[:2], "the oldest two, in whichever order"
        hung.assets.delete(uploads[2].id)
        with pytest.raises(ApiError, match="not_found"):
            hung.uploads.get_from_url(uploads[2].id)
        released.set()
        assert {ended(hung, upload).status for upload in uploads if upload is not uploads[2]} == {"ready"}
        assert hanging[2] not in files.asked, "it was deleted before its turn"
    wait_until(lambda: rows(server, "SELECT id FROM job WHERE kind = 'media.fetch'") == [])
    assert rows(server, "SELECT id FROM upload WHERE url IS NOT NULL") == [], "an address may carry a secret"
