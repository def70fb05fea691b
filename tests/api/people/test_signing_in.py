"""Signing in with a password, and what a session gives."""

import re
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import httpx2
import pytest
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

from support.api.answers import data_of, error_of, message_of
from support.clients.people import PASSWORD, Browser, audit_of, fresh_name, invited
from support.servers.stowboard import Server
from support.stored.rows import rows


@pytest.fixture
def alice(server: Server) -> str:
    name = fresh_name("alice")
    invited(server, name)
    return name


@pytest.fixture
def browser(server: Server) -> Browser:
    return Browser(server.origin)


def test_a_person_signs_in_and_trades_the_cookie_for_a_bearer(server: Server, browser: Browser, alice: str) -> None:
    state = data_of(browser.sign_in(alice))
    assert (state["account"]["username"], state["account"]["role"]) == (alice, "member")
    assert (state["session"]["method"], state["session"]["current"]) == ("password", True)
    answer = browser.post("/session/token", json={})
    content = answer.json()
    assert list(content) == ["access_token", "token_type", "expires_in", "scope", "events_cursor"]
    assert (content["token_type"], content["expires_in"]) == ("Bearer", 600)
    headers = {"authorization": f"Bearer {content['access_token']}"}
    token = data_of(httpx2.get(f"{server.base_url}/access/token", headers=headers))
    assert (token["owner"], token["kind"], token["admin"]) == (alice, "interactive", False)
    assert token["scopes"] == content["scope"].split()
    assert data_of(httpx2.get(f"{server.base_url}/access/me", headers=headers))["username"] == alice


def test_all_who_sign_in_at_once_are_let_in_while_an_old_hash_is_renewed(server: Server, alice: str) -> None:
    old = Argon2id(salt=b"s" * 16, length=32, iterations=1, lanes=1, memory_cost=32)
    kept = old.derive_phc_encoded(PASSWORD.encode())
    rows(server, f"UPDATE account SET password = '{kept}' WHERE username = '{alice}'")
    with ThreadPoolExecutor(4) as threads:  # one more would be throttled
        answers = list(threads.map(lambda _: Browser(server.origin).sign_in(alice).status_code, range(4)))
    assert answers == [200] * 4
    assert rows(server, f"SELECT password FROM account WHERE username = '{alice}'") != [(kept,)]


def test_the_cookie_is_for_this_host_and_out_of_reach_of_scripts(browser: Browser, alice: str) -> None:
    cookies = browser.sign_in(alice).headers.get_list("set-cookie")
    session = next(cookie for cookie in cookies if "-known" not in cookie)
    name, flags = session.partition("=")[0], session.partition("; ")[2]
    assert re.fullmatch(r"stow-[0-9a-f]{6}", name)
    assert flags == "Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000"


@pytest.mark.parametrize("typed", ["{}", " {} ", "{upper}"])
def test_spaces_around_a_name_and_its_case_do_not_matter(browser: Browser, alice: str, typed: str) -> None:
    assert browser.sign_in(typed.format(alice, upper=alice.upper())).status_code == 200


def test_the_wrong_password_an_unknown_name_and_a_disabled_account_are_answered_alike(
    server: Server, browser: Browser, alice: str
) -> None:
    wrong = browser.sign_in(alice, "another four wooden words")
    unknown = browser.sign_in(fresh_name("nobody"))
    account = data_of(httpx2.get(f"{server.base_url}/access/accounts", headers=server.headers))[0]
    patched = httpx2.patch(
        f"{server.base_url}/access/accounts/{account['id']}", json={"disabled": True}, headers=server.headers
    )
    assert data_of(patched)["username"] == alice
    disabled = browser.sign_in(alice)
    assert error_of(wrong) == (401, "invalid_login")
    assert wrong.content == unknown.content == disabled.content
    assert [answer.headers.get("set-cookie") for answer in (wrong, unknown, disabled)] == [None] * 3
    kept = {name for name in wrong.headers if name not in ("x-request-id", "date")}
    assert kept == {name for name in unknown.headers if name not in ("x-request-id", "date")}


def test_a_failure_is_written_down_and_names_no_unknown_name(server: Server, browser: Browser, alice: str) -> None:
    typed = fresh_name("secret-in-the-wrong-field")
    browser.sign_in(typed)
    browser.sign_in(alice, "another four wooden words")
    known, unknown = audit_of(server, action="session.begin", limit=2)
    assert (known["outcome"], known["subject"], known["actor"]) == ("refused", alice, "")
    assert (unknown["outcome"], unknown["subject"]) == ("refused", "unknown")
    assert typed not in str(audit_of(server, limit=100))
    assert known["address"] == "127.0.0.1"


