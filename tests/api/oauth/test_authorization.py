"""Authorization code with PKCE: what a person is asked, what the application gets, and every way to get it wrong."""

import re
import secrets
from typing import Any

import httpx2
import pytest

from support.api.answers import data_of, error_of
from support.clients.applications import CALLBACK, App, granted, parameters_of, refused, registered
from support.clients.credentials import bearer
from support.clients.people import Browser, audit_of, fresh_name, invited
from support.servers.stowboard import Server


def test_a_person_lets_an_application_in_and_it_acts_as_them(
    server: Server, browser: Browser, app: App, name: str
) -> None:
    page = app.ask(browser)
    assert page.status_code == 200
    for text in ("Planner", "registered here by the admin", "planner.example.com", name, "See tasks and boards."):
        assert text in page.text
    answered = app.answered(browser)
    assert (answered["state"], answered["iss"]) == ("s t&a=te", server.origin)
    tokens = granted(app.trade(answered["code"]))
    assert set(tokens) == {"access_token", "token_type", "expires_in", "refresh_token", "scope"}
    assert (tokens["token_type"], tokens["expires_in"], tokens["scope"]) == ("Bearer", 3600, "tasks:read")
    own = data_of(httpx2.get(f"{server.base_url}/access/token", headers=bearer(tokens["access_token"])))
    assert (own["owner"], own["scopes"], own["kind"], own["name"]) == (name, ["tasks:read"], "automation", "Planner")
    (entry,) = audit_of(server, actor=name, action="grant.create")
    assert entry["data"] == {"client": app.client_id, "scopes": ["tasks:read"], "resource": "/api/v1"}


def test_somebody_who_is_not_signed_in_signs_in_first_and_comes_back(server: Server, app: App) -> None:
    answer = app.ask(Browser(server.origin))
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/signin?next=/oauth/authorize%3F")
    back = parameters_of(answer.headers["location"])["next"]
    assert back == f"/oauth/authorize?{app.query()}"


def test_what_is_asked_for_beyond_tasks_and_media_is_nothing(server: Server, browser: Browser, app: App) -> None:
    assert app.sign_in(browser, scope=None)["scope"] == "tasks:read media:read"


def test_an_application_has_no_more_than_its_scopes(server: Server, browser: Browser, app: App) -> None:
    token = app.sign_in(browser)["access_token"]
    body = {"title": "no"}
    answer = httpx2.post(f"{server.base_url}/taskapp/tasks", json=body, headers=bearer(token))
    assert error_of(answer) == (403, "insufficient_scope")
    assert error_of(httpx2.get(f"{server.base_url}/access/accounts", headers=bearer(token)))[0] == 403


def test_an_application_does_not_look_after_the_account(server: Server, browser: Browser, app: App, name: str) -> None:
    headers = bearer(app.sign_in(browser)["access_token"])
    assert data_of(httpx2.get(f"{server.base_url}/access/me", headers=headers))["username"] == name
    for path in ("/access/me/sessions", "/access/me/tokens", "/access/me/applications"):
        assert error_of(httpx2.get(server.base_url + path, headers=headers)) == (403, "account_required")


@pytest.mark.cluster_in_soak
@pytest.mark.parametrize(
    "changes",
    [
        {"client_id": "app_unknown"},
        {"client_id": None},
        {"client_id": "\0"},
        {"client_id": "x" * 5000},
        {"redirect_uri": "https://evil.example.com/callback"},
        {"redirect_uri": CALLBACK + "/"},
        {"redirect_uri": CALLBACK + "?x=1"},
        {"redirect_uri": CALLBACK + "#x"},
        {"redirect_uri": CALLBACK.upper()},
        {"redirect_uri": "https://planner.example.com:443/callback"},
        {"redirect_uri": "https://planner.example.com@evil.example.com/callback"},
        {"redirect_uri": "javascript:alert(1)"},
        {"state": "x" * 3000},
    ],
)
def test_an_application_or_address_in_doubt_gets_no_answer_but_the_person_does(
    anybody: Browser, app: App, changes: dict[str, Any]
) -> None:
    answer = app.ask(anybody, **changes)
    assert answer.status_code == 400
    assert "was not allowed anything" in answer.text
    assert "location" not in answer.headers
    assert error_of(app.decide(anybody, **changes)) == (400, "validation_failed")


