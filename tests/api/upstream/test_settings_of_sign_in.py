"""Settings of signing in: only invited people, no passwords, and passwords again for a while. On one stack alone:
what differs on the other is in test_provider.py."""

from collections.abc import Iterator

import httpx2
import pytest

from support.api.answers import data_of, error_of
from support.clients.people import PASSWORD, Browser, audit_of, fresh_name, ticket_in
from support.servers.stacks import UNLIMITED, MakeServer
from support.servers.stowboard import Server
from support.upstream.scripted_provider import ScriptedProvider
from support.upstream.visits import enter, text_of


@pytest.fixture(scope="module")
def server(make_server: MakeServer, running_provider: ScriptedProvider) -> Iterator[Server]:
    server = make_server(UNLIMITED | running_provider.settings | {"STOWBOARD_PASSWORD_SIGN_IN": "false"})
    yield server
    server.kill()


def invitation(server: Server, **body: str) -> str:
    answer = httpx2.post(f"{server.base_url}/access/invitations", json=body, headers=server.headers)
    return ticket_in(data_of(answer, 201)["link"])


def test_who_was_not_invited_is_told_so(server: Server, provider: ScriptedProvider, browser: Browser) -> None:
    answer = enter(browser, provider, fresh_name("eve"))
    assert (answer.status_code, "invitation" in text_of(answer)) == (403, True)
    assert audit_of(server, limit=1)[0]["data"] == {"method": "provider", "reason": "not invited"}
    assert enter(browser, provider, "ida", {"ticket": invitation(server)}).status_code == 303
    assert enter(Browser(server.origin), provider, "ida").status_code == 303


def test_a_password_signs_nobody_in_until_the_operator_allows_it(server: Server, browser: Browser) -> None:
    name = fresh_name("pat")
    made = server.command("account", "create", "--username", name)
    assert made.returncode == 0, made.stderr
    off = (403, "passwords_off")
    redeemed = {"ticket": invitation(server, username=fresh_name("bob")), "password": PASSWORD}
    assert error_of(browser.sign_in(name)) == off
    assert error_of(browser.post("/session/redeem", json=redeemed)) == off
    assert 'type="password"' not in "".join(browser.get(path).text for path in ("/signin", "/invite", "/reset"))
    allowed = server.command("account", "allow-passwords", "--hours", "1")
    assert "until" in allowed.stdout
    assert error_of(browser.sign_in(name)) == (401, "invalid_login")
    assert browser.post("/session/redeem", json=redeemed).status_code == 200
    assert error_of(browser.post("/session/step-up", json={"password": "wrong"})) == (401, "invalid_login")
    assert 'type="password"' in browser.get("/signin?again=1").text
    assert server.command("account", "allow-passwords", "--hours", "0").returncode == 0
    assert error_of(browser.post("/session/step-up", json={"password": PASSWORD})) == off
    assert [entry["data"] for entry in audit_of(server, action="password.allow")] == [{"hours": 0}, {"hours": 1}]


def test_the_button_names_the_provider(server: Server, browser: Browser) -> None:
    page = browser.get("/signin").text
    assert "Sign in with Example &lt;ID&gt;" in page
    assert "Use Example &lt;ID&gt;" in browser.get("/invite").text
    assert browser.get("/signin?" + "a=1&" * 100).status_code == 200


def test_without_a_provider_there_is_no_button(shared_server: Server) -> None:
    assert 'data-form="provider"' not in httpx2.get(f"{shared_server.origin}/signin").text
    assert httpx2.get(f"{shared_server.origin}/signin/callback").status_code == 404
    assert httpx2.get(f"{shared_server.origin}/signin/connect").status_code == 404


def test_the_doctor_asks_the_provider_and_tells_of_proxies_and_addresses(
    server: Server, provider: ScriptedProvider, browser: Browser
) -> None:
    well = server.command("doctor").stdout
    assert f"{provider.issuer} answers as it should" in well
    assert "nothing is known to be wrong with addresses" in well
    elsewhere = {"origin": "https://stow.example.org", "sec-fetch-site": "same-origin"}
    for headers in (elsewhere, elsewhere | {"origin": "https://second.example.org"}, {"sec-fetch-site": "cross-site"}):
        httpx2.post(f"{server.origin}/session/token", json={}, headers=headers)
    told = server.command("doctor").stdout
    assert "a page was opened at another address" in told
    assert "example.org" not in told, "a stranger may have sent it"
    browser.post("/session/token", json={}, headers={"x-forwarded-for": "192.0.2.7"})
    provider.metadata = {"issuer": "https://evil.example"}
    ill = server.command("doctor").stdout
    assert "127.0.0.1 sends X-Forwarded-… headers" in ill
    assert "calls itself by another address" in ill
    provider.reset()
