"""Consent and the code of a device in a browser, and strict clients of others that send people there."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from playwright.sync_api import expect

from support.api.answers import data_of
from support.clients.applications import App, granted, parameters_of, registered
from support.clients.people import fresh_name
from support.console.consenting import CALLBACK, Person
from support.console.visitor import PATIENCE_MS
from support.servers.stowboard import Server

TOOLS = Path(__file__).parents[2] / "tools"
AXE = TOOLS / "node_modules" / "axe-core" / "axe.min.js"
#: Timers of the page run after this, however busy the machine is.
COUNT_DISABLED_BUTTONS = """addEventListener("DOMContentLoaded", () => {
    window.disabledAtFirst = document.querySelectorAll("button[disabled]").length
})"""


@pytest.fixture(scope="module")
def server(make_server: Callable[[dict[str, str]], Server]) -> Server:
    """One is enough: the pages know nothing of databases."""
    return make_server({"STOWBOARD_SIGN_INS_PER_MINUTE": "100000", "STOWBOARD_OAUTH_REGISTRATIONS_PER_DAY": "1000"})


@pytest.fixture
def context(browser: Any) -> Iterator[Any]:
    context = browser.new_context()
    context.set_default_timeout(PATIENCE_MS)
    yield context
    context.close()


@pytest.fixture
def person(server: Server, context: Any) -> Iterator[Person]:
    person = Person(server, context)
    yield person
    assert person.complaints == []


def colour_of(button: Any) -> str:
    return str(button.evaluate("button => getComputedStyle(button).backgroundColor"))


def test_a_person_signs_in_reads_allows_and_is_taken_back(server: Server, person: Person) -> None:
    app = registered(server, CALLBACK)
    person.page.add_init_script(COUNT_DISABLED_BUTTONS)
    person.page.goto(f"{server.origin}/oauth/authorize?{app.query(scope='tasks:write')}")
    person.sign_in()
    assert person.page.wait_for_selector("text=Allow Planner?")
    expect(person.page.get_by_role("listitem").filter(has_text="The Library.")).to_be_visible()
    assert colour_of(person.page.get_by_role("button", name="Allow")) != colour_of(
        person.page.get_by_role("button", name="Deny")
    )
    assert person.page.evaluate("disabledAtFirst") == 2  # for a moment nobody can say yes by accident
    told = parameters_of(person.answer("Allow"))
    assert (told["state"], told["iss"]) == ("s t&a=te", server.origin)
    assert granted(app.trade(told["code"]))["scope"] == "tasks:write"


def test_a_person_says_no(server: Server, person: Person) -> None:
    app = registered(server, CALLBACK)
    person.page.goto(f"{server.origin}/oauth/authorize?{app.query()}")
    person.sign_in()
    assert parameters_of(person.answer("Deny"))["error"] == "access_denied"


def test_admin_is_ticked(server: Server, context: Any) -> None:
    app, person = registered(server, CALLBACK), Person(server, context, role="admin")
    person.page.goto(f"{server.origin}/oauth/authorize?{app.query(scope='tasks:read admin')}")
    person.sign_in()
    person.page.check("input[name=admin]")
    assert granted(app.trade(parameters_of(person.answer("Allow"))["code"]))["scope"] == "tasks:read admin"


def test_a_person_types_the_code_of_a_device(server: Server, person: Person) -> None:
    stow, home = App(server, "stow"), fresh_name("Home")
    data_of(httpx2.post(f"{server.base_url}/spaces", json={"name": home}, headers=person.browser.bearer()), 201)
    begun = granted(stow.post("/oauth/device_authorization", scope="tasks:read"))
    person.page.goto(begun["verification_uri"])
    person.sign_in()
    person.page.fill("#code", "BBBB-BBBB")
    person.page.click("form[data-device] button")
    assert "No device waits" in person.page.wait_for_selector("form [role=alert]:not([hidden])").inner_text()
    person.page.fill("#code", begun["user_code"])
    person.page.click("form[data-device] button")
    expect(person.page.get_by_role("heading", name="It reaches:")).to_be_visible()
    for reached in ("Your own space.", "The Library.", f"The space {home}.", "Every space that you join later."):
        expect(
            person.page.get_by_role("listitem").filter(has_text=re.compile(f"^{re.escape(reached)}$"))
        ).to_be_visible()
    colours = [colour_of(person.page.locator(f"button[data-answer={word}]")) for word in ("allow", "deny")]
    assert colours[0] != colours[1]
    person.page.click("button[data-answer=allow]:not([disabled])")
    assert "Allowed." in person.page.wait_for_selector("[data-done]:not([hidden])").inner_text()
    form = {"grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": begun["device_code"]}
    assert granted(stow.token(**form))["scope"] == "tasks:read"


def test_the_pages_read_well_on_a_phone(server: Server, browser: Any) -> None:
    if not AXE.exists():
        pytest.skip("NOT TESTED: axe-core is not installed (npm ci in tests/tools)")
    context = browser.new_context(viewport={"width": 320, "height": 640})
    context.set_default_timeout(PATIENCE_MS)
    person, app = Person(server, context, role="admin"), registered(server, CALLBACK, name="A" * 100)
    consent = f"/oauth/authorize?{app.query(scope='tasks:write admin')}"
    person.page.goto(server.origin + consent)
    person.sign_in()
    for path in (consent, "/device", f"/oauth/authorize?{app.query(client_id='unknown')}"):
        person.page.goto(server.origin + path)
        person.page.wait_for_selector("h1")
        assert person.page.evaluate("document.documentElement.scrollWidth") <= 320
        expect(person.page.locator("form[data-consent] button[disabled]")).to_have_count(0)
        person.page.evaluate(AXE.read_text())
        for scheme in ("light", "dark"):
            person.page.emulate_media(color_scheme=scheme)
            found = person.page.evaluate("axe.run().then(result => result.violations.map(each => each.id))")
            assert found == [], (path, scheme)
    assert person.complaints == []
    context.close()


def test_a_strict_client_of_npm_signs_a_person_in(server: Server, person: Person) -> None:
    if not (TOOLS / "node_modules" / "openid-client").exists() or shutil.which("node") is None:
        pytest.skip("NOT TESTED: openid-client is not installed (npm ci in tests/tools)")
    arguments = ["node", "openid_client.mjs", server.origin, CALLBACK, server.base_url]
    with subprocess.Popen(arguments, cwd=TOOLS, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as client:
        assert client.stdin is not None
        assert client.stdout is not None
        person.page.goto(json.loads(client.stdout.readline())["ask"])
        person.sign_in()
        client.stdin.write(person.answer("Allow") + "\n")
        client.stdin.flush()
        outcome = json.loads(client.stdout.readline())
    assert outcome == {"scope": "tasks:read tasks:write", "active": True, "username": person.name, "after": False}


def test_an_agent_with_nothing_but_an_address_signs_a_person_in(server: Server, person: Person) -> None:
    if not (TOOLS / "node_modules" / "@modelcontextprotocol" / "client").exists() or shutil.which("node") is None:
        pytest.skip("NOT TESTED: the client of MCP is not installed (npm ci in tests/tools)")
    arguments = ["node", "mcp_sign_in.mjs", f"{server.origin}/mcp", CALLBACK]
    with subprocess.Popen(arguments, cwd=TOOLS, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as agent:
        assert agent.stdin is not None
        assert agent.stdout is not None
        person.page.goto(json.loads(agent.stdout.readline())["ask"])
        person.sign_in()
        assert person.page.wait_for_selector("text=as an agent, through MCP")
        agent.stdin.write(person.answer("Allow") + "\n")
        agent.stdin.flush()
        outcome = json.loads(agent.stdout.readline())
    assert outcome == {"scope": "tasks:read tasks:write media:read media:write", "tools": 11, "title": "Signed in"}


def test_a_client_of_python_signs_a_person_in(server: Server, person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    oauth = pytest.importorskip("authlib.integrations.requests_client", reason="NOT TESTED: authlib is not installed")
    monkeypatch.setenv("AUTHLIB_INSECURE_TRANSPORT", "1")
    app = registered(server, CALLBACK)
    token_endpoint = f"{server.origin}/oauth/token"
    session = oauth.OAuth2Session(
        app.client_id, scope="tasks:read", redirect_uri=CALLBACK, code_challenge_method="S256",
        token_endpoint_auth_method="none",
    )  # fmt: skip
    address, state = session.create_authorization_url(
        f"{server.origin}/oauth/authorize", code_verifier=app.verifier, resource=server.base_url
    )
    person.page.goto(address)
    person.sign_in()
    answer = person.answer("Allow")
    assert parse_qs(urlsplit(answer).query)["state"] == [state]
    session.fetch_token(token_endpoint, authorization_response=answer, code_verifier=app.verifier, state=state)
    renewed = session.refresh_token(token_endpoint)
    headers = {"authorization": f"Bearer {renewed['access_token']}"}
    assert data_of(httpx2.get(f"{server.base_url}/access/me", headers=headers))["username"] == person.name
    session.revoke_token(f"{server.origin}/oauth/revoke", renewed["refresh_token"])
    assert httpx2.get(f"{server.base_url}/access/me", headers=headers).status_code == 401
