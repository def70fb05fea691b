"""Tokens of applications: which door each opens, how it is renewed, given back and looked at, and what is announced."""

import httpx2
import pytest

from stowboard.access.oauth.grants.redeem_code import MOST_PAIRS
from stowboard_client import Client
from support.api.answers import data_of, error_of
from support.clients.applications import App, granted, refused, registered
from support.clients.credentials import basic, bearer
from support.clients.people import Browser, audit_of, fresh_name, invited
from support.servers.stowboard import Server


def test_a_token_opens_the_door_that_it_was_given_for(server: Server, browser: Browser, app: App) -> None:
    for resource in (None, f"{server.origin}/api/v1", f"{server.origin}/api/v1/"):
        token = app.sign_in(browser, resource=resource)["access_token"]
        data_of(httpx2.get(server.base_url, headers=bearer(token)))
    agents = app.sign_in(browser, resource=f"{server.origin}/mcp")
    for _ in range(2):  # asked for, and remembered
        answer = httpx2.get(server.base_url, headers=bearer(agents["access_token"]))
        assert error_of(answer) == (401, "invalid_token")
        assert "/mcp" in answer.json()["error"]["message"]
    assert 'error="invalid_token"' in answer.headers["www-authenticate"]
    again = granted(app.refresh(agents["refresh_token"], resource=f"{server.origin}/mcp"))
    assert error_of(httpx2.get(server.base_url, headers=bearer(again["access_token"])))[0] == 401
    wrong = app.refresh(again["refresh_token"], resource=f"{server.origin}/api/v1")
    assert refused(wrong) == (400, "invalid_target")


def test_a_program_with_a_secret_may_name_a_door_too(server: Server, client: Client) -> None:
    program = client.clients.create("importer")

    def token(resource: str) -> httpx2.Response:
        form = {"grant_type": "client_credentials", "resource": resource}
        return httpx2.post(f"{server.origin}/oauth/token", data=form, headers=basic(program))

    data_of(httpx2.get(server.base_url, headers=bearer(granted(token(f"{server.origin}/api/v1"))["access_token"])))
    agents = granted(token(f"{server.origin}/mcp"))["access_token"]
    assert error_of(httpx2.get(server.base_url, headers=bearer(agents)))[0] == 401
    assert refused(token("https://elsewhere.example/api/v1")) == (400, "invalid_target")


def test_a_program_with_a_secret_acts_for_nobody_else(server: Server, client: Client, browser: Browser) -> None:
    program = client.clients.create("importer")
    for form in (
        {"grant_type": "authorization_code", "code": "x", "code_verifier": "v" * 43},
        {"grant_type": "refresh_token", "refresh_token": "x"},
        {"grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": "x"},
    ):
        answer = httpx2.post(f"{server.origin}/oauth/token", data=form, headers=basic(program))
        assert refused(answer) == (400, "unauthorized_client")
    assert App(server, program.client_id).ask(browser).status_code == 400


def test_of_the_pairs_that_one_refresh_token_gave_one_goes_on(server: Server, browser: Browser, app: App) -> None:
    first = app.sign_in(browser)
    pairs = [granted(app.refresh(first["refresh_token"])) for _ in range(MOST_PAIRS)]
    assert refused(app.refresh(first["refresh_token"])) == (400, "invalid_grant")
    for pair in pairs:
        data_of(httpx2.get(server.base_url, headers=bearer(pair["access_token"])))
    chosen, *others = pairs
    goes_on = granted(app.refresh(chosen["refresh_token"]))
    for pair in others:
        assert error_of(httpx2.get(server.base_url, headers=bearer(pair["access_token"]))) == (401, "invalid_token")
        assert refused(app.refresh(pair["refresh_token"])) == (400, "invalid_grant")
    assert refused(app.refresh(first["refresh_token"])) == (400, "invalid_grant")
    for token in (chosen["access_token"], goes_on["access_token"]):
        data_of(httpx2.get(server.base_url, headers=bearer(token)))
    granted(app.refresh(goes_on["refresh_token"]))


def test_a_refresh_token_is_renewed_and_is_no_access_token(server: Server, browser: Browser, app: App) -> None:
    first = app.sign_in(browser)
    second = granted(app.refresh(first["refresh_token"]))
    assert {first["refresh_token"], first["access_token"]}.isdisjoint(second.values())
    data_of(httpx2.get(server.base_url, headers=bearer(second["access_token"])))
    answer = httpx2.get(server.base_url, headers=bearer(second["refresh_token"]))
    assert error_of(answer) == (401, "invalid_token")


@pytest.mark.parametrize("token", ["x", "stowr_" + "0" * 36, "é", "x" * 5000])
def test_a_refresh_token_that_is_none_is_refused(server: Server, app: App, token: str) -> None:
    assert refused(app.refresh(token)) == (400, "invalid_grant")
    (entry,) = audit_of(server, subject=app.client_id, action="oauth.token")
    assert entry["outcome"] == "refused"


