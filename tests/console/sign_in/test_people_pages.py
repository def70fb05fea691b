"""The pages on which people set up, sign in and out, in a browser, in light and dark, on a phone, and read by axe."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from playwright.sync_api import expect

from support.api.answers import data_of
from support.clients.people import PASSWORD, Browser, fresh_name, invited
from support.clients.space_people import SpacePerson, people
from support.console.visitor import PATIENCE_MS
from support.mail.relay import MailRelay
from support.servers.stowboard import Server
from support.waiting import wait_until

AXE = Path(__file__).parents[2] / "tools" / "node_modules" / "axe-core" / "axe.min.js"
PHONE = {"width": 320, "height": 640}
PAGES = ["/signin", "/setup", "/invite", "/reset", "/signout"]


class Visit:
    """A page of a browser that notes what it asked for and what it complained about."""

    def __init__(self, page: Any, origin: str) -> None:
        self.page, self.origin = page, origin
        self.elsewhere: list[str] = []
        self.complaints: list[str] = []
        page.on("request", self._note)
        page.on("console", self._complain)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def go(self, path: str) -> None:
        self.page.goto(self.origin + path)

    def path(self) -> str:
        return str(self.page.url).removeprefix(self.origin)

    def _note(self, request: Any) -> None:
        if not request.url.startswith(self.origin + "/"):
            self.elsewhere.append(request.url)

    def _complain(self, message: Any) -> None:
        # A refused answer is an error to the console; the page shows it to the person.
        if message.type == "error" and "the server responded with a status of 4" not in message.text:
            self.complaints.append(message.text)


@pytest.fixture(scope="module")
def server(make_server: Callable[[dict[str, str]], Server]) -> Server:
    """One is enough: the pages know nothing of databases."""
    return make_server({"STOWBOARD_SIGN_INS_PER_MINUTE": "100000"})


@pytest.fixture
def visit(server: Server, browser: Any) -> Iterator[Visit]:
    context = browser.new_context()
    context.set_default_timeout(PATIENCE_MS)
    visit = Visit(context.new_page(), server.origin)
    yield visit
    assert (visit.elsewhere, visit.complaints) == ([], [])
    context.close()


@pytest.mark.parametrize("path", ["/signin", "/setup", "/signout"])
def test_a_click_before_the_script_is_there_does_nothing(visit: Visit, path: str) -> None:
    """A form would send it by itself, as another page."""
    late: list[Any] = []
    visit.page.route("**/pages/people.js", lambda route: late.append(route))
    visit.page.goto(visit.origin + path, wait_until="commit")
    visit.page.wait_for_selector("form", state="attached")
    ready = visit.page.locator("form button:enabled")
    assert ready.count() == 0
    wait_until(lambda: visit.page.evaluate("1") == 1 and late != [])
    late.pop().continue_()
    expect(visit.page.locator("form button:disabled")).to_have_count(0)
    assert ready.count() > 0


def link(server: Server, path: str, body: dict[str, Any] | None = None) -> str:
    answer = httpx2.post(server.base_url + path, json=body or {}, headers=server.headers)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["data"]["link"]).removeprefix(server.origin)


def is_the_console(url: str) -> bool:
    """It goes on from / to its first screen; where it was not built, / says so."""
    return urlsplit(url).path in ("/", "/media")


def sign_in(visit: Visit, name: str, password: str = PASSWORD) -> None:
    visit.page.fill("#username", name)
    visit.page.fill("#password", password)
    visit.page.click("button")


def test_somebody_invited_chooses_a_name_and_a_password_and_is_in(server: Server, visit: Visit) -> None:
    name = fresh_name("ivy")
    visit.go(link(server, "/access/invitations", {"email": "ivy@example.com"}))
    page = visit.page
    page.wait_for_selector("form:not([hidden])")
    expect(page.locator("#username")).to_be_focused()
    assert page.input_value("#email") == "ivy@example.com"
    page.fill("#username", name)
    page.fill("#password", "password1234")
    page.click("button")
    assert "tried first" in page.wait_for_selector("form [role=alert]:not([hidden])").inner_text()
    page.fill("#password", PASSWORD)
    page.click("button")
    page.wait_for_url(is_the_console)
    state = page.evaluate("fetch('/session').then(answer => answer.json())")
    assert state["data"]["account"]["username"] == name
    assert state["data"]["account"]["email"] == "ivy@example.com"


def test_a_name_that_an_admin_gave_is_shown_and_stays(server: Server, visit: Visit) -> None:
    name = fresh_name("max")
    visit.go(link(server, "/access/invitations", {"username": name}))
    visit.page.wait_for_selector("form:not([hidden])")
    assert visit.page.input_value("#username") == name
    assert visit.page.locator("#username").get_attribute("readonly") is not None


def test_a_person_signs_in_is_told_what_was_wrong_and_goes_on(server: Server, visit: Visit) -> None:
    name = fresh_name("ann")
    invited(server, name)
    visit.go("/signin?next=/docs/errors")
    sign_in(visit, name, "not the right words")
    assert "is wrong" in visit.page.wait_for_selector("[role=alert]:not([hidden])").inner_text()
    sign_in(visit, name)
    visit.page.wait_for_url(f"{server.origin}/docs/errors")
    visit.go("/signin?next=/docs")  # a person who is signed in goes on at once
    assert visit.path() == "/docs"
    visit.go("/signout")
    visit.page.click("button")
    visit.page.wait_for_url("**/signin")
    assert visit.page.evaluate("fetch('/session').then(answer => answer.status)") == 401


def test_nobody_is_led_to_another_site_by_signing_in(server: Server, visit: Visit) -> None:
    name = fresh_name("joe")
    invited(server, name)
    for onward in ("https://evil.example/", "/\\evil.example", "/\t/evil.example", "javascript:alert(1)"):
        visit.go("/signin?" + str(httpx2.QueryParams({"next": onward})))
        sign_in(visit, name)
        visit.page.wait_for_url(lambda url: "/signin" not in url)
        visit.page.wait_for_load_state()
        assert visit.page.url.startswith(server.origin + "/")
        visit.page.goto("about:blank")  # a page that loses its session goes to the sign-in by itself
        visit.page.context.clear_cookies()


def test_nobody_who_is_signed_in_is_led_to_another_site(server: Server, visit: Visit) -> None:
    name = fresh_name("joe")
    invited(server, name)
    visit.go("/signin")
    sign_in(visit, name)
    visit.page.wait_for_url(lambda url: "/signin" not in url)
    for onward in (
        "https://evil.example/", "//evil.example/", "/\\evil.example", "\\\\evil.example", "javascript:alert(1)",
        "evil", "/%09/evil.example", "/\t/evil.example", "/\n//evil.example", "data:text/html,x",
        "http:evil.example", "",
    ):  # fmt: skip
        visit.go("/signin?" + str(httpx2.QueryParams({"next": onward})))
        assert visit.page.url.startswith(server.origin + "/"), onward


def test_a_password_is_chosen_anew_by_a_link_that_works_once(server: Server, visit: Visit) -> None:
    name, fresh = fresh_name("kim"), "another four wooden words"
    browser = invited(server, name)
    account = browser.get("/session").json()["data"]["account"]["id"]
    path = link(server, f"/access/accounts/{account}/reset-link")
    visit.go(path)
    visit.page.wait_for_selector("form:not([hidden])")
    visit.page.fill("#password", fresh)
    visit.page.click("form[data-form=redeem] button")
    visit.page.wait_for_url("**/signin")
    sign_in(visit, name, fresh)
    visit.page.wait_for_url(is_the_console)
    visit.go(path)
    assert "was used" in visit.page.wait_for_selector("[data-refused]:not([hidden])").inner_text()
    assert Browser(server.origin).sign_in(name).status_code == 401


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_never_framed_and_loads_nothing_from_elsewhere(server: Server, path: str) -> None:
    answer = httpx2.get(server.origin + path)
    policy = dict(part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["frame-ancestors"] == "'none'"
    assert "unsafe" not in str(policy)
    assert answer.headers["x-frame-options"] == "DENY"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "access-control-allow-origin" not in answer.headers
    assert "<script>" not in answer.text
    assert "style=" not in answer.text


def test_a_browser_refuses_to_show_a_page_in_a_frame(server: Server, browser: Any, tmp_path: Path) -> None:
    page = browser.new_page()
    page.set_default_timeout(PATIENCE_MS)
    (tmp_path / "frame.html").write_text(f'<iframe src="{server.origin}/signin"></iframe>')
    page.goto(f"file://{tmp_path}/frame.html")
    page.wait_for_load_state("networkidle")
    assert not [frame for frame in page.frames[1:] if frame.query_selector("#password")]
    page.close()


def axe_of(page: Any) -> Any:
    """Through the debugger: the policy of the pages lets nobody add a script."""
    page.evaluate(AXE.read_text("utf-8"))
    return page.evaluate("axe.run().then(({violations}) => violations.map(({id, nodes}) => [id, nodes.length]))")


@pytest.mark.parametrize("path", PAGES)
def test_a_page_can_be_used_by_everybody(server: Server, browser: Any, path: str) -> None:
    if not AXE.exists():
        pytest.skip("NOT TESTED: axe-core is not installed (npm ci in tests/tools)")
    context = browser.new_context(viewport=PHONE)
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    if path in ("/setup", "/invite"):
        page.goto(server.origin + link(server, "/access/invitations").replace("/invite", path))
    else:
        page.goto(server.origin + path)
    page.wait_for_load_state("networkidle")
    page.evaluate("for (const form of document.forms) form.hidden = false")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert axe_of(page) == [], scheme
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    context.close()


def test_an_address_is_confirmed_by_the_link_that_was_mailed_to_it(
    make_server: Callable[[dict[str, str]], Server], browser: Any
) -> None:
    with MailRelay() as relay:
        mail = {"STOWBOARD_SMTP_URL": relay.url, "STOWBOARD_MAIL_FROM": "stow@example.org"}
        server = make_server(mail | {"STOWBOARD_PUBLIC_URL": "http://stow.example.org"})
        person = invited(server, "eve")
        changed = person.patch("/api/v1/access/me", json={"email": "eve@example.com"}, headers=person.bearer())
        assert changed.json()["data"]["pendingEmail"] == "eve@example.com"
        wait_until(lambda: bool(relay.taken))
        (link,) = [word for word in relay.taken[0].get_content().split() if "/email#ticket=" in word]
        page = browser.new_context().new_page()
        page.goto(server.origin + link.removeprefix("http://stow.example.org"))
        form = page.wait_for_selector("form:not([hidden])")
        assert "eve@example.com the e-mail address of eve" in form.inner_text()
        page.click("text=Confirm this address")
        page.wait_for_selector("text=The address is confirmed.")
        page.context.close()
        me = person.get("/api/v1/access/me", headers=person.bearer()).json()["data"]
        assert (me["email"], me["emailConfirmed"], me["pendingEmail"]) == ("eve@example.com", True, None)


def test_an_invitation_to_a_space_leads_through_the_sign_in_into_the_space(visit: Visit, server: Server) -> None:
    with people(server, "alice", "bob") as (alice, bob):
        home = alice.make_space()
        invitation = data_of(alice.api.post(f"/spaces/{home}/invitations", json={"role": "editor"}), 201)
        visit.go(urlsplit(invitation["link"])._replace(scheme="", netloc="").geturl())
        link = urlsplit(invitation["link"])._replace(scheme="", netloc="").geturl()
        visit.go(link)
        expect(visit.page.get_by_text(f"{alice.name} invites you to the space Home, as editor.")).to_be_visible()
        expect(visit.page.get_by_text("No account here? Ask")).to_be_visible()
        expect(visit.page.get_by_role("button", name="Sign in with this link")).to_have_count(0)
        assert axe_of(visit.page) == []
        visit.page.get_by_label("Username").fill(bob.name)
        visit.page.get_by_label("Password", exact=True).fill(PASSWORD)
        visit.page.get_by_role("button", name="Sign in", exact=True).click()
        visit.page.wait_for_url(f"**/spaces/{home}")
        assert bob.role_in(home) == "editor"
        visit.go(link)
        visit.page.wait_for_url(f"**/spaces/{home}")
        visit.go("/join#ticket=stowt_never")
        expect(visit.page.get_by_role("alert")).to_contain_text("was used, has expired or was never made here")


def test_somebody_who_is_signed_in_joins_a_space_with_one_click_or_as_somebody_else(
    visit: Visit, server: Server
) -> None:
    with people(server, "alice", "bob", "carol") as (alice, bob, carol):
        home = alice.make_space()
        invitation = data_of(alice.api.post(f"/spaces/{home}/invitations", json={"role": "viewer"}), 201)
        visit.go("/signin")
        sign_in(visit, alice.name)
        visit.page.wait_for_url(is_the_console)
        visit.page.goto(invitation["link"])
        visit.page.wait_for_url(f"**/spaces/{home}")  # she is in it
        visit.go("/signin?again=1")
        sign_in(visit, carol.name)
        visit.page.wait_for_url(is_the_console)
        visit.page.goto(invitation["link"])
        expect(visit.page.get_by_role("button", name="Join the space")).to_be_enabled()
        visit.page.get_by_role("link", name="Not you?").click()
        visit.page.get_by_label("Username").fill(bob.name)
        visit.page.get_by_label("Password", exact=True).fill(PASSWORD)
        visit.page.get_by_role("button", name="Sign in", exact=True).click()
        visit.page.get_by_text(f"You are signed in as {bob.name}").wait_for()
        visit.page.get_by_role("button", name="Join the space").click()
        visit.page.wait_for_url(f"**/spaces/{home}")
        assert bob.role_in(home) == "viewer"


def test_an_admins_invitation_to_a_space_makes_the_account_and_leads_into_the_space(
    visit: Visit, server: Server
) -> None:
    admin, name = SpacePerson(server, "boss", "admin"), fresh_name("newcomer")
    with admin.api:
        home = admin.make_space("Kitchen")
        invitation = data_of(admin.api.post(f"/spaces/{home}/invitations", json={"role": "editor"}), 201)
        visit.page.goto(invitation["link"])
        visit.page.get_by_text(f"{admin.name} invites you to the space Kitchen").wait_for()
        assert axe_of(visit.page) == []
        visit.page.get_by_role("button", name="Create an account").click()
        expect(visit.page.get_by_label("Username")).to_be_focused()
        assert axe_of(visit.page) == []
        visit.page.get_by_label("Username").fill(name)
        visit.page.get_by_label("Password").fill(PASSWORD)
        visit.page.get_by_role("button", name="Create account").click()
        visit.page.wait_for_url(f"**/spaces/{home}")
        members = data_of(admin.api.get(f"/spaces/{home}/members"))
        assert {each["username"]: each["role"] for each in members} == {admin.name: "manager", name: "editor"}
