"""Oneself, over the API: profile, password, tokens of one's own."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest

from stowboard_client import Client
from support.api.answers import data_of, error_of
from support.clients.credentials import bearer
from support.clients.people import PASSWORD, Browser, audit_of, fresh_name, invited
from support.servers.stowboard import Server
from support.waiting import wait_until


@pytest.fixture
def name() -> str:
    return fresh_name("alice")


@pytest.fixture
def browser(server: Server, name: str) -> Browser:
    return invited(server, name)


@pytest.fixture
def me(server: Server, browser: Browser) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=server.base_url, headers=browser.bearer()) as client:
        yield client


def test_a_person_reads_and_changes_their_profile(me: httpx2.Client, name: str) -> None:
    account = data_of(me.get("/access/me"))
    assert (account["username"], account["displayName"], account["email"]) == (name, name, None)
    address = f"{name}@example.com"
    changed = data_of(me.patch("/access/me", json={"displayName": "Alice A.", "email": address}))
    assert (changed["displayName"], changed["email"], changed["remindByMail"]) == ("Alice A.", address, False)
    assert (changed["emailConfirmed"], changed["pendingEmail"]) == (False, None)  # there is no mail to confirm it by
    assert data_of(me.patch("/access/me", json={"remindByMail": True}))["remindByMail"] is True
    without = data_of(me.patch("/access/me", json={"email": None}))
    assert (without["email"], without["remindByMail"], without["displayName"]) == (None, False, "Alice A.")
    for body in ({"email": "nonsense"}, {"displayName": "\u202ereversed"}, {"displayName": "x" * 101}):
        assert error_of(me.patch("/access/me", json=body)) == (400, "validation_failed")


def test_two_changes_of_a_profile_at_once_both_hold(me: httpx2.Client) -> None:
    with ThreadPoolExecutor(2) as pool:
        for number in range(20):
            name, zone = f"Alice {number}", ("Europe/Berlin", "Asia/Tokyo")[number % 2]
            changes = [{"displayName": name}, {"timeZone": zone}]
            for answer in pool.map(lambda change: me.patch("/access/me", json=change), changes):
                data_of(answer)
            account = data_of(me.get("/access/me"))
            assert (account["displayName"], account["timeZone"]) == (name, zone)


def test_a_person_sets_a_time_zone(me: httpx2.Client) -> None:
    assert data_of(me.get("/access/me"))["timeZone"] is None
    assert data_of(me.patch("/access/me", json={"timeZone": "Europe/Berlin"}))["timeZone"] == "Europe/Berlin"
    assert data_of(me.patch("/access/me", json={"displayName": "A"}))["timeZone"] == "Europe/Berlin"
    for wrong in ("Europe/Nowhere", "../../etc/passwd", "CET+1", "x" * 65):
        assert error_of(me.patch("/access/me", json={"timeZone": wrong})) == (400, "validation_failed")
    assert data_of(me.patch("/access/me", json={"timeZone": None}))["timeZone"] is None


def test_the_username_and_the_role_are_not_for_oneself_to_change(me: httpx2.Client, name: str) -> None:
    account = data_of(me.patch("/access/me", json={"username": "root", "role": "admin", "disabled": True}))
    assert (account["username"], account["role"], account["disabled"]) == (name, "member", False)


def test_a_token_that_an_admin_made_is_no_persons(server: Server, client: Client, browser: Browser, name: str) -> None:
    token = client.tokens.create(name)
    answer = httpx2.get(f"{server.base_url}/access/me", headers=bearer(token))
    assert error_of(answer) == (403, "account_required")


def test_a_token_of_ones_own_lasts_ninety_days_and_acts_as_oneself(
    server: Server, me: httpx2.Client, name: str
) -> None:
    made = data_of(me.post("/access/me/tokens", json={"name": "script", "scopes": ["tasks:read"]}), 201)
    assert (made["owner"], made["scopes"], made["kind"]) == (name, ["tasks:read"], "automation")
    assert made["expiresAt"] - made["createdAt"] == 90 * 24 * 3_600_000
    assert made["lastUsedAt"] is None
    own = httpx2.get(f"{server.base_url}/access/token", headers=bearer(made["token"]))
    assert data_of(own)["id"] == made["id"]
    listed = data_of(me.get("/access/me/tokens"))
    assert [token["id"] for token in listed] == [made["id"]]
    assert "token" not in listed[0]
    data_of(me.delete(f"/access/me/tokens/{made['id']}"))
    assert error_of(me.delete(f"/access/me/tokens/{made['id']}")) == (404, "not_found")
    assert httpx2.get(server.base_url, headers=bearer(made["token"])).status_code == 401


@pytest.mark.cluster_in_soak
def test_when_a_token_was_used_is_known_a_little_later(server: Server, me: httpx2.Client) -> None:
    made = data_of(me.post("/access/me/tokens", json={"name": "script"}), 201)
    before = int(time.time() * 1000)
    assert httpx2.get(server.base_url, headers=bearer(made["token"])).status_code == 200

    def used() -> bool:
        at = data_of(me.get("/access/me/tokens"))[0]["lastUsedAt"]
        return at is not None and at >= before - 1000

    wait_until(used)


def test_a_token_of_ones_own_has_at_most_ones_own_scopes(server: Server, me: httpx2.Client) -> None:
    answer = me.post("/access/me/tokens", json={"name": "script", "scopes": ["admin"]})
    assert error_of(answer) == (403, "insufficient_scope")
    assert error_of(me.post("/access/me/tokens", json={"name": "x", "scopes": ["nonsense"]}))[0] == 400
    made = data_of(me.post("/access/me/tokens", json={"name": "script", "scopes": ["tasks:read"]}), 201)
    for body in ({"name": "more"}, {"name": "more", "scopes": ["tasks:read"]}):
        answer = httpx2.post(f"{server.base_url}/access/me/tokens", json=body, headers=bearer(made["token"]))
        assert error_of(answer) == (403, "account_required")


def test_a_program_reads_who_it_acts_for_and_nothing_else_of_the_account(
    server: Server, browser: Browser, me: httpx2.Client, name: str
) -> None:
    made = data_of(me.post("/access/me/tokens", json={"name": "script"}), 201)
    session = data_of(me.get("/access/me/sessions"))[0]["id"]
    with httpx2.Client(base_url=server.base_url, headers=bearer(made["token"])) as program:
        assert data_of(program.get("/access/me"))["username"] == name
        assert data_of(program.get("/access/me"))["email"] is None
        for method, path, body in [
            ("PATCH", "", {"displayName": "Mallory"}), ("POST", "/password", {"password": "another four wooden words"}),
            ("GET", "/sessions", None), ("DELETE", f"/sessions/{session}", None), ("GET", "/passkeys", None),
            ("GET", "/recovery-codes", None), ("GET", "/identities", None), ("GET", "/tokens", None),
            ("DELETE", f"/tokens/{made['id']}", None), ("GET", "/applications", None),
        ]:  # fmt: skip
            answer = program.request(method, f"/access/me{path}", json=body)
            assert error_of(answer) == (403, "account_required"), path
    assert browser.get("/session").status_code == 200


@pytest.mark.parametrize("password", ["a" + "\u0301" * 256, "\ufdfa" * 257, "x" * 12_000])
def test_a_password_of_more_than_256_characters_is_refused_before_it_is_looked_at(
    server: Server, me: httpx2.Client, name: str, password: str
) -> None:
    refused = me.post("/access/me/password", json={"password": password})
    assert error_of(refused) == (400, "validation_failed")
    assert error_of(Browser(server.origin).sign_in(name, password)) == (401, "invalid_login")


def test_a_new_password_ends_the_other_sessions(server: Server, browser: Browser, me: httpx2.Client, name: str) -> None:
    other, fresh = Browser(server.origin), "another four wooden words"
    other.sign_in(name)
    assert error_of(me.post("/access/me/password", json={"password": "password1234"})) == (400, "validation_failed")
    assert data_of(me.post("/access/me/password", json={"password": fresh})) == {"changed": True}
    assert error_of(other.get("/session")) == (401, "not_signed_in")
    assert browser.get("/session").status_code == 200
    assert me.get("/access/me").status_code == 200
    assert Browser(server.origin).sign_in(name, PASSWORD).status_code == 401
    assert Browser(server.origin).sign_in(name, fresh).status_code == 200
    assert audit_of(server, action="account.password", limit=1)[0]["actor"] == name


def test_sessions_are_listed_and_ended_over_the_api_too(server: Server, me: httpx2.Client, name: str) -> None:
    other = Browser(server.origin)
    other.sign_in(name)
    listed = data_of(me.get("/access/me/sessions"))
    assert [(session["method"], session["current"]) for session in listed] == [("password", False), ("link", True)]
    assert listed[0]["userAgent"] == "Tests/1.0"
    data_of(me.delete(f"/access/me/sessions/{listed[0]['id']}"))
    assert error_of(other.get("/session")) == (401, "not_signed_in")
    assert error_of(me.delete("/access/me/sessions/ses_01kbr2x4q8e9w6y3t7n5m1c0vz")) == (404, "not_found")


def test_what_belongs_to_somebody_else_is_not_found(server: Server, me: httpx2.Client) -> None:
    made = data_of(me.post("/access/me/tokens", json={"name": "script"}), 201)
    session = data_of(me.get("/access/me/sessions"))[0]["id"]
    mallory = invited(server, fresh_name("mallory")).bearer()
    with httpx2.Client(base_url=server.base_url, headers=mallory) as other:
        assert error_of(other.delete(f"/access/me/tokens/{made['id']}")) == (404, "not_found")
        assert error_of(other.delete(f"/access/me/sessions/{session}")) == (404, "not_found")
        assert data_of(other.get("/access/me/tokens")) == []
