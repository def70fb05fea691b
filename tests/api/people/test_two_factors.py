"""Two factors: the password, then a passkey or a recovery code."""

import httpx2
import pytest

from support.api.answers import data_of, error_of
from support.clients.authenticator import PRESENT, Authenticator
from support.clients.passkeys import enter, named_origin, person_with_passkey, request_options
from support.clients.people import PASSWORD, Browser, audit_of, fresh_name, invited, ticket_in
from support.servers.stowboard import Server

ME = "/api/v1/access/me"
CODES = f"{ME}/recovery-codes"


@pytest.fixture
def name() -> str:
    return fresh_name("tia")


@pytest.fixture
def person(server: Server, name: str) -> tuple[Browser, Authenticator]:
    """Somebody who has asked for two factors."""
    browser, authenticator = person_with_passkey(server, name)
    assert data_of(browser.patch(ME, json={"twoFactor": True}, headers=browser.bearer()))["twoFactor"] is True
    return browser, authenticator


def codes_of(browser: Browser) -> list[str]:
    codes: list[str] = data_of(browser.post(CODES, headers=browser.bearer()), 201)["codes"]
    return codes


def halfway(server: Server, name: str) -> Browser:
    """A browser in which the password was given."""
    browser = Browser(named_origin(server))
    assert error_of(browser.sign_in(name)) == (401, "second_factor_required")
    return browser


def test_a_password_alone_signs_nobody_in(server: Server, name: str, person: tuple[Browser, Authenticator]) -> None:
    browser = halfway(server, name)
    assert error_of(browser.get("/session")) == (401, "not_signed_in")
    assert data_of(enter(browser, person[1]))["session"]["method"] == "password, passkey"
    assert data_of(browser.get("/session"))["account"]["username"] == name


def test_a_passkey_alone_does_if_its_device_has_verified_the_person(
    server: Server, name: str, person: tuple[Browser, Authenticator]
) -> None:
    browser, authenticator = person
    answer = enter(Browser(named_origin(server)), authenticator)
    assert data_of(answer)["session"]["method"] == "passkey"
    authenticator.flags = PRESENT  # whoever holds the device could do that
    stranger = Browser(named_origin(server))
    assert error_of(enter(stranger, authenticator)) == (401, "invalid_login")
    assert error_of(stranger.get("/session")) == (401, "not_signed_in")
    assert error_of(enter(halfway(server, name), authenticator)) == (401, "invalid_login")
    again = {"credential": authenticator.sign(request_options(browser, "/session/step-up/options"))}
    assert error_of(browser.post("/session/step-up/passkey", json=again)) == (401, "invalid_login")


def test_a_fresh_proof_has_both_factors(server: Server, name: str, person: tuple[Browser, Authenticator]) -> None:
    browser, authenticator = person
    code = codes_of(browser)[0]
    password = {"password": PASSWORD}
    assert error_of(browser.post("/session/step-up", json=password)) == (401, "second_factor_required")
    wrong = browser.post("/session/step-up", json=password | {"code": "0000-0000-0000"})
    assert error_of(wrong) == (401, "invalid_login")
    assert data_of(browser.post("/session/step-up", json=password | {"code": code})) == {"steppedUp": True}
    assert error_of(browser.post("/session/step-up", json=password | {"code": code})) == (401, "invalid_login")
    again = {"credential": authenticator.sign(request_options(browser, "/session/step-up/options"))}
    assert data_of(browser.post("/session/step-up/passkey", json=again)) == {"steppedUp": True}
    tried = audit_of(server, actor=name, action="session.step_up")
    assert [entry["outcome"] for entry in tried] == ["done", "refused", "done", "refused"]


def test_the_passkey_of_somebody_else_is_no_second_factor(
    server: Server, name: str, person: tuple[Browser, Authenticator]
) -> None:
    _, other = person_with_passkey(server, fresh_name("eve"))
    browser = halfway(server, name)
    assert error_of(enter(browser, other)) == (401, "invalid_login")
    assert error_of(browser.get("/session")) == (401, "not_signed_in")


def test_a_recovery_code_stands_in_once(server: Server, name: str, person: tuple[Browser, Authenticator]) -> None:
    codes = codes_of(person[0])
    assert len(set(codes)) == 10
    browser = halfway(server, name)
    assert error_of(browser.post("/session/recovery", json={"code": "0000-0000-0000"})) == (401, "invalid_login")
    typed = codes[0].upper().replace("-", " ")
    state = data_of(browser.post("/session/recovery", json={"code": typed}))
    assert (state["account"]["username"], state["session"]["method"]) == (name, "password, recovery code")
    assert data_of(person[0].get(CODES, headers=person[0].bearer())) == {"left": 9}
    again = halfway(server, name)
    assert error_of(again.post("/session/recovery", json={"code": codes[0]})) == (401, "invalid_login")
    begun = audit_of(server, subject=name, action="session.begin")
    assert begun[0]["outcome"] == "refused"
    assert codes[0] not in str(audit_of(server, limit=50))


