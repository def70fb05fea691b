"""An invitation to a space, as the page shows it, and the accounts that are made by it."""

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from support.api.answers import data_of, error_of
from support.clients.people import PASSWORD, Browser, fresh_name, invited, ticket_in
from support.clients.space_people import SpacePerson, people
from support.servers.stacks import FolderServer, Stack
from support.servers.stowboard import Server


@pytest.fixture
def open_server(stack: Stack, folder_server: FolderServer) -> Server:
    """Its managers may invite anyone."""
    return folder_server(stack, {"STOWBOARD_SPACE_INVITES": "anyone"})


@pytest.fixture
def pair(server: Server) -> Iterator[list[SpacePerson]]:
    with people(server, "alice", "bob") as made:
        yield made


def invite(manager: SpacePerson, space: str, **body: Any) -> str:
    made = manager.api.post(f"/spaces/{space}/invitations", json={"role": "editor", **body})
    return ticket_in(data_of(made, 201)["link"])


def look(browser: Browser, ticket: str) -> Any:
    return data_of(browser.post("/session/ticket", json={"ticket": ticket}))


def make_account(server: Server, ticket: str, username: str) -> httpx2.Response:
    body = {"ticket": ticket, "username": username, "password": PASSWORD}
    return Browser(server.origin).post("/session/redeem", json=body)


def test_an_invitation_says_who_invites_to_which_space(server: Server, pair: list[SpacePerson]) -> None:
    alice, bob = pair
    home = alice.make_space("Home")
    ticket = invite(alice, home)
    for browser in (Browser(server.origin), bob.browser):
        shown = look(browser, ticket)
        assert (shown["purpose"], shown["spaceId"], shown["space"], shown["role"]) == ("join", home, "Home", "editor")
        assert (shown["invitedBy"], shown["joined"], shown["makesAccounts"]) == (alice.name, False, False)
    data_of(bob.api.post("/spaces/join", json={"ticket": ticket}))
    assert look(bob.browser, ticket)["joined"] is True
    used = Browser(server.origin).post("/session/ticket", json={"ticket": ticket})
    assert error_of(used) == (410, "invalid_ticket")


def test_an_invitation_of_a_space_in_the_trash_says_nothing(server: Server, pair: list[SpacePerson]) -> None:
    alice, bob = pair
    home = alice.make_space()
    ticket = invite(alice, home)
    data_of(alice.api.post(f"/spaces/{home}/trash"))
    for browser in (bob.browser, alice.browser):
        assert error_of(browser.post("/session/ticket", json={"ticket": ticket})) == (410, "invalid_ticket")


def test_an_invitation_makes_no_account_unless_the_operator_allows_it(server: Server, pair: list[SpacePerson]) -> None:
    alice, _ = pair
    home, name = alice.make_space(), fresh_name()
    refused = make_account(server, invite(alice, home), name)
    assert error_of(refused) == (410, "invalid_ticket")
    assert "an account" in refused.json()["error"]["message"]
    assert Browser(server.origin).sign_in(name).status_code == 401
    assert data_of(alice.api.get(f"/spaces/{home}"))["members"] == 1


def test_where_anyone_may_be_invited_an_invitation_makes_an_account_in_the_space(open_server: Server) -> None:
    with people(open_server, "alice") as (alice,):
        home, name = alice.make_space(), fresh_name()
        ticket = invite(alice, home)
        assert look(Browser(open_server.origin), ticket)["makesAccounts"] is True
        browser = Browser(open_server.origin)
        body = {"ticket": ticket, "username": name, "password": PASSWORD}
        state = data_of(browser.post("/session/redeem", json=body))
        assert (state["account"]["username"], state["account"]["role"]) == (name, "member")
        assert state["account"]["emailConfirmed"] is False
        members = data_of(alice.api.get(f"/spaces/{home}/members"))
        assert {each["username"]: each["role"] for each in members} == {alice.name: "manager", name: "editor"}
        assert error_of(make_account(open_server, ticket, fresh_name())) == (410, "invalid_ticket")


def test_a_name_that_owns_something_is_not_given_by_an_invitation_to_a_space(open_server: Server) -> None:
    with people(open_server, "alice") as (alice,):
        home = alice.make_space()
        ticket = invite(alice, home)
        assert error_of(make_account(open_server, ticket, alice.name)) == (409, "conflict")
        assert make_account(open_server, ticket, fresh_name()).status_code == 200


def test_an_admins_invitation_makes_an_account_while_they_are_an_admin(server: Server) -> None:
    invited(server, fresh_name(), "admin")  # the last admin stays one
    admin = SpacePerson(server, "root", "admin")
    with admin.api:
        home = admin.make_space()
        ticket, name = invite(admin, home, uses=2), fresh_name()
        assert look(Browser(server.origin), ticket)["makesAccounts"] is True
        assert make_account(server, ticket, name).status_code == 200
        accounts = data_of(httpx2.get(f"{server.base_url}/access/accounts?limit=100", headers=server.headers))
        (account,) = [each["id"] for each in accounts if each["username"] == admin.name]
        lowered = httpx2.patch(
            f"{server.base_url}/access/accounts/{account}", json={"role": "member"}, headers=server.headers
        )
        assert lowered.status_code == 200, lowered.text
        assert look(Browser(server.origin), ticket)["makesAccounts"] is False
        assert error_of(make_account(server, ticket, fresh_name())) == (410, "invalid_ticket")
