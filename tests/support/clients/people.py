"""People for tests: accounts, browsers that are signed in, and the requests that a page makes."""

import itertools
import secrets
from typing import Any

import httpx2

from support.servers.stowboard import Server

PASSWORD = "four unrelated wooden words"
_numbers = itertools.count()


def fresh_name(word: str = "person") -> str:
    return f"{word}-{secrets.token_hex(3)}{next(_numbers)}"


class Browser(httpx2.Client):
    """Keeps cookies and says, as browsers do, that a request comes from a page of the same origin."""

    def __init__(self, origin: str) -> None:
        headers = {"sec-fetch-site": "same-origin", "user-agent": "Tests/1.0"}
        super().__init__(base_url=origin, headers=headers, limits=httpx2.Limits(max_keepalive_connections=0))

    def sign_in(self, username: str, password: str = PASSWORD) -> httpx2.Response:
        return self.post("/session/login", json={"username": username, "password": password})

    def token(self, **body: Any) -> str:
        """A bearer for the API."""
        answer = self.post("/session/token", json=body)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["access_token"])

    def bearer(self, **body: Any) -> dict[str, str]:
        return {"authorization": f"Bearer {self.token(**body)}"}


def ticket_in(link: str) -> str:
    return link.partition("#ticket=")[2]


def invited(server: Server, username: str, role: str = "member", password: str = PASSWORD) -> Browser:
    """Somebody who was invited by this name, has accepted and is signed in."""
    browser = Browser(server.origin)
    ticket = invitation(server, username, role)
    redeemed = browser.post("/session/redeem", json={"ticket": ticket, "password": password})
    assert redeemed.status_code == 200, redeemed.text
    return browser


def invitation(server: Server, username: str, role: str = "member") -> str:
    """Its ticket."""
    body = {"username": username, "role": role}
    answer = httpx2.post(f"{server.base_url}/access/invitations", json=body, headers=server.headers)
    assert answer.status_code == 201, answer.text
    return ticket_in(answer.json()["data"]["link"])


def audit_of(server: Server, **filters: Any) -> list[dict[str, Any]]:
    """The newest entries of the audit log, newest first."""
    answer = httpx2.get(f"{server.base_url}/access/audit", params=filters, headers=server.headers)
    assert answer.status_code == 200, answer.text
    entries: list[dict[str, Any]] = answer.json()["data"]
    return entries
