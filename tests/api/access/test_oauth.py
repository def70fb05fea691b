"""The OAuth server: client credentials, revocation and the documents that announce them."""

from typing import Any

import httpx2
import pytest

from stowboard_client import Client, ClientCredentials, IssuedClient, errors
from support.api.answers import data_of, error_of
from support.clients.credentials import Issue, basic, bearer
from support.servers.stowboard import Server

GRANT = {"grant_type": "client_credentials"}


@pytest.fixture
def app(client: Client) -> IssuedClient:
    return client.clients.create("alice", name="importer", namespace="blog", scopes=["media:read", "tasks:write"])


def granted(answer: httpx2.Response) -> dict[str, Any]:
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    content: dict[str, Any] = answer.json()
    assert set(content) == {"access_token", "token_type", "expires_in", "scope"}
    return content


def refused(answer: httpx2.Response) -> tuple[int, str]:
    """Status and error, in OAuth's own shape."""
    assert set(answer.json()) == {"error", "error_description"}
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-request-id"]
    return answer.status_code, answer.json()["error"]


def in_form(app: IssuedClient) -> dict[str, str]:
    return {"client_id": app.client_id, "client_secret": app.client_secret}


def test_a_client_finds_its_way_from_a_refusal_to_a_token(
    server: Server, web: httpx2.Client, app: IssuedClient
) -> None:
    challenge = web.get("/api/v1").headers["www-authenticate"]
    resource = web.get(challenge.split('resource_metadata="')[1].split('"')[0]).json()
    (issuer,) = resource["authorization_servers"]
    metadata = web.get(f"{issuer}/.well-known/oauth-authorization-server").json()
    assert metadata["issuer"] == issuer == server.origin
    answer = web.post(metadata["token_endpoint"], data=GRANT, headers=basic(app))
    data_of(web.get(resource["resource"], headers=bearer(granted(answer)["access_token"])))
    assert set(metadata["scopes_supported"]) == set(resource["scopes_supported"])


def test_the_metadata_promises_the_ways_to_authenticate_that_work(web: httpx2.Client, app: IssuedClient) -> None:
    metadata = web.get("/.well-known/oauth-authorization-server").json()
    assert set(metadata["token_endpoint_auth_methods_supported"]) == {
        "none",
        "client_secret_basic",
        "client_secret_post",
    }
    by_basic = granted(web.post("/oauth/token", data=GRANT, headers=basic(app)))
    by_form = granted(web.post("/oauth/token", data=GRANT | in_form(app)))
    for content in (by_basic, by_form):
        assert (content["token_type"], content["expires_in"]) == ("Bearer", 3600)
        assert content["scope"] == "media:read tasks:write"
        data_of(web.get("/api/v1", headers=bearer(content["access_token"])))


def test_a_token_opens_the_api_unless_another_door_was_asked_for(
    server: Server, client: Client, web: httpx2.Client
) -> None:
    app = client.clients.create("oauth-owner", scopes=["tasks:read"])
    plain = granted(web.post("/oauth/token", data=GRANT, headers=basic(app)))["access_token"]
    for_agents = GRANT | {"resource": f"{server.origin}/mcp"}
    asked = granted(web.post("/oauth/token", data=for_agents, headers=basic(app)))["access_token"]
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    assert error_of(web.post("/mcp", json=ping, headers=bearer(plain))) == (401, "invalid_token")
    assert error_of(web.get("/api/v1", headers=bearer(asked))) == (401, "invalid_token")
    assert web.get("/api/v1", headers=bearer(plain)).status_code == 200
    assert web.post("/mcp", json=ping, headers=bearer(asked)).status_code != 401


def test_a_token_stands_for_what_the_client_was_registered_for(client: Client, web: httpx2.Client) -> None:
    app = client.clients.create("oauth-owner", namespace="shop", scopes=["tasks:read"], name="till")
    granted(web.post("/oauth/token", data=GRANT, headers=basic(app)))
    token = next(token for token in client.tokens.list() if token.owner == "oauth-owner")
    assert (token.namespace, token.scopes, token.kind, token.name) == ("shop", ("tasks:read",), "automation", "till")
    assert token.expires_at == token.created_at + 3_600_000


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ("media:read", "media:read"),
        ("tasks:write media:read", "tasks:write media:read"),
        ("tasks:read", "tasks:read"),  # writing implies reading
        ("media:read media:read", "media:read"),
        ("", "media:read tasks:write"),
    ],
)
def test_scopes_can_be_narrowed(web: httpx2.Client, app: IssuedClient, asked: str, given: str) -> None:
    answer = web.post("/oauth/token", data=GRANT | {"scope": asked}, headers=basic(app))
    assert granted(answer)["scope"] == given


