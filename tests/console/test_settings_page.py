"""Settings: tokens, webhooks, calendar and applications of people, and what admins see and do."""

import base64
from collections.abc import Callable, Iterator

import httpx2
import pytest
from playwright.sync_api import expect

from stowboard import __version__
from support.clients.applications import registered
from support.clients.credentials import bearer
from support.clients.people import PASSWORD, Browser, fresh_name
from support.console.scenes import draw
from support.console.settings import grow_old, line, shown_once
from support.console.visitor import DESKTOP, PHONE, Visitor
from support.servers.stowboard import Server
from support.stored.rows import rows
from support.waiting import wait_until
from support.webhooks.receiver import Answer, Receiver

Visit = Callable[..., Visitor]
#: Every part, and what is there once it has loaded.
PARTS = {
    "Profile": "#email",
    "Signing in": "text=There are none.",
    "Sessions": "text=This browser",
    "Access tokens": "text=You have made no tokens.",
    "Connected applications": "text=You have let no application act for you.",
    "Notifications": "text=Nothing is sent anywhere.",
    "Webhooks": "text=There are no webhooks yet.",
    "Calendar": "text=You have one address at a time",
    "Import": "input[type=file]",
    "Sealed texts": "text=No passphrase is set",
    "Appearance": "text=Kept on this device",
    "People": "ul[aria-label=Accounts]",
    "Tokens and clients": "ul[aria-label=Tokens]",
    "Image sizes": "ul[aria-label=Sizes] img",
    "Storage": "table",
    "Queue": "dl",
    "Audit log": "ul[aria-label=Entries]",
    "About": "text=Stowboard 0.",
}


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as receiver:
        yield receiver


