"""Bodies that are wrong: always the envelope, always a message that names what is wrong, never a 500."""

import itertools
import json
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from support.api.answers import data_of, error_of, message_of

pytestmark = pytest.mark.cluster_in_soak
TOKENS = "/api/v1/access/tokens"
CLIENTS = "/api/v1/access/clients"
_numbers = itertools.count()

WRONG: dict[str, list[Any]] = {
    "owner": [1, None, True, [], {}, "", "x" * 201, " alice", "a\nb", "a\x07"],
    "namespace": [1, True, [], {}, "", "Upper", "a b", "-a", "a\n", "x" * 64, "ä"],
    "scopes": ["tasks:read", 1, True, {}, [1], [None], ["tasks"], ["TASKS:READ"], [""], ["admin "], ["admin"] * 21],
    "name": [1, True, [], {}, "x" * 201, "a\nb", "a\x00"],
    "admin": [1, 0, "true", [], {}],
    "kind": [1, True, "", "robot", "AUTOMATION", [], {}],
    "expiresIn": ["60", True, 0, -1, 1.5, 10**10, 10**30, [], {}],
}
OF_CLIENTS = ("owner", "namespace", "scopes", "name")

NOT_AN_OBJECT = [b"[]", b"null", b"true", b"1", b'"x"', b"[{}]"]
NOT_JSON = [
    b"{", b'{"owner":"a"', b'{"owner":', b'{"owner":"a"} x', b'{"owner":"a"}{}', b"{'owner':'a'}", b'{"owner":"a",}',
    b'{"owner":"a"/**/}', b"owner=a", b" ", b'{"owner":"a\x00"}', b'\xef\xbb\xbf{"owner":"a"}',
    '{"owner":"a"}'.encode("utf-16"), b'{"owner":"\xff"}', b'{"owner":"a","x":"\xff"}', b'{"owner":"a","\xff":1}',
    b'{"owner":"\\ud800"}', b'{"owner":"a","x":"\\ud800"}', b'{"owner":"a","x":NaN}', b'{"owner":"a","x":-Infinity}',
    b"[" * 100_000, b'{"a":' * 100_000, b'{"owner":"a","x":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
]  # fmt: skip


@pytest.fixture(params=[False, True], ids=["plain", "with a key"])
def headers(request: pytest.FixtureRequest) -> dict[str, str]:
    """A key makes the server read the body a second way, for its fingerprint."""
    return {"idempotency-key": f"bad-body-{next(_numbers)}"} if request.param else {}


@pytest.mark.parametrize("member", list(WRONG))
def test_a_member_of_a_wrong_type_or_value_is_named(admin: httpx2.Client, headers: dict[str, str], member: str) -> None:
    for path in (TOKENS, CLIENTS) if member in OF_CLIENTS else (TOKENS,):
        for value in WRONG[member]:
            answer = admin.post(path, json={"owner": "alice", member: value}, headers=headers)
            assert error_of(answer) == (400, "validation_failed"), value
            assert message_of(answer).startswith((member, "The body has the character U+0000")), message_of(answer)


def test_a_wrong_choice_is_answered_with_those_there_are(admin: httpx2.Client) -> None:
    kind = admin.post(TOKENS, json={"owner": "alice", "kind": "robot"})
    assert message_of(kind) == "kind: 'robot' is not one of automation, interactive."
    scope = admin.post(TOKENS, json={"owner": "alice", "scopes": ["tasks"]})
    assert "tasks:read, tasks:write, tasks:delete, webhooks:manage, spaces:manage, admin" in message_of(scope)


@pytest.mark.parametrize("path", [TOKENS, CLIENTS])
def test_what_is_required_is_said_where_it_is_missing(admin: httpx2.Client, path: str) -> None:
    for content in (b"", b"{}", b'{"name":"x"}', b'{"Owner":"alice"}'):
        answer = admin.post(path, content=content)
        assert error_of(answer) == (400, "validation_failed")
        assert message_of(answer) == "owner is required."


@pytest.mark.parametrize("content", NOT_AN_OBJECT, ids=lambda content: repr(content[:12]))
def test_json_that_is_no_object_is_refused(admin: httpx2.Client, headers: dict[str, str], content: bytes) -> None:
    answer = admin.post(TOKENS, content=content, headers=headers)
    assert error_of(answer) == (400, "invalid_json")
    assert message_of(answer) == "The body must be a JSON object."


@pytest.mark.parametrize("content", NOT_JSON, ids=range(len(NOT_JSON)))
def test_what_is_not_json_in_utf8_is_refused(admin: httpx2.Client, headers: dict[str, str], content: bytes) -> None:
    assert error_of(admin.post(TOKENS, content=content, headers=headers)) == (400, "invalid_json")


@pytest.mark.parametrize("content", [b'{"owner":"a","x":"\\u0000"}', b'{"owner":"a","x":{"\\u0000":[]}}'])
def test_the_one_character_that_no_database_holds_is_refused(admin: httpx2.Client, content: bytes) -> None:
    answer = admin.post(TOKENS, content=content)
    assert error_of(answer) == (400, "validation_failed")
    assert "U+0000" in message_of(answer)


