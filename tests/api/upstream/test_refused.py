"""A wrong answer of a provider gives a page that says what to do, grants nothing, and is one row of the audit log."""

import time
from collections.abc import Callable
from typing import Any

import httpx2
import pytest
from joserfc.jwk import OctKey, RSAKey

from support.api.answers import error_of
from support.clients.people import Browser, audit_of
from support.servers.stowboard import Server
from support.upstream.scripted_provider import CLIENT_SECRET, ScriptedProvider, sign, unsigned
from support.upstream.visits import come_back, enter, sent_to, text_of

pytestmark = pytest.mark.cluster_in_soak
Spoil = Callable[[ScriptedProvider], None]
FOREIGN = RSAKey.generate_key(2048, parameters={"kid": "one"})


def check_refused(
    server: Server, browser: Browser, act: Callable[[], httpx2.Response], reason: str, status: int = 400
) -> None:
    known = {entry["id"] for entry in audit_of(server, limit=100)}
    answer = act()
    assert answer.status_code == status, answer.text
    assert "<a href=" in text_of(answer)
    assert error_of(browser.get("/session")) == (401, "not_signed_in")
    (entry,) = [entry for entry in audit_of(server, limit=10) if entry["id"] not in known]
    assert (entry["action"], entry["outcome"], entry["actor"]) == ("session.begin", "refused", "")
    assert entry["data"] == {"method": "provider", "reason": reason}


def claims(**changes: Any) -> Spoil:
    def spoil(provider: ScriptedProvider) -> None:
        provider.sign = lambda header, said, key: sign(header, _without_none(said | changes), key)

    return spoil


def signed(header: dict[str, Any], key: Any) -> Spoil:
    def spoil(provider: ScriptedProvider) -> None:
        provider.sign = lambda _, said, __: sign(header, said, key)

    return spoil


def with_public_key(provider: ScriptedProvider) -> None:
    """The old confusion: what everybody knows as the secret of an HMAC."""
    secret = OctKey.import_key(provider.key.as_pem(private=False).replace(b"-----", b"====="))
    provider.sign = lambda _, said, __: sign({"alg": "HS256", "kid": "one"}, said, secret)


def set_of(name: str, value: Any) -> Spoil:
    return lambda provider: setattr(provider, name, value)


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (claims(nonce="another"), "id token: nonce"),
        (claims(nonce=None), "id token: nonce"),
        (claims(aud="somebody-else"), "id token: aud"),
        (claims(aud=["stowboard", "somebody-else"]), "id token: azp"),
        (claims(azp="somebody-else"), "id token: azp"),
        (claims(iss="https://evil.example"), "id token: iss"),
        (claims(exp=int(time.time()) - 3600), "id token: exp"),
        (claims(exp=None), "id token: exp"),
        (claims(exp=float("nan")), "id token: exp"),
        (claims(iat=int(time.time()) + 3600), "id token: iat"),
        (claims(sub=""), "id token: sub"),
        (claims(sub="x" * 256), "id token: sub"),
        (set_of("sign", unsigned), "id token: signature"),
        (set_of("sign", lambda *_: "not.a.token"), "id token: signature"),
        (signed({"alg": "HS256"}, OctKey.import_key(CLIENT_SECRET)), "id token: signature"),
        (with_public_key, "id token: signature"),
        (signed({"alg": "RS256", "kid": "one"}, FOREIGN), "id token: signature"),
        (signed({"alg": "RS256", "kid": "two"}, FOREIGN), "id token: key"),
        (set_of("userinfo", {"sub": "somebody-else"}), "userinfo: sub"),
    ],
)
def test_a_token_that_does_not_hold_lets_nobody_in(
    server: Server, provider: ScriptedProvider, browser: Browser, name: str, spoil: Spoil, reason: str
) -> None:
    spoil(provider)
    check_refused(server, browser, lambda: enter(browser, provider, name), reason)


def test_the_answer_for_one_browser_is_of_no_use_in_another(
    server: Server, provider: ScriptedProvider, browser: Browser, name: str
) -> None:
    brought = provider.answer(sent_to(browser), name)
    other = Browser(server.origin)
    check_refused(server, other, lambda: come_back(other, brought), "state")
    sent_to(other)
    check_refused(server, other, lambda: come_back(other, brought), "state")
    assert come_back(browser, brought).status_code == 303  # and was not spent by that


def test_an_answer_counts_once(server: Server, provider: ScriptedProvider, browser: Browser, name: str) -> None:
    brought = provider.answer(sent_to(browser), name)
    assert come_back(browser, brought).status_code == 303
    browser.delete("/session")
    check_refused(server, browser, lambda: come_back(browser, brought), "state")
    again = provider.answer(sent_to(browser), name) | {"code": brought["code"]}
    check_refused(server, browser, lambda: come_back(browser, again), "code")


@pytest.mark.parametrize("iss", ["https://evil.example", "", None])
def test_an_answer_of_another_provider_is_not_traded(
    server: Server, provider: ScriptedProvider, browser: Browser, name: str, iss: str | None
) -> None:
    brought = _without_none(provider.answer(sent_to(browser), name) | {"iss": iss})
    check_refused(server, browser, lambda: come_back(browser, brought), "iss")
    assert brought["code"] in provider.open_codes


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("", "state"),
        ("code=a&code=b&state=c", "query"),
        ("state=%FF", "query"),
        (f"state={'x' * 9000}", "query"),
        ("state=%C3%A9&code=x", "state"),
    ],
)
def test_nonsense_is_no_answer(server: Server, browser: Browser, query: str, reason: str) -> None:
    check_refused(server, browser, lambda: browser.get(f"/signin/callback?{query}"), reason)


def test_who_says_no_at_the_provider_is_told_what_to_do(
    server: Server, provider: ScriptedProvider, browser: Browser, name: str
) -> None:
    brought = provider.answer(sent_to(browser), name) | {"error": "access_denied"}
    check_refused(server, browser, lambda: come_back(browser, brought), "said no")


def test_a_provider_that_fails_halfway_is_no_error_of_ours(
    server: Server, provider: ScriptedProvider, browser: Browser, name: str
) -> None:
    brought = provider.answer(sent_to(browser), name)
    provider.status = 500
    check_refused(server, browser, lambda: come_back(browser, brought), "it answered with status 500.", 502)


def _without_none(members: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}
