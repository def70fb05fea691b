"""The TUS protocol, request by request, on both stacks."""

import base64
import hashlib
import random
import secrets
import threading
import time
from collections.abc import Iterator
from email.utils import parsedate_to_datetime

import httpx2
import pytest

from support.api.answers import error_of, message_of
from support.clients.tus import (
    BYTES,
    TusUpload,
    begin_patch,
    new_file_upload,
    new_video_upload,
    sha256_when_ready,
    wait_until_durable,
)
from support.servers.stowboard import Server
from support.stored.rows import rows
from support.waiting import wait_until

MIB = 1 << 20
DATA = random.Random(4).randbytes(300_000)
SHA1 = base64.b64encode(hashlib.sha1(DATA).digest()).decode()
DAY = 24 * 3600


@pytest.fixture
def video(admin: httpx2.Client) -> TusUpload:
    """The upload of a video whose length nobody has said yet."""
    return new_video_upload(admin)


def test_options_say_what_the_server_can(video: TusUpload) -> None:
    for tus_resumable in ("1.0.0", "0.2.2", ""):
        answer = video.request("OPTIONS", {"tus-resumable": tus_resumable})
        assert answer.status_code == 204
        assert answer.headers["tus-resumable"] == answer.headers["tus-version"] == "1.0.0"
        assert set(answer.headers["tus-extension"].split(",")) == {
            "creation", "creation-with-upload", "creation-defer-length", "checksum", "expiration", "termination",
            "concatenation",
        }  # fmt: skip
        assert set(answer.headers["tus-checksum-algorithm"].split(",")) == {"sha1", "sha256", "md5"}
        assert int(answer.headers["tus-max-size"]) >= 50 << 30


def test_a_preflight_lets_a_browser_do_all_of_it(video: TusUpload) -> None:
    asked = {"origin": "https://app.test", "access-control-request-method": "PATCH"}
    answer = video.request("OPTIONS", asked)
    assert answer.status_code == 204
    allowed = answer.headers["access-control-allow-headers"].lower()
    for name in ("upload-offset", "upload-length", "upload-metadata", "upload-checksum", "tus-resumable"):
        assert name in allowed
    assert {"PATCH", "HEAD", "POST", "DELETE"} <= set(answer.headers["access-control-allow-methods"].split(", "))


def test_the_address_is_an_upload_from_the_start(video: TusUpload) -> None:
    answer = video.head()
    assert answer.status_code == 200
    assert answer.headers["upload-offset"] == "0"
    assert answer.headers["upload-defer-length"] == "1"
    assert "upload-length" not in answer.headers
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["tus-resumable"] == "1.0.0"


def test_a_size_that_was_announced_is_the_length(admin: httpx2.Client) -> None:
    answer = new_video_upload(admin, 1234).head()
    assert (answer.headers["upload-length"], "upload-defer-length" in answer.headers) == ("1234", False)


def test_bytes_by_patch_become_the_file(admin: httpx2.Client) -> None:
    upload = new_file_upload(admin, len(DATA))
    middle = 123_456
    first = upload.patch(0, DATA[:middle])
    assert (first.status_code, first.headers["upload-offset"]) == (204, str(middle))
    assert upload.offset == middle
    second = upload.patch(middle, DATA[middle:])
    assert (second.status_code, second.headers["upload-offset"]) == (204, str(len(DATA)))
    assert "upload-expires" in first.headers
    assert "upload-expires" not in second.headers
    assert sha256_when_ready(admin, upload.subject) == hashlib.sha256(DATA).hexdigest()


def test_a_body_without_a_length_is_counted_as_it_comes(admin: httpx2.Client) -> None:
    upload = new_file_upload(admin, len(DATA))
    assert upload.patch(0, pieces(DATA)).headers["upload-offset"] == str(len(DATA))
    assert sha256_when_ready(admin, upload.subject) == hashlib.sha256(DATA).hexdigest()


