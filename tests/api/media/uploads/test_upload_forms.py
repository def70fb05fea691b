"""Uploads as multipart/form-data: an HTML form and `curl -F` get what base64 in JSON gets."""

import json
import secrets
import shutil
import subprocess
from pathlib import Path

import httpx2
import pytest

from stowboard_client import Client
from support.api.answers import data_of, error_of, message_of
from support.media.unique_images import png
from support.servers.stowboard import Server

IMAGE, FILE = "/api/v1/media/upload/image", "/api/v1/media/upload/file"
MOST_BYTES = 7_864_320


def form(*parts: tuple[str, bytes], boundary: str = "edge") -> tuple[bytes, dict[str, str]]:
    """A body, and its type. A part is what stands after `form-data; ` and its content."""
    lines = b"".join(
        b"--%s\r\nContent-Disposition: form-data; %s\r\n\r\n%s\r\n" % (boundary.encode(), head.encode(), content)
        for head, content in parts
    )
    return lines + b"--%s--\r\n" % boundary.encode(), {"content-type": f"multipart/form-data; boundary={boundary}"}


def file_part(content: bytes, filename: str = "notes.txt") -> tuple[str, bytes]:
    return f'name="file"; filename="{filename}"', content


def test_an_image_and_all_its_members_come_as_fields(admin: httpx2.Client, web: httpx2.Client) -> None:
    image = png(40, 30)
    fields = {
        "tags": ["holiday,sea", "boats"], "alt": "Boats", "title": "", "focalPoint": '{"x": 0.25, "y": 0.5}',
        "metadata": '{"order": "7"}', "stripLocation": "true", "visibility": "public",
    }  # fmt: skip
    answer = admin.post(IMAGE, files={"file": ("häfen.png", image, "image/png")}, data=fields)
    asset = data_of(answer, 201)
    assert answer.headers["location"].endswith(asset["id"])
    assert (asset["filename"], asset["kind"], asset["processingStatus"]) == ("häfen.png", "image", "ready")
    assert (asset["tags"], asset["alt"], asset["title"]) == (["holiday", "sea", "boats"], "Boats", None)
    assert (asset["focalPoint"], asset["metadata"]) == ({"x": 0.25, "y": 0.5}, {"order": "7"})
    assert web.get(asset["url"]).content == image


def test_members_may_come_together_in_the_part_json(admin: httpx2.Client) -> None:
    members = {"filename": "a.txt", "tags": ["a b"], "metadata": {"k": "v"}, "colour": "red"}
    answer = admin.post(FILE, files={"file": ("b.txt", b"hello"), "json": (None, json.dumps(members))})
    asset = data_of(answer, 201)
    assert (asset["filename"], asset["tags"], asset["metadata"]) == ("a.txt", ["a b"], {"k": "v"})
    assert answer.json()["meta"] == {"ignored": ["colour"]}


def test_a_retry_with_another_boundary_makes_no_second_asset(admin: httpx2.Client) -> None:
    content = secrets.token_bytes(20_000)
    head = {"idempotency-key": secrets.token_hex(8)}
    bodies = [form(file_part(content), boundary=edge) for edge in ("first", "second")]
    first, again = [admin.post(FILE, content=body, headers=kind | head) for body, kind in bodies]
    assert data_of(first, 201) == data_of(again, 201)
    assert again.headers["idempotent-replayed"] == "true"
    other, kind = form(file_part(content + b"!"))
    assert error_of(admin.post(FILE, content=other, headers=kind | head)) == (422, "idempotency_key_reused")


def test_a_form_has_its_key_in_a_field(admin: httpx2.Client) -> None:
    body, kind = form(file_part(b"hello"), ('name="idempotencyKey"', secrets.token_hex(8).encode()))
    first, again = [admin.post(FILE, content=body, headers=kind) for _ in range(2)]
    assert data_of(first, 201)["id"] == data_of(again, 201)["id"]
    assert "ignored" not in first.json()["meta"]


