"""Requests and answers of each operation, and the headers of every request."""

from typing import Any

import msgspec
import pytest
from both_faces import Face, collected, settled
from scripted_server import Answer, ScriptedServer, data

from stowboard_client import (
    OPERATIONS,
    ClientCredentials,
    IssuedClient,
    IssuedToken,
    KeyFile,
    RateLimit,
    Token,
    __version__,
)
from stowboard_client.errors import UnreadableAnswer
from stowboard_client.events.events import Following
from stowboard_client.transport.paging import Listing
from stowboard_client.transport.resource import Operation, Resource

TOKEN = {
    "id": "tok_1",
    "owner": "ada",
    "scopes": ["tasks:read"],
    "namespace": None,
    "kind": "automation",
    "admin": False,
    "name": "laptop",
    "createdAt": 1_700_000_000_000,
    "expiresAt": None,
    "revokedAt": None,
}
OAUTH_CLIENT = {
    "clientId": "cli_1",
    "owner": "ada",
    "name": "sync",
    "namespace": "blog",
    "scopes": ["media:read"],
    "createdAt": 1_700_000_000_000,
}
META = {"nextCursor": None, "hasMore": False, "limit": 50}


async def test_an_issued_token_comes_back_typed_and_only_what_was_given_is_sent(
    face: Face, server: ScriptedServer
) -> None:
    server.will(data({**TOKEN, "token": "stow_secret", "memberOfTheFuture": 1}, status=201))
    issued = await settled(face.client().tokens.create("ada", scopes=["tasks:read"], expires_in=60))
    assert isinstance(issued, IssuedToken)
    assert (issued.token, issued.created_at, issued.scopes) == ("stow_secret", 1_700_000_000_000, ("tasks:read",))
    [asked] = server.seen
    assert (asked.method, asked.path) == ("POST", "/api/v1/access/tokens")
    assert asked.json == {"owner": "ada", "scopes": ["tasks:read"], "expiresIn": 60}


async def test_none_is_sent_as_null_and_unset_is_not_sent(face: Face, server: ScriptedServer) -> None:
    server.will(data({**TOKEN, "token": "stow_secret"}, status=201))
    await settled(face.client().tokens.create("ada", name=None))
    assert server.seen[0].json == {"owner": "ada", "name": None}


async def test_a_token_is_read_and_revoked_by_its_id(face: Face, server: ScriptedServer) -> None:
    server.will(data(TOKEN), data({"id": "tok_1", "deleted": True}))
    client = face.client()
    token = await settled(client.tokens.get("tok_1"))
    gone = await settled(client.tokens.revoke("tok_1"))
    assert isinstance(token, Token)
    assert (token.id, gone.id, gone.deleted) == ("tok_1", "tok_1", True)
    assert [(asked.method, asked.path) for asked in server.seen] == [
        ("GET", "/api/v1/access/tokens/tok_1"),
        ("DELETE", "/api/v1/access/tokens/tok_1"),
    ]


async def test_oauth_clients_are_created_listed_and_deleted(face: Face, server: ScriptedServer) -> None:
    server.will(
        data({**OAUTH_CLIENT, "clientSecret": "s3"}, status=201),
        data([OAUTH_CLIENT], META),
        data({"id": "cli_1", "deleted": True}),
    )
    client = face.client()
    created = await settled(client.clients.create("ada", name="sync", namespace="blog"))
    listed = await collected(client.clients.list())
    gone = await settled(client.clients.delete("cli_1"))
    assert isinstance(created, IssuedClient)
    assert (created.client_secret, listed[0].client_id, gone.deleted) == ("s3", "cli_1", True)
    assert [(asked.method, asked.path) for asked in server.seen] == [
        ("POST", "/api/v1/access/clients"),
        ("GET", "/api/v1/access/clients"),
        ("DELETE", "/api/v1/access/clients/cli_1"),
    ]


async def test_jobs_are_seen_and_retried(face: Face, server: ScriptedServer) -> None:
    job = {"id": "job_1", "kind": "media.process", "status": "dead", "attempts": 8, "dueAt": 1, "error": "no disk"}
    count = {"kind": "media.process", "status": "dead", "count": 1, "oldestMs": 0}
    server.will(data([job]), data([count]), data({"id": "job_1", "retried": True}))
    client = face.client()
    [seen] = await collected(client.jobs.list(status="dead"))
    [counted] = await settled(client.jobs.count())
    retried = await settled(client.jobs.retry(seen.id))
    assert (counted.count, seen.error, retried.retried) == (1, "no disk", True)
    assert [(asked.method, asked.path) for asked in server.seen] == [
        ("GET", "/api/v1/jobs"),
        ("GET", "/api/v1/jobs/counts"),
        ("POST", "/api/v1/jobs/job_1/retry"),
    ]


async def test_a_wrapped_key_is_kept_found_wrapped_anew_and_forgotten(face: Face, server: ScriptedServer) -> None:
    file = KeyFile(
        version=1, algorithm="A256GCM", key_id="k1", kdf="PBKDF2-SHA256", iterations=600_000, salt="AA", nonce="AA",
        ciphertext="AA",
    )  # fmt: skip
    key = {"keyFile": msgspec.to_builtins(file), "createdAt": 1, "updatedAt": 1}
    server.will(data(key, status=201), data([key]), data(key), data({"id": "k1", "deleted": True}))
    keys = face.client().vault_keys
    made = await settled(keys.create(file))
    [found] = await settled(keys.list())
    await settled(keys.update(found.key_file))
    await settled(keys.delete("k1"))
    assert made == found
    assert server.seen[0].json == msgspec.to_builtins(file)
    assert [(asked.method, asked.path.removeprefix("/api/v1/taskapp")) for asked in server.seen] == [
        ("POST", "/vault-keys"),
        ("GET", "/vault-keys"),
        ("PATCH", "/vault-keys/k1"),
        ("DELETE", "/vault-keys/k1"),
    ]