@pytest.mark.parametrize("scope", ["admin", "media:write", "media:read admin", "unknown", "MEDIA:READ"])
def test_scopes_cannot_be_widened(web: httpx2.Client, app: IssuedClient, scope: str) -> None:
    answer = web.post("/oauth/token", data=GRANT | {"scope": scope}, headers=basic(app))
    assert refused(answer) == (400, "invalid_scope")
    assert "media:read tasks:write" in answer.json()["error_description"]


def test_a_wrong_client_is_asked_to_authenticate(web: httpx2.Client, app: IssuedClient) -> None:
    for answer in (
        web.post("/oauth/token", data=GRANT),
        web.post("/oauth/token", data=GRANT, headers=basic(app, secret="wrong")),
        web.post("/oauth/token", data=GRANT, headers=basic(app, secret="")),
        web.post("/oauth/token", data=GRANT | in_form(app) | {"client_secret": "wrong"}),
        web.post("/oauth/token", data=GRANT | in_form(app) | {"client_id": "cli_unknown"}),
        web.post("/oauth/token", data=GRANT | {"client_id": "\0", "client_secret": "\0"}),
        web.post("/oauth/token", data=GRANT, headers={"authorization": "Basic not-base64!"}),
        web.post("/oauth/token", data=GRANT, headers={"authorization": "Basic /////w=="}),
        web.post("/oauth/token", data=GRANT, headers={b"authorization": "Basic é".encode()}),
        web.post("/oauth/token", data=GRANT, headers=bearer(app.client_secret)),
        web.post("/oauth/revoke", data={"token": "x"}),
    ):
        assert refused(answer) == (401, "invalid_client")
        assert answer.headers["www-authenticate"] == 'Basic realm="stowboard"'


def test_two_ways_of_authentication_at_once_are_no_request(web: httpx2.Client, app: IssuedClient) -> None:
    for path, form in (("/oauth/token", GRANT), ("/oauth/revoke", {"token": "x"})):
        for more in (in_form(app), {"client_secret": "x"}, {"client_id": "cli_other"}):
            answer = web.post(path, data=form | more, headers=basic(app))
            assert refused(answer) == (400, "invalid_request")
    same = web.post("/oauth/token", data=GRANT | {"client_id": app.client_id}, headers=basic(app))
    assert same.status_code == 200


@pytest.mark.parametrize(
    ("form", "error"),
    [
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"grant_type": "authorization_code", "code": "x"}, "unauthorized_client"),
        ({"grant_type": ""}, "unsupported_grant_type"),
        ({}, "invalid_request"),
        ({"scope": "media:read"}, "invalid_request"),
    ],
)
def test_another_grant_is_refused(web: httpx2.Client, app: IssuedClient, form: dict[str, str], error: str) -> None:
    assert refused(web.post("/oauth/token", data=form, headers=basic(app))) == (400, error)


@pytest.mark.parametrize("path", ["/oauth/token", "/oauth/revoke"])
def test_a_body_that_is_no_form_is_refused_in_the_shape_of_oauth(
    web: httpx2.Client, app: IssuedClient, path: str
) -> None:
    twice = b"grant_type=client_credentials&grant_type=client_credentials"
    many = b"&".join(b"p%d=1" % n for n in range(50))
    for content in (twice, b"%ff=1", b"\xff", many):
        assert refused(web.post(path, content=content, headers=basic(app))) == (400, "invalid_request")
    for size in (20_000, 3_000_000):
        assert refused(web.post(path, content=b"x" * size, headers=basic(app))) == (413, "invalid_request")
    assert web.get(path).status_code == 405