def test_large_bodies_are_taken_whole(admin: httpx2.Client) -> None:
    data = random.Random(5).randbytes(21 * MIB + 5)
    upload = new_file_upload(admin, len(data))
    assert upload.patch(0, data[: 20 * MIB]).status_code == 204
    assert upload.patch(20 * MIB, data[20 * MIB :]).status_code == 204
    assert sha256_when_ready(admin, upload.subject) == hashlib.sha256(data).hexdigest()


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize("method", ["POST", "PATCH", "DELETE"])
@pytest.mark.parametrize("version", ["", "0.2.2", "1.0.1"])
def test_another_version_is_412_and_nothing_happens(video: TusUpload, method: str, version: str) -> None:
    headers = {"tus-resumable": version, "upload-offset": "0", "upload-length": "5", "content-type": BYTES}
    answer = video.request(method, headers, b"hello" if method == "PATCH" else None)
    assert error_of(answer) == (412, "precondition_failed")
    assert answer.headers["tus-version"] == answer.headers["tus-resumable"] == "1.0.0"
    assert video.offset == 0


def test_a_browser_may_look_without_the_version(video: TusUpload) -> None:
    assert video.request("HEAD", {"tus-resumable": ""}).status_code == 200


@pytest.mark.parametrize("content_type", ["", "application/octet-stream", "text/plain"])
def test_another_content_type_is_415(video: TusUpload, content_type: str) -> None:
    assert error_of(video.patch(0, b"hello", content_type=content_type)) == (415, "unsupported_media_type")


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize("offset", ["", "-1", "x", "1.5", "0x1", "9" * 30])
def test_an_offset_that_is_no_number_is_400(video: TusUpload, offset: str) -> None:
    assert error_of(video.patch(offset, b"hello"))[0] == 400


def test_another_offset_is_409_and_the_answer_says_the_right_one(video: TusUpload) -> None:
    video.patch(0, DATA[:100])
    for offset in (0, 99, 101):
        answer = video.patch(offset, DATA)
        assert error_of(answer) == (409, "conflict")
        assert answer.headers["upload-offset"] == "100"
        assert answer.headers["tus-resumable"] == "1.0.0"
        assert answer.headers["access-control-allow-origin"] == "*"
        assert "Upload-Offset" in answer.headers["access-control-expose-headers"]
    assert video.offset == 100


def test_more_bytes_than_the_length_are_413(admin: httpx2.Client) -> None:
    upload = new_file_upload(admin, 10)
    assert error_of(upload.patch(0, b"x" * 11)) == (413, "payload_too_large")
    assert error_of(upload.patch(0, pieces(b"x" * 11))) == (413, "payload_too_large")
    assert upload.offset == 0
    assert upload.patch(0, b"x" * 4).status_code == 204
    assert error_of(upload.patch(4, b"x" * 7)) == (413, "payload_too_large")
    assert upload.offset == 4


def test_a_length_beyond_what_the_server_takes_is_413(video: TusUpload) -> None:
    for answer in (video.post(upload_length=str(51 << 30)), video.patch(0, b"x", upload_length=str(51 << 30))):
        assert error_of(answer) == (413, "payload_too_large")
        assert str(50 << 30) in message_of(answer)


@pytest.mark.parametrize("token", ["x" * 43, "short", "..%2f..%2fetc", "%00" * 30])
def test_an_unknown_address_is_404(admin: httpx2.Client, video: TusUpload, token: str) -> None:
    nowhere = video.at(f"{admin.base_url}/uploads/tus/{token}")
    assert nowhere.head().status_code == 404
    assert "upload-offset" not in nowhere.head().headers
    for answer in (nowhere.patch(0, b"x"), nowhere.post(upload_length="3"), nowhere.delete()):
        assert error_of(answer)[0] == 404


def test_other_methods_are_405(video: TusUpload) -> None:
    for answer in (video.request("GET", {}), video.request("PUT", {}, b""), video.post(x_http_method_override="PUT")):
        assert error_of(answer) == (405, "method_not_allowed")
        assert {"PATCH", "HEAD"} <= set(answer.headers["allow"].split(", "))


def test_the_length_may_come_with_a_patch(video: TusUpload) -> None:
    video.patch(0, DATA[:100])
    assert error_of(video.patch(100, DATA[100:], upload_length="99")) == (400, "invalid_parameter")
    assert video.patch(100, DATA[100:200], upload_length=str(len(DATA))).status_code == 204
    assert video.head().headers["upload-length"] == str(len(DATA))
    assert video.patch(200, DATA[200:300], upload_length=str(len(DATA))).status_code == 204
    assert error_of(video.patch(300, DATA[300:], upload_length="5000")) == (400, "invalid_parameter")
    assert video.patch(300, DATA[300:]).headers["upload-offset"] == str(len(DATA))