async def test_an_id_stays_one_segment_of_the_path(face: Face, server: ScriptedServer) -> None:
    server.will(data(TOKEN))
    await settled(face.client().tokens.get("a/../b?c"))
    assert server.seen[0].path == "/api/v1/access/tokens/a%2F..%2Fb%3Fc"


@pytest.mark.parametrize("wrong", ["", ".", ".."])
async def test_an_id_that_would_address_something_else_is_refused(
    face: Face, server: ScriptedServer, wrong: str
) -> None:
    with pytest.raises(ValueError, match="is not an id"):
        await settled(face.client().tokens.revoke(wrong))
    assert server.seen == []


@pytest.mark.parametrize("suffix", ["", "/", "/api/v1", "/api/v1/"])
async def test_the_base_url_is_taken_with_and_without_the_version(
    face: Face, server: ScriptedServer, suffix: str
) -> None:
    server.will(data({"documents": []}))
    client = face.client(url=server.url + suffix)
    assert await settled(client.index()) == {"documents": []}
    assert client.base_url == server.url + "/api/v1"
    assert server.seen[0].path == "/api/v1"


@pytest.mark.parametrize(
    "wrong", ["stow.example", "ftp://stow.example", "https://me:pw@stow.example", "https://x/?a=b"]
)
def test_a_base_url_that_cannot_work_is_refused_at_once(face: Face, wrong: str) -> None:
    with pytest.raises(ValueError, match="base URL"):
        face.client(url=wrong)


def test_a_token_with_a_newline_is_refused_without_repeating_it(face: Face) -> None:
    with pytest.raises(ValueError, match="the token must be printable") as refused:
        face.client("stow_secret\n")
    assert "stow_secret" not in str(refused.value)


def test_printed_credentials_keep_their_secret() -> None:
    assert "s3cret" not in repr(ClientCredentials("cli_1", "s3cret"))


async def test_every_request_carries_the_token_and_the_user_agent(face: Face, server: ScriptedServer) -> None:
    server.will(data({}))
    await settled(face.client("stow_mine").index())
    assert server.seen[0].headers["authorization"] == "Bearer stow_mine"
    assert server.seen[0].headers["user-agent"] == f"stowboard-client/{__version__}"


async def test_reads_carry_no_idempotency_key_and_writes_each_their_own(face: Face, server: ScriptedServer) -> None:
    gone = data({"id": "tok_1", "deleted": True})
    server.will(data(TOKEN), gone, gone, gone)
    client = face.client()
    await settled(client.tokens.get("tok_1"))
    await settled(client.tokens.revoke("tok_1"))
    await settled(client.tokens.revoke("tok_1"))
    await settled(client.tokens.revoke("tok_1", idempotency_key="mine"))
    read, first, second, third = (asked.headers.get("idempotency-key") for asked in server.seen)
    assert read is None
    assert first is not None
    assert second not in (None, first)
    assert third == "mine"


async def test_a_raw_request_gets_the_same_care_and_the_whole_response(face: Face, server: ScriptedServer) -> None:
    server.will(data([], META, x_extra="yes"))
    response = await settled(
        face.client().raw(
            "POST", "/new/thing", query={"a": 1, "b": None}, body={"camelCase": 1}, headers={"if-match": "7"}
        )
    )
    assert (response.status_code, response.headers["x-extra"], response.json()["data"]) == (200, "yes", [])
    [asked] = server.seen
    assert (asked.path, asked.query, asked.json) == ("/api/v1/new/thing", {"a": ["1"]}, {"camelCase": 1})
    assert asked.headers["if-match"] == "7"
    assert "idempotency-key" in asked.headers


async def test_the_latest_answer_tells_its_id_and_the_quota_left(face: Face, server: ScriptedServer) -> None:
    server.will(data({}, x_request_id="req_7", ratelimit='"default";r=590;t=60, "burst";r=99;t=10'))
    client = face.client()
    assert (client.request_id, client.rate_limit) == (None, None)
    await settled(client.with_options(retries=0).index())
    assert client.request_id == "req_7"
    assert client.rate_limit == RateLimit("burst", 99, 10)


@pytest.mark.parametrize("body", [b"<html>", b'{"data": {"id": 3}, "meta": {}}', b"{}", b"\xff"])
async def test_a_success_that_is_not_the_promised_answer_is_said_and_not_repeated(
    face: Face, server: ScriptedServer, body: bytes
) -> None:
    server.will(Answer(200, body))
    with pytest.raises(UnreadableAnswer, match="/access/tokens/tok_1"):
        await settled(face.client().tokens.get("tok_1"))
    assert len(server.seen) == 1


def test_the_map_of_operations_misses_nothing_that_a_client_offers(face: Face) -> None:
    client = face.client()
    resources = {name: value for name in dir(client) if isinstance(value := getattr(client, name), Resource)}
    offered = {f"{group}.{name}" for group, resource in resources.items() for name in _operations(resource)}
    assert set(OPERATIONS) == offered | {"index", "search"}
    assert OPERATIONS["tokens.create"] == "createToken"


def _operations(resource: Resource[Any]) -> list[str]:
    return [
        name for name, member in vars(type(resource)).items() if isinstance(member, Operation | Listing | Following)
    ]