def test_a_token_is_shown_once_works_and_is_revoked(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/settings/tokens")
    visitor.role("button", "New token").click()
    visitor.page.get_by_label("What it is for").fill("nightly report")
    visitor.page.get_by_label("See assets and videos").uncheck()
    visitor.page.get_by_label("It ends after").select_option("30 days")
    visitor.role("button", "Create").click()
    token = shown_once(visitor, "Token. Copy it now: it is shown only once.")
    found = httpx2.get(f"{visitor.server.base_url}/access/token", headers=bearer(token)).json()["data"]
    assert (found["scopes"], found["owner"]) == (["tasks:read"], visitor.name)
    assert token not in visitor.page.content()
    expect(line(visitor, "Tokens", "nightly report")).to_contain_text("tasks:read")
    visitor.role("button", "Revoke nightly report").click()
    visitor.role("button", "Revoke").click()
    expect(visitor.page.get_by_text("You have made no tokens.")).to_be_visible()
    wait_until(lambda: httpx2.get(f"{visitor.server.base_url}/tasks", headers=bearer(token)).status_code == 401)


def test_a_webhook_is_tested_and_what_failed_is_replayed(visit: Visit, receiver: Receiver) -> None:
    visitor = visit()
    receiver.answer = lambda _: Answer(status=500, body=b"not today")
    visitor.go("/settings/webhooks")
    visitor.role("button", "New webhook").click()
    visitor.page.get_by_label("Address").fill(receiver.url)
    visitor.role("dialog", "New webhook").get_by_label("Name").fill("n8n")
    visitor.role("button", "Create").click()
    first = shown_once(visitor, "Secret of the webhook. Copy it now: it is shown only once.")
    assert first.startswith("whsec_")
    visitor.role("button", "Send a test").click()
    wait_until(lambda: len(receiver.received) == 1)
    receiver.answer = lambda _: Answer()
    sent = line(visitor, "Deliveries", "webhook.test")

    def tried() -> bool:
        visitor.role("button", "Refresh").click()
        return "tried once" in str(sent.inner_text())

    wait_until(tried)
    visitor.role("button", "Attempts of webhook.test").click()
    expect(visitor.page.get_by_text("not today")).to_be_visible()
    visitor.role("button", "Replay webhook.test").click()
    wait_until(lambda: len(receiver.received) >= 2)
    wait_until(lambda: (visitor.role("button", "Refresh").click(), "delivered" in str(sent.inner_text()))[1])
    visitor.role("button", "New secret").click()
    visitor.role("button", "Make a new secret").click()
    assert shown_once(visitor, "Secret of the webhook. Copy it now: it is shown only once.") != first
    visitor.role("button", "Turn off").click()
    expect(visitor.role("button", "Turn on")).to_be_visible()
    rows(visitor.server, f"UPDATE webhook SET disabled_reason = 'access' WHERE owner = '{visitor.name}'")
    visitor.page.reload()
    said = "Off: the account was disabled, or the application that made it was disconnected"
    expect(visitor.page.get_by_text(said)).to_be_visible()
    visitor.role("button", "Delete").click()
    visitor.role("dialog", "Delete n8n").get_by_role("button", name="Delete").click()
    expect(visitor.page.get_by_text("There are no webhooks yet.")).to_be_visible()


def test_a_calendar_is_made_and_ended(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/settings/calendar")
    visitor.role("button", "Make an address").click()
    url = shown_once(visitor, "Address of your calendar. Copy it now: it is shown only once.")
    assert "BEGIN:VCALENDAR" in httpx2.get(url).text
    for said in (None, "There is no address."):
        visitor.role("button", "End the address").click()
        visitor.role("button", "End it").click()
        if said is not None:
            expect(visitor.page.get_by_text(said)).to_be_visible()
        else:
            expect(visitor.role("button", "End it")).to_have_count(0)
    assert httpx2.get(url).status_code == 404


def test_an_application_that_is_revoked_is_out(visit: Visit, console_server: Server) -> None:
    visitor = visit()
    app, person = registered(console_server, name="Photo frame"), Browser(console_server.origin)
    assert person.sign_in(visitor.name).is_success
    tokens = app.sign_in(person)
    mine = {"authorization": f"Bearer {tokens['access_token']}"}
    assert httpx2.get(f"{console_server.base_url}/taskapp/boards", headers=mine).is_success
    visitor.go("/media")
    visitor.role("link", "Media").wait_for()
    visitor.page.keyboard.press("Control+k")
    visitor.page.get_by_label("Search or command").fill("settings applications")
    expect(visitor.role("dialog", "Commands").get_by_role("option")).to_have_count(1)
    visitor.page.keyboard.press("Enter")
    visitor.role("button", "Revoke Photo frame").click()
    visitor.role("button", "Revoke").click()
    expect(visitor.page.get_by_text("You have let no application act for you.")).to_be_visible()
    wait_until(lambda: httpx2.get(f"{console_server.base_url}/taskapp/boards", headers=mine).status_code == 401)
    assert not app.refresh(tokens["refresh_token"]).is_success


def test_an_admin_invites_resets_disables_and_promotes(visit: Visit, console_server: Server) -> None:
    visitor = visit(role="admin")
    name = fresh_name("newcomer")
    grow_old(visitor)
    visitor.go("/settings/people")
    visitor.role("dialog", "Confirm that it is you").get_by_label("Password").fill(PASSWORD)
    visitor.role("button", "Confirm").click()
    visitor.role("button", "Invite").click()
    visitor.page.get_by_label("E-mail address (a note)").fill("new@example.com")
    visitor.role("button", "Make a link").click()
    assert "/invite#ticket=" in shown_once(visitor, "Link. Copy it now: it is shown only once.")
    visitor.role("button", "Withdraw the invitation of new@example.com").click()
    expect(line(visitor, "Invitations", "new@example.com")).to_have_count(0)

    visitor.role("button", "New account").click()
    visitor.page.get_by_label("Username (cannot be changed)").fill(name)
    visitor.role("button", "Create").click()
    ticket = shown_once(visitor, "Link. Copy it now: it is shown only once.").partition("#ticket=")[2]
    browser = Browser(console_server.origin)
    assert browser.post("/session/redeem", json={"ticket": ticket, "password": PASSWORD}).is_success

    def choose(action: str) -> None:
        visitor.role("button", f"Actions for {name}").click()
        visitor.role("menuitem", action).click()

    choose("Make an admin")
    expect(line(visitor, "Accounts", name).locator(".badge", has_text="admin")).to_be_visible()
    choose("Disable")
    expect(line(visitor, "Accounts", name).get_by_text("disabled")).to_be_visible()
    wait_until(lambda: browser.get("/session").status_code == 401)
    choose("Enable")
    expect(line(visitor, "Accounts", name).get_by_text("disabled")).to_have_count(0)
    choose("Link for a new password")
    assert "/reset#ticket=" in shown_once(visitor, "Link. Copy it now: it is shown only once.")
    choose("Delete")
    visitor.page.get_by_label(f"Type {name} to confirm").fill(name)
    visitor.role("dialog", f"Delete {name}").get_by_role("button", name="Delete").click()
    expect(line(visitor, "Accounts", name)).to_have_count(0)


def test_an_admin_sees_tokens_clients_jobs_the_log_and_the_version(visit: Visit, console_server: Server) -> None:
    visitor = visit(role="admin")
    visitor.go("/settings/access")
    visitor.role("button", "Issue a token").click()
    visitor.page.get_by_label("Owner (whose tasks it works on)").fill("robot")
    visitor.page.get_by_label("What it is for").fill("importer")
    visitor.role("button", "Issue").click()
    assert shown_once(visitor, "Token. Copy it now: it is shown only once.").startswith("stow_")
    visitor.role("button", "Revoke importer").click()
    visitor.role("button", "Revoke").click()
    expect(line(visitor, "Tokens", "importer")).to_have_count(0)
    visitor.role("button", "Register a client").click()
    visitor.page.get_by_label("Owner (whose tasks it works on)").fill("robot")
    visitor.role("dialog", "Register a client").get_by_label("Name", exact=True).fill("blog importer")
    visitor.role("button", "Register").click()
    assert "\n" in shown_once(visitor, "Id and secret of the client. Copy it now: it is shown only once.")
    visitor.role("button", "Remove blog importer").click()
    visitor.role("dialog", "Remove blog importer").get_by_role("button", name="Remove").click()
    expect(line(visitor, "Clients", "blog importer")).to_have_count(0)
    visitor.role("button", "Register an application").click()
    visitor.page.get_by_label("Name that people see").fill("Weather wall")
    visitor.page.get_by_label("Redirect addresses").fill("https://frame.example.com/back")
    visitor.role("button", "Register").click()
    expect(line(visitor, "Applications", "Weather wall")).to_contain_text("https://frame.example.com/back")
    visitor.role("button", "Remove Weather wall").click()
    visitor.role("dialog", "Remove Weather wall").get_by_role("button", name="Remove").click()
    expect(line(visitor, "Applications", "Weather wall")).to_have_count(0)

    rows(
        console_server,
        "INSERT INTO job (id, queue, kind, args, due, attempt, error, dead, created_at) VALUES"
        " ('job_dead', 'sweep', 'access.sweep_codes', '{}', 1794700000000, 8, 'the disk was full', 1, 1794600000000)",
    )
    visitor.role("link", "Queue").click()
    expect(line(visitor, "Jobs", "the disk was full")).to_be_visible()
    expect(line(visitor, "Jobs", "the disk was full")).to_contain_text("Remove old sign-in codes")
    visitor.role("button", "Retry: Remove old sign-in codes").click()
    expect(line(visitor, "Jobs", "the disk was full")).to_have_count(0)
    visitor.role("link", "Audit log").click()
    visitor.page.get_by_label("What").select_option("Ran a job again")
    visitor.role("button", "Show").click()
    expect(line(visitor, "Entries", "job_dead")).to_contain_text(f"{visitor.name} ran a job again")
    visitor.role("link", "About").click()
    expect(visitor.page.get_by_text(__version__, exact=True)).to_be_visible()


def test_what_is_for_admins_is_not_shown_to_members(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/settings/people")
    visitor.role("heading", "There is nothing here").wait_for()
    expect(visitor.role("link", "Audit log")).to_have_count(0)
    visitor.role("link", "About").click()
    visitor.page.locator(".version").wait_for()
    with visitor.context.expect_page() as manual:
        visitor.role("link", "Manual").click()
    expect(manual.value.get_by_role("link", name="The console", exact=True).first).to_be_visible()


@pytest.mark.parametrize("viewport", [DESKTOP, pytest.param(PHONE, marks=pytest.mark.soak)], ids=["desktop", "phone"])
def test_axe_finds_nothing_wrong_in_the_settings(
    visit: Visit, console_server: Server, viewport: dict[str, int]
) -> None:
    name, picture = draw(0, grain=4)
    body = {"filename": name, "data": base64.b64encode(picture).decode()}
    sent = httpx2.post(f"{console_server.base_url}/media/upload/image", json=body, headers=console_server.headers)
    assert sent.status_code == 201, sent.text
    visitor = visit(role="admin", viewport=viewport)
    visitor.go("/settings")
    wrong = []
    for part, loaded in PARTS.items():
        visitor.role("navigation", "Parts of the settings").get_by_role("link", name=part, exact=True).click()
        visitor.page.locator(f".part {loaded}" if not loaded.startswith("text=") else loaded).first.wait_for()
        wrong += [f"{part}: {each}" for each in visitor.axe(dark=viewport is PHONE)]
    visitor.role("link", "Access tokens").click()
    visitor.role("button", "New token").click()
    wrong += [f"dialog: {each}" for each in visitor.axe()]
    assert wrong == []


def test_an_installation_without_an_operator_s_address_says_why_there_are_no_pushes(visit: Visit) -> None:
    visitor = visit()
    # This browser refuses everything by itself.
    visitor.page.add_init_script("Object.defineProperty(Notification, 'permission', { value: 'default' })")
    visitor.go("/settings/notifications")
    expect(visitor.page.get_by_role("note")).to_contain_text("STOWBOARD_MAIL_FROM")
    expect(visitor.role("button", "Tell me in this browser")).to_have_count(0)
