"""Applications for tests: they ask people, trade codes and keep their tokens fresh, each step by itself."""

import base64
import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx2

from support.clients.people import Browser
from support.servers.stowboard import Server

CALLBACK = "https://planner.example.com/callback"


def challenge_of(verifier: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")


def parameters_of(location: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(location).query).items()}


@dataclass
class App:
    """An application without a secret."""

    server: Server
    client_id: str
    redirect_uri: str = CALLBACK
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(40))

    def query(self, **changes: str | None) -> str:
        """The query of an authorization request; None leaves a parameter out."""
        given: dict[str, str | None] = {
            "response_type": "code", "client_id": self.client_id, "redirect_uri": self.redirect_uri,
            "state": "s t&a=te", "code_challenge": challenge_of(self.verifier), "code_challenge_method": "S256",
            "scope": "tasks:read",
        }  # fmt: skip
        given |= changes
        return urlencode({name: value for name, value in given.items() if value is not None})

    def ask(self, browser: Browser, **changes: str | None) -> httpx2.Response:
        return browser.get(f"/oauth/authorize?{self.query(**changes)}")

    def decide(
        self,
        browser: Browser,
        allow: bool = True,
        admin: bool = False,
        spaces: Sequence[str] = (),
        **changes: str | None,
    ) -> Any:
        body = {"query": self.query(**changes), "allow": allow, "admin": admin, "spaces": list(spaces)}
        return browser.post("/oauth/decision", json=body)

    def answered(self, browser: Browser, allow: bool = True, **changes: Any) -> dict[str, str]:
        """The parameters that the application gets after the person's answer."""
        answer = self.decide(browser, allow, **changes)
        assert answer.status_code == 200, answer.text
        location = answer.json()["data"]["location"]
        assert location.startswith(self.redirect_uri)
        return parameters_of(location)

    def code(self, browser: Browser, **changes: Any) -> str:
        return self.answered(browser, **changes)["code"]

    def trade(self, code: str, **changes: str | None) -> httpx2.Response:
        return self.token(
            grant_type="authorization_code", code=code, code_verifier=self.verifier, redirect_uri=self.redirect_uri,
            **changes,
        )  # fmt: skip

    def sign_in(self, browser: Browser, **changes: Any) -> dict[str, Any]:
        """All the way to tokens."""
        return granted(self.trade(self.code(browser, **changes)))

    def refresh(self, token: str, **changes: str | None) -> httpx2.Response:
        return self.token(grant_type="refresh_token", refresh_token=token, **changes)

    def token(self, **form: str | None) -> httpx2.Response:
        return self.post("/oauth/token", **form)

    def post(self, path: str, **form: str | None) -> httpx2.Response:
        given = {"client_id": self.client_id} | form
        sent = {name: value for name, value in given.items() if value is not None}
        return httpx2.post(self.server.origin + path, data=sent)


def registered(server: Server, redirect_uri: str = CALLBACK, **members: Any) -> App:
    """An application that an admin has registered."""
    body = {"name": "Planner", "redirectUris": [redirect_uri]} | members
    answer = httpx2.post(f"{server.base_url}/access/applications", json=body, headers=server.headers)
    assert answer.status_code == 201, answer.text
    return App(server, answer.json()["data"]["clientId"], redirect_uri)


def granted(answer: httpx2.Response) -> dict[str, Any]:
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    content: dict[str, Any] = answer.json()
    return content


def refused(answer: httpx2.Response) -> tuple[int, str]:
    """Status and error, in OAuth's own shape."""
    assert set(answer.json()) == {"error", "error_description"}, answer.text
    assert answer.headers["cache-control"] == "no-store"
    return answer.status_code, answer.json()["error"]
