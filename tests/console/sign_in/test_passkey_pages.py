"""Passkeys in a browser, with an authenticator that the browser itself simulates."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from support.clients.applications import granted, parameters_of, registered
from support.clients.passkeys import named_origin
from support.clients.people import PASSWORD, Browser, fresh_name, invited
from support.console.visitor import PATIENCE_MS
from support.servers.stowboard import Server
from support.stored.rows import rows

#: Where nobody listens: the browser's request is answered by the test.
CALLBACK = "http://127.0.0.1:49998/callback"
AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}
REGISTER = """async () => {
    const token = await (await fetch("/session/token", {
        method: "POST", headers: {"content-type": "application/json"}, body: "{}"})).json();
    const headers = {authorization: `Bearer ${token.access_token}`, "content-type": "application/json"};
    const asked = await (await fetch("/api/v1/access/me/passkeys/options", {method: "POST", headers})).json();
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(asked.data.publicKey);
    let credential;
    try {
        credential = await navigator.credentials.create({publicKey});
    } catch (problem) {
        return problem.name;
    }
    const body = JSON.stringify({name: "test", credential: credential.toJSON()});
    return (await fetch("/api/v1/access/me/passkeys", {method: "POST", headers, body})).status;
}"""
ASK_FOR_TWO_FACTORS = """async () => {
    const token = await (await fetch("/session/token", {
        method: "POST", headers: {"content-type": "application/json"}, body: "{}"})).json();
    const headers = {authorization: `Bearer ${token.access_token}`, "content-type": "application/json"};
    const body = JSON.stringify({twoFactor: true});
    await fetch("/api/v1/access/me", {method: "PATCH", headers, body});
    const made = await fetch("/api/v1/access/me/recovery-codes", {method: "POST", headers});
    return (await made.json()).data.codes;
}"""
WHO = "fetch('/session').then(answer => answer.json()).then(answer => answer.data)"


@pytest.fixture(scope="module")
def server(make_server: Callable[[dict[str, str]], Server]) -> Server:
    return make_server({"STOWBOARD_SIGN_INS_PER_MINUTE": "100000"})


class Visit:
    """A page with an authenticator."""

    def __init__(self, page: Any, origin: str) -> None:
        self.page, self.origin = page, origin
        self._devtools = page.context.new_cdp_session(page)
        self._devtools.send("WebAuthn.enable")
        made = self._devtools.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
        self._authenticator = made["authenticatorId"]

    def verify(self, right: bool) -> None:
        """Make the person's finger the right one, or a wrong one."""
        values = {"authenticatorId": self._authenticator, "isUserVerified": right}
        self._devtools.send("WebAuthn.setUserVerified", values)

    def touch_by_itself(self, does: bool) -> None:
        values = {"authenticatorId": self._authenticator, "enabled": does}
        self._devtools.send("WebAuthn.setAutomaticPresenceSimulation", values)

    def go(self, path: str) -> None:
        self.page.goto(self.origin + path)

    def sign_in(self, name: str) -> None:
        self.go("/signin?next=/docs/errors")
        self.page.fill("#username", name)
        self.page.fill("#password", PASSWORD)
        self.page.click("form[data-form=signin] button")
        self.page.wait_for_url(f"{self.origin}/docs/errors")

    def sign_out(self) -> None:
        self.page.evaluate("fetch('/session', {method: 'DELETE'})")


@pytest.fixture
def visit(server: Server, browser: Any) -> Iterator[Visit]:
    context = browser.new_context()
    context.set_default_timeout(PATIENCE_MS)
    yield Visit(context.new_page(), named_origin(server))
    context.close()


def test_a_person_makes_a_passkey_and_comes_back_with_it(server: Server, visit: Visit) -> None:
    name = fresh_name("pam")
    invited(server, name)
    visit.sign_in(name)
    assert visit.page.evaluate(REGISTER) == 201
    visit.sign_out()
    visit.touch_by_itself(False)  # so that the suggestion in the field waits
    visit.go("/signin?next=/docs/errors")
    visit.page.wait_for_selector("form[data-form=passkey]:not([hidden])")
    visit.touch_by_itself(True)
    visit.page.click("form[data-form=passkey] button")
    visit.page.wait_for_url(f"{visit.origin}/docs/errors")
    state = visit.page.evaluate(WHO)
    assert (state["account"]["username"], state["session"]["method"]) == (name, "passkey")


