"""Signing in with a provider in a browser, against `oidc-provider` of npm."""

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from playwright.sync_api import expect

from stowboard.console.files import BUILT
from support.api.answers import data_of
from support.clients.people import PASSWORD, fresh_name, invited
from support.console.visitor import AXE, PATIENCE_MS
from support.servers.ports import free_port
from support.servers.stacks import UNLIMITED, MakeServer
from support.servers.stowboard import Server
from support.stored.rows import rows
from support.tools.node import TOOLS, needs_node
from support.upstream.npm_provider import npm_provider, settings_for

pytestmark = [
    needs_node,
    pytest.mark.skipif(
        not (TOOLS / "node_modules" / "oidc-provider").is_dir(),
        reason="NOT TESTED: oidc-provider is not installed (npm ci in tests/tools)",
    ),
]
WHO = "fetch('/session').then(answer => answer.json()).then(answer => answer.data)"


@pytest.fixture(scope="module")
def server(make_server: MakeServer) -> Iterator[Server]:
    port = free_port()
    rules = {"STOWBOARD_OIDC_SIGN_UP": "open", "STOWBOARD_OIDC_ADMIN": "groups=stow-admins"}
    server = make_server(UNLIMITED | settings_for(port) | rules)
    invited(server, "first", role="admin")
    with npm_provider(port, server.origin):
        yield server
    server.kill()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    context = browser.new_context()
    context.set_default_timeout(PATIENCE_MS)
    yield context.new_page()
    context.close()


def say_who(page: Any, name: str) -> None:
    """At the provider: a name, and that we may know it."""
    page.fill("input[name=login]", name)
    page.fill("input[name=password]", "whatever")
    page.click("button[type=submit]")
    page.click("button[type=submit]:text('Continue')")


def test_a_person_signs_in_there_and_is_taken_where_they_wanted_to_go(server: Server, page: Any) -> None:
    name = fresh_name("boss")
    page.goto(f"{server.origin}/signin?next=/docs/errors")
    page.click("text=Sign in with Example")
    say_who(page, name)
    page.wait_for_url(f"{server.origin}/docs/errors")
    state = page.evaluate(WHO)
    account = state["account"]
    assert (account["username"], account["displayName"], account["role"]) == (name, f"Called {name}", "admin")
    assert (state["session"]["method"], state["steppedUp"]) == ("provider", True)
    page.evaluate("fetch('/session', {method: 'DELETE'})")
    page.goto(f"{server.origin}/signin?next=/docs/errors")
    page.click("text=Sign in with Example")  # the provider still knows them
    page.wait_for_url(f"{server.origin}/docs/errors")
    assert page.evaluate(WHO)["account"]["username"] == name
    page.goto(f"{server.origin}/signin?again=1&next=/docs/errors")
    page.click("text=Sign in with Example")
    page.fill("input[name=login]", name)  # asked again
    page.fill("input[name=password]", "whatever")
    page.click("button[type=submit]")
    page.wait_for_url(f"{server.origin}/docs/errors")


def test_who_has_no_password_proves_it_by_signing_in_again_and_loses_nothing(server: Server, page: Any) -> None:
    if not (BUILT / "index.html").is_file():
        pytest.skip("NOT TESTED: the console was not built")
    name = fresh_name("boss")
    page.goto(f"{server.origin}/signin?next=/settings/tokens")
    page.click("text=Sign in with Example")
    say_who(page, name)
    page.get_by_role("button", name="New token").click()
    page.get_by_label("What it is for").fill("photo frame")
    rows(server, "UPDATE session SET stepped_up_at = stepped_up_at - 3600000")
    page.get_by_role("button", name="Create").click()
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Sign in again").click()
    other = opened.value
    other.click("text=Sign in with Example")
    other.fill("input[name=login]", name)
    other.fill("input[name=password]", "whatever")
    other.click("button[type=submit]")
    other.wait_for_url(f"{server.origin}/settings/sign-in")
    other.close()
    done = page.get_by_role("button", name="I have signed in")
    token = page.get_by_label("Token. Copy it now: it is shown only once.")
    token.or_(done).first.wait_for()
    if done.is_visible():  # nobody told this page that it has the focus again
        done.click()
    token.wait_for()
    page.get_by_role("list", name="Tokens").get_by_text("photo frame").wait_for()


def test_an_invitation_is_accepted_there(server: Server, page: Any) -> None:
    body = {"role": "member"}
    made = httpx2.post(f"{server.base_url}/access/invitations", json=body, headers=server.headers)
    name = fresh_name("iva")
    page.goto(data_of(made, 201)["link"])
    page.fill("#username", name)
    page.click("text=Use Example")
    say_who(page, fresh_name("subject"))
    page.wait_for_url(f"{server.origin}/")
    assert page.evaluate(WHO)["account"]["username"] == name


def test_who_is_signed_in_connects_it(server: Server, page: Any) -> None:
    name, subject = fresh_name("con"), fresh_name("subject")
    invited(server, name)
    page.goto(f"{server.origin}/signin/connect?next=/docs/errors")
    page.fill("#username", name)
    page.fill("#password", PASSWORD)
    page.click("form[data-form=signin] button")
    page.click("text=Connect Example")
    say_who(page, subject)
    page.wait_for_url(f"{server.origin}/docs/errors")
    page.context.clear_cookies()
    page.goto(f"{server.origin}/signin?next=/docs/errors")
    page.click("text=Sign in with Example")
    say_who(page, subject)
    page.wait_for_url(f"{server.origin}/docs/errors")
    assert page.evaluate(WHO)["account"]["username"] == name
    page.goto(f"{server.origin}/settings/sign-in")
    providers = page.get_by_role("list", name="Providers")
    providers.get_by_role("button", name="Remove").click()
    expect(page.get_by_role("dialog")).to_contain_text("You can no longer sign in with it.")
    expect(page.get_by_role("dialog")).not_to_contain_text("passkey")


def test_who_says_no_there_reads_what_to_do(server: Server, page: Any) -> None:
    page.goto(f"{server.origin}/signin")
    page.click("text=Sign in with Example")
    page.click("text=[ Cancel ]")
    page.wait_for_selector("text=Sign-in failed")
    page.click("text=Back")
    page.wait_for_url(f"{server.origin}/signin")


def test_the_pages_read_well_on_a_phone(server: Server, browser: Any) -> None:
    if not AXE.exists():
        pytest.skip("NOT TESTED: axe-core is not installed (npm ci in tests/tools)")
    context = browser.new_context(viewport={"width": 320, "height": 640})
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto(f"{server.origin}/signin?next=/signin/connect")
    page.fill("#username", "first")
    page.fill("#password", PASSWORD)
    page.click("form[data-form=signin] button")
    page.wait_for_selector("text=Connect Example")
    for path in ("/signin/connect", "/signin?again=1", "/signin/callback?state=x"):
        page.goto(server.origin + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        page.evaluate(AXE.read_text())
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found = page.evaluate("axe.run().then(result => result.violations.map(each => each.id))")
            assert found == [], (path, scheme)
    context.close()
