"""The Authorization header: what is taken, and how a refusal says what to do."""

import re
import time

import httpx2
import pytest

from stowboard.catalogue import ENDPOINTS
from stowboard.core.scopes import ADMIN
from support.api.answers import data_of, error_of, message_of
from support.clients import raw_http
from support.clients.credentials import Issue, bearer
from support.servers.stowboard import Server


def challenge_of(answer: httpx2.Response) -> dict[str, str]:
    scheme, _, fields = answer.headers["www-authenticate"].partition(" ")
    assert scheme == "Bearer"
    return dict(re.findall(r'([a-z_]+)="([^"]*)"', fields))


def test_who_sends_nothing_is_told_where_to_begin_and_of_no_error(server: Server, web: httpx2.Client) -> None:
    answer = web.get("/api/v1")
    assert error_of(answer) == (401, "missing_token")
    assert challenge_of(answer) == {
        "realm": "stowboard",
        "resource_metadata": f"{server.origin}/.well-known/oauth-protected-resource/api/v1",
        "authorization_server_metadata": f"{server.origin}/.well-known/oauth-authorization-server",
    }


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize("header", ["Basic YTpi", "Bearer", "Token abc", "stow_abc", ""])
def test_another_scheme_or_no_token_is_as_good_as_nothing(web: httpx2.Client, header: str) -> None:
    answer = web.get("/api/v1", headers={"authorization": header})
    assert error_of(answer) == (401, "missing_token")
    assert "error" not in challenge_of(answer)


@pytest.mark.parametrize(
    "token", ["stow_unknown", "a b", "ü", "x" * 600, "x" * 15_000, "'; DROP TABLE access_token", "*"]
)
def test_an_unknown_token_is_invalid(web: httpx2.Client, token: str) -> None:
    answer = web.get("/api/v1", headers={b"authorization": f"Bearer {token}".encode("latin-1")})
    if token.isascii():
        assert error_of(answer) == (401, "invalid_token")
        assert challenge_of(answer)["error"] == "invalid_token"
    else:
        assert answer.status_code == 401


def test_a_token_of_another_installation_or_with_a_letter_changed_is_invalid(web: httpx2.Client, issue: Issue) -> None:
    secret = issue().token
    changed = secret[:-1] + ("0" if secret[-1] != "0" else "1")
    for wrong in (changed, secret.lower(), secret + "0", secret[:-1]):
        assert error_of(web.get("/api/v1", headers=bearer(wrong))) == (401, "invalid_token")
    data_of(web.get("/api/v1", headers=bearer(secret)))


def test_the_name_of_the_scheme_may_be_written_in_any_case(web: httpx2.Client, issue: Issue) -> None:
    secret = issue().token
    for header in (f"bearer {secret}", f"BEARER {secret}", f"Bearer   {secret}"):
        data_of(web.get("/api/v1", headers={"authorization": header}))


def test_an_expired_token_is_told_apart(web: httpx2.Client, issue: Issue) -> None:
    """Used to its last moment, so that a process still remembers it then."""
    token = issue(expires_in=1)
    assert token.expires_at is not None
    while time.time() < token.expires_at / 1000:
        web.get("/api/v1", headers=bearer(token))
    answer = web.get("/api/v1", headers=bearer(token))
    assert error_of(answer) == (401, "token_expired")
    assert challenge_of(answer)["error"] == "invalid_token"
    assert "expired" in challenge_of(answer)["error_description"]


def test_two_authorization_headers_are_refused_even_if_one_was_just_used(server: Server, web: httpx2.Client) -> None:
    mine = ("authorization", f"Bearer {server.admin_token}")
    data_of(web.get("/api/v1", headers=[mine]))
    for other in (mine, ("authorization", "Bearer stow_other"), ("authorization", "Basic YTpi")):
        answer = web.get("/api/v1", headers=[mine, other])
        assert error_of(answer) == (401, "invalid_token")
        assert "more than once" in message_of(answer)


def test_a_token_in_the_address_is_not_looked_at(server: Server, web: httpx2.Client) -> None:
    for name in ("access_token", "token", "authorization"):
        answer = web.get("/api/v1", params={name: server.admin_token})
        assert error_of(answer) == (401, "missing_token")
    form = web.post("/api/v1/access/tokens", data={"access_token": server.admin_token})
    assert error_of(form) == (401, "missing_token")


def test_a_token_without_the_scope_admin_is_told_that_it_needs_an_admin(web: httpx2.Client, issue: Issue) -> None:
    for token in (issue(), issue(scopes=[]), issue(scopes=["tasks:write", "media:write"])):
        answer = web.get("/api/v1/access/tokens", headers=bearer(token))
        assert error_of(answer) == (403, "admin_required")
        assert "www-authenticate" not in answer.headers


def test_every_operation_needs_a_token_and_its_scope(web: httpx2.Client, issue: Issue) -> None:
    nobody = issue(scopes=[])
    for endpoint in ENDPOINTS:
        path = "/api/v1" + re.sub(r"\{[^}]*\}", "x", endpoint.path)
        assert error_of(web.request(endpoint.method, path)) == (401, "missing_token")
        if endpoint.scope is None:
            continue  # any token will do; and a stream has no end
        answer = web.request(endpoint.method, path, headers=bearer(nobody))
        if endpoint.scope == ADMIN:
            assert error_of(answer) == (403, "admin_required")
        else:
            assert error_of(answer) == (403, "insufficient_scope")
            assert endpoint.scope in message_of(answer)
            assert challenge_of(answer)["error"] == "insufficient_scope"


def test_every_token_may_read_the_index(web: httpx2.Client, issue: Issue) -> None:
    data_of(web.get("/api/v1", headers=bearer(issue(scopes=[]))))


def test_bytes_that_are_no_text_are_refused_in_every_header_that_matters(server: Server) -> None:
    token = server.admin_token
    odd = [b"X-Request-Id: \xff\xfe", b"Origin: \xff", b"Content-Type: \xff", b"X-Anything: \xff", b"Host: \xff"]
    for header in odd:
        assert raw_http.send(server.port, raw_http.request(token, "GET", b"/api/v1", header)).status == 200
    wrong_key = raw_http.post(token, b'{"owner":"alice"}', "Idempotency-Key: clé".encode())
    assert raw_http.send(server.port, wrong_key).error["code"] == "idempotency_key_invalid"
    wrong_token = raw_http.request(None, "GET", b"/api/v1", b"Authorization: Bearer \xff")
    assert raw_http.send(server.port, wrong_token).status == 401
