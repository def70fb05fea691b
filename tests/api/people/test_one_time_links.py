"""Links that work once: invitations, resets, and the name that somebody gets by one."""

from typing import Any

import httpx2
import pytest

from stowboard_client import Client
from support.api.answers import data_of, error_of, message_of
from support.clients.people import PASSWORD, Browser, audit_of, fresh_name, invited, ticket_in
from support.servers.stowboard import Server


def invite(server: Server, **body: Any) -> dict[str, Any]:
    answer = httpx2.post(f"{server.base_url}/access/invitations", json=body, headers=server.headers)
    invitation: dict[str, Any] = data_of(answer, 201)
    return invitation


def redeem(server: Server, link: str, **body: Any) -> httpx2.Response:
    content = {"ticket": ticket_in(link), "password": PASSWORD, **body}
    return Browser(server.origin).post("/session/redeem", json=content)


def test_the_secret_sits_behind_the_sign_that_no_server_sees(server: Server) -> None:
    link = invite(server)["link"]
    assert link.startswith(f"{server.origin}/invite#ticket=stowt_")


def test_an_invitation_works_once(server: Server) -> None:
    invitation, name = invite(server, role="admin"), fresh_name()
    state = data_of(redeem(server, invitation["link"], username=name, displayName=" N. N. "))
    assert (state["account"]["username"], state["account"]["displayName"]) == (name, "N. N.")
    assert (state["account"]["role"], state["session"]["method"]) == ("admin", "link")
    again = redeem(server, invitation["link"], username=fresh_name())
    assert error_of(again) == (410, "invalid_ticket")
    assert audit_of(server, limit=1)[0]["action"] == "ticket.use"
    assert audit_of(server, limit=1)[0]["outcome"] == "refused"


def test_an_invitation_that_was_withdrawn_is_of_no_use(server: Server) -> None:
    invitation = invite(server)
    listed = data_of(httpx2.get(f"{server.base_url}/access/invitations", headers=server.headers))
    assert listed[0]["id"] == invitation["id"]
    assert "link" not in listed[0]
    address = f"{server.base_url}/access/invitations/{invitation['id']}"
    data_of(httpx2.delete(address, headers=server.headers))
    assert error_of(httpx2.delete(address, headers=server.headers)) == (404, "not_found")
    assert error_of(redeem(server, invitation["link"], username=fresh_name())) == (410, "invalid_ticket")


@pytest.mark.parametrize("ticket", ["", "stowt_nonsense", "x" * 5000, "stowt_\u00e9"])
def test_a_ticket_that_was_never_made_is_refused(server: Server, ticket: str) -> None:
    browser = Browser(server.origin)
    assert error_of(browser.post("/session/ticket", json={"ticket": ticket})) == (410, "invalid_ticket")
    body = {"ticket": ticket, "password": PASSWORD, "username": fresh_name()}
    assert error_of(browser.post("/session/redeem", json=body)) == (410, "invalid_ticket")


def test_secrets_of_another_kind_are_no_tickets(server: Server) -> None:
    assert error_of(redeem(server, f"#ticket={server.admin_token}", username=fresh_name())) == (410, "invalid_ticket")


def test_a_ticket_opens_nothing_else(server: Server) -> None:
    ticket = ticket_in(invite(server)["link"])
    headers = {"authorization": f"Bearer {ticket}"}
    assert error_of(httpx2.get(server.base_url, headers=headers)) == (401, "invalid_token")


@pytest.mark.parametrize(
    ("thing", "spelling"), [("task", str.upper), ("board", str.title), ("token", str), ("client", str.upper)]
)
def test_a_name_that_owns_something_is_not_for_the_taking(
    server: Server, client: Client, thing: str, spelling: Any
) -> None:
    name = fresh_name("owner")
    owner = spelling(name)
    if thing == "client":
        client.clients.create(owner)
    else:
        token = client.tokens.create(owner)
        if thing != "token":
            with Client(server.origin, token.token) as theirs:
                if thing == "task":
                    theirs.tasks.create("theirs")
                else:
                    theirs.boards.create("theirs")
    answer = redeem(server, invite(server)["link"], username=name)
    assert error_of(answer) == (409, "conflict")
    assert "taken" in message_of(answer)
    given = redeem(server, invite(server, username=name)["link"])
    assert data_of(given)["account"]["username"] == name


