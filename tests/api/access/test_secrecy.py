"""Secrets are nowhere but in the answer that shows them: not in the database, not in the log, not in an error."""

import httpx2
import pytest

from stowboard_client import Client
from support.api.answers import data_of
from support.clients.credentials import basic
from support.servers.stacks import on_postgres
from support.servers.stowboard import Server
from support.stored.rows import rows
from support.waiting import wait_until


def everything_stored(server: Server) -> bytes:
    """All bytes that the installation keeps, in whatever database it has."""
    if not on_postgres(server):
        return b"".join(file.read_bytes() for file in server.data_dir.rglob("*") if file.is_file())
    tables = rows(server, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    values = [value for (table,) in tables for row in rows(server, f'SELECT * FROM "{table}"') for value in row]
    return b"\n".join(value if isinstance(value, bytes) else str(value).encode() for value in values)


@pytest.fixture
def secrets(client: Client, admin: httpx2.Client, web: httpx2.Client) -> list[str]:
    """Secrets of every kind, made and used in every way."""
    key = {"idempotency-key": "canary"}
    posts = [
        admin.post(f"/api/v1/access/{what}", json={"owner": "canary"}, headers=key | {"idempotency-key": what})
        for what in ("tokens", "clients", "tokens", "clients")
    ]
    token, app, again, app_again = (data_of(answer, 201) for answer in posts)
    assert (again["token"], app_again["clientSecret"]) == (token["token"], app["clientSecret"])
    registered = client.clients.create("canary")
    form = {"grant_type": "client_credentials"}
    granted = web.post("/oauth/token", data=form, headers=basic(registered)).json()["access_token"]
    for secret in (token["token"], granted, app["clientSecret"]):
        headers = {"authorization": f"Bearer {secret}"}
        for path in ("/api/v1", "/api/v1/access/tokens", "/api/v1/nothing"):
            assert secret not in web.get(path, headers=headers).text
        web.post("/oauth/token", data=form | {"client_id": secret, "client_secret": secret})
        admin.post("/api/v1/access/tokens", content=secret.encode())
    webhook = client.webhooks.create("https://hooks.example.com/", ["*"], idempotency_key="webhook")
    rotated = client.webhooks.rotate_secret(webhook.id, idempotency_key="rotated")
    signing = [webhook.secret, rotated.secret]
    return [token["token"], app["clientSecret"], granted, registered.client_secret, *signing]


def test_no_secret_is_stored_or_logged_although_a_retry_is_given_the_same_one(
    server: Server, secrets: list[str]
) -> None:
    wait_until(lambda: "/api/v1/nothing" in server.log())  # lines about requests are written together
    stored, logged = everything_stored(server), server.log()
    assert b"canary" in stored
    for secret in [*secrets, server.admin_token]:
        assert secret.encode() not in stored
        assert secret not in logged
        # Nor a part that would be of use.
        assert secret[8:24].encode() not in stored
        assert secret[8:24] not in logged


def test_the_key_that_guards_a_replay_is_not_stored_either(server: Server, admin: httpx2.Client) -> None:
    canary = "idempotency-key-canary-0123456789"
    data_of(admin.post("/api/v1/access/tokens", json={"owner": "alice"}, headers={"idempotency-key": canary}), 201)
    assert canary.encode() not in everything_stored(server)
    assert canary not in server.log()


def test_addresses_that_are_secrets_are_not_logged_whatever_is_asked_of_them(
    server: Server, admin: httpx2.Client, web: httpx2.Client
) -> None:
    asked = data_of(admin.post("/api/v1/media/upload/presigned", json={"filename": "a.bin", "size": 3}), 201)
    addresses = [asked["uploadUrl"], asked["tusUploadUrl"]]
    tokens = [address.rpartition("/")[2] for address in addresses]
    playback = "1999999999.k1.ThisCouldBeTheSignatureOfAPlayback"
    paths = [httpx2.URL(address).path for address in addresses] + [f"/stream/{playback}/vid_1/master.m3u8"]
    for path in paths:
        web.options(path, headers={"origin": "https://a.test", "access-control-request-method": "PUT"})
        for wrong in (path, f"{path}/not/there", f"/uploads{path}", f"/api/v1{path}", path.upper(), f"//{path}"):
            for method in ("GET", "POST", "OPTIONS", "TRACE", "DELETE"):
                web.request(method, wrong)
    web.get("/healthz/the-last-of-them")
    wait_until(lambda: "the-last-of-them" in server.log())
    for secret in [*tokens, playback]:
        assert secret.lower() not in server.log().lower()
        assert secret[8:24].lower() not in server.log().lower()
