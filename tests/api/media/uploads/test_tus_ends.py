"""How uploads end: by the clock, by hand, or by a crash at the worst moment. Bytes that nobody wants are removed."""

import hashlib
import time

import httpx2
import pytest

from stowboard.media.uploads.tus.expiry import EXPIRE
from support.api.answers import error_of
from support.clients.tus import BYTES, TusUpload, new_file_upload, new_video_upload, sha256_when_ready
from support.servers.stowboard import Server
from support.stored.rows import rows
from support.stored.uploads import StoredUpload
from support.waiting import wait_until

MIB = 1 << 20
DATA = bytes(range(256)) * 4000
DAY_MS = 24 * 3600 * 1000
SIZES = [1000, 6 * MIB]


@pytest.mark.parametrize("size", SIZES)
def test_an_upload_that_expired_loses_its_bytes_and_its_video_says_so(
    server: Server, admin: httpx2.Client, size: int
) -> None:
    upload = new_video_upload(admin, 2 * size)
    upload.patch(0, bytes(size))
    bytes_of_it = StoredUpload.of(server, upload.subject)
    assert bytes_of_it.exist()
    move_expiry(server, upload, -1)
    expire(server)
    wait_until(lambda: not bytes_of_it.exist())
    assert upload.head().status_code == 410
    assert admin.get(f"/api/v1/media/videos/{upload.subject}").json()["data"]["status"] == "expired"


def test_a_pending_asset_goes_with_its_upload(server: Server, admin: httpx2.Client) -> None:
    upload = new_file_upload(admin, 10)
    move_expiry(server, upload, -1)
    expire(server)
    wait_until(lambda: admin.get(f"/api/v1/media/assets/{upload.subject}").status_code == 404)


def test_what_ended_is_remembered_for_a_week(server: Server, admin: httpx2.Client) -> None:
    upload = new_video_upload(admin)
    upload.delete()
    [(remembered,)] = rows(server, f"SELECT expires_at FROM upload WHERE subject = '{upload.subject}'")
    assert 6 * DAY_MS < remembered - time.time() * 1000 <= 7 * DAY_MS
    move_expiry(server, upload, -1)
    expire(server)
    wait_until(lambda: upload.head().status_code == 404)


def test_a_complete_upload_is_told_for_a_day_at_least_and_its_asset_stays(server: Server, admin: httpx2.Client) -> None:
    upload = new_file_upload(admin, len(DATA))
    upload.patch(0, DATA)
    [(until,)] = rows(server, f"SELECT expires_at FROM upload WHERE subject = '{upload.subject}'")
    assert until - time.time() * 1000 > DAY_MS
    assert sha256_when_ready(admin, upload.subject) == hashlib.sha256(DATA).hexdigest()
    move_expiry(server, upload, -1)
    expire(server)
    wait_until(lambda: upload.head().status_code == 404)
    asset = admin.get(f"/api/v1/media/assets/{upload.subject}").json()["data"]
    assert admin.get(asset["url"]).content == DATA


def test_a_complete_video_that_nobody_finalizes_expires(server: Server, admin: httpx2.Client) -> None:
    upload = new_video_upload(admin, 1000)
    upload.patch(0, bytes(1000))
    bytes_of_it = StoredUpload.of(server, upload.subject)
    assert bytes_of_it.exist()
    move_expiry(server, upload, -1)
    expire(server)
    wait_until(lambda: not bytes_of_it.exist())
    assert upload.head().status_code == 410


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("end", ["DELETE", "POST"])
def test_bytes_of_what_was_terminated_or_begun_anew_are_removed(
    server: Server, admin: httpx2.Client, size: int, end: str
) -> None:
    upload = new_video_upload(admin)
    upload.patch(0, bytes(size))
    bytes_of_it = StoredUpload.of(server, upload.subject)
    assert bytes_of_it.exist()
    assert upload.request(end, {"upload-length": "5"}).status_code in (201, 204)
    wait_until(lambda: not bytes_of_it.exist())


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("next_request", ["HEAD", "PATCH"])
def test_a_crash_between_the_blob_and_its_row_is_healed_by_the_next_request(
    server: Server, admin: httpx2.Client, size: int, next_request: str
) -> None:
    upload, data = new_file_upload(admin, 2 * size), bytes(2 * size)
    upload.patch(0, data[:size])
    StoredUpload.of(server, upload.subject).finish(data)
    if next_request == "PATCH":
        answer = upload.patch(size, data[size:])
        assert answer.status_code in (204, 409), "in a bucket, few bytes are simply put again"
        assert answer.headers["upload-offset"] == str(2 * size)
    assert upload.offset == 2 * size
    assert sha256_when_ready(admin, upload.subject) == hashlib.sha256(data).hexdigest()


def test_bytes_that_were_lost_end_the_upload(server: Server, admin: httpx2.Client) -> None:
    upload = new_video_upload(admin)
    upload.patch(0, DATA[:1000])
    StoredUpload.of(server, upload.subject).lose()
    assert error_of(upload.patch(1000, DATA)) == (410, "upload_gone")


def test_an_upload_of_a_deleted_asset_is_gone(admin: httpx2.Client) -> None:
    upload = new_file_upload(admin, len(DATA))
    upload.patch(0, DATA[:1000])
    assert admin.delete(f"/api/v1/media/assets/{upload.subject}").status_code == 200
    headers = {"upload-offset": "1000", "content-type": BYTES}
    assert error_of(upload.request("PATCH", headers, DATA[1000:])) == (410, "upload_gone")


def expire(server: Server) -> None:
    """Let the periodic job run now."""
    rows(server, f"UPDATE schedule SET next = 0 WHERE name = '{EXPIRE.name}'")


def move_expiry(server: Server, upload: TusUpload, seconds: int) -> None:
    at = int((time.time() + seconds) * 1000)
    rows(server, f"UPDATE upload SET expires_at = {at} WHERE subject = '{upload.subject}'")