def test_the_length_may_come_last_and_alone(video: TusUpload) -> None:
    video.patch(0, DATA)
    assert video.head().headers["upload-defer-length"] == "1"
    answer = video.patch(len(DATA), b"", upload_length=str(len(DATA)))
    assert (answer.status_code, answer.headers["upload-offset"]) == (204, str(len(DATA)))
    assert "upload-expires" not in answer.headers


def test_empty_patches_change_nothing_and_do_not_go_on_for_ever(video: TusUpload) -> None:
    video.patch(0, DATA[:7])
    statuses = [video.patch(7).status_code for _ in range(51)]
    assert statuses == [204] * 50 + [400]
    assert video.patch(7, DATA[7:9]).status_code == 204
    assert video.patch(9).status_code == 204


def test_a_complete_upload_takes_no_more_but_still_tells(admin: httpx2.Client) -> None:
    upload = new_file_upload(admin, 5)
    upload.patch(0, b"12345")
    answer = upload.head()
    assert (answer.headers["upload-offset"], answer.headers["upload-length"]) == ("5", "5")
    assert upload.patch(5).status_code == 204
    assert error_of(upload.patch(5, b"6")) == (413, "payload_too_large")
    assert error_of(upload.patch(0, b"12345")) == (409, "conflict")
    assert error_of(upload.post(upload_length="5")) == (403, "upload_finalized")
    assert error_of(upload.delete()) == (403, "upload_finalized")
    assert sha256_when_ready(admin, upload.subject) == hashlib.sha256(b"12345").hexdigest()


def test_a_checksum_that_fits_is_taken(admin: httpx2.Client) -> None:
    upload = new_file_upload(admin, 3 * len(DATA))
    for number, name in enumerate(("sha1", "sha256", "md5")):
        digest = base64.b64encode(hashlib.new(name, DATA).digest()).decode()
        assert upload.patch(number * len(DATA), DATA, upload_checksum=f"{name} {digest}").status_code == 204
    assert sha256_when_ready(admin, upload.subject) == hashlib.sha256(DATA * 3).hexdigest()


def test_a_checksum_that_does_not_fit_is_460_and_nothing_counts(video: TusUpload) -> None:
    video.patch(0, DATA[:50])
    answer = video.patch(50, DATA + b"x", upload_checksum=f"sha1 {SHA1}")
    assert error_of(answer) == (460, "checksum_mismatch")
    assert answer.headers["upload-offset"] == "50"
    assert video.offset == 50
    assert video.patch(50, DATA, upload_checksum=f"sha1 {SHA1}", upload_length=str(50 + len(DATA))).status_code == 204


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize("checksum", ["crc32 AAAA", "sha512 AAAA", "sha1", "sha1 %%%", "sha1 AAA"])
def test_a_checksum_that_cannot_be_checked_is_400(video: TusUpload, checksum: str) -> None:
    assert error_of(video.patch(0, DATA, upload_checksum=checksum))[0] in (400, 460)
    assert video.offset == 0


@pytest.mark.parametrize("name", ["upload-checksum", "upload-length", "upload-offset"])
def test_a_header_that_is_not_ascii_is_400_and_never_ignored(video: TusUpload, name: str) -> None:
    headers = {b"tus-resumable": b"1.0.0", b"upload-offset": b"0", b"content-type": BYTES.encode()}
    answer = video.http.request("PATCH", video.url, headers=headers | {name.encode(): b"sha1 \xe9"}, content=DATA)
    assert error_of(answer) == (400, "invalid_parameter")
    assert video.offset == 0


def test_bytes_with_a_checksum_do_not_count_if_they_are_interrupted(server: Server, video: TusUpload) -> None:
    with begin_patch(server.port, video, 0, len(DATA), f"upload-checksum: sha1 {SHA1}") as connection:
        connection.send(DATA[:-1])
        connection.end_sending()
        connection.wait_for_close()
    assert video.offset == 0


def test_post_creates_and_gives_the_address(video: TusUpload) -> None:
    answer = video.post(upload_length=str(len(DATA)), upload_metadata="filename ZmlsbS5tcDQ=,empty")
    assert answer.status_code == 201
    assert answer.headers["location"] == f"{video.url}/1"
    created = video.at(answer.headers["location"])
    head = created.head()
    assert head.headers["upload-metadata"] == "filename ZmlsbS5tcDQ=,empty"
    assert head.headers["upload-length"] == str(len(DATA))
    assert created.patch(0, DATA).headers["upload-offset"] == str(len(DATA))
    assert video.offset == len(DATA), "the bare address is the same upload"