def test_a_passkey_is_suggested_in_the_field_of_the_username(server: Server, visit: Visit) -> None:
    name = fresh_name("sue")
    invited(server, name)
    visit.sign_in(name)
    assert visit.page.evaluate(REGISTER) == 201
    visit.sign_out()
    visit.go("/signin?next=/docs/errors")  # the simulated authenticator takes the suggestion
    visit.page.wait_for_url(f"{visit.origin}/docs/errors")
    assert visit.page.evaluate(WHO)["session"]["method"] == "passkey"


def test_after_the_password_a_passkey_or_a_code_is_asked_for(server: Server, visit: Visit) -> None:
    name = fresh_name("two")
    invited(server, name)
    visit.sign_in(name)
    assert visit.page.evaluate(REGISTER) == 201
    codes = visit.page.evaluate(ASK_FOR_TWO_FACTORS)
    for second in ("passkey", "recovery"):
        visit.sign_out()
        visit.touch_by_itself(False)
        visit.go("/signin?next=/docs/errors")
        visit.page.wait_for_selector("form[data-form=passkey]:not([hidden])")
        visit.page.fill("#username", name)
        visit.page.fill("#password", PASSWORD)
        visit.page.click("form[data-form=signin] button")
        visit.page.wait_for_selector("form[data-form=recovery]:not([hidden])")
        visit.touch_by_itself(True)
        if second == "recovery":
            visit.page.fill("#code", codes[0])
        visit.page.click(f"form[data-form={second}] button")
        visit.page.wait_for_url(f"{visit.origin}/docs/errors")
        assert visit.page.evaluate(WHO)["session"]["method"].startswith("password, ")


def test_a_wrong_finger_makes_and_opens_nothing(server: Server, visit: Visit) -> None:
    name = fresh_name("wim")
    invited(server, name)
    visit.sign_in(name)
    visit.verify(False)
    assert visit.page.evaluate(REGISTER) == "NotAllowedError"
    visit.verify(True)
    assert visit.page.evaluate(REGISTER) == 201
    visit.sign_out()
    visit.verify(False)
    visit.go("/signin?next=/docs/errors")
    button = visit.page.wait_for_selector("form[data-form=passkey] button:not([disabled])")
    button.click()
    visit.page.wait_for_selector("form[data-form=passkey] button:not([disabled])")
    assert visit.page.url.endswith("/signin?next=/docs/errors")
    assert visit.page.evaluate("fetch('/session').then(answer => answer.status)") == 401


@pytest.mark.parametrize("proof", ["passkey", "password"])
def test_who_gives_admin_shows_again_who_they_are(server: Server, visit: Visit, proof: str) -> None:
    name, app = fresh_name("adm"), registered(server, CALLBACK)
    invited(server, name, role="admin")
    visit.page.route(f"{CALLBACK}?**", lambda route: route.fulfill(body="thank you"))
    visit.sign_in(name)
    assert visit.page.evaluate(REGISTER) == 201
    rows(server, "UPDATE session SET stepped_up_at = 0")
    visit.go(f"/oauth/authorize?{app.query(scope='tasks:read admin')}")
    visit.page.check("input[name=admin]")
    visit.page.click("button[value=allow]:not([disabled])")
    visit.page.wait_for_selector("[data-proof]:not([hidden])")
    with visit.page.expect_request(f"{CALLBACK}?**") as asked:
        if proof == "passkey":
            visit.page.click("[data-passkey]:not([disabled])")
        else:
            visit.page.fill("#password", PASSWORD)
            visit.page.click("button[value=allow]:not([disabled])")
    assert granted(app.trade(parameters_of(asked.value.url)["code"]))["scope"] == "tasks:read admin"


def test_at_an_address_the_page_says_why_there_is_no_passkey(server: Server, browser: Any) -> None:
    page = browser.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(server.origin + "/signin")
    assert "Passkeys need a host name" in page.inner_text("main")
    assert page.locator("form[data-form=passkey]").count() == 0
    page.close()
    assert Browser(server.origin).post("/session/passkey/options").status_code == 409
