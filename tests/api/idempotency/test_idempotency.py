"""A write that is sent again under its Idempotency-Key has no second effect and gets the first answer."""

import json
import secrets
from collections.abc import Callable, Iterator, Mapping

import httpx2
import pytest

from support.api.answers import error_of
from support.clients.raw_connection import RawAnswer, RawConnection, head
from support.servers.stowboard import Server
from support.stored.rows import issued, kept_replies, registered

TOKENS = "/access/tokens"
UNKNOWN_TOKEN = f"{TOKENS}/tok_01kbr2x4q8e9w6y3t7n5m1c0vz"
Count = Callable[[Server, str], int]


@pytest.fixture
def http(server: Server) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=server.base_url, headers=server.headers, timeout=120) as http:
        yield http


@pytest.fixture
def key() -> str:
    return "key-" + secrets.token_hex(8)


@pytest.fixture
def name() -> str:
    return "name-" + secrets.token_hex(8)


@pytest.mark.parametrize(("path", "count"), [(TOKENS, issued), ("/access/clients", registered)])
def test_a_retry_gets_the_first_answer_to_the_byte(
    server: Server, http: httpx2.Client, key: str, name: str, path: str, count: Count
) -> None:
    first, *retries = [post(http, path, key, {"owner": "alice", "name": name}) for _ in range(3)]
    assert first.status_code == 201
    assert "idempotent-replayed" not in first.headers
    for retry in retries:
        assert (retry.status_code, retry.content) == (201, first.content)
        assert retry.headers["idempotent-replayed"] == "true"
        assert retry.headers["content-type"] == first.headers["content-type"]
        assert retry.headers["x-request-id"] != first.headers["x-request-id"]
    assert count(server, name) == 1


def test_without_a_key_every_request_has_its_effect(server: Server, http: httpx2.Client, name: str) -> None:
    for _ in range(2):
        assert http.post(TOKENS, json={"owner": "alice", "name": name}).status_code == 201
    assert issued(server, name) == 2


def test_a_retried_delete_is_still_a_success(http: httpx2.Client, key: str) -> None:
    token_id = http.post(TOKENS, json={"owner": "alice"}).json()["data"]["id"]
    first = http.delete(f"{TOKENS}/{token_id}", headers={"idempotency-key": key})
    retry = http.delete(f"{TOKENS}/{token_id}", headers={"idempotency-key": key})
    assert (first.status_code, retry.status_code) == (200, 200)
    assert retry.content == first.content
    assert retry.headers["idempotent-replayed"] == "true"
    assert http.delete(f"{TOKENS}/{token_id}").status_code == 404


def test_what_the_domain_refused_is_refused_again_in_the_same_words(http: httpx2.Client, key: str) -> None:
    first = http.delete(UNKNOWN_TOKEN, headers={"idempotency-key": key})
    retry = http.delete(UNKNOWN_TOKEN, headers={"idempotency-key": key})
    assert (first.status_code, first.json()["error"]["code"]) == (404, "not_found")
    assert (retry.status_code, retry.content) == (404, first.content)
    assert "idempotent-replayed" not in first.headers
    assert retry.headers["idempotent-replayed"] == "true"


def test_a_quoted_key_is_the_same_as_the_bare_one(server: Server, http: httpx2.Client, key: str, name: str) -> None:
    first = post(http, TOKENS, key, {"owner": "alice", "name": name})
    retry = post(http, TOKENS, f'"{key}"', {"owner": "alice", "name": name})
    assert retry.content == first.content
    assert issued(server, name) == 1


def test_quotes_and_backslashes_in_a_quoted_key_are_escaped_as_the_standard_says(
    server: Server, http: httpx2.Client, key: str, name: str
) -> None:
    body = {"owner": "alice", "name": name}
    post(http, TOKENS, rf'"{key}\"\\"', body)
    assert post(http, TOKENS, f'{key}"' + "\\", body).headers["idempotent-replayed"] == "true"
    assert issued(server, name) == 1


def test_a_body_counts_as_it_was_sent_to_the_byte(server: Server, http: httpx2.Client, key: str, name: str) -> None:
    text = f'{{"owner":"alice","name":"{name}","scopes":["media:read"]}}'
    first, again = (http.post(TOKENS, content=text, headers={"idempotency-key": key}) for _ in range(2))
    assert first.content == again.content
    other = http.post(TOKENS, content=text.replace(":", ": "), headers={"idempotency-key": key})
    assert error_of(other) == (422, "idempotency_key_reused")
    assert issued(server, name) == 1


@pytest.mark.parametrize(
    ("method", "path", "change"),
    [
        pytest.param("POST", TOKENS, {"owner": "bob"}, id="another body"),
        pytest.param("POST", TOKENS, {"unknown": 1}, id="a member that means nothing"),
        pytest.param("POST", "/access/clients", {}, id="another path"),
        pytest.param("DELETE", UNKNOWN_TOKEN, {}, id="another method"),
    ],
)
def test_a_key_that_answered_another_request_is_refused(
    server: Server, http: httpx2.Client, key: str, name: str, method: str, path: str, change: dict[str, object]
) -> None:
    body = {"owner": "alice", "name": name}
    first = post(http, TOKENS, key, body)
    other = http.request(method, path, json=body | change, headers={"idempotency-key": key})
    assert (other.status_code, other.json()["error"]["code"]) == (422, "idempotency_key_reused")
    assert issued(server, name) + registered(server, name) == 1
    assert post(http, TOKENS, key, body).content == first.content