def test_post_may_bring_bytes(admin: httpx2.Client) -> None:
    upload = new_file_upload(admin, len(DATA))
    answer = upload.post(DATA[:1000], upload_length=str(len(DATA)), content_type=BYTES)
    assert (answer.status_code, answer.headers["upload-offset"]) == (201, "1000")
    created = upload.at(answer.headers["location"])
    assert created.patch(1000, DATA[1000:]).status_code == 204
    assert sha256_when_ready(admin, upload.subject) == hashlib.sha256(DATA).hexdigest()


def test_post_with_all_bytes_is_done_at_once(admin: httpx2.Client) -> None:
    upload = new_file_upload(admin, len(DATA))
    answer = upload.post(DATA, upload_length=str(len(DATA)), content_type=BYTES)
    assert (answer.status_code, answer.headers["upload-offset"]) == (201, str(len(DATA)))
    assert sha256_when_ready(admin, upload.subject) == hashlib.sha256(DATA).hexdigest()


def test_post_may_leave_the_length_for_later(video: TusUpload) -> None:
    created = video.at(video.post(upload_defer_length="1").headers["location"])
    assert created.head().headers["upload-defer-length"] == "1"


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize(
    "headers",
    [{}, {"upload_length": "5", "upload_defer_length": "1"}, {"upload_defer_length": "2"}, {"upload_length": "-5"},
     {"upload_length": "5", "upload_concat": "half"}, {"upload_length": "5", "upload_metadata": "k " + "x" * 8192}],
)  # fmt: skip
def test_a_post_that_contradicts_itself_is_400(video: TusUpload, headers: dict[str, str]) -> None:
    assert error_of(video.post(**headers)) == (400, "invalid_parameter")


def test_metadata_may_be_empty_and_may_be_long(video: TusUpload) -> None:
    assert (
        "upload-metadata"
        not in video.at(video.post(upload_length="5", upload_metadata="").headers["location"]).head().headers
    )
    long = "k " + "x" * 8190
    assert (
        video.at(video.post(upload_length="5", upload_metadata=long).headers["location"])
        .head()
        .headers["upload-metadata"]
        == long
    )


def test_a_length_of_zero_is_complete_at_once(video: TusUpload) -> None:
    answer = video.post(upload_length="0")
    assert (answer.status_code, answer.headers["upload-offset"]) == (201, "0")
    assert "upload-expires" not in video.head().headers


def test_an_announced_size_binds_the_post(admin: httpx2.Client) -> None:
    upload = new_file_upload(admin, 10)
    assert error_of(upload.post(upload_length="11")) == (400, "size_mismatch")
    assert upload.at(upload.post(upload_defer_length="1").headers["location"]).head().headers["upload-length"] == "10"


def test_each_post_begins_anew_and_ends_the_address_before(video: TusUpload) -> None:
    first = video.at(video.post(upload_length="10").headers["location"])
    first.patch(0, b"first")
    second = video.at(video.post(upload_length="20").headers["location"])
    assert second.url == f"{video.url}/2"
    assert first.head().status_code == 410
    assert error_of(first.patch(5, b"bytes")) == (410, "upload_gone")
    assert error_of(first.delete()) == (410, "upload_gone")
    assert (second.offset, video.offset) == (0, 0)
    assert second.patch(0, b"other").headers["upload-offset"] == "5"


def test_a_complete_video_can_be_sent_again_until_it_is_finalized(video: TusUpload) -> None:
    video.patch(0, b"wrong", upload_length="5")
    again = video.at(video.post(upload_length="3").headers["location"])
    assert again.patch(0, b"abc").headers["upload-offset"] == "3"


@pytest.mark.parametrize("method", ["PATCH", "patch"])
def test_a_post_may_stand_for_another_method(video: TusUpload, method: str) -> None:
    headers = {"x-http-method-override": method, "upload-offset": "0", "content-type": BYTES}
    answer = video.request("POST", headers, b"hello")
    assert (answer.status_code, answer.headers["upload-offset"]) == (204, "5")
    head = video.post(x_http_method_override="HEAD")
    assert (head.status_code, head.headers["upload-offset"]) == (200, "5")
    assert video.post(x_http_method_override="DELETE").status_code == 204
    assert video.head().status_code == 410


