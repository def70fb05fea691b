"""People with passkeys, for tests."""

from typing import Any

import httpx2

from support.clients.authenticator import Authenticator
from support.clients.people import PASSWORD, Browser, invited
from support.servers.stowboard import Server


def named_origin(server: Server) -> str:
    """By its name: an address can have no passkeys."""
    return server.origin.replace("127.0.0.1", "localhost")


def person_with_passkey(server: Server, username: str) -> tuple[Browser, Authenticator]:
    """Somebody who is signed in and has a passkey."""
    invited(server, username)
    browser = Browser(named_origin(server))
    assert browser.sign_in(username, PASSWORD).status_code == 200
    authenticator = Authenticator(named_origin(server))
    answer = register(browser, authenticator)
    assert answer.status_code == 201, answer.text
    return browser, authenticator


def register(browser: Browser, authenticator: Authenticator, name: str = "laptop") -> httpx2.Response:
    bearer = browser.bearer()
    options = creation_options(browser, bearer)
    body = {"name": name, "credential": authenticator.make(options)}
    return browser.post("/api/v1/access/me/passkeys", json=body, headers=bearer)


def creation_options(browser: Browser, bearer: dict[str, str]) -> dict[str, Any]:
    answer = browser.post("/api/v1/access/me/passkeys/options", headers=bearer)
    assert answer.status_code == 200, answer.text
    options: dict[str, Any] = answer.json()["data"]["publicKey"]
    return options


def request_options(browser: Browser, path: str = "/session/passkey/options") -> dict[str, Any]:
    answer = browser.post(path)
    assert answer.status_code == 200, answer.text
    options: dict[str, Any] = answer.json()["data"]["publicKey"]
    return options


def enter(browser: Browser, authenticator: Authenticator) -> httpx2.Response:
    """Sign in with the passkey."""
    credential = authenticator.sign(request_options(browser))
    return browser.post("/session/passkey", json={"credential": credential})