@pytest.mark.cluster_in_soak
@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"response_type": None}, "invalid_request"),
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_mode": "fragment"}, "invalid_request"),
        ({"code_challenge": None}, "invalid_request"),
        ({"code_challenge": "short"}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"scope": "tasks:read everything"}, "invalid_scope"),
        ({"scope": "admin"}, "invalid_scope"),  # this person is none
        ({"resource": "https://elsewhere.example.com/api/v1"}, "invalid_target"),
        ({"request": "eyJ"}, "request_not_supported"),
        ({"request_uri": "urn:x"}, "request_uri_not_supported"),
    ],
)
def test_other_faults_go_to_the_application(
    server: Server, anybody: Browser, app: App, changes: dict[str, Any], error: str
) -> None:
    answer = app.ask(anybody, **changes)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith(CALLBACK + "?")
    told = parameters_of(answer.headers["location"])
    assert (told["error"], told["state"], told["iss"]) == (error, "s t&a=te", server.origin)
    assert "code" not in told
    assert app.answered(anybody, **changes)["error"] == error
    (entry,) = audit_of(server, subject=app.client_id, action="oauth.authorize")
    assert (entry["outcome"], entry["data"]) == ("refused", {"error": error})


def test_a_parameter_that_is_given_twice_or_damaged_is_an_error_page(browser: Browser, app: App) -> None:
    for query in (app.query() + "&scope=admin", app.query() + "&x=%ff", "%ff", "x" * 9000, ""):
        assert browser.get(f"/oauth/authorize?{query}").status_code == 400


def test_who_says_no_is_taken_at_their_word(server: Server, browser: Browser, app: App, name: str) -> None:
    told = app.answered(browser, allow=False)
    assert (told["error"], told["state"], told["iss"]) == ("access_denied", "s t&a=te", server.origin)
    (entry,) = audit_of(server, actor=name, action="grant.allow")
    assert (entry["outcome"], entry["subject"]) == ("refused", app.client_id)


def test_an_answer_is_taken_from_our_own_page_alone(server: Server, browser: Browser, app: App) -> None:
    body = {"query": app.query(), "allow": True}
    for site in ("cross-site", "same-site", "none"):
        answer = browser.post("/oauth/decision", json=body, headers={"sec-fetch-site": site})
        assert error_of(answer) == (403, "cross_site")
    assert error_of(Browser(server.origin).post("/oauth/decision", json=body)) == (401, "not_signed_in")


def test_a_page_of_consent_is_never_framed_kept_or_read_by_others(browser: Browser, app: App) -> None:
    headers = app.ask(browser).headers
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert (headers["x-frame-options"], headers["cache-control"]) == ("DENY", "no-store")
    assert "access-control-allow-origin" not in headers


def test_names_are_shown_as_text(server: Server, browser: Browser) -> None:
    app = registered(server, name="<script>alert(1)</script>")
    assert "<script>alert" not in app.ask(browser).text
    assert "&lt;script&gt;alert" in app.ask(browser).text


# Codes


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"code_verifier": "x" * 43}, "invalid_grant"),
        ({"code_verifier": "short"}, "invalid_grant"),
        ({"redirect_uri": CALLBACK + "/other"}, "invalid_grant"),
        ({"resource": "{origin}/mcp"}, "invalid_target"),
    ],
)
def test_a_code_that_is_brought_wrongly_is_spent(
    server: Server, browser: Browser, app: App, name: str, changes: dict[str, str], error: str
) -> None:
    code = app.code(browser)
    wrong = {key: value.replace("{origin}", server.origin) for key, value in changes.items()}
    form = {"grant_type": "authorization_code", "code": code, "code_verifier": app.verifier,
            "redirect_uri": CALLBACK} | wrong  # fmt: skip
    assert refused(app.token(**form)) == (400, error)
    assert refused(app.trade(code)) == (400, "invalid_grant")
    assert audit_of(server, actor=name, action="grant.create") == []


@pytest.mark.parametrize("form", [{"code": None}, {"code_verifier": None}])
def test_what_is_missing_is_named(anybody: Browser, app: App, form: dict[str, str | None]) -> None:
    given = {"grant_type": "authorization_code", "code": "x", "code_verifier": app.verifier} | form
    answer = app.token(**given)
    assert refused(answer) == (400, "invalid_request")
    assert next(iter(form)) in answer.json()["error_description"]


@pytest.mark.parametrize("code", ["x", "stowa_" + "0" * 36, "é", "x" * 5000])
def test_a_code_that_is_none_is_refused(server: Server, app: App, code: str) -> None:
    assert refused(app.trade(code)) == (400, "invalid_grant")
    (entry,) = audit_of(server, subject=app.client_id, action="oauth.token")
    assert (entry["outcome"], entry["data"]) == ("refused", {"error": "invalid_grant"})