def test_a_terminated_upload_is_gone(admin: httpx2.Client, video: TusUpload) -> None:
    video.patch(0, DATA)
    answer = video.delete()
    assert (answer.status_code, answer.headers["tus-resumable"]) == (204, "1.0.0")
    assert video.head().status_code == 410
    assert "upload-offset" not in video.head().headers
    for refused in (video.patch(len(DATA), b"x"), video.delete(), video.post(upload_length="4")):
        assert error_of(refused) == (410, "upload_gone")
    assert admin.get(f"/api/v1/media/videos/{video.subject}").json()["data"]["status"] == "expired"


def test_each_byte_prolongs_the_life_of_an_upload(server: Server, video: TusUpload) -> None:
    move_expiry(server, video, 60)
    soon = expiry(video.head())
    assert 0 < soon < 120
    assert expiry(video.patch(0)) < 120
    assert DAY - 60 < expiry(video.patch(0, b"x")) < DAY + 60
    assert DAY - 60 < expiry(video.post(upload_length="7")) < DAY + 60


def test_no_upload_lives_for_more_than_a_week(server: Server, video: TusUpload) -> None:
    rows(
        server,
        f"UPDATE upload SET created_at = created_at - {(7 * DAY - 600) * 1000} WHERE subject = '{video.subject}'",
    )
    move_expiry(server, video, 60)
    assert 500 < expiry(video.patch(0, b"x")) < 660


def test_an_expired_upload_is_gone(server: Server, video: TusUpload) -> None:
    video.patch(0, DATA)
    move_expiry(server, video, -1)
    assert video.head().status_code == 410
    for refused in (video.patch(len(DATA), b"x"), video.post(upload_length="4")):
        assert error_of(refused) == (410, "upload_gone")


def test_a_lost_connection_keeps_every_byte_that_came(server: Server, admin: httpx2.Client) -> None:
    upload = new_file_upload(admin, len(DATA))
    reached = 0
    for end in (1, 70_001, 200_000):
        with begin_patch(server.port, upload, reached, len(DATA) - reached) as connection:
            connection.send(DATA[reached:end])
        wait_for_offset(upload, end)
        reached = end
    assert upload.patch(reached, DATA[reached:]).status_code == 204
    assert sha256_when_ready(admin, upload.subject) == hashlib.sha256(DATA).hexdigest()


def test_a_stalled_request_is_told_to_stop_by_a_newer_one(server: Server, video: TusUpload) -> None:
    for size, newer in ((1000, video.head), (2000, lambda: video.patch(3000))):
        reached = video.offset
        with begin_patch(server.port, video, reached, 50_000) as stalled:
            stalled.send(DATA[:size])
            wait_until_durable(server, video, reached + size)
            answer = newer()
            assert answer.headers["upload-offset"] in ("1000", "3000")
            told = stalled.answer()
            assert told.status == 409
            assert (told.headers["connection"], told.headers["tus-resumable"]) == ("close", "1.0.0")
            assert stalled.wait_for_close() == b""


def test_of_two_that_write_at_one_offset_one_wins(video: TusUpload) -> None:
    data = secrets.token_bytes(MIB)
    statuses: list[int] = []

    def write() -> None:
        with httpx2.Client(timeout=120) as own:
            statuses.append(TusUpload(own, video.url, "").patch(0, data).status_code)

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [204, 409, 409, 409]
    assert video.offset == MIB


def pieces(data: bytes, size: int = 50_000) -> Iterator[bytes]:
    for start in range(0, len(data), size):
        yield data[start : start + size]


def wait_for_offset(upload: TusUpload, offset: int) -> None:
    wait_until(lambda: upload.offset == offset)


def move_expiry(server: Server, upload: TusUpload, seconds: int) -> None:
    at = int((time.time() + seconds) * 1000)
    rows(server, f"UPDATE upload SET expires_at = {at} WHERE subject = '{upload.subject}'")


def expiry(answer: httpx2.Response) -> float:
    """In how many seconds the upload expires."""
    assert answer.status_code < 300, answer.text
    return parsedate_to_datetime(answer.headers["upload-expires"]).timestamp() - time.time()
