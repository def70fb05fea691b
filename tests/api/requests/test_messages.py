"""Messages name the member and what it may be, in words and never as a pattern."""

import base64
from typing import Any

import httpx2
import pytest

from stowboard.catalogue import CATALOGUE, ENDPOINTS
from stowboard.core.wording import EXPECTED, fields_of, options_of
from support.api.answers import data_of, error_of, message_of

pytestmark = pytest.mark.cluster_in_soak

V1 = "/api/v1"
TASKS, FILE = V1 + "/taskapp/tasks", V1 + "/media/upload/file"
MILLISECONDS = "milliseconds since 1970 (UTC), an integer from 0 to 253402300799999"
KINDS = list(dict.fromkeys(kind for e in ENDPOINTS for kind in (e.body, e.query) if kind))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"dueAt": "2026-01-01"}, f"dueAt: expected {MILLISECONDS} or null, got a string."),
        ({"dueAt": 1.5}, f"dueAt: expected {MILLISECONDS} or null, got a number."),
        ({"reminder": -1}, f"reminder: expected {MILLISECONDS} or null."),
        ({"dueAt": 10**30}, f"dueAt: expected {MILLISECONDS} or null."),
        ({"title": 5}, "title: expected a string of 1 to 500 characters, got an integer."),
        ({"title": "x" * 501}, "title: expected a string of 1 to 500 characters."),
        ({"status": "open"}, "status: 'open' is not one of todo, in_progress, done."),
        ({"tags": [5]}, "tags[0]: expected a string, got an integer."),
    ],
)
def test_a_member_is_named_with_what_it_may_be(admin: httpx2.Client, body: dict[str, Any], message: str) -> None:
    answer = admin.post(TASKS, json={"title": "a"} | body)
    assert error_of(answer) == (400, "validation_failed")
    assert message_of(answer) == message


def test_a_number_out_of_range_is_a_wrong_number(admin: httpx2.Client) -> None:
    answer = admin.post(TASKS, content=b'{"title":"a","dueAt":1e999}')
    assert error_of(answer) == (400, "validation_failed")
    assert message_of(answer) == f"dueAt: expected {MILLISECONDS} or null."


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("dueBefore=2026-01-01", f"dueBefore: expected {MILLISECONDS}."),
        ("dueAfter=-1", f"dueAfter: expected {MILLISECONDS}."),
        ("archived=yes", "archived: 'yes' is not one of false, true, only."),
        ("archived=no", "archived: 'no' is not one of false, true, only."),
        ("limit=many", "limit: expected an integer of at least 1."),
        ("q=", "q: expected a string of 1 to 200 characters."),
    ],
)
def test_a_parameter_is_named_with_what_it_may_be(admin: httpx2.Client, query: str, message: str) -> None:
    answer = admin.get(f"{TASKS}?{query}")
    assert error_of(answer) == (400, "invalid_parameter")
    assert message_of(answer) == message


@pytest.mark.parametrize("escape", [r"\ud800", r"\uDC00", r"\ud800\ud800", r"a\udc00\ud83d"])
def test_half_of_a_surrogate_pair_is_called_that(admin: httpx2.Client, escape: str) -> None:
    for body in (f'{{"title":"{escape}"}}', f'{{"title":"a","x":"{escape}"}}', f'{{"title":"a","{escape}":1}}'):
        answer = admin.post(TASKS, content=body.encode())
        assert error_of(answer) == (400, "invalid_json")
        assert "surrogate" in message_of(answer)


def test_a_whole_pair_is_not_blamed_for_what_else_is_wrong(admin: httpx2.Client) -> None:
    answer = admin.post(TASKS, content=rb'{"title":"\ud83d\ude00"')
    assert error_of(answer) == (400, "invalid_json")
    assert "surrogate" not in message_of(answer)


def test_a_wrong_disposition_is_answered_with_those_there_are(admin: httpx2.Client) -> None:
    asset = data_of(admin.post(FILE, json={"filename": "a.txt", "data": "YQ=="}), 201)
    answer = admin.post(f"{V1}/media/assets/{asset['id']}/url", json={"disposition": "download"})
    assert error_of(answer) == (400, "validation_failed")
    assert message_of(answer) == "disposition: 'download' is not one of inline, attachment."


def test_who_sends_too_much_inline_hears_which_size_fits(admin: httpx2.Client) -> None:
    fits = 7_864_320
    text = base64.b64encode(b"a" * (fits + 1)).decode()
    answer = admin.post(FILE, json={"filename": "a.bin", "data": text})
    assert error_of(answer) == (413, "payload_too_large")
    assert f"A file of up to {fits} bytes fits" in message_of(answer)
    assert "POST /media/upload/presigned" in message_of(answer)


def test_who_sends_a_form_where_none_is_taken_hears_how_files_are_sent(admin: httpx2.Client) -> None:
    answer = admin.post(f"{V1}/media/assets/ast_1/replace", files={"file": ("a.txt", b"a")})
    assert error_of(answer) == (415, "unsupported_media_type")
    assert "base64 text in the member imageData" in message_of(answer)
    assert "PUT to the address that POST /media/upload/presigned gives" in message_of(answer)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_pattern_is_told_in_words(kind: Any) -> None:
    unspoken = [
        field.encode_name
        for field in fields_of(kind)
        for option, extra in options_of(field.type)
        if getattr(option, "pattern", None) is not None and EXPECTED not in extra
    ]
    assert unspoken == []


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        (
            "/access/tokens",
            {"owner": " a"},
            "owner: expected 1 to 200 printable characters without spaces around them.",
        ),
        ("/access/clients", {"owner": "a", "namespace": "A"}, "namespace: expected 1 to 63 of a-z, 0-9"),
        ("/media/upload/presigned", {"filename": "a", "size": 1, "checksum": "x"}, "checksum: expected sha256: and 64"),
        ("/media/videos/upload", {"title": "a", "mimeType": "x"}, "mimeType: expected a type and a subtype"),
    ],
)
def test_what_has_a_pattern_is_said_in_words(
    admin: httpx2.Client, path: str, body: dict[str, Any], message: str
) -> None:
    answer = admin.post(V1 + path, json=body)
    assert error_of(answer) == (400, "validation_failed")
    assert message_of(answer).startswith(message)


def test_every_code_has_advice_of_its_own(web: httpx2.Client) -> None:
    listed = web.get("/docs/errors.json").json()["errors"]
    assert [code["code"] for code in listed if not code["advice"]] == []
    assert len({code["advice"] for code in listed}) == len(listed) == len(CATALOGUE.problems)