def test_a_refresh_token_of_another_application_is_refused_and_stays(
    server: Server, browser: Browser, app: App
) -> None:
    held = app.sign_in(browser)
    other = registered(server)
    assert refused(other.refresh(held["refresh_token"])) == (400, "invalid_grant")
    assert other.post("/oauth/revoke", token=held["refresh_token"]).status_code == 200
    granted(app.refresh(held["refresh_token"]))


def test_a_refresh_token_that_is_given_back_takes_all_with_it(server: Server, browser: Browser, app: App) -> None:
    held = app.sign_in(browser)
    for _ in range(2):
        answer = app.post("/oauth/revoke", token=held["refresh_token"], token_type_hint="refresh_token")
        assert (answer.status_code, answer.json()) == (200, {})
    assert error_of(httpx2.get(server.base_url, headers=bearer(held["access_token"]))) == (401, "invalid_token")
    assert refused(app.refresh(held["refresh_token"])) == (400, "invalid_grant")


def test_an_access_token_that_is_given_back_goes_alone(server: Server, browser: Browser, app: App) -> None:
    held = app.sign_in(browser)
    assert app.post("/oauth/revoke", token=held["access_token"]).status_code == 200
    assert error_of(httpx2.get(server.base_url, headers=bearer(held["access_token"]))) == (401, "invalid_token")
    granted(app.refresh(held["refresh_token"]))


def test_a_token_is_looked_at_by_whom_it_was_given_to(server: Server, browser: Browser, app: App, name: str) -> None:
    held = app.sign_in(browser)
    found = granted(app.post("/oauth/introspect", token=held["access_token"]))
    assert (found["active"], found["username"], found["scope"]) == (True, name, "tasks:read")
    assert (found["aud"], found["iss"], found["client_id"]) == (f"{server.origin}/api/v1", server.origin, app.client_id)
    assert found["exp"] - found["iat"] == 3600
    assert granted(app.post("/oauth/introspect", token=held["refresh_token"]))["token_type"] == "refresh_token"
    other = registered(server)
    for answer in (
        other.post("/oauth/introspect", token=held["access_token"]),
        other.post("/oauth/introspect", token=held["refresh_token"]),
        app.post("/oauth/introspect", token="x"),
        app.post("/oauth/introspect", token=server.admin_token),
    ):
        assert granted(answer) == {"active": False}
    assert refused(app.post("/oauth/introspect")) == (400, "invalid_request")
    assert refused(app.post("/oauth/introspect", token="x", client_id="app_unknown")) == (401, "invalid_client")
    app.post("/oauth/revoke", token=held["access_token"])
    assert granted(app.post("/oauth/introspect", token=held["access_token"])) == {"active": False}


def test_a_person_who_goes_takes_their_applications_along(server: Server, browser: Browser, app: App) -> None:
    held, pending = app.sign_in(browser), app.code(browser)
    account = data_of(browser.get("/session"))["account"]["id"]
    data_of(httpx2.delete(f"{server.base_url}/access/accounts/{account}", headers=server.headers))
    assert error_of(httpx2.get(server.base_url, headers=bearer(held["access_token"]))) == (401, "invalid_token")
    assert refused(app.refresh(held["refresh_token"])) == (400, "invalid_grant")
    assert refused(app.trade(pending)) == (400, "invalid_grant")


def test_signing_out_leaves_applications_in(server: Server, browser: Browser, app: App) -> None:
    held = app.sign_in(browser)
    browser.delete("/session")
    data_of(httpx2.get(server.base_url, headers=bearer(held["access_token"])))
    granted(app.refresh(held["refresh_token"]))


def test_the_documents_announce_what_there_is(server: Server) -> None:
    told = httpx2.get(f"{server.origin}/.well-known/oauth-authorization-server").json()
    assert told["issuer"] == server.origin
    assert told["response_types_supported"] == ["code"]
    assert told["code_challenge_methods_supported"] == ["S256"]
    assert told["authorization_response_iss_parameter_supported"] is True
    assert told["client_id_metadata_document_supported"] is True
    assert told["protected_resources"] == [f"{server.origin}/api/v1", f"{server.origin}/mcp"]
    for name in ("authorization", "token", "revocation", "introspection", "device_authorization", "registration"):
        address = told[f"{name}_endpoint"]
        assert httpx2.request("OPTIONS", address).status_code == 204
    for door in told["protected_resources"]:
        path = door.removeprefix(server.origin)
        resource = httpx2.get(f"{server.origin}/.well-known/oauth-protected-resource{path}").json()
        assert (resource["resource"], resource["authorization_servers"]) == (door, [server.origin])


# Registration


def register(server: Server, **metadata: object) -> httpx2.Response:
    given = {"redirect_uris": ["http://127.0.0.1/cb"], "client_name": "Agent"} | metadata
    return httpx2.post(f"{server.origin}/oauth/register", json=given)


