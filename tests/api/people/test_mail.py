"""Mail to people: invitations, links for a new password, and that one was changed; and cookies over https."""

import re
from collections.abc import Iterator
from email.message import EmailMessage

import httpx2
import pytest

from support.api.answers import data_of
from support.clients.people import PASSWORD, Browser, fresh_name, ticket_in
from support.mail.relay import TAKEN, MailRelay, subject_in
from support.servers.stacks import UNLIMITED, MakeServer, Stack
from support.servers.stowboard import Server
from support.stored.rows import rows
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


def sent(relay: MailRelay, subject: str, to: str = "alice@example.com") -> list[EmailMessage]:
    return [message for message in relay.taken if message["subject"] == subject and message["to"] == to]


def link_in(message: EmailMessage) -> str:
    (link,) = [word for word in message.get_content().split() if "#ticket=" in word]
    return str(link)


@pytest.mark.parametrize("login", ["alice", "ALICE@example.com"])
def test_a_link_is_mailed_that_leads_to_the_public_address_whatever_host_was_asked(
    server: Server, relay: MailRelay, alice: str, login: str
) -> None:
    before = len(sent(relay, "A new password"))
    poisoned = {"host": "evil.example", "x-forwarded-host": "evil.example"}
    answers = [
        Browser(server.origin).post("/session/reset", json={"login": asked}, headers=poisoned)
        for asked in ("nobody", login)
    ]
    assert [answer.status_code for answer in answers] == [202, 202]
    assert answers[0].content == answers[1].content
    wait_until(lambda: len(sent(relay, "A new password")) > before)
    (message,) = sent(relay, "A new password")[before:]
    assert message["to"] == "alice@example.com"
    link = link_in(message)
    assert link.startswith(f"{PUBLIC}/reset#ticket=stowt_")
    fresh = f"words that came by mail for {login}"
    redeemed = Browser(server.origin).post("/session/redeem", json={"ticket": ticket_in(link), "password": fresh})
    assert data_of(redeemed) == {"username": "alice", "signedIn": False}
    assert Browser(server.origin).sign_in("alice", fresh).status_code == 200


def test_an_invitation_is_mailed_and_its_link_is_the_one_that_was_shown(server: Server, relay: MailRelay) -> None:
    address, name = f"{fresh_name('bo')}@example.com", fresh_name("bo")
    body = {"username": name, "email": address}
    made = data_of(httpx2.post(f"{server.base_url}/access/invitations", json=body, headers=server.headers), 201)
    wait_until(lambda: bool(sent(relay, "You were invited to Stowboard", address)))
    (message,) = sent(relay, "You were invited to Stowboard", address)
    assert link_in(message) == made["link"]
    redeemed = Browser(server.origin).post(
        "/session/redeem", json={"ticket": ticket_in(link_in(message)), "password": PASSWORD}
    )
    assert data_of(redeemed)["account"]["email"] == address


def test_a_link_that_an_admin_makes_is_mailed_and_so_is_the_change_of_a_password(
    server: Server, relay: MailRelay
) -> None:
    name = fresh_name("cy")
    address = f"{name}@example.com"
    body = {"username": name, "email": address}
    made = data_of(httpx2.post(f"{server.base_url}/access/accounts", json=body, headers=server.headers), 201)
    reset = f"{server.base_url}/access/accounts/{made['id']}/reset-link"
    shown = data_of(httpx2.post(reset, headers=server.headers), 201)["link"]
    assert server.command("account", "reset-link", name).returncode == 0
    wait_until(lambda: len(sent(relay, "Your password for Stowboard", address)) == 3)
    links = [link_in(message) for message in sent(relay, "Your password for Stowboard", address)]
    assert {made["link"], shown} < set(links)
    (newest,) = set(links) - {made["link"], shown}
    redeemed = Browser(server.origin).post("/session/redeem", json={"ticket": ticket_in(newest), "password": PASSWORD})
    assert redeemed.status_code == 200
    wait_until(lambda: bool(sent(relay, "Your password was changed", address)))
    (message,) = sent(relay, "Your password was changed", address)
    assert name in message.get_content()
    assert PASSWORD not in message.as_string()


