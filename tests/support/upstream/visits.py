"""People who sign in with a provider, each step by itself."""

from typing import Any
from urllib.parse import urlencode

import httpx2

from support.clients.people import Browser
from support.upstream.scripted_provider import ScriptedProvider


def sent_to(browser: Browser, **body: Any) -> str:
    """Where the browser is sent in order to sign in."""
    answer = browser.post("/session/provider", json=body)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["data"]["location"])


def come_back(browser: Browser, brought: dict[str, str]) -> httpx2.Response:
    """As a navigation from the provider's site."""
    return browser.get(f"/signin/callback?{urlencode(brought)}", headers={"sec-fetch-site": "cross-site"})


def enter(
    browser: Browser, provider: ScriptedProvider, subject: str, body: dict[str, Any] | None = None, **claims: Any
) -> httpx2.Response:
    """There and back."""
    return come_back(browser, provider.answer(sent_to(browser, **(body or {})), subject, **claims))


def text_of(answer: httpx2.Response) -> str:
    """The text that a person reads who was not let in."""
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "set-cookie" not in answer.headers
    return answer.text.partition("<main>")[2]