def test_a_code_of_another_application_is_refused(server: Server, browser: Browser, app: App) -> None:
    other = registered(server)
    other.verifier = app.verifier
    code = app.code(browser)
    assert refused(other.trade(code)) == (400, "invalid_grant")
    assert refused(app.trade(code)) == (400, "invalid_grant")


def test_a_code_that_comes_again_ends_all_that_came_of_it(server: Server, browser: Browser, app: App) -> None:
    code = app.code(browser)
    tokens = granted(app.trade(code))
    again = granted(app.refresh(tokens["refresh_token"]))
    assert refused(app.trade(code)) == (400, "invalid_grant")
    for token in (tokens, again):
        answer = httpx2.get(server.base_url, headers=bearer(token["access_token"]))
        assert error_of(answer) == (401, "invalid_token")
        assert refused(app.refresh(token["refresh_token"])) == (400, "invalid_grant")
    grant = next(entry for entry in audit_of(server, action="grant.reuse") if entry["data"]["client"] == app.client_id)
    assert grant["outcome"] == "refused"


def test_who_signs_out_takes_back_a_code_that_was_not_used(browser: Browser, app: App) -> None:
    code = app.code(browser)
    browser.delete("/session")
    assert refused(app.trade(code)) == (400, "invalid_grant")


def test_an_application_of_people_has_no_secret_and_no_tokens_of_its_own(browser: Browser, app: App) -> None:
    assert refused(app.token(grant_type="client_credentials")) == (401, "invalid_client")
    assert refused(app.token(grant_type="authorization_code", client_secret="x")) == (401, "invalid_client")
    assert refused(app.token(grant_type="password")) == (400, "unsupported_grant_type")
    assert refused(app.token()) == (400, "invalid_request")


# Redirects


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "localhost"])
def test_a_program_on_this_machine_takes_any_port(server: Server, anybody: Browser, host: str) -> None:
    app = registered(server, f"http://{host}/cb")
    app.redirect_uri = f"http://{host}:{secrets.randbelow(60000) + 1024}/cb"
    assert granted(app.trade(app.code(anybody)))["access_token"]
    for other in (f"http://{host}:80/other", f"http://{host}.evil.example/cb", f"https://{host}:99/cb"):
        assert app.ask(anybody, redirect_uri=other).status_code == 400


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize(
    "uri",
    ["http://example.com/cb", "javascript:alert(1)", "data:text/html,x", "myapp:/cb", "/cb", "https://a.example/#x",
     "https://user@a.example/cb", "https:///cb", "https://a.example/\u00e9", "https://a.example:x/", ""],
)  # fmt: skip
def test_an_address_that_could_be_anybodys_is_not_registered(server: Server, uri: str) -> None:
    body = {"name": "x", "redirectUris": [uri]}
    answer = httpx2.post(f"{server.base_url}/access/applications", json=body, headers=server.headers)
    assert error_of(answer) == (400, "validation_failed")
    answer = httpx2.post(f"{server.origin}/oauth/register", json={"redirect_uris": [uri]})
    assert refused(answer) == (400, "invalid_redirect_uri")


def test_an_address_with_a_query_keeps_it(server: Server, browser: Browser) -> None:
    app = registered(server, "https://planner.example.com/cb?tenant=a%20b")
    location = app.decide(browser).json()["data"]["location"]
    assert location.startswith("https://planner.example.com/cb?tenant=a%20b&code=")


# Consent


def test_consent_is_remembered_for_what_was_allowed_and_asked_again_for_more(browser: Browser, app: App) -> None:
    app.sign_in(browser, scope="tasks:read media:read")
    at_once = app.ask(browser, scope="media:read")
    assert at_once.status_code == 303
    assert granted(app.trade(parameters_of(at_once.headers["location"])["code"]))["scope"] == "media:read"
    assert app.ask(browser, scope="tasks:write").status_code == 200


def test_consent_at_one_door_or_of_one_person_is_none_for_another(server: Server, browser: Browser, app: App) -> None:
    app.sign_in(browser)
    assert app.ask(browser).status_code == 303
    assert app.ask(browser, resource=f"{server.origin}/mcp").status_code == 200
    assert app.ask(invited(server, fresh_name("bob"))).status_code == 200


def test_where_anybody_could_be_at_the_address_the_person_is_asked_each_time(server: Server, browser: Browser) -> None:
    for uri in ("http://127.0.0.1/cb", "org.example.planner:/cb"):
        app = registered(server, uri)
        app.sign_in(browser)
        page = app.ask(browser)
        assert page.status_code == 200
        assert "We cannot tell which one" in page.text


