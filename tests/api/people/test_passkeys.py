"""Passkeys: made, named and removed by their person; and signing in with one, or being refused."""

from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from stowboard_client import Client
from support.api.answers import data_of, error_of
from support.clients.authenticator import PRESENT, Authenticator, write
from support.clients.passkeys import (
    creation_options,
    enter,
    named_origin,
    person_with_passkey,
    register,
    request_options,
)
from support.clients.people import Browser, audit_of, fresh_name, invited
from support.servers.stowboard import Server
from support.stored.rows import rows

PATH = "/api/v1/access/me/passkeys"


@pytest.fixture
def name() -> str:
    return fresh_name("ada")


def test_a_passkey_is_made_named_listed_and_removed(server: Server, name: str) -> None:
    browser, authenticator = person_with_passkey(server, name)
    bearer = browser.bearer()
    (listed,) = data_of(browser.get(PATH, headers=bearer))
    assert (listed["name"], listed["host"], listed["lastUsedAt"]) == ("laptop", "localhost", None)
    address = f"{PATH}/{listed['id']}"
    assert data_of(browser.patch(address, json={"name": "old laptop"}, headers=bearer))["name"] == "old laptop"
    assert error_of(browser.patch(address, json={"name": "\n"}, headers=bearer)) == (400, "validation_failed")
    assert enter(Browser(named_origin(server)), authenticator).status_code == 200
    assert data_of(browser.delete(address, headers=bearer))["deleted"] is True
    assert error_of(browser.delete(address, headers=bearer)) == (404, "not_found")
    assert data_of(browser.get(PATH, headers=bearer)) == []
    assert error_of(enter(Browser(named_origin(server)), authenticator)) == (401, "invalid_login")
    actions = [entry["action"] for entry in audit_of(server, actor=name)]
    assert {"passkey.create", "passkey.rename", "passkey.delete"} <= set(actions)


def test_who_has_a_passkey_types_nothing(server: Server, name: str) -> None:
    _, authenticator = person_with_passkey(server, name)
    browser = Browser(named_origin(server))
    assert request_options(browser)["allowCredentials"] == []
    state = data_of(enter(browser, authenticator))
    assert (state["account"]["username"], state["session"]["method"]) == (name, "passkey")
    assert state["steppedUp"] is True
    assert data_of(browser.get("/session"))["account"]["username"] == name


def test_the_options_tell_no_name_to_the_authenticator_but_the_persons_own(server: Server, name: str) -> None:
    browser, authenticator = person_with_passkey(server, name)
    options = creation_options(browser, browser.bearer())
    assert options["user"]["name"] == name
    assert name not in str(authenticator.handle)
    assert len(authenticator.handle) == 32
    assert [each["id"] for each in options["excludeCredentials"]] == [write(authenticator.credential)]
    assert options["rp"]["id"] == "localhost"


def test_a_passkey_needs_a_fresh_proof_and_a_browser(server: Server, client: Client, name: str) -> None:
    browser, _ = person_with_passkey(server, name)
    made = browser.post("/api/v1/access/me/tokens", json={"name": "script"}, headers=browser.bearer())
    program = {"authorization": f"Bearer {data_of(made, 201)['token']}"}
    body: dict[str, Any] = {"name": "mine", "credential": {}}
    stale = browser.bearer()
    account = data_of(browser.get("/session"))["account"]["id"]
    (listed,) = data_of(browser.get(PATH, headers=stale))
    rows(server, f"UPDATE session SET stepped_up_at = 0 WHERE account_id = '{account}'")
    for headers, code in ((program, "account_required"), (stale, "step_up_required")):
        for answer in (
            browser.post(f"{PATH}/options", headers=headers),
            browser.post(PATH, json=body, headers=headers),
            browser.patch(f"{PATH}/{listed['id']}", json={"name": "x"}, headers=headers),
            browser.delete(f"{PATH}/{listed['id']}", headers=headers),
        ):
            assert error_of(answer) == (403, code)
    token = {"authorization": f"Bearer {client.tokens.create(name).token}"}
    assert error_of(browser.get(PATH, headers=token)) == (403, "account_required")