def person_with_address(server: Server, relay: MailRelay, name: str) -> tuple[Browser, str]:
    """Somebody whose address an admin has given."""
    address = f"{name}@example.com"
    made = httpx2.post(
        f"{server.base_url}/access/invitations", json={"username": name, "email": address}, headers=server.headers
    )
    browser = Browser(server.origin)
    redeemed = browser.post(
        "/session/redeem", json={"ticket": ticket_in(data_of(made, 201)["link"]), "password": PASSWORD}
    )
    assert (data_of(redeemed)["account"]["email"], data_of(redeemed)["account"]["emailConfirmed"]) == (address, True)
    keep_cookies(browser, redeemed)
    return browser, address


def keep_cookies(browser: Browser, answer: httpx2.Response) -> None:
    """The server thinks that it is asked over https; the tests' client is not."""
    pairs = [cookie.partition(";")[0] for cookie in answer.headers.get_list("set-cookie")]
    browser.headers["cookie"] = "; ".join(pairs)


def test_a_new_address_counts_once_its_link_was_opened_and_the_old_one_is_told(
    server: Server, relay: MailRelay
) -> None:
    name = fresh_name("eve")
    browser, old = person_with_address(server, relay, name)
    new = f"new-{name}@example.com"
    changed = data_of(browser.patch("/api/v1/access/me", json={"email": new}, headers=browser.bearer()))
    assert (changed["email"], changed["pendingEmail"]) == (old, new)
    wait_until(lambda: bool(sent(relay, "Confirm your e-mail address", new)))
    wait_until(lambda: bool(sent(relay, "Your e-mail address", old)))
    assert new in sent(relay, "Your e-mail address", old)[0].get_content()
    Browser(server.origin).post("/session/reset", json={"login": name})
    wait_until(lambda: bool(sent(relay, "A new password", old)))
    ticket = {"ticket": ticket_in(link_in(sent(relay, "Confirm your e-mail address", new)[0]))}
    stranger = Browser(server.origin)
    looked = data_of(stranger.post("/session/ticket", json=ticket))
    assert (looked["purpose"], looked["username"], looked["email"]) == ("email", name, new)
    wrong = ticket | {"password": PASSWORD}
    assert stranger.post("/session/redeem", json=wrong).status_code == 410
    assert data_of(stranger.post("/session/email", json=ticket)) == {"username": name, "email": new}
    assert stranger.post("/session/email", json=ticket).status_code == 410
    Browser(server.origin).post("/session/reset", json={"login": new})
    wait_until(lambda: bool(sent(relay, "A new password", new)))
    assert len(sent(relay, "A new password", old)) == 1


def test_a_session_without_a_fresh_proof_changes_no_address(server: Server, relay: MailRelay) -> None:
    name = fresh_name("fay")
    browser, old = person_with_address(server, relay, name)
    rows(server, "UPDATE session SET stepped_up_at = 0")
    answer = browser.patch("/api/v1/access/me", json={"email": "evil@example.com"}, headers=browser.bearer())
    assert answer.json()["error"]["code"] == "step_up_required"
    assert data_of(browser.get("/api/v1/access/me", headers=browser.bearer()))["email"] == old
    same = browser.patch("/api/v1/access/me", json={"email": old, "displayName": "F"}, headers=browser.bearer())
    assert (data_of(same)["displayName"], data_of(same)["pendingEmail"]) == ("F", None)