def test_a_person_sees_their_applications_and_takes_it_back(server: Server, browser: Browser, app: App) -> None:
    tokens = app.sign_in(browser)
    pending = app.code(browser)
    headers = browser.bearer()
    (mine,) = data_of(httpx2.get(f"{server.base_url}/access/me/applications", headers=headers))
    assert (mine["clientId"], mine["name"], mine["scopes"]) == (app.client_id, "Planner", ["tasks:read"])
    assert mine["resource"] == f"{server.origin}/api/v1"
    assert [grant[:4] for grant in mine["grantIds"]] == ["gra_"]
    address = f"{server.base_url}/access/me/applications/{mine['id']}"
    other = invited(server, fresh_name("bob"))
    assert error_of(httpx2.delete(address, headers=other.bearer())) == (404, "not_found")
    assert data_of(httpx2.delete(address, headers=headers)) == {"id": mine["id"], "deleted": True, "ended": {}}
    assert error_of(httpx2.get(server.base_url, headers=bearer(tokens["access_token"]))) == (401, "invalid_token")
    assert refused(app.refresh(tokens["refresh_token"])) == (400, "invalid_grant")
    assert refused(app.trade(pending)) == (400, "invalid_grant")
    assert app.ask(browser).status_code == 200
    assert data_of(httpx2.get(f"{server.base_url}/access/me/applications", headers=headers)) == []


def test_an_admin_removes_an_application_and_all_that_it_holds(server: Server, browser: Browser, app: App) -> None:
    tokens, pending = app.sign_in(browser), app.code(browser)
    address = f"{server.base_url}/access/applications/{app.client_id}"
    listed = data_of(httpx2.get(f"{server.base_url}/access/applications", headers=server.headers))
    assert app.client_id in [each["clientId"] for each in listed]
    data_of(httpx2.delete(address, headers=server.headers))
    assert error_of(httpx2.delete(address, headers=server.headers)) == (404, "not_found")
    assert error_of(httpx2.get(server.base_url, headers=bearer(tokens["access_token"]))) == (401, "invalid_token")
    for answer in (app.refresh(tokens["refresh_token"]), app.trade(pending)):
        assert refused(answer) == (401, "invalid_client")
    assert app.ask(browser).status_code == 400


def test_what_is_asked_about_is_said_in_words(server: Server, browser: Browser, app: App) -> None:
    text = app.ask(browser, scope="tasks:write").text
    can, _, cannot = text.partition("It cannot:")
    assert "Create and change tasks and boards." in can
    assert "See tasks and boards." in can  # writing includes reading
    assert "Upload and change images, files and videos." in cannot
    assert "Read the text of zero-knowledge tasks." in cannot
    assert re.search(r"<button[^>]*disabled>Allow</button>\s*<button[^>]*disabled>Deny</button>", text)


# Admin


def test_admin_is_given_only_by_an_admin_who_ticks_it_after_a_fresh_proof(server: Server) -> None:
    app, browser = registered(server), invited(server, fresh_name("root"), role="admin")
    assert app.sign_in(browser, scope="tasks:read admin")["scope"] == "tasks:read"
    tokens = app.sign_in(browser, scope="tasks:read admin", admin=True)
    assert tokens["scope"] == "tasks:read admin"
    accounts = f"{server.base_url}/access/accounts"
    data_of(httpx2.get(accounts, headers=bearer(tokens["access_token"])))
    assert app.ask(browser, scope="tasks:read admin").status_code == 200  # it is never remembered
    assert app.ask(browser, scope="tasks:read").status_code == 303


def test_admin_is_not_given_by_who_is_none(server: Server, browser: Browser, app: App) -> None:
    assert app.sign_in(browser, scope="tasks:read admin")["scope"] == "tasks:read"
    assert error_of(app.decide(browser, admin=True)) == (403, "admin_required")


def test_a_person_who_is_no_admin_any_more_has_no_application_that_is(server: Server) -> None:
    invited(server, fresh_name("other"), role="admin")  # the last admin stays one
    name = fresh_name("root")
    app, browser = registered(server), invited(server, name, role="admin")
    tokens = app.sign_in(browser, scope="tasks:read admin", admin=True)
    account = data_of(browser.get("/session"))["account"]["id"]
    address = f"{server.base_url}/access/accounts/{account}"
    data_of(httpx2.patch(address, json={"role": "member"}, headers=server.headers))
    again = granted(app.refresh(tokens["refresh_token"]))
    answer = httpx2.get(f"{server.base_url}/access/accounts", headers=bearer(again["access_token"]))
    assert error_of(answer)[0] == 403