def test_a_passkey_of_somebody_else_is_not_found(server: Server, name: str) -> None:
    browser, _ = person_with_passkey(server, name)
    (listed,) = data_of(browser.get(PATH, headers=browser.bearer()))
    other, _ = person_with_passkey(server, fresh_name("eve"))
    bearer = other.bearer()
    assert error_of(other.delete(f"{PATH}/{listed['id']}", headers=bearer)) == (404, "not_found")
    assert error_of(other.patch(f"{PATH}/{listed['id']}", json={"name": "x"}, headers=bearer)) == (404, "not_found")


@pytest.mark.cluster_in_soak
@pytest.mark.parametrize(
    "spoil",
    [
        lambda it: setattr(it, "origin", "http://evil.example"),
        lambda it: setattr(it, "rp_id", "evil.example"),
        lambda it: setattr(it, "flags", PRESENT),
        lambda it: setattr(it, "flags", 0),
    ],
    ids=["origin", "rp_id", "unverified", "absent"],
)
def test_an_authenticator_that_says_something_else_is_refused(
    server: Server, name: str, spoil: Callable[[Authenticator], None]
) -> None:
    browser, authenticator = person_with_passkey(server, name)
    spoil(authenticator)
    stranger = Browser(named_origin(server))
    assert error_of(enter(stranger, authenticator)) == (401, "invalid_login")
    assert error_of(stranger.get("/session")) == (401, "not_signed_in")
    newest = audit_of(server, subject=name, action="session.begin", limit=1)[0]
    assert (newest["outcome"], newest["data"]) == ("refused", {"method": "passkey"})
    fresh = Authenticator(named_origin(server))
    spoil(fresh)
    assert error_of(register(browser, fresh)) == (400, "invalid_passkey")
    assert audit_of(server, actor=name, action="passkey.create", limit=1)[0]["outcome"] == "refused"


def test_a_challenge_is_answered_once_and_by_its_own_browser(server: Server, name: str) -> None:
    _, authenticator = person_with_passkey(server, name)
    browser, other = Browser(named_origin(server)), Browser(named_origin(server))
    credential = {"credential": authenticator.sign(request_options(browser))}
    assert error_of(other.post("/session/passkey", json=credential)) == (401, "invalid_login")
    request_options(other)
    assert error_of(other.post("/session/passkey", json=credential)) == (401, "invalid_login")
    assert browser.post("/session/passkey", json=credential).status_code == 200
    assert error_of(browser.post("/session/passkey", json=credential)) == (401, "invalid_login")


def test_a_registration_is_answered_once_and_by_its_own_person(server: Server, name: str) -> None:
    browser, authenticator = person_with_passkey(server, name)
    eve, _ = person_with_passkey(server, fresh_name("eve"))
    bearer, fresh = browser.bearer(), Authenticator(named_origin(server))
    body = {"name": "phone", "credential": fresh.make(creation_options(browser, bearer))}
    assert error_of(eve.post(PATH, json=body, headers=eve.bearer())) == (400, "invalid_passkey")
    assert browser.post(PATH, json=body, headers=bearer).status_code == 201
    assert error_of(browser.post(PATH, json=body, headers=bearer)) == (400, "invalid_passkey")
    assert error_of(register(eve, authenticator)) == (400, "invalid_passkey")  # whose passkey it is stays so


def test_a_count_that_falls_tells_of_a_copy(server: Server, name: str) -> None:
    _, authenticator = person_with_passkey(server, name)
    browser = Browser(named_origin(server))
    for count, status in [(0, 200), (7, 200), (7, 200), (6, 401), (0, 401), (8, 200)]:
        authenticator.count = count
        assert enter(browser, authenticator).status_code == status


def test_a_passkey_under_the_name_of_another_account_is_refused(server: Server, name: str) -> None:
    _, authenticator = person_with_passkey(server, name)
    _, other = person_with_passkey(server, fresh_name("eve"))
    browser = Browser(named_origin(server))
    authenticator.handle, own = other.handle, authenticator.handle
    assert error_of(enter(browser, authenticator)) == (401, "invalid_login")
    authenticator.handle = b""
    assert error_of(enter(browser, authenticator)) == (401, "invalid_login")
    authenticator.handle, authenticator.key = own, other.key
    assert error_of(enter(browser, authenticator)) == (401, "invalid_login")