def test_no_link_goes_to_an_address_that_nobody_confirmed(server: Server, relay: MailRelay) -> None:
    name, typed = fresh_name("gus"), f"{fresh_name('victim')}@example.com"
    made = httpx2.post(f"{server.base_url}/access/invitations", json={"username": name}, headers=server.headers)
    chosen = {"ticket": ticket_in(data_of(made, 201)["link"]), "password": PASSWORD, "email": typed}
    account = data_of(Browser(server.origin).post("/session/redeem", json=chosen))["account"]
    assert (account["email"], account["pendingEmail"]) == (None, typed)
    wait_until(lambda: bool(sent(relay, "Confirm your e-mail address", typed)))
    for login in (name, typed):
        assert Browser(server.origin).post("/session/reset", json={"login": login}).status_code == 202
    Browser(server.origin).post("/session/reset", json={"login": "alice"})
    reset = httpx2.post(f"{server.base_url}/access/accounts/{account['id']}/reset-link", headers=server.headers)
    assert reset.status_code == 201
    _, address = person_with_address(server, relay, fresh_name("last"))
    Browser(server.origin).post("/session/reset", json={"login": address})
    wait_until(lambda: bool(sent(relay, "A new password", address)))  # all that was asked before it was worked off
    assert {message["subject"] for message in relay.taken if message["to"] == typed} == {"Confirm your e-mail address"}


def test_a_new_password_voids_the_change_of_an_address(server: Server, relay: MailRelay) -> None:
    name = fresh_name("hal")
    browser, old = person_with_address(server, relay, name)
    new = f"new-{name}@example.com"
    browser.patch("/api/v1/access/me", json={"email": new}, headers=browser.bearer())
    wait_until(lambda: bool(sent(relay, "Confirm your e-mail address", new)))
    fresh = {"password": "another four wooden words"}
    assert browser.post("/api/v1/access/me/password", json=fresh, headers=browser.bearer()).status_code == 200
    ticket = {"ticket": ticket_in(link_in(sent(relay, "Confirm your e-mail address", new)[0]))}
    assert Browser(server.origin).post("/session/email", json=ticket).status_code == 410
    me = data_of(browser.get("/api/v1/access/me", headers=browser.bearer()))
    assert (me["email"], me["pendingEmail"]) == (old, None)


#: A letter of its own, if its line ends are decoded into a header.
EVIL = "=?utf-8?q?x=0D=0AContent-Type:_text/html=0D=0A=0D=0A<a_href=//evil.example>Pay?="


def test_the_name_of_a_space_writes_no_letter_of_its_own(server: Server, relay: MailRelay) -> None:
    ivy, _ = person_with_address(server, relay, fresh_name("ivy"))
    address, bearer = f"{fresh_name('victim')}@example.com", ivy.bearer()
    space = data_of(ivy.post("/api/v1/spaces", json={"name": EVIL}, headers=bearer), 201)["id"]
    body = {"role": "viewer", "email": address}
    made = data_of(ivy.post(f"/api/v1/spaces/{space}/invitations", json=body, headers=bearer), 201)
    wait_until(lambda: any(f"To: {address}".encode() in raw for raw in relay.raw))
    (raw,) = [raw for raw in relay.raw if f"To: {address}".encode() in raw]
    head, _, text = raw.partition(b"\r\n\r\n")
    assert b"evil.example" not in head
    assert head.lower().count(b"content-type") == 1
    assert subject_in(raw) == f"You were invited to {EVIL}"
    assert ticket_in(made["link"]).encode() in text.replace(b"=\r\n", b"").replace(b"=3D", b"=")