def test_a_recovery_code_without_the_password_opens_nothing(
    server: Server, name: str, person: tuple[Browser, Authenticator]
) -> None:
    code = {"code": codes_of(person[0])[0]}
    assert error_of(Browser(named_origin(server)).post("/session/recovery", json=code)) == (401, "invalid_login")
    browser = halfway(server, name)
    assert browser.post("/session/recovery", json=code).status_code == 200
    assert error_of(browser.post("/session/recovery", json=code)) == (401, "invalid_login")  # the step is over


def test_fresh_codes_void_the_earlier_ones(server: Server, name: str, person: tuple[Browser, Authenticator]) -> None:
    old, new = codes_of(person[0])[0], codes_of(person[0])[0]
    browser = halfway(server, name)
    assert error_of(browser.post("/session/recovery", json={"code": old})) == (401, "invalid_login")
    assert browser.post("/session/recovery", json={"code": new}).status_code == 200


def test_recovery_codes_cannot_be_guessed_for_long(
    server: Server, name: str, person: tuple[Browser, Authenticator]
) -> None:
    codes_of(person[0])
    browser = halfway(server, name)
    answers = [browser.post("/session/recovery", json={"code": f"{n:012}"}).status_code for n in range(8)]
    assert answers[:5] == [401] * 5
    assert answers[-1] == 429


def test_two_factors_need_both_and_a_fresh_proof(server: Server, name: str) -> None:
    browser = invited(server, name)
    bearer = browser.bearer()
    assert error_of(browser.patch(ME, json={"twoFactor": True}, headers=bearer)) == (409, "conflict")
    made = browser.post(f"{ME}/tokens", json={"name": "script"}, headers=bearer)
    program = {"authorization": f"Bearer {data_of(made, 201)['token']}"}
    assert error_of(browser.post(CODES, headers=program)) == (403, "account_required")
    assert error_of(browser.patch(ME, json={"twoFactor": True}, headers=program)) == (403, "account_required")


def test_the_last_passkey_stays_while_it_is_a_factor(server: Server, person: tuple[Browser, Authenticator]) -> None:
    browser, bearer = person[0], person[0].bearer()
    (passkey,) = data_of(browser.get(f"{ME}/passkeys", headers=bearer))
    address = f"{ME}/passkeys/{passkey['id']}"
    assert error_of(browser.delete(address, headers=bearer)) == (409, "conflict")
    assert len(data_of(browser.get(f"{ME}/passkeys", headers=bearer))) == 1
    assert data_of(browser.patch(ME, json={"twoFactor": False}, headers=bearer))["twoFactor"] is False
    assert data_of(browser.delete(address, headers=bearer))["deleted"] is True


def test_an_admin_turns_it_off_for_who_has_lost_everything(
    server: Server, name: str, person: tuple[Browser, Authenticator]
) -> None:
    account = data_of(person[0].get("/session"))["account"]["id"]
    address = f"{server.base_url}/access/accounts/{account}"
    changed = httpx2.patch(address, json={"twoFactor": False}, headers=server.headers)
    assert data_of(changed)["twoFactor"] is False
    assert Browser(named_origin(server)).sign_in(name).status_code == 200


def test_a_link_of_the_operator_signs_in_once_and_does_nothing_else(
    server: Server, name: str, person: tuple[Browser, Authenticator]
) -> None:
    done = server.command("account", "signin-link", name)
    assert done.returncode == 0, done.stderr
    link = done.stdout.split()[-1]
    assert "/signin#ticket=" in link
    browser, ticket = Browser(server.origin), {"ticket": ticket_in(link)}
    chosen = ticket | {"username": fresh_name("eve"), "password": PASSWORD}
    assert error_of(browser.post("/session/redeem", json=chosen)) == (410, "invalid_ticket")
    assert data_of(browser.post("/session/link", json=ticket))["account"]["username"] == name
    assert error_of(browser.post("/session/link", json=ticket)) == (410, "invalid_ticket")
    account = data_of(browser.get("/session"))["account"]["id"]
    reset = httpx2.post(f"{server.base_url}/access/accounts/{account}/reset-link", headers=server.headers)
    other = {"ticket": ticket_in(data_of(reset, 201)["link"])}
    assert error_of(Browser(server.origin).post("/session/link", json=other)) == (410, "invalid_ticket")
