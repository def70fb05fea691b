"""Strangers can fill and try a bounded amount, whatever they send."""

import httpx2

from stowboard.core.ids import new_id
from support.api.answers import data_of, error_of
from support.clients.applications import App, granted, refused
from support.clients.people import audit_of, fresh_name, invited
from support.servers.stowboard import Server


def test_made_up_clients_leave_one_entry_a_minute(own_server: Server) -> None:
    made_up = [new_id(prefix) for prefix in ("app", "cli") for _ in range(5)]
    addresses = [f"https://{name}.example/client" for name in "abcde"]
    for client_id in made_up + addresses:
        form = {"grant_type": "authorization_code", "client_id": client_id}
        assert refused(httpx2.post(f"{own_server.origin}/oauth/token", data=form)) == (401, "invalid_client")
        query = {"client_id": client_id, "response_type": "code"}
        assert httpx2.get(f"{own_server.origin}/oauth/authorize", params=query).status_code in (303, 400)
    for action in ("oauth.token", "oauth.authorize"):
        (entry,) = audit_of(own_server, action=action)
        assert entry["subject"] == "unknown"


def test_an_address_gets_a_bounded_number_of_device_codes(own_server: Server) -> None:
    stow = App(own_server, "stow")
    answers = [stow.post("/oauth/device_authorization") for _ in range(22)]
    assert [answer.status_code for answer in answers] == [200] * 20 + [429] * 2
    assert refused(answers[-1]) == (429, "temporarily_unavailable")
    assert int(answers[-1].headers["retry-after"]) <= 30


def test_typing_the_code_of_ones_own_device_forgives_no_guess(server: Server) -> None:
    browser = invited(server, fresh_name("eve"))
    own = granted(App(server, "stow").post("/oauth/device_authorization"))["user_code"]
    for _ in range(5):
        assert error_of(browser.post("/device/look", json={"code": "BBBB-BBBB"})) == (404, "not_found")
        last = browser.post("/device/look", json={"code": own})
    assert error_of(last) == (429, "rate_limited")
    assert error_of(browser.post("/device/look", json={"code": "BBBB-BBBB"})) == (429, "rate_limited")


def test_looking_at_a_code_and_deciding_is_no_guess(server: Server) -> None:
    browser, stow = invited(server, fresh_name("ann")), App(server, "stow")
    for _ in range(4):
        code = granted(stow.post("/oauth/device_authorization"))["user_code"]
        data_of(browser.post("/device/look", json={"code": code}))
        data_of(browser.post("/device/decide", json={"code": code, "allow": False}))