def test_a_program_registers_itself_and_is_let_in(server: Server, browser: Browser) -> None:
    answer = register(server, token_endpoint_auth_method="client_secret_post", grant_types=["authorization_code"])
    assert (answer.status_code, answer.headers["cache-control"]) == (201, "no-store")
    told = answer.json()
    assert (told["token_endpoint_auth_method"], told["client_name"]) == ("none", "Agent")
    assert "client_secret" not in told
    app = App(server, told["client_id"], "http://127.0.0.1:4711/cb")
    page = app.ask(browser)
    assert "It registered itself, from 127.0.0.1. Nobody has checked its name." in page.text
    assert app.sign_in(browser)["access_token"]


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize(
    ("metadata", "error"),
    [
        ({"redirect_uris": []}, "invalid_client_metadata"),
        ({"redirect_uris": "https://a.example/"}, "invalid_client_metadata"),
        ({"redirect_uris": ["http://example.com/cb"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["https://a.example/" + str(n) for n in range(11)]}, "invalid_client_metadata"),
        ({"grant_types": ["client_credentials"]}, "invalid_client_metadata"),
        ({"response_types": ["token"]}, "invalid_client_metadata"),
        ({"client_name": "x" * 101}, "invalid_client_metadata"),
        ({"client_name": "\u202ereversed"}, "invalid_client_metadata"),
    ],
)
def test_what_a_program_may_not_be_is_refused(server: Server, metadata: dict[str, object], error: str) -> None:
    assert refused(register(server, **metadata)) == (400, error)


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff", b'{"redirect_uris": null}'])
def test_what_is_no_registration_is_refused(server: Server, content: bytes) -> None:
    answer = httpx2.post(f"{server.origin}/oauth/register", content=content)
    assert refused(answer) == (400, "invalid_client_metadata")


# Devices


def begin(app: App, **form: str | None) -> httpx2.Response:
    return app.post("/oauth/device_authorization", **form)


def poll(app: App, device_code: str) -> httpx2.Response:
    return app.token(grant_type="urn:ietf:params:oauth:grant-type:device_code", device_code=device_code)


def test_the_terminal_signs_in_by_a_code_that_a_person_types(server: Server, browser: Browser, name: str) -> None:
    stow = App(server, "stow")
    begun = granted(begin(stow, scope="tasks:write"))
    assert (begun["verification_uri"], begun["expires_in"], begun["interval"]) == (f"{server.origin}/device", 600, 5)
    shown = data_of(browser.post("/device/look", json={"code": begun["user_code"].lower()}))
    assert (shown["application"], shown["address"]) == ("stow", "127.0.0.1")
    assert shown["writing"] == ["Create and change tasks and boards."]
    assert shown["reached"][:2] == ["Your own space.", "The Library."]
    assert shown["reached"][-1] == "Every space that you join later."
    data_of(browser.post("/device/decide", json={"code": begun["user_code"], "allow": True}))
    tokens = granted(poll(stow, begun["device_code"]))
    own = data_of(httpx2.get(f"{server.base_url}/access/token", headers=bearer(tokens["access_token"])))
    assert (own["owner"], own["scopes"], own["kind"]) == (name, ["tasks:write"], "interactive")
    granted(stow.refresh(tokens["refresh_token"]))
    assert refused(poll(stow, begun["device_code"])) == (400, "invalid_grant")
    (entry,) = audit_of(server, actor=name, action="grant.allow")
    assert entry["data"]["client"] == "stow"


def test_a_device_asks_for_what_it_may_have(server: Server, app: App) -> None:
    stow = App(server, "stow")
    assert refused(begin(app)) == (400, "unauthorized_client")
    assert refused(begin(stow, scope="tasks:read admin")) == (400, "invalid_scope")
    assert refused(begin(stow, resource="https://elsewhere.example")) == (400, "invalid_target")
    assert refused(begin(App(server, "app_unknown"))) == (401, "invalid_client")
    granted(begin(registered(server, device=True)))
    begun = granted(begin(stow))
    assert refused(poll(stow, begun["device_code"])) == (400, "authorization_pending")
    assert refused(poll(stow, begun["device_code"])) == (400, "slow_down")
    assert refused(poll(stow, "x")) == (400, "invalid_grant")


def test_codes_are_typed_by_people_and_not_guessed(server: Server) -> None:
    browser = invited(server, fresh_name("eve"))
    assert Browser(server.origin).get("/device").headers["location"] == "/signin?next=/device"
    assert browser.get("/device").status_code == 200
    for _ in range(5):
        assert error_of(browser.post("/device/look", json={"code": "BBBB-BBBB"})) == (404, "not_found")
    begun = granted(begin(App(server, "stow")))
    for path, body in (("/device/look", {}), ("/device/decide", {"allow": True})):
        answer = browser.post(path, json={"code": begun["user_code"]} | body)
        assert error_of(answer) == (429, "rate_limited")
