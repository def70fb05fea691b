"""Uploads whose parts are sent side by side and joined; and what every answer under the addresses of TUS says."""

import hashlib
import itertools
import random

import httpx2
import pytest

from support.api.answers import error_of
from support.clients.tus import TusUpload, new_file_upload, new_video_upload, sha256_when_ready
from support.servers.stowboard import Server
from support.stored.rows import rows

MIB = 1 << 20
DATA = random.Random(7).randbytes(6 * MIB + 13)
CUTS = [0, 2 * MIB, 5 * MIB + 1, len(DATA)]


@pytest.fixture
def upload(admin: httpx2.Client) -> TusUpload:
    return new_file_upload(admin, len(DATA))


def part(whole: TusUpload, data: bytes, sent: int | None = None) -> TusUpload:
    answer = whole.post(upload_length=str(len(data)), upload_concat="partial")
    assert answer.status_code == 201, answer.text
    begun = whole.at(answer.headers["location"])
    assert begun.patch(0, data[: len(data) if sent is None else sent]).status_code == 204
    return begun


def final(whole: TusUpload, parts: list[TusUpload]) -> httpx2.Response:
    return whole.post(upload_concat="final;" + " ".join(each.url for each in parts))


def test_parts_are_joined_in_the_order_that_is_asked_for(
    server: Server, admin: httpx2.Client, upload: TusUpload
) -> None:
    pieces = [DATA[start:end] for start, end in itertools.pairwise(CUTS)]
    parts = [part(upload, piece) for piece in reversed(pieces)][::-1]
    assert parts[0].head().headers["upload-concat"] == "partial"
    answer = final(upload, parts)
    assert (answer.status_code, answer.headers["upload-offset"]) == (201, str(len(DATA)))
    assert sha256_when_ready(admin, upload.subject) == hashlib.sha256(DATA).hexdigest()
    told = upload.at(answer.headers["location"]).head().headers
    assert told["upload-concat"] == "final;" + " ".join(each.url for each in parts)
    assert (told["upload-offset"], told["upload-length"]) == (str(len(DATA)), str(len(DATA)))
    assert {each.head().status_code for each in parts} == {410}, "they were joined"
    joined = upload.at(answer.headers["location"])
    for refused in (joined.patch(len(DATA), b"x"), joined.patch(len(DATA)), joined.patch(0, b"x"), upload.patch(0)):
        assert error_of(refused) == (403, "upload_finalized"), "a final upload takes no PATCH, whatever it says"
    kept = rows(server, f"SELECT count(*) FROM upload WHERE subject = '{upload.subject}' AND state = 'complete'")
    assert [tuple(row) for row in kept] == [(1,)]


def test_a_video_in_parts_may_be_joined_from_paths_alone(admin: httpx2.Client) -> None:
    video = new_video_upload(admin)
    parts = [part(video, DATA[:MIB]), part(video, DATA[MIB : 2 * MIB])]
    answer = video.post(upload_concat="final;" + " ".join(each.path for each in parts))
    assert (answer.status_code, answer.headers["upload-offset"]) == (201, str(2 * MIB))


def test_what_cannot_be_joined_is_refused_and_changes_nothing(admin: httpx2.Client, upload: TusUpload) -> None:
    whole, half = part(upload, DATA[:1000]), part(upload, DATA[1000:], sent=500)
    other = part(new_file_upload(admin, 100), DATA[:100])
    assert error_of(final(upload, [whole, half])) == (409, "conflict")
    assert error_of(final(upload, [whole, whole])) == (400, "invalid_parameter")
    assert error_of(final(upload, [whole, other])) == (400, "invalid_parameter")
    assert error_of(final(upload, [upload])) == (400, "invalid_parameter")
    assert error_of(final(upload, [])) == (400, "invalid_parameter")
    assert error_of(final(upload, [upload.at(upload.url[:-5] + "aaaaa")])) == (404, "not_found")
    assert error_of(final(upload, [whole])) == (400, "size_mismatch")
    assert error_of(upload.post(upload_concat="final;" + whole.url, upload_length="5")) == (400, "invalid_parameter")
    assert error_of(whole.post(upload_length="5", upload_concat="partial")) == (400, "invalid_parameter")
    assert whole.offset == 1000
    assert half.patch(500, DATA[1500:]).status_code == 204
    assert final(upload, [whole, half]).status_code == 201
    assert sha256_when_ready(admin, upload.subject) == hashlib.sha256(DATA).hexdigest()


def test_an_upload_has_a_bounded_number_of_parts(upload: TusUpload) -> None:
    answers = [upload.post(upload_length="5", upload_concat="partial") for _ in range(101)]
    assert [answer.status_code for answer in answers] == [201] * 100 + [409]


@pytest.mark.parametrize("version", ["0.2.2", "1.0", "2.0.0"])
def test_head_with_another_version_is_412(upload: TusUpload, version: str) -> None:
    assert upload.request("HEAD", {"tus-resumable": version}).status_code == 412


@pytest.mark.parametrize("address", ["x" * 43, "nothing", "x" * 43 + "/0", "", "a/b/c"])
@pytest.mark.parametrize("method", ["HEAD", "PATCH", "POST", "DELETE"])
def test_an_unknown_upload_is_404(upload: TusUpload, address: str, method: str) -> None:
    unknown = upload.at(upload.url.rpartition("/")[0] + "/" + address)
    headers = {"upload-offset": "0", "upload-length": "5", "content-type": "application/offset+octet-stream"}
    answer = unknown.request(method, headers)
    assert (answer.status_code, answer.headers["tus-resumable"]) == (404, "1.0.0")


def test_an_address_that_an_upload_never_had_is_404_and_one_that_it_had_is_410(upload: TusUpload) -> None:
    first = upload.at(upload.post(upload_length=str(len(DATA))).headers["location"])
    assert upload.post(upload_length=str(len(DATA))).status_code == 201
    assert first.head().status_code == 410
    for never in ("99", "-1", "x", "9" * 40, "²"):
        assert upload.at(f"{upload.url}/{never}").head().status_code == 404


def test_every_answer_under_its_paths_names_the_version(upload: TusUpload, web: httpx2.Client) -> None:
    preflight = {"origin": "https://a.test", "access-control-request-method": "PATCH"}
    for method, path, headers in (
        ("OPTIONS", upload.path, preflight),
        ("OPTIONS", upload.path, {}),
        ("GET", upload.path, {}),
        ("PUT", upload.path, {}),
        ("HEAD", upload.path, {}),
        ("GET", "/uploads/tus/a/b/c/d", {}),
        ("GET", "/uploads/tus", {}),
        ("HEAD", upload.path, {"x-long": "a" * 17_000}),
    ):
        answer = web.request(method, path, headers=headers)
        assert answer.headers.get_list("tus-resumable") == ["1.0.0"], (method, path, answer.status_code)