def test_a_file_of_the_largest_size_fits_and_one_byte_more_does_not(admin: httpx2.Client, web: httpx2.Client) -> None:
    content = secrets.token_bytes(MOST_BYTES)
    asset = data_of(admin.post(FILE, files={"file": ("large.bin", content)}), 201)
    assert web.get(asset["url"]).content == content
    for more in (1, 300_000):
        refused = admin.post(FILE, files={"file": ("large.bin", content + bytes(more))})
        assert error_of(refused) == (413, "payload_too_large")
        assert "/media/upload/presigned" in message_of(refused)


BOTH = form(file_part(b"a"), file_part(b"b"))[0]
WHOLE = form(file_part(b"hello"))[0]


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize(
    ("body", "named"),
    [
        (form(('name="alt"', b"x"))[0], "file: the form has no part"),
        (BOTH, "file: a form has one"),
        (form(file_part(b""))[0], "file: it is empty"),
        (form(file_part(b"a"), ('name="alt"', b"x"), ('name="alt"', b"y"))[0], "alt was given twice"),
        (form(file_part(b"a"), ('name="data"', b"YQ=="))[0], "part `file`"),
        (form(file_part(b"a"), ('name="json"', b"[]"))[0], "json: expected an object"),
        (form(file_part(b"a"), ('name="metadata"', b"{"))[0], "metadata: expected JSON"),
        (form(file_part(b"a"), ('name="alt"', b"\xff"))[0], "UTF-8"),
        (form(file_part(b"a"), ('name="alt"', b"x" * 65_537))[0], "alt: a field has at most"),
        (form(file_part(b"a"), ('name="visibility"', b"secret"))[0], "visibility"),
        (form(('name="file"\r\nContent-Transfer-Encoding: base64', b"YQ=="))[0], "without an encoding"),
        (form(('name="file"', b"a"))[0], "filename"),
        (b"before" + WHOLE, "not a whole"),
        (b"{}", "not a whole"),
    ],
)  # fmt: skip
def test_a_wrong_form_is_refused_by_name(admin: httpx2.Client, body: bytes, named: str) -> None:
    answer = admin.post(FILE, content=body, headers={"content-type": "multipart/form-data; boundary=edge"})
    assert error_of(answer) == (400, "validation_failed")
    assert named in message_of(answer)


def test_a_form_that_is_cut_off_anywhere_makes_nothing(admin: httpx2.Client, client: Client) -> None:
    tag = secrets.token_hex(8)
    body, kind = form(file_part(b"hello"), ('name="tags"', tag.encode()))
    end = len(body) - len("--\r\n")
    for length in range(0, end, 7):
        answer = admin.post(FILE, content=body[:length], headers=kind)
        assert answer.status_code == 400
    assert list(client.assets.list(tags=[tag])) == []


def test_other_forms_are_refused_and_told_how_to_send_a_file(admin: httpx2.Client) -> None:
    refused = admin.post(FILE, data={"filename": "a.txt"})
    assert error_of(refused) == (415, "unsupported_media_type")
    assert "part `file`" in message_of(refused)
    without = admin.post(FILE, content=WHOLE, headers={"content-type": "multipart/form-data"})
    assert "boundary" in message_of(without)


def test_curl_sends_a_form(server: Server, tmp_path: Path) -> None:
    curl = shutil.which("curl")
    if curl is None:
        pytest.skip("NOT TESTED: no form was sent by curl; install it")
    (tmp_path / "notes.txt").write_text("Buy bread.\n")
    words = [curl, "-sS", "--fail-with-body", server.origin + FILE, "-H", f"Authorization: Bearer {server.admin_token}"]
    words += ["-F", "file=@notes.txt", "-F", "tags=home"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    asset = json.loads(done.stdout)["data"]
    assert (asset["filename"], asset["tags"], asset["size"]) == ("notes.txt", ["home"], 11)