def test_guesses_at_one_name_are_slowed_down_whether_or_not_it_exists(
    server: Server, browser: Browser, alice: str
) -> None:
    for name in (alice, fresh_name("nobody")):
        guesses = [browser.sign_in(name, "another four wooden words") for _ in range(6)]
        assert [guess.status_code for guess in guesses] == [401] * 5 + [429]
        assert error_of(guesses[-1]) == (429, "rate_limited")
        assert 1 <= int(guesses[-1].headers["retry-after"]) <= 60
        assert "Too many attempts" in message_of(guesses[-1])
    assert browser.sign_in(alice).status_code == 429


def test_a_browser_that_has_signed_in_before_is_not_kept_out_by_guesses_of_others(
    server: Server, browser: Browser, alice: str
) -> None:
    assert browser.sign_in(alice).status_code == 200
    assert browser.delete("/session").status_code == 200
    stranger = Browser(server.origin)
    assert [stranger.sign_in(alice, "x" * 12).status_code for _ in range(6)][-1] == 429
    assert browser.sign_in(alice).status_code == 200


def test_signing_in_ends_the_session_that_the_browser_had(server: Server, browser: Browser, alice: str) -> None:
    browser.sign_in(alice)
    old = dict(browser.cookies)
    bearer = browser.bearer()
    browser.sign_in(alice)
    session_cookie = next(name for name in old if "-known" not in name)
    assert browser.cookies[session_cookie] != old[session_cookie]
    assert len(data_of(browser.get("/session/list"))) == 2  # this one, and that of the invitation
    again = Browser(server.origin)
    again.cookies.update(old)
    assert error_of(again.get("/session")) == (401, "not_signed_in")
    assert httpx2.get(f"{server.base_url}/access/me", headers=bearer).status_code == 401


def test_a_cookie_that_somebody_planted_is_not_taken_over(server: Server, browser: Browser, alice: str) -> None:
    """Session fixation: whatever the browser came with, it leaves with a secret that only it was given."""
    browser.sign_in(alice)
    name = next(name for name in browser.cookies if "-known" not in name)
    victim = Browser(server.origin)
    victim.cookies.set(name, "stows_planted")
    assert victim.sign_in(alice).status_code == 200
    attacker = Browser(server.origin)
    attacker.cookies.set(name, "stows_planted")
    assert error_of(attacker.get("/session")) == (401, "not_signed_in")


@pytest.mark.cluster_in_soak
@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "none"},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {},
    ],
)
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/session/login"), ("POST", "/session/token"), ("POST", "/session/step-up"), ("DELETE", "/session"),
        ("DELETE", "/session/list"), ("DELETE", "/session/ses_01kbr2x4q8e9w6y3t7n5m1c0vz"), ("POST", "/session/redeem"),
        ("POST", "/session/reset"), ("POST", "/session/ticket"),
    ],
)  # fmt: skip
def test_other_sites_get_nowhere(
    server: Server, browser: Browser, headers: dict[str, str], method: str, path: str
) -> None:
    cookies = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    body = {"username": "alice", "password": PASSWORD}
    answer = httpx2.request(method, server.origin + path, json=body, headers={**headers, "cookie": cookies})
    assert error_of(answer) == (403, "cross_site")
    assert "set-cookie" not in answer.headers


def test_a_browser_without_sec_fetch_site_is_known_by_its_origin(server: Server, alice: str) -> None:
    body = {"username": alice, "password": PASSWORD}
    answer = httpx2.post(f"{server.origin}/session/login", json=body, headers={"origin": server.origin})
    assert answer.status_code == 200


def test_a_form_of_another_type_is_refused(server: Server, browser: Browser, alice: str) -> None:
    answer = browser.post("/session/login", data={"username": alice, "password": PASSWORD})
    assert error_of(answer) == (415, "unsupported_media_type")


def test_no_other_origin_may_read_what_is_said_to_a_page(server: Server, browser: Browser) -> None:
    preflight = {"origin": "https://evil.example", "access-control-request-method": "POST"}
    for path in ("/session", "/session/token", "/session/login", "/session/list"):
        asked = httpx2.options(server.origin + path, headers=preflight)
        answered = browser.get(path, headers={"origin": "https://evil.example"})
        for answer in (asked, answered):
            assert not [name for name in answer.headers if name.startswith("access-control-")]