INVALID = {
    "empty": "",
    "256 characters": "k" * 256,
    "256 characters in quotes": '"' + "k" * 256 + '"',
    "beyond ASCII": "schl\xfcssel",
    "a tab": "a\tb",
    "empty quotes": '""',
    "an open quote": '"abc',
    "an escape of nothing": r'"a\b"',
}


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize("value", INVALID.values(), ids=INVALID)
def test_a_key_that_is_none_is_refused_and_nothing_is_done(server: Server, name: str, value: str) -> None:
    answer = raw_post(server, name, f"idempotency-key: {value}")
    assert (answer.status, json.loads(answer.body)["error"]["code"]) == (400, "idempotency_key_invalid")
    assert issued(server, name) == 0


def test_a_key_that_is_sent_twice_is_refused_and_nothing_is_done(server: Server, name: str, key: str) -> None:
    answer = raw_post(server, name, f"idempotency-key: {key}", f"idempotency-key: {key}")
    assert (answer.status, json.loads(answer.body)["error"]["code"]) == (400, "idempotency_key_invalid")
    assert issued(server, name) == 0


def test_the_longest_key_is_taken(server: Server, http: httpx2.Client, name: str) -> None:
    longest = secrets.token_hex(127) + "x"
    for _ in range(2):
        assert post(http, TOKENS, longest, {"owner": "alice", "name": name}).status_code == 201
    assert issued(server, name) == 1


BURNS_NOTHING = {
    "not JSON": (400, {"content": b"{"}),
    "a wrong member": (400, {"json": {"owner": ""}}),
    "an unknown scope": (400, {"json": {"owner": "alice", "scopes": ["everything"]}}),
    "no token": (401, {"headers": {"authorization": ""}}),
    "an unknown token": (401, {"headers": {"authorization": "Bearer " + "x" * 41}}),
    "too large": (413, {"content": b'{"owner":"' + b"x" * 1_100_000 + b'"}'}),
    "a form": (415, {"data": {"owner": "alice"}}),
}


@pytest.mark.parametrize(("status", "wrong"), BURNS_NOTHING.values(), ids=BURNS_NOTHING)
def test_a_refused_request_leaves_its_key_unused(
    server: Server, http: httpx2.Client, key: str, name: str, status: int, wrong: dict[str, object]
) -> None:
    headers = {"idempotency-key": key} | dict(wrong.get("headers", {}))  # type: ignore[call-overload]
    refused = http.request("POST", TOKENS, **({"json": {"owner": "alice"}} | wrong | {"headers": headers}))  # type: ignore[arg-type]
    assert refused.status_code == status
    first = post(http, TOKENS, key, {"owner": "alice", "name": name})
    assert first.status_code == 201
    assert "idempotent-replayed" not in first.headers
    assert issued(server, name) == 1


def test_a_lack_of_scope_leaves_no_reply_behind(server: Server, http: httpx2.Client, key: str, name: str) -> None:
    secret = http.post(TOKENS, json={"owner": name}).json()["data"]["token"]
    headers = {"idempotency-key": key, "authorization": f"Bearer {secret}"}
    assert http.post(TOKENS, json={"owner": "alice"}, headers=headers).status_code == 403
    assert kept_replies(server, name) == 0


def test_a_read_ignores_the_key(http: httpx2.Client, key: str) -> None:
    for value in (key, key, ""):
        answer = http.get(TOKENS, params={"limit": 1}, headers={"idempotency-key": value})
        assert answer.status_code == 200
        assert "idempotent-replayed" not in answer.headers


READS = [
    ("/media/assets/by-ids", {"ids": ["ast_1"]}),
    ("/media/assets/ast_1/url", {}),
    ("/media/assets/urls", {"ids": ["ast_1"]}),
    ("/media/videos/vid_1/signed-url", {}),
    ("/taskapp/tasks/parse", {"text": "Boats"}),
]


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize(("path", "body"), READS, ids=[path for path, _ in READS])
def test_a_key_that_is_none_is_refused_where_nothing_is_written_too(
    http: httpx2.Client, path: str, body: dict[str, object]
) -> None:
    for value in ("", "x" * 256):
        answer = http.post(path, json=body, headers={"idempotency-key": value})
        assert error_of(answer) == (400, "idempotency_key_invalid")


def test_a_refusal_for_lack_of_permission_is_not_kept(server: Server, http: httpx2.Client, key: str, name: str) -> None:
    secret = http.post(TOKENS, json={"owner": name, "kind": "automation"}).json()["data"]["token"]
    headers = {"authorization": f"Bearer {secret}", "idempotency-key": key}
    body = {"title": "Secret", "visibility": "zero-knowledge", "body": "in the open"}
    refused = [http.post("/taskapp/tasks", json=body, headers=headers) for _ in range(2)]
    assert {error_of(answer) for answer in refused} == {(403, "zero_knowledge_body")}
    assert all("idempotent-replayed" not in answer.headers for answer in refused)
    assert kept_replies(server, name) == 0


def test_a_replacement_of_what_is_not_there_is_refused_again_from_what_was_kept(http: httpx2.Client, key: str) -> None:
    body = {"mimeType": "text/plain", "originalName": "a.txt", "size": 1, "imageData": "YQ=="}
    first, again = (post(http, "/media/assets/ast_unknown/replace", key, body) for _ in range(2))
    assert error_of(first) == error_of(again) == (404, "not_found")
    assert (again.headers.get("idempotent-replayed"), "idempotent-replayed" in first.headers) == ("true", False)


def post(http: httpx2.Client, path: str, key: str, body: Mapping[str, object]) -> httpx2.Response:
    return http.post(path, json=body, headers={"idempotency-key": key})


def raw_post(server: Server, name: str, *lines: str) -> RawAnswer:
    body = json.dumps({"owner": "alice", "name": name}).encode()
    with RawConnection(server.port) as connection:
        path = "/api/v1" + TOKENS
        connection.send(head("POST", path, server.admin_token, f"content-length: {len(body)}", *lines) + body)
        return connection.answer()