def test_an_address_that_asked_for_nothing_gets_ten_letters_an_hour(server: Server, relay: MailRelay) -> None:
    (jay, _), (kim, _) = (person_with_address(server, relay, fresh_name(name)) for name in ("jay", "kim"))
    victim = f"{fresh_name('victim')}@example.com"
    spaces = [
        (person, data_of(person.post("/api/v1/spaces", json={"name": "Home"}, headers=person.bearer()), 201)["id"])
        for person in (jay, kim)
    ]

    def invite(place: tuple[Browser, str], address: str) -> httpx2.Response:
        person, space = place
        body = {"role": "viewer", "email": address}
        return person.post(f"/api/v1/spaces/{space}/invitations", json=body, headers=person.bearer())

    answers = [invite(spaces[number % 2], (number % 3 and victim) or victim.upper()) for number in range(11)]
    assert [answer.status_code for answer in answers] == [201] * 10 + [429]
    assert 300 < int(answers[-1].headers["retry-after"]) <= 360
    assert "Hand the link over" in answers[-1].json()["error"]["message"]
    others = [invite(spaces[0], f"{fresh_name('other')}@example.com").status_code for _ in range(6)]
    assert others == [201] * 5 + [429]  # five of jay's ten went to the victim
    person, space = spaces[0]
    by_hand = {"role": "viewer"}
    assert person.post(f"/api/v1/spaces/{space}/invitations", json=by_hand, headers=person.bearer()).status_code == 201
    wait_until(lambda: len(sent(relay, "You were invited to Home", victim)) == 6)
    assert len([message for message in relay.taken if str(message["to"]).lower() == victim]) == 10


@pytest.mark.parametrize(
    "address",
    [
        "a@b.example, c@d.example", "nonsense", "a@b", "a@b.example\r\nBcc: c@d.example", "=?utf-8?q?a?=@b.example",
        "<a@b.example>", "Ann <a@b.example>", '"a b"@b.example', "a@[127.0.0.1]", "a@127.0.0.1", "a..b@c.example",
        "a@b.example\n", "a@-b.example", "ä@b.example", f"{'a' * 65}@b.example", f"a@{'c.' * 130}example",
        "",
    ],
)  # fmt: skip
def test_what_is_not_one_address_is_refused_wherever_one_is_given(
    server: Server, relay: MailRelay, alice: str, address: str
) -> None:
    with httpx2.Client(base_url=server.base_url, headers=server.headers) as admin:
        account = next(each for each in data_of(admin.get("/access/accounts")) if each["username"] == alice)
        asked = [
            admin.post("/spaces/spc_library/invitations", json={"role": "viewer", "email": address}),
            admin.post("/access/invitations", json={"email": address}),
            admin.post("/access/accounts", json={"username": fresh_name("no"), "email": address}),
            admin.patch(f"/access/accounts/{account['id']}", json={"email": address}),
        ]
    assert {(answer.status_code, answer.json()["error"]["code"]) for answer in asked} == {(400, "validation_failed")}
    assert all("email" in answer.json()["error"]["message"] for answer in asked)
    assert server.command("account", "invite", "--email", address).returncode != 0


def test_letters_that_nobody_asked_for_wait_in_a_lane_of_their_own(server: Server, relay: MailRelay) -> None:
    relay.answer = lambda: "451 later"
    try:
        body = {"email": f"{fresh_name('di')}@example.com"}
        data_of(httpx2.post(f"{server.base_url}/access/invitations", json=body, headers=server.headers), 201)
        waiting = rows(server, "SELECT queue FROM job WHERE kind = 'access.mail_unasked'")
        assert {row[0] for row in waiting} == {"letter"}
    finally:
        relay.answer = lambda: TAKEN


def test_a_letter_waits_sealed_while_the_relay_is_away(server: Server, relay: MailRelay) -> None:
    offered, relay.answer = relay.offered, lambda: "451 later"
    try:
        body = {"email": f"{fresh_name('di')}@example.com"}
        made = data_of(httpx2.post(f"{server.base_url}/access/invitations", json=body, headers=server.headers), 201)
        wait_until(lambda: relay.offered > offered)
        listed = server.command("jobs", "list")
        assert "access.mail_unasked" in listed.stdout
        assert ticket_in(made["link"]) not in listed.stdout + server.log()
    finally:
        relay.answer = lambda: TAKEN


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