def test_only_an_admin_who_has_just_signed_in_gets_an_admins_bearer(server: Server, alice: str) -> None:
    member = Browser(server.origin)
    member.sign_in(alice)
    assert error_of(member.post("/session/token", json={"admin": True})) == (403, "admin_required")
    admin = invited(server, fresh_name("root"), "admin")
    assert data_of(httpx2.get(f"{server.base_url}/access/token", headers=admin.bearer()))["admin"] is False
    bearer = admin.bearer(admin=True)
    assert httpx2.get(f"{server.base_url}/access/accounts", headers=bearer).status_code == 200


def test_a_step_up_needs_the_password_and_changes_the_cookie(browser: Browser, alice: str) -> None:
    browser.sign_in(alice)
    before = dict(browser.cookies)
    assert error_of(browser.post("/session/step-up", json={"password": "no"})) == (401, "invalid_login")
    assert data_of(browser.post("/session/step-up", json={"password": PASSWORD})) == {"steppedUp": True}
    changed = {name for name, value in browser.cookies.items() if before[name] != value}
    assert [name for name in changed if "-known" not in name]
    assert data_of(browser.get("/session"))["steppedUp"] is True


def test_sessions_are_listed_and_ended_one_by_one_or_all(server: Server, browser: Browser, alice: str) -> None:
    browser.sign_in(alice)
    others = [Browser(server.origin) for _ in range(3)]
    bearers = []
    for other in others:
        other.sign_in(alice)
        bearers.append(other.bearer())
    listed = data_of(browser.get("/session/list"))
    assert [session["current"] for session in listed].count(True) == 1
    first = data_of(others[0].get("/session"))["session"]["id"]
    assert data_of(browser.delete(f"/session/{first}")) == {"id": first, "deleted": True}
    assert error_of(others[0].get("/session")) == (401, "not_signed_in")
    assert others[1].get("/session").status_code == 200
    assert data_of(browser.delete("/session/list")) == {"ended": len(listed) - 2}
    for other, bearer in zip(others, bearers, strict=True):
        assert error_of(other.get("/session")) == (401, "not_signed_in")
        assert httpx2.get(f"{server.base_url}/access/me", headers=bearer).status_code == 401
    assert browser.get("/session").status_code == 200


def test_somebody_elses_session_cannot_be_ended(server: Server, browser: Browser, alice: str) -> None:
    browser.sign_in(alice)
    mine = data_of(browser.get("/session"))["session"]["id"]
    other = invited(server, fresh_name("mallory"))
    assert error_of(other.delete(f"/session/{mine}")) == (404, "not_found")
    assert error_of(other.delete("/session/nonsense")) == (404, "not_found")
    assert browser.get("/session").status_code == 200


def test_signing_out_takes_the_cookie_and_the_bearer(server: Server, browser: Browser, alice: str) -> None:
    browser.sign_in(alice)
    bearer = browser.bearer()
    answer = browser.delete("/session")
    assert "Max-Age=0" in answer.headers["set-cookie"]
    assert error_of(browser.get("/session")) == (401, "not_signed_in")
    assert httpx2.get(f"{server.base_url}/access/me", headers=bearer).status_code == 401
    assert browser.delete("/session").status_code == 200


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize(
    "body", ["", "[]", "{", '{"username": 1, "password": "x"}', '{"username": "a"}', "\x00" * 20_000]
)
def test_nonsense_is_answered_with_an_error_of_ours(browser: Browser, body: str) -> None:
    answer = browser.post("/session/login", content=body, headers={"content-type": "application/json"})
    assert error_of(answer)[0] in (400, 413)


@pytest.mark.cluster_in_soak
def test_a_cookie_of_nonsense_is_no_cookie(server: Server, browser: Browser, alice: str) -> None:
    browser.sign_in(alice)
    nonsense = ["", "=", "x" * 5000, "stows_é", "a.b.c.d", "....", "-1.9.k0.AAAA"]
    for name, cookie in product(browser.cookies, nonsense):
        headers = {b"cookie": f"{name}={cookie}".encode(), b"sec-fetch-site": b"same-origin"}
        assert httpx2.get(f"{server.origin}/session", headers=headers).status_code == 401
        body = {"username": alice, "password": PASSWORD}
        assert httpx2.post(f"{server.origin}/session/login", json=body, headers=headers).status_code == 200