def test_a_backslash_before_u0000_is_text_like_any_other(admin: httpx2.Client) -> None:
    created = data_of(admin.post(TOKENS, content=b'{"owner":"a\\\\u0000"}'), 201)
    assert created["owner"] == "a\\u0000"


@pytest.mark.parametrize(
    "unknown",
    [
        b'"id":"tok_mine","token":"stow_mine","createdAt":1,"revokedAt":1,"expiresAt":1,"clientId":"x","digest":"x"',
        b'"__proto__":{"admin":true},"constructor":1,"Admin":true,"is_admin":true,"expires_in":1',
        b'"x":1e999', b'"x":' + b"9" * 5000, b'"x":[[[[[[[[{"y":[]}]]]]]]]]', b'"' + b"k" * 100_000 + b'":1',
        b'"x":1,"x":2', '"😀":"\\ud83d\\ude00"'.encode(),
    ],
    ids=range(8),
)  # fmt: skip
def test_members_that_nobody_knows_are_ignored_and_never_bound(
    admin: httpx2.Client, headers: dict[str, str], unknown: bytes
) -> None:
    created = data_of(admin.post(TOKENS, content=b'{"owner":"alice",' + unknown + b"}", headers=headers), 201)
    assert created["id"] != "tok_mine"
    assert created["token"].startswith("stow_")
    assert created["token"] != "stow_mine"
    assert created["createdAt"] > 1
    assert (created["admin"], created["revokedAt"], created["expiresAt"]) == (False, None, None)


def test_null_is_as_good_as_nothing_for_an_optional_member(admin: httpx2.Client) -> None:
    nulls = dict.fromkeys(("namespace", "scopes", "kind", "expiresIn", "name", "admin"))
    given = data_of(admin.post(TOKENS, json={"owner": "alice"} | nulls), 201)
    omitted = data_of(admin.post(TOKENS, json={"owner": "alice"}), 201)
    changing = {"id", "token", "createdAt"}
    assert {k: v for k, v in given.items() if k not in changing} == {
        k: v for k, v in omitted.items() if k not in changing
    }


def test_of_a_member_given_twice_the_last_one_counts(admin: httpx2.Client) -> None:
    assert data_of(admin.post(TOKENS, content=b'{"owner":"first","owner":"last"}'), 201)["owner"] == "last"


@pytest.mark.parametrize(
    "kind", [None, "", "application/json", "application/json; charset=utf-16", "text/plain", "image/png", "nonsense"]
)
def test_a_missing_or_odd_content_type_is_read_as_json(admin: httpx2.Client, kind: str | None) -> None:
    headers = {} if kind is None else {"content-type": kind}
    data_of(admin.post(TOKENS, content=json.dumps({"owner": "alice"}).encode(), headers=headers), 201)


@pytest.mark.parametrize(
    "kind",
    [
        "application/x-www-form-urlencoded", "APPLICATION/X-WWW-FORM-URLENCODED; charset=utf-8",
        "multipart/form-data; boundary=x", "multipart/mixed",
    ],
)  # fmt: skip
def test_a_form_is_not_read_even_if_json_is_in_it(admin: httpx2.Client, kind: str) -> None:
    answer = admin.post(TOKENS, content=b'{"owner":"alice"}', headers={"content-type": kind})
    assert error_of(answer) == (415, "unsupported_media_type")
    assert "application/json" in message_of(answer)


def chunked(size: int) -> Iterator[bytes]:
    yield b'{"owner":"'
    for _ in range(size // 50_000):
        yield b"a" * 50_000


@pytest.mark.parametrize("size", [1_100_000, 2_000_000])
@pytest.mark.parametrize("with_length", [True, False], ids=["length", "chunks"])
def test_a_body_over_the_limit_is_answered_and_the_client_gets_to_read_it(
    admin: httpx2.Client, size: int, with_length: bool
) -> None:
    content: Any = b"a" * size if with_length else chunked(size)
    answer = admin.post(TOKENS, content=content)
    assert error_of(answer) == (413, "payload_too_large")
    assert "1048576 bytes" in message_of(answer)


def test_a_body_of_exactly_the_limit_is_read(admin: httpx2.Client) -> None:
    for content in (b'{"owner":"alice"}'.ljust(1024 * 1024), b'{"owner":"alice"}'.ljust(1024 * 1024 + 1)):
        expected = 201 if len(content) == 1024 * 1024 else 413
        assert admin.post(TOKENS, content=content).status_code == expected


def test_a_body_that_an_operation_does_not_take_is_ignored(admin: httpx2.Client) -> None:
    created = data_of(admin.post(TOKENS, json={"owner": "alice"}), 201)
    for body in (b"{", b"x" * 3_000_000):
        assert admin.request("GET", TOKENS + "?limit=1", content=body).status_code == 200
    assert data_of(admin.request("DELETE", f"{TOKENS}/{created['id']}", content=b"x" * 200_000))["deleted"] is True
