"""A forgotten password, by mail; and cookies of an installation that is reached over https."""

import re
from collections.abc import Iterator

import httpx2
import pytest

from support.api.answers import data_of
from support.clients.people import PASSWORD, Browser, ticket_in
from support.mail.relay import MailRelay
from support.servers.stacks import UNLIMITED, MakeServer, Stack
from support.servers.stowboard import Server
from support.waiting import wait_until

PUBLIC = "https://stow.example.org"


@pytest.fixture(scope="module")
def relay() -> Iterator[MailRelay]:
    with MailRelay() as relay:
        yield relay


@pytest.fixture(scope="module")
def server(stack: Stack, make_server: MakeServer, relay: MailRelay) -> Iterator[Server]:
    mail = {"STOWBOARD_SMTP_URL": relay.url, "STOWBOARD_MAIL_FROM": "stow@example.org"}
    server = make_server(stack() | UNLIMITED | mail | {"STOWBOARD_PUBLIC_URL": PUBLIC})
    yield server
    server.kill()


@pytest.fixture(scope="module")
def alice(server: Server) -> str:
    body = {"username": "alice", "email": "alice@example.com"}
    made = data_of(httpx2.post(f"{server.base_url}/access/accounts", json=body, headers=server.headers), 201)
    assert made["link"].startswith(f"{PUBLIC}/reset#ticket=")
    answer = Browser(server.origin).post(
        "/session/redeem", json={"ticket": ticket_in(made["link"]), "password": PASSWORD}
    )
    assert answer.status_code == 200
    return "alice"


@pytest.mark.parametrize("login", ["alice", "ALICE@example.com"])
def test_a_link_is_mailed_that_leads_to_the_public_address_whatever_host_was_asked(
    server: Server, relay: MailRelay, alice: str, login: str
) -> None:
    before = len(relay.taken)
    poisoned = {"host": "evil.example", "x-forwarded-host": "evil.example"}
    answers = [
        Browser(server.origin).post("/session/reset", json={"login": asked}, headers=poisoned)
        for asked in ("nobody", login)
    ]
    assert [answer.status_code for answer in answers] == [202, 202]
    assert answers[0].content == answers[1].content
    wait_until(lambda: len(relay.taken) > before)
    (message,) = relay.taken[before:]
    assert message["to"] == "alice@example.com"
    (link,) = re.findall(r"https?://\S+", message.get_content())
    assert link.startswith(f"{PUBLIC}/reset#ticket=stowt_")
    fresh = f"words that came by mail for {login}"
    redeemed = Browser(server.origin).post("/session/redeem", json={"ticket": ticket_in(link), "password": fresh})
    assert data_of(redeemed) == {"username": "alice", "signedIn": False}
    assert Browser(server.origin).sign_in("alice", fresh).status_code == 200


def test_over_https_a_cookie_is_of_this_host_alone(server: Server, alice: str) -> None:
    body = {"username": "nobody", "password": PASSWORD}
    refused = httpx2.post(f"{server.origin}/session/login", json=body, headers={"origin": PUBLIC})
    assert refused.status_code == 401
    invitation = httpx2.post(f"{server.base_url}/access/invitations", json={"username": "bob"}, headers=server.headers)
    ticket = ticket_in(data_of(invitation, 201)["link"])
    answer = Browser(server.origin).post("/session/redeem", json={"ticket": ticket, "password": PASSWORD})
    for cookie in answer.headers.get_list("set-cookie"):
        assert re.fullmatch(
            r"__Host-stow-[0-9a-f]{6}(-known)?=[^;]+; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=\d+", cookie
        )


def test_the_page_offers_mail_where_there_is_some(server: Server) -> None:
    assert "mailed to you" in httpx2.get(f"{server.origin}/reset").text
