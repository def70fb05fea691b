"""OAuth client credentials: fetched when needed, kept while they last, renewed once when refused."""

import base64
from urllib.parse import parse_qs

import httpx2
import pytest
from both_faces import Face, settled
from scripted_server import Answer, ScriptedServer, data, document, error
from test_sdk_operations import TOKEN

from stowboard_client import ClientCredentials, errors
from stowboard_client.client import get_index
from stowboard_client.transport.auth import FetchedToken
from stowboard_client.transport.session import Session

CREDENTIALS = ClientCredentials("cli_1", "s3:cret", ("tasks:read", "tasks:write"))


def _grant(token: str, expires_in: int = 3600) -> Answer:
    return document(200, {"access_token": token, "token_type": "Bearer", "expires_in": expires_in})


def _bearers(server: ScriptedServer) -> list[str]:
    return [asked.headers["authorization"] for asked in server.seen if asked.path.startswith("/api/v1")]


async def test_a_token_is_fetched_once_and_used_until_it_expires(face: Face, server: ScriptedServer) -> None:
    server.will(_grant("one"), data({}), data({}))
    client = face.client(CREDENTIALS)
    await settled(client.index())
    await settled(client.with_options(retries=1).index())
    fetch, *_ = server.seen
    assert (fetch.method, fetch.path) == ("POST", "/oauth/token")
    assert parse_qs(fetch.body.decode()) == {"grant_type": ["client_credentials"], "scope": ["tasks:read tasks:write"]}
    assert base64.b64decode(fetch.headers["authorization"].removeprefix("Basic ")) == b"cli_1:s3%3Acret"
    assert _bearers(server) == ["Bearer one", "Bearer one"]
    assert len(server.seen) == 3


async def test_a_refused_token_is_renewed_and_the_write_keeps_its_key(face: Face, server: ScriptedServer) -> None:
    issued = data({**TOKEN, "token": "stow_new"}, status=201)
    server.will(_grant("one"), error(401, "token_expired"), _grant("two"), issued)
    await settled(face.client(CREDENTIALS).tokens.create("ada"))
    assert _bearers(server) == ["Bearer one", "Bearer two"]
    assert server.seen[1].headers["idempotency-key"] == server.seen[3].headers["idempotency-key"]


async def test_a_renewed_token_that_is_refused_too_is_an_error(face: Face, server: ScriptedServer) -> None:
    server.will(_grant("one"), error(401, "invalid_token"), _grant("two"), error(401, "invalid_token"))
    with pytest.raises(errors.InvalidToken):
        await settled(face.client(CREDENTIALS).index())
    assert len(server.seen) == 4


async def test_credentials_that_the_service_does_not_know_are_said_and_not_repeated(
    face: Face, server: ScriptedServer
) -> None:
    server.will(document(401, {"error": "invalid_client", "error_description": "Unknown client."}))
    with pytest.raises(errors.InvalidClient, match="Unknown client"):
        await settled(face.client(CREDENTIALS).index())
    assert len(server.seen) == 1


async def test_a_token_endpoint_that_is_away_for_a_moment_is_asked_again(face: Face, server: ScriptedServer) -> None:
    server.will(error(503, "service_unavailable"), _grant("one"), data({}))
    await settled(face.client(CREDENTIALS).index())
    assert [asked.path for asked in server.seen] == ["/oauth/token", "/oauth/token", "/api/v1"]


@pytest.mark.parametrize(("lifetime", "fresh_at", "stale_at"), [(3600, 3569.0, 3570.0), (10, 8.9, 9.0)])
def test_a_token_is_replaced_shortly_before_it_expires(lifetime: int, fresh_at: float, stale_at: float) -> None:
    clock = [0.0]
    bearer = FetchedToken(CREDENTIALS, "http://stow.example/oauth/token", lambda: clock[0])
    session = Session("http://stow.example/api/v1", bearer, now=lambda: clock[0])

    def first_request() -> httpx2.Request:
        step = next(session.perform(get_index()))
        assert isinstance(step, httpx2.Request)
        return step

    steps = session.perform(get_index())
    assert next(steps) is not None
    steps.send(httpx2.Response(200, json={"access_token": "one", "expires_in": lifetime}))
    clock[0] = fresh_at
    assert first_request().url.path == "/api/v1"
    clock[0] = stale_at
    assert first_request().url.path == "/oauth/token"
