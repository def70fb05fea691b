"""Access tokens over HTTP: what can be asked for, what is given, and who may."""

import re
import time
import zlib
from typing import Any

import httpx2
import pytest

from stowboard_client import Client
from support.api.answers import data_of, error_of, message_of
from support.clients.credentials import Issue, bearer
from support.servers.stowboard import Server

TOKENS = "/api/v1/access/tokens"
ALL_BUT_ADMIN = (
    "media:read", "media:write", "media:delete", "tasks:read", "tasks:write", "tasks:delete", "webhooks:manage",
)  # fmt: skip
BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def test_a_token_gets_what_was_asked_for(client: Client) -> None:
    before = time.time() * 1000
    token = client.tokens.create(
        "ada", admin=True, namespace="blog", scopes=["tasks:read"], kind="interactive", expires_in=3600, name="laptop"
    )
    assert (token.owner, token.namespace, token.kind, token.name) == ("ada", "blog", "interactive", "laptop")
    assert token.scopes == ("tasks:read", "admin")
    assert token.admin
    assert token.expires_at == token.created_at + 3_600_000
    assert before - 2000 <= token.created_at <= time.time() * 1000 + 2000
    assert client.tokens.get(token.id).name == "laptop"


def test_an_owner_is_all_that_is_needed(client: Client) -> None:
    token = client.tokens.create("ada")
    assert token.scopes == ALL_BUT_ADMIN
    assert (token.admin, token.namespace, token.kind, token.name) == (False, None, "automation", "")
    assert (token.expires_at, token.revoked_at) == (None, None)


@pytest.mark.parametrize("owner", ["ada", "alice@example.org", "Ålice Ω", "😀", "x" * 200, "a b", "'; --", "tok_1"])
def test_an_owner_may_be_any_text_without_control_characters(client: Client, owner: str) -> None:
    assert client.tokens.get(client.tokens.create(owner).id).owner == owner


@pytest.mark.parametrize("owner", ["~ann", "~", "SPC_library", "Spc_1", "spc_01kbr2x4q8e9w6y3t7n5m1c0vz"])
@pytest.mark.parametrize("path", [TOKENS, "/api/v1/access/clients"])
def test_an_owner_does_not_look_like_a_space(admin: httpx2.Client, path: str, owner: str) -> None:
    answer = admin.post(path, json={"owner": owner})
    assert error_of(answer) == (400, "validation_failed")
    assert "owner" in message_of(answer)


def test_a_token_can_be_recognised_by_secret_scanners(issue: Issue) -> None:
    secret = issue().token
    assert re.fullmatch(r"stow_[0-9A-Za-z]{36}", secret)
    value, checksum = zlib.crc32(secret[:-6].encode()), ""
    for _ in range(6):
        value, digit = divmod(value, 62)
        checksum = BASE62[digit] + checksum
    assert secret[-6:] == checksum
    assert len({issue().token for _ in range(20)}) == 20


def test_ids_sort_by_creation(issue: Issue) -> None:
    ids = [issue().id for _ in range(10)]
    assert ids == sorted(ids)
    assert all(re.fullmatch(r"tok_[0-9a-z]{26}", token_id) for token_id in ids)


@pytest.mark.parametrize("scopes", [["admin"], ["tasks:read", "admin"], []])
def test_admin_is_a_scope_and_can_be_asked_for_either_way(
    client: Client, web: httpx2.Client, scopes: list[str]
) -> None:
    token = client.tokens.create("ada", scopes=scopes, admin=True)
    assert token.scopes.count("admin") == 1
    assert token.admin
    data_of(web.get(TOKENS, headers=bearer(token)))


def test_a_scope_asked_for_twice_is_given_once(client: Client) -> None:
    assert client.tokens.create("ada", scopes=["tasks:read", "tasks:read"]).scopes == ("tasks:read",)


def test_a_secret_is_shown_at_creation_and_never_again(client: Client, admin: httpx2.Client) -> None:
    token = client.tokens.create("ada")
    for path in (TOKENS, f"{TOKENS}/{token.id}"):
        answer = admin.get(path)
        assert token.id in answer.text
        assert token.token not in answer.text


def test_a_revoked_token_is_refused_at_once_where_it_was_revoked(client: Client, web: httpx2.Client) -> None:
    token = client.tokens.create("ada")
    data_of(web.get("/api/v1", headers=bearer(token)))
    assert client.tokens.revoke(token.id).deleted
    assert error_of(web.get("/api/v1", headers=bearer(token))) == (401, "invalid_token")


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_a_revoked_token_is_answered_like_one_that_never_was(client: Client, admin: httpx2.Client, method: str) -> None:
    token = client.tokens.create("ada")
    client.tokens.revoke(token.id)
    assert token.id not in {listed.id for listed in client.tokens.list(limit=100).page().items}
    revoked = admin.request(method, f"{TOKENS}/{token.id}")
    assert error_of(revoked) == (404, "not_found")
    for never in ("tok_" + "0" * 26, "nonsense", "cli_" + "0" * 26):
        assert admin.request(method, f"{TOKENS}/{never}").content == revoked.content


def test_who_is_no_admin_cannot_manage_tokens_or_clients(web: httpx2.Client, issue: Issue) -> None:
    other = issue()
    requests: list[tuple[str, str, Any]] = [
        ("GET", TOKENS, None),
        ("POST", TOKENS, {"owner": "mallory", "admin": True}),
        ("GET", f"{TOKENS}/{other.id}", None),
        ("DELETE", f"{TOKENS}/{other.id}", None),
        ("GET", "/api/v1/access/clients", None),
        ("POST", "/api/v1/access/clients", {"owner": "mallory"}),
        ("DELETE", "/api/v1/access/clients/cli_1", None),
    ]
    for token in (issue(scopes=["tasks:write", "media:write"]), issue(kind="interactive"), issue(namespace="admin")):
        for method, path, body in requests:
            answer = web.request(method, path, json=body, headers=bearer(token))
            assert error_of(answer) == (403, "admin_required")
    data_of(web.get("/api/v1", headers=bearer(other)))


def test_an_admin_may_revoke_itself(client: Client, web: httpx2.Client) -> None:
    token = client.tokens.create("ada", admin=True)
    data_of(web.delete(f"{TOKENS}/{token.id}", headers=bearer(token)))
    assert error_of(web.get(TOKENS, headers=bearer(token))) == (401, "invalid_token")


def test_a_retry_under_a_key_gives_the_same_token_and_makes_no_other(admin: httpx2.Client, web: httpx2.Client) -> None:
    key = {"idempotency-key": '"one token, please"'}
    first, second = (admin.post(TOKENS, json={"owner": "retry"}, headers=key) for _ in range(2))
    assert data_of(first, 201) == data_of(second, 201)
    assert first.content == second.content
    assert second.headers["idempotent-replayed"] == "true"
    assert "idempotent-replayed" not in first.headers
    data_of(web.get("/api/v1", headers=bearer(second.json()["data"]["token"])))


def test_a_token_can_read_itself_and_needs_no_scope_for_it(server: Server, client: Client) -> None:
    issued = client.tokens.create("eve", scopes=["media:read"], kind="interactive")
    with Client(server.origin, issued.token) as own:
        token = own.tokens.own()
    assert (token.id, token.owner, token.scopes, token.kind) == (issued.id, "eve", ("media:read",), "interactive")