def test_a_client_revokes_its_own_tokens(web: httpx2.Client, app: IssuedClient) -> None:
    token = granted(web.post("/oauth/token", data=GRANT, headers=basic(app)))["access_token"]
    data_of(web.get("/api/v1", headers=bearer(token)))
    for _ in range(2):
        answer = web.post("/oauth/revoke", data={"token": token, "token_type_hint": "access_token"}, headers=basic(app))
        assert answer.status_code == 200
    assert error_of(web.get("/api/v1", headers=bearer(token))) == (401, "invalid_token")


def test_a_client_revokes_nobody_elses_tokens_and_learns_nothing_of_them(
    client: Client, web: httpx2.Client, app: IssuedClient, issue: Issue
) -> None:
    other = client.clients.create("alice")
    foreign = [granted(web.post("/oauth/token", data=GRANT, headers=basic(other)))["access_token"], issue().token]
    answers = [
        web.post("/oauth/revoke", data={"token": token}, headers=basic(app)) for token in [*foreign, "unknown", "", "é"]
    ]
    assert {(answer.status_code, answer.content) for answer in answers} == {(200, b"{}")}
    for token in foreign:
        data_of(web.get("/api/v1", headers=bearer(token)))
    assert refused(web.post("/oauth/revoke", data={}, headers=basic(app))) == (400, "invalid_request")


def test_deleting_a_client_ends_it_and_its_tokens(client: Client, web: httpx2.Client, app: IssuedClient) -> None:
    token = granted(web.post("/oauth/token", data=GRANT, headers=basic(app)))["access_token"]
    data_of(web.get("/api/v1", headers=bearer(token)))
    assert client.clients.delete(app.client_id).deleted
    assert error_of(web.get("/api/v1", headers=bearer(token))) == (401, "invalid_token")
    assert refused(web.post("/oauth/token", data=GRANT, headers=basic(app))) == (401, "invalid_client")
    assert app.client_id not in {listed.client_id for listed in client.clients.list()}
    with pytest.raises(errors.NotFound):
        client.clients.delete(app.client_id)


def test_clients_are_listed_newest_first_and_without_their_secrets(client: Client, admin: httpx2.Client) -> None:
    made = [client.clients.create("alice") for _ in range(5)]
    listed = [listed.client_id for listed in client.clients.list(limit=2)]
    assert listed[:5] == [app.client_id for app in reversed(made)]
    assert len(listed) == len(set(listed))
    text = admin.get("/api/v1/access/clients").text
    assert not [app for app in made if app.client_secret in text]


def test_a_client_of_admins_manages_tokens(client: Client, web: httpx2.Client) -> None:
    app = client.clients.create("ops", scopes=["admin"])
    content = granted(web.post("/oauth/token", data=GRANT | {"scope": "admin"}, headers=basic(app)))
    data_of(web.get("/api/v1/access/tokens", headers=bearer(content["access_token"])))
    narrowed = granted(web.post("/oauth/token", data=GRANT | {"scope": "tasks:read"}, headers=basic(app)))
    answer = web.get("/api/v1/access/tokens", headers=bearer(narrowed["access_token"]))
    assert error_of(answer) == (403, "admin_required")


def test_the_client_library_fetches_and_renews_its_own_token(server: Server, client: Client) -> None:
    app = client.clients.create("ops", scopes=["admin"])
    with Client(server.origin, ClientCredentials(app.client_id, app.client_secret)) as machine:
        assert machine.index()["version"] == "v1"
        mine = next(token for token in machine.tokens.list() if token.owner == "ops")
        client.tokens.revoke(mine.id)
        renewed = next(token for token in machine.tokens.list() if token.owner == "ops")
        assert renewed.id != mine.id
    with (
        Client(server.origin, ClientCredentials(app.client_id, "wrong")) as stranger,
        pytest.raises(errors.InvalidClient),
    ):
        stranger.index()


def test_requests_for_tokens_are_limited_by_address(own_server: Server) -> None:
    with httpx2.Client(base_url=own_server.origin) as web:
        answers = (web.post("/oauth/token", data=GRANT) for _ in range(1000))
        limited = next(answer for answer in answers if answer.status_code != 401)
    assert refused(limited) == (429, "temporarily_unavailable")
    assert int(limited.headers["retry-after"]) >= 1