def test_a_name_is_taken_when_its_account_exists_and_after_its_deletion(server: Server) -> None:
    name = fresh_name()
    account = invited(server, name).get("/session").json()["data"]["account"]
    link = invite(server)["link"]
    assert error_of(redeem(server, link, username=name)) == (409, "conflict")
    data_of(httpx2.delete(f"{server.base_url}/access/accounts/{account['id']}", headers=server.headers))
    assert error_of(redeem(server, link, username=name)) == (409, "conflict")
    body = {"username": name}
    for path in ("/access/invitations", "/access/accounts"):
        answer = httpx2.post(server.base_url + path, json=body, headers=server.headers)
        assert error_of(answer) == (409, "conflict")


@pytest.mark.cluster_in_soak
@pytest.mark.parametrize("name", ["", "-a", "a-", "é", "a b", "a/b", "a" * 64, "..", "a\u0000b"])
def test_a_name_has_a_form(server: Server, name: str) -> None:
    answer = redeem(server, invite(server)["link"], username=name)
    assert error_of(answer) == (400, "validation_failed")


@pytest.mark.cluster_in_soak
@pytest.mark.parametrize(
    ("password", "said"),
    [
        ("short", "12 to 256"),
        ("x" * 257, "12 to 256"),
        ("password1234", "tried first"),
        ("Password2026!", "tried first"),
        ("qwertyuiopas", "tried first"),
        ("123456789012", "tried first"),
        ("aaaaaaaaaaaa", "tried first"),
        ("monkeymonkey", "tried first"),
        ("1qaz2wsx3edc", "tried first"),
        ("{name}", "is the username"),
        ("{name}{name}", "is the username"),
    ],
)
def test_a_bad_password_is_refused_and_the_link_still_works(server: Server, password: str, said: str) -> None:
    name = fresh_name("person-of-length")
    link = invite(server)["link"]
    answer = redeem(server, link, username=name, password=password.format(name=name))
    assert error_of(answer) == (400, "validation_failed")
    assert said in message_of(answer)
    assert redeem(server, link, username=name).status_code == 200


@pytest.mark.cluster_in_soak
@pytest.mark.parametrize(
    "password", ["correct horse battery staple", "ünïcödé wörds", "long " * 50 + "enough", "        spaces"]
)
def test_other_passwords_are_taken_as_they_are(server: Server, password: str) -> None:
    name = fresh_name()
    invited(server, name, password=password)
    assert Browser(server.origin).sign_in(name, password).status_code == 200
    assert Browser(server.origin).sign_in(name, password + "x").status_code == 401


def test_a_new_password_ends_every_session_and_no_personal_token(server: Server) -> None:
    name, fresh = fresh_name(), "another four wooden words"
    browser = invited(server, name)
    bearer = browser.bearer()
    me = Browser(server.base_url)
    made = data_of(me.post("/access/me/tokens", json={"name": "script"}, headers=bearer), 201)
    account = data_of(me.get("/access/me", headers=bearer))
    links = [
        data_of(me.post(f"/access/accounts/{account['id']}/reset-link", headers=server.headers), 201)["link"]
        for _ in range(2)
    ]
    assert error_of(redeem(server, links[0], password=fresh)) == (410, "invalid_ticket")  # a newer one was made
    assert data_of(redeem(server, links[1], password=fresh)) == {"username": name, "signedIn": False}
    assert error_of(browser.get("/session")) == (401, "not_signed_in")
    assert me.get("/access/me", headers=bearer).status_code == 401
    assert me.get("/access/me", headers={"authorization": f"Bearer {made['token']}"}).status_code == 200
    assert Browser(server.origin).sign_in(name).status_code == 401
    assert Browser(server.origin).sign_in(name, fresh).status_code == 200


def test_a_link_of_a_disabled_account_is_of_no_use(server: Server) -> None:
    account = invited(server, fresh_name()).get("/session").json()["data"]["account"]
    address = f"{server.base_url}/access/accounts/{account['id']}"
    link = data_of(httpx2.post(address + "/reset-link", headers=server.headers), 201)["link"]
    data_of(httpx2.patch(address, json={"disabled": True}, headers=server.headers))
    assert error_of(redeem(server, link)) == (410, "invalid_ticket")
    later = data_of(httpx2.post(address + "/reset-link", headers=server.headers), 201)["link"]
    assert error_of(redeem(server, later)) == (410, "invalid_ticket")


def test_asking_for_a_reset_tells_nothing(server: Server) -> None:
    name = fresh_name()
    invited(server, name)
    answers = [
        Browser(server.origin).post("/session/reset", json={"login": login})
        for login in (name, fresh_name("nobody"), "nobody@example.com", "")
    ]
    assert {answer.status_code for answer in answers} == {202}
    assert len({answer.content for answer in answers}) == 1