def test_a_disabled_or_deleted_account_is_not_entered(server: Server, name: str) -> None:
    browser, authenticator = person_with_passkey(server, name)
    account = data_of(browser.get("/session"))["account"]["id"]
    address = f"{server.base_url}/access/accounts/{account}"
    stranger = Browser(named_origin(server))
    data_of(httpx2.patch(address, json={"disabled": True}, headers=server.headers))
    assert error_of(enter(stranger, authenticator)) == (401, "invalid_login")
    data_of(httpx2.patch(address, json={"disabled": False}, headers=server.headers))
    assert enter(stranger, authenticator).status_code == 200
    data_of(httpx2.delete(address, headers=server.headers))
    assert error_of(enter(stranger, authenticator)) == (401, "invalid_login")


def test_a_passkey_is_a_fresh_proof_of_its_own_person_alone(server: Server, name: str) -> None:
    browser, authenticator = person_with_passkey(server, name)
    _, stolen = person_with_passkey(server, fresh_name("eve"))
    path = "/session/step-up/passkey"
    before = data_of(browser.get("/session"))["session"]["id"]
    wrong = {"credential": stolen.sign(request_options(browser, "/session/step-up/options"))}
    assert error_of(browser.post(path, json=wrong)) == (401, "invalid_login")
    right = {"credential": authenticator.sign(request_options(browser, "/session/step-up/options"))}
    assert data_of(browser.post(path, json=right)) == {"steppedUp": True}
    assert data_of(browser.get("/session"))["session"]["id"] == before
    assert error_of(browser.post(path, json=right)) == (401, "invalid_login")
    assert error_of(Browser(named_origin(server)).post("/session/step-up/options")) == (401, "not_signed_in")


@pytest.mark.parametrize("credential", [{}, {"rawId": 7}, {"rawId": "é"}, {"rawId": "AQID", "response": None}])
def test_nonsense_is_no_passkey(server: Server, name: str, credential: dict[str, Any]) -> None:
    browser, authenticator = person_with_passkey(server, name)
    spoiled = authenticator.sign(request_options(browser)) | credential
    for body in (credential, spoiled, credential | {"rawId": write(authenticator.credential)}):
        request_options(browser)
        answer = browser.post("/session/passkey", json={"credential": body})
        assert answer.status_code in (200, 401)
    bearer = browser.bearer()
    creation_options(browser, bearer)
    answer = browser.post(PATH, json={"name": "x", "credential": credential}, headers=bearer)
    assert error_of(answer) == (400, "invalid_passkey")


def test_another_site_can_neither_ask_nor_answer(server: Server) -> None:
    for path in ("/session/passkey/options", "/session/passkey", "/session/step-up/options"):
        answer = httpx2.post(named_origin(server) + path, json={}, headers={"sec-fetch-site": "cross-site"})
        assert error_of(answer) == (403, "cross_site")


def test_where_browsers_know_no_passkeys_the_reason_is_told(server: Server, name: str) -> None:
    browser = invited(server, name)  # at an address
    assert error_of(browser.post("/session/passkey/options")) == (409, "passkeys_unavailable")
    assert error_of(browser.post(f"{PATH}/options", headers=browser.bearer())) == (409, "passkeys_unavailable")
    page = httpx2.get(server.origin + "/signin").text
    assert "Passkeys need a host name" in page
    assert "Use a passkey" not in page
    plain = httpx2.get(server.origin + "/signin", headers={"host": "stow.example.com"}).text
    assert "Passkeys need https" in plain


def test_a_challenge_that_is_answered_too_late_opens_nothing(server: Server, name: str) -> None:
    _, authenticator = person_with_passkey(server, name)
    browser = Browser(named_origin(server))
    credential = authenticator.sign(request_options(browser))
    rows(server, "UPDATE sign_in_challenge SET expires_at = 1")
    assert error_of(browser.post("/session/passkey", json={"credential": credential})) == (401, "invalid_login")
    assert enter(browser, authenticator).status_code == 200
