"""A key counts for one caller and one operation, and somebody who reads the table learns nothing."""

import secrets
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from support.servers.stacks import on_postgres
from support.servers.stowboard import Server
from support.stored.rows import issued, kept_replies, rows

TOKENS = "/access/tokens"


@pytest.fixture
def http(server: Server) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=server.base_url, headers=server.headers, timeout=120) as http:
        yield http


@pytest.fixture
def unique() -> str:
    return "u" + secrets.token_hex(8)


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"owner": "somebody-else"}, id="owner"),
        pytest.param({"namespace": "blog"}, id="namespace"),
        pytest.param({"kind": "interactive"}, id="kind"),
    ],
)
def test_callers_that_differ_have_their_own_keys(
    server: Server, http: httpx2.Client, unique: str, other: dict[str, str]
) -> None:
    one = issue(http, {"owner": unique, "admin": True})
    another = issue(http, {"owner": unique, "admin": True} | other)
    answers = [create(http, secret, unique) for secret in (one, another, one, another)]
    assert ["idempotent-replayed" in answer.headers for answer in answers] == [False, False, True, True]
    assert issued(server, unique) == 2


def test_a_token_that_replaces_another_replays_what_that_one_did(
    server: Server, http: httpx2.Client, unique: str
) -> None:
    old = http.post(TOKENS, json={"owner": unique, "admin": True}).json()["data"]
    first = create(http, old["token"], unique)
    assert http.delete(f"{TOKENS}/{old['id']}").status_code == 200
    assert create(http, old["token"], unique).status_code == 401
    retry = create(http, issue(http, {"owner": unique, "admin": True}), unique)
    assert retry.content == first.content
    assert issued(server, unique) == 1


def test_another_callers_request_under_the_same_key_is_not_told_apart_from_a_new_one(
    http: httpx2.Client, unique: str
) -> None:
    create(http, issue(http, {"owner": unique, "admin": True}), unique)
    stranger = issue(http, {"owner": unique + "2", "admin": True})
    answer = create(http, stranger, unique, {"owner": "bob"})
    assert answer.status_code == 201, "a 422 would tell that somebody else has used this key"


def test_a_kept_answer_gives_away_neither_its_secret_nor_its_key(
    server: Server, http: httpx2.Client, unique: str
) -> None:
    caller = issue(http, {"owner": unique, "admin": True})
    secret = create(http, caller, unique).json()["data"]["token"]
    client = http.post(
        "/access/clients",
        json={"owner": unique},
        headers={"authorization": f"Bearer {caller}", "idempotency-key": "c" + unique},
    ).json()["data"]["clientSecret"]
    assert kept_replies(server, unique) == 2
    kept = everything_kept(server, unique)
    for hidden in (secret, client, caller, unique + "-key", "c" + unique):
        assert hidden.encode() not in kept
    assert b"clientSecret" not in kept, "the whole answer is sealed"


def test_no_file_of_the_embedded_database_has_a_secret_in_it(server: Server, http: httpx2.Client, unique: str) -> None:
    if on_postgres(server):
        pytest.skip("this stack keeps its rows elsewhere")
    secret = create(http, issue(http, {"owner": unique, "admin": True}), unique).json()["data"]["token"]
    files = [file.read_bytes() for file in server.data_dir.glob("stowboard.db*")]
    assert any(unique.encode() in content for content in files)
    assert not any(secret.encode() in content for content in files)


def issue(http: httpx2.Client, body: dict[str, Any]) -> str:
    return str(http.post(TOKENS, json=body).json()["data"]["token"])


def create(http: httpx2.Client, secret: str, unique: str, change: dict[str, str] | None = None) -> httpx2.Response:
    headers = {"authorization": f"Bearer {secret}", "idempotency-key": unique + "-key"}
    return http.post(TOKENS, json={"owner": "alice", "name": unique} | (change or {}), headers=headers)


def everything_kept(server: Server, owner: str) -> bytes:
    sql = f"SELECT scope, key_digest, fingerprint, headers, body FROM idempotency WHERE scope LIKE '[\"{owner}\"%'"
    parts = [part for row in rows(server, sql) for part in row]
    return b"|".join(part.encode() if isinstance(part, str) else bytes(part) for part in parts)
