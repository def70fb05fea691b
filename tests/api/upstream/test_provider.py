"""Signing in with an OpenID Connect provider: who is let in, as whom, and who is not."""

import time
from typing import Any

import httpx2
from joserfc.jwk import ECKey

from support.api.answers import data_of, error_of
from support.clients.passkeys import named_origin, person_with_passkey
from support.clients.people import PASSWORD, Browser, audit_of, fresh_name, invited, ticket_in
from support.servers.stowboard import Server
from support.upstream.scripted_provider import CLIENT_SECRET, ScriptedProvider
from support.upstream.visits import come_back, enter, sent_to, text_of

IDENTITIES = "/api/v1/access/me/identities"
HOUR = 3600


def who(browser: Browser) -> dict[str, Any]:
    state: dict[str, Any] = data_of(browser.get("/session"))
    return state


def is_nobody(browser: Browser) -> bool:
    return error_of(browser.get("/session")) == (401, "not_signed_in")


def test_somebody_new_gets_an_account_and_is_the_same_the_next_time(
    server: Server, provider: ScriptedProvider, browser: Browser, name: str
) -> None:
    provider.userinfo = {
        "preferred_username": name.upper(), "name": "Ida <3", "email": "ida@example.com", "email_verified": True,
    }  # fmt: skip
    answer = enter(browser, provider, name, {"next": "/docs/errors"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/docs/errors")
    state = who(browser)
    account = state["account"]
    assert (account["username"], account["displayName"], account["email"]) == (name, "Ida <3", "ida@example.com")
    assert (account["role"], state["session"]["method"], state["steppedUp"]) == ("member", "provider", True)
    provider.userinfo = {"preferred_username": "another", "email": "other@example.com", "email_verified": True}
    later = Browser(server.origin)
    assert enter(later, provider, name).headers["location"] == "/"
    assert who(later)["account"]["username"] == name
    actions = [entry["action"] for entry in audit_of(server, actor=name)]
    assert sorted(actions) == ["account.create", "identity.create", "session.begin", "session.begin"]
    (identity,) = data_of(later.get(IDENTITIES, headers=later.bearer()))
    assert (identity["issuer"], identity["subject"]) == (provider.issuer, name)


def test_a_name_or_an_address_of_somebody_else_opens_nothing_of_theirs(
    server: Server, provider: ScriptedProvider, browser: Browser, name: str
) -> None:
    alice = invited(server, name)
    data_of(alice.patch("/api/v1/access/me", json={"email": f"{name}@example.com"}, headers=alice.bearer()))
    owner = fresh_name("owner")
    made = httpx2.post(f"{server.base_url}/access/tokens", json={"owner": owner.upper()}, headers=server.headers)
    assert made.status_code == 201
    for called, email in ((name, f"{name}@example.com"), (owner, None), ("", "é@x"), ("a" * 200, 7)):
        provider.userinfo = {"preferred_username": called, "email": email, "email_verified": True}
        assert enter(browser, provider, fresh_name("eve")).status_code == 303
        username = who(browser)["account"]["username"]
        assert username not in (name, owner)
        assert username.startswith((f"{name}-2", f"{owner}-2", "person", "a" * 40))


def test_an_address_that_the_provider_has_not_verified_is_not_taken(
    provider: ScriptedProvider, browser: Browser, name: str
) -> None:
    for verified in (False, None, "true"):
        provider.userinfo = {"email": f"{name}@example.com", "email_verified": verified}
        assert enter(browser, provider, fresh_name("eve")).status_code == 303
        assert who(browser)["account"]["email"] is None


def test_the_role_follows_the_claim_both_ways(
    server: Server, provider: ScriptedProvider, browser: Browser, name: str
) -> None:
    for groups, role in (
        (["x", "stow-admins"], "admin"),
        (["x"], "member"),
        ("stow-admins", "admin"),
        (None, "member"),
    ):
        assert enter(browser, provider, name, groups=groups).status_code == 303
        assert who(browser)["account"]["role"] == role
    roles = [entry for entry in audit_of(server, action="account.role") if entry["actor"] == provider.issuer]
    assert [entry["data"]["to"] for entry in roles[:3]] == ["member", "admin", "member"]


def test_a_sign_in_long_ago_is_no_fresh_proof(provider: ScriptedProvider, browser: Browser, name: str) -> None:
    assert enter(browser, provider, name, auth_time=int(time.time()) - HOUR).status_code == 303
    assert who(browser)["steppedUp"] is False
    assert error_of(browser.post("/session/provider", json={"link": True})) == (403, "step_up_required")
    location = sent_to(browser, again=True)
    assert "prompt=login" in location
    assert "max_age=0" in location
    assert come_back(browser, provider.answer(location, name, auth_time=int(time.time()))).status_code == 303
    assert who(browser)["steppedUp"] is True


def test_a_provider_that_does_not_say_when_is_no_fresh_proof(
    provider: ScriptedProvider, browser: Browser, name: str
) -> None:
    for told in (None, "yesterday", -1, True):
        come_back(browser, provider.answer(sent_to(browser, again=True), name, auth_time=told))
        assert who(browser)["steppedUp"] is False
        assert error_of(browser.post("/session/provider", json={"link": True})) == (403, "step_up_required")


def test_somebody_who_is_signed_in_connects_the_provider_and_takes_it_away(
    server: Server, provider: ScriptedProvider, browser: Browser, name: str
) -> None:
    alice, subject = invited(server, name), fresh_name("subject")
    before = who(alice)["session"]["id"]
    answer = enter(alice, provider, subject, {"link": True, "next": "/settings"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/settings")
    assert who(alice)["session"]["id"] == before
    assert enter(browser, provider, subject).status_code == 303
    assert who(browser)["account"]["username"] == name
    bearer = alice.bearer()
    (identity,) = data_of(alice.get(IDENTITIES, headers=bearer))
    address = f"{IDENTITIES}/{identity['id']}"
    other = invited(server, fresh_name("eve"))
    assert error_of(other.delete(address, headers=other.bearer())) == (404, "not_found")
    assert enter(other, provider, subject, {"link": True}).status_code == 409
    assert data_of(alice.delete(address, headers=bearer))["deleted"] is True
    assert enter(browser, provider, subject).status_code == 303
    assert who(browser)["account"]["username"] != name
    actions = {entry["action"] for entry in audit_of(server, actor=name)}
    assert {"identity.create", "identity.delete"} <= actions


def test_the_last_way_in_cannot_be_taken_away(provider: ScriptedProvider, browser: Browser, name: str) -> None:
    assert enter(browser, provider, name).status_code == 303
    bearer = browser.bearer()
    (identity,) = data_of(browser.get(IDENTITIES, headers=bearer))
    assert error_of(browser.delete(f"{IDENTITIES}/{identity['id']}", headers=bearer)) == (409, "conflict")
    assert data_of(browser.get(IDENTITIES, headers=bearer)) == [identity]


def test_who_has_signed_out_meanwhile_connects_nothing(server: Server, provider: ScriptedProvider, name: str) -> None:
    alice = invited(server, name)
    brought = provider.answer(sent_to(alice, link=True), fresh_name("subject"))
    alice.delete("/session")
    assert come_back(alice, brought).status_code == 401
    newest = audit_of(server, action="identity.create", limit=1)[0]
    assert (newest["outcome"], newest["data"]["reason"]) == ("refused", "session")


def test_an_invitation_is_accepted_with_the_provider(
    server: Server, provider: ScriptedProvider, browser: Browser, name: str
) -> None:
    def invitation(**body: Any) -> str:
        answer = httpx2.post(f"{server.base_url}/access/invitations", json=body, headers=server.headers)
        return ticket_in(data_of(answer, 201)["link"])

    fixed = invitation(username=name)
    brought = provider.answer(sent_to(browser, ticket=fixed), name)
    assert is_nobody(browser)
    assert come_back(browser, brought).status_code == 303
    assert who(browser)["account"]["username"] == name
    assert error_of(Browser(server.origin).post("/session/provider", json={"ticket": fixed})) == (410, "invalid_ticket")
    chosen, other = fresh_name("cho"), Browser(server.origin)
    wanted = {"ticket": invitation(), "username": chosen, "displayName": "Cho Sen"}
    assert enter(other, provider, chosen, wanted).status_code == 303
    assert (who(other)["account"]["username"], who(other)["account"]["displayName"]) == (chosen, "Cho Sen")
    taken = {"ticket": invitation(), "username": chosen}
    assert "taken" in text_of(enter(Browser(server.origin), provider, fresh_name("eve"), taken))
    unused = invitation()
    assert enter(Browser(server.origin), provider, chosen, {"ticket": unused}).status_code == 409
    assert data_of(browser.post("/session/ticket", json={"ticket": unused}))["purpose"] == "invite"


def test_a_link_for_a_new_password_connects_the_provider_unless_two_factors_are_due(
    server: Server, provider: ScriptedProvider, browser: Browser, name: str
) -> None:
    def reset_link(account: str) -> str:
        address = f"{server.base_url}/access/accounts/{account}/reset-link"
        return ticket_in(data_of(httpx2.post(address, headers=server.headers), 201)["link"])

    alice = invited(server, name)
    ticket = reset_link(who(alice)["account"]["id"])
    assert enter(browser, provider, name, {"ticket": ticket}).status_code == 303
    assert who(browser)["account"]["username"] == name
    double, _ = person_with_passkey(server, fresh_name("two"))
    data_of(double.patch("/api/v1/access/me", json={"twoFactor": True}, headers=double.bearer()))
    ticket = reset_link(who(double)["account"]["id"])
    answer = enter(Browser(named_origin(server)), provider, fresh_name("eve"), {"ticket": ticket})
    assert (answer.status_code, "two factors" in text_of(answer)) == (409, True)
    assert data_of(double.post("/session/ticket", json={"ticket": ticket}))["purpose"] == "reset"


def test_a_disabled_account_stays_outside(
    server: Server, provider: ScriptedProvider, browser: Browser, name: str
) -> None:
    enter(browser, provider, name)
    address = f"{server.base_url}/access/accounts/{who(browser)['account']['id']}"
    data_of(httpx2.patch(address, json={"disabled": True}, headers=server.headers))
    assert enter(browser, provider, name).status_code == 403
    assert is_nobody(browser)
    data_of(httpx2.patch(address, json={"disabled": False}, headers=server.headers))
    assert enter(browser, provider, name).status_code == 303


def test_two_tabs_can_be_on_their_way_at_once(provider: ScriptedProvider, browser: Browser, name: str) -> None:
    first, second = sent_to(browser), sent_to(browser, next="/docs")
    assert come_back(browser, provider.answer(first, name)).headers["location"] == "/"
    assert come_back(browser, provider.answer(second, name)).headers["location"] == "/docs"


def test_new_keys_of_the_provider_are_read_when_they_are_needed(
    provider: ScriptedProvider, browser: Browser, name: str
) -> None:
    assert enter(browser, provider, name).status_code == 303
    fresh = ECKey.generate_key("P-256", parameters={"kid": "two"})
    provider.published = [provider.key, fresh]
    truth = provider.sign
    provider.sign = lambda header, claims, _: truth({"alg": "ES256", "kid": "two"}, claims, fresh)
    assert enter(browser, provider, name).status_code == 303


def test_only_paths_of_ours_are_gone_on_to(provider: ScriptedProvider, browser: Browser, name: str) -> None:
    for onward in ("https://evil.example", "//evil.example", "/\\evil.example", "x"):
        assert enter(browser, provider, name, {"next": onward}).headers["location"] == "/"


def test_another_site_cannot_send_a_browser_away(server: Server) -> None:
    answer = httpx2.post(f"{server.origin}/session/provider", json={}, headers={"sec-fetch-site": "cross-site"})
    assert error_of(answer) == (403, "cross_site")


def test_no_secret_reaches_the_log_or_the_audit_log(
    server: Server, provider: ScriptedProvider, browser: Browser, name: str
) -> None:
    brought = provider.answer(sent_to(browser), name)
    assert come_back(browser, brought).status_code == 303
    assert come_back(browser, brought).status_code == 400
    kept = server.log() + str(audit_of(server, limit=100))
    for secret in (CLIENT_SECRET, brought["code"], brought["state"], PASSWORD):
        assert secret not in kept
