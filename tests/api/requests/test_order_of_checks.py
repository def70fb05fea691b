"""Requests that are wrong in several ways: which of the errors is answered."""

import itertools
from typing import Any

import httpx2
import pytest

from support.api.answers import error_of
from support.clients.credentials import Issue, bearer
from support.servers.stacks import MakeServer, Stack
from support.servers.stowboard import Server

pytestmark = pytest.mark.cluster_in_soak
TOKENS = "/api/v1/access/tokens"
_addresses = itertools.count(1)
JSON = {"content-type": "application/json"}
FORM = {"content-type": "application/x-www-form-urlencoded"}
BAD_KEY = {"idempotency-key": "k" * 256}
TOO_LARGE = b"x" * 1_100_000
Request = dict[str, Any]

NO_TOKEN: list[tuple[str, str, Request]] = [
    ("GET", "/api/v1/nothing", {}),
    ("PUT", TOKENS, {}),
    ("POST", TOKENS, {"content": b"{", "headers": FORM | BAD_KEY}),
    ("POST", TOKENS, {"content": TOO_LARGE}),
    ("DELETE", f"{TOKENS}/tok_unknown", {}),
    ("GET", f"{TOKENS}?limit=%ff", {}),
]
AS_NOBODY: list[tuple[str, str, Request, int, str]] = [
    ("GET", "/api/v1/nothing", {}, 404, "route_not_found"),
    ("POST", "/api/v1/nothing", {"content": TOO_LARGE, "headers": FORM | BAD_KEY}, 404, "route_not_found"),
    ("PUT", TOKENS, {"content": b"{", "headers": FORM}, 405, "method_not_allowed"),
    ("PATCH", f"{TOKENS}/tok_unknown", {"headers": BAD_KEY}, 405, "method_not_allowed"),
    ("GET", f"{TOKENS}?limit=0", {}, 403, "admin_required"),
    ("POST", TOKENS, {"content": b"{", "headers": JSON}, 403, "admin_required"),
    ("POST", TOKENS, {"content": b"a=b", "headers": FORM}, 403, "admin_required"),
    ("POST", TOKENS, {"content": TOO_LARGE}, 403, "admin_required"),
    ("DELETE", f"{TOKENS}/tok_unknown", {"headers": BAD_KEY}, 403, "admin_required"),
]
AS_ADMIN: list[tuple[str, str, Request, int, str]] = [
    ("POST", TOKENS, {"content": TOO_LARGE, "headers": FORM}, 415, "unsupported_media_type"),
    ("POST", TOKENS, {"content": b"{", "headers": FORM | BAD_KEY}, 415, "unsupported_media_type"),
    ("POST", TOKENS, {"content": TOO_LARGE, "headers": BAD_KEY}, 413, "payload_too_large"),
    ("POST", TOKENS, {"content": b"{", "headers": BAD_KEY}, 400, "invalid_json"),
    ("POST", TOKENS, {"content": b"{}", "headers": BAD_KEY}, 400, "validation_failed"),
    ("POST", TOKENS, {"content": b'{"owner":"a","scopes":["x"]}', "headers": BAD_KEY}, 400, "idempotency_key_invalid"),
    ("DELETE", f"{TOKENS}/tok_unknown", {"headers": BAD_KEY}, 400, "idempotency_key_invalid"),
    ("DELETE", f"{TOKENS}/tok_unknown", {}, 404, "not_found"),
    ("GET", f"{TOKENS}?limit=0&cursor=x", {}, 400, "invalid_parameter"),
]


@pytest.mark.parametrize(("method", "path", "request_"), NO_TOKEN)
def test_without_a_token_nothing_else_is_looked_at(
    web: httpx2.Client, method: str, path: str, request_: Request
) -> None:
    assert error_of(web.request(method, path, **request_)) == (401, "missing_token")
    request_ = request_ | {"headers": request_.get("headers", {}) | bearer("stow_wrong")}
    assert error_of(web.request(method, path, **request_)) == (401, "invalid_token")


@pytest.mark.parametrize(("method", "path", "request_", "status", "code"), AS_NOBODY)
def test_the_path_and_the_method_come_before_the_scope_and_that_before_the_request(
    web: httpx2.Client, issue: Issue, method: str, path: str, request_: Request, status: int, code: str
) -> None:
    request_ = request_ | {"headers": request_.get("headers", {}) | bearer(issue(scopes=[]))}
    assert error_of(web.request(method, path, **request_)) == (status, code)


@pytest.mark.parametrize(("method", "path", "request_", "status", "code"), AS_ADMIN)
def test_the_body_comes_before_its_key_and_that_before_the_object(
    admin: httpx2.Client, method: str, path: str, request_: Request, status: int, code: str
) -> None:
    assert error_of(admin.request(method, path, **request_)) == (status, code)


def test_a_key_that_answered_another_request_comes_before_the_object(admin: httpx2.Client) -> None:
    key = {"idempotency-key": "order-of-checks"}
    assert admin.post(TOKENS, json={"owner": "alice"}, headers=key).status_code == 201
    assert error_of(admin.delete(f"{TOKENS}/tok_unknown", headers=key)) == (422, "idempotency_key_reused")


@pytest.fixture(scope="module")
def strict_server(stack: Stack, make_server: MakeServer) -> Server:
    """One request now, the next in a minute."""
    return make_server(stack() | {"STOWBOARD_RATE_LIMIT_PER_MINUTE": "1", "STOWBOARD_RATE_LIMIT_BURST": "1"})


@pytest.mark.parametrize(
    ("method", "path"), [("GET", "/api/v1"), ("GET", "/api/v1/nothing"), ("PUT", TOKENS), ("POST", TOKENS)]
)
def test_the_rate_limit_comes_after_the_token_and_before_the_path(
    strict_server: Server, method: str, path: str
) -> None:
    with httpx2.Client(base_url=strict_server.origin) as web:
        web.get("/api/v1", headers=strict_server.headers)
        limited = web.request(method, path, headers=strict_server.headers)
        assert error_of(limited) == (429, "rate_limited")
        assert 1 <= int(limited.headers["retry-after"]) <= 60
        assert limited.headers["ratelimit"].startswith('"burst";r=0;t=')
    for headers, code in (({}, "missing_token"), (bearer("stow_wrong"), "invalid_token")):
        # Strangers have a limit as well, so each comes from an address of its own.
        transport = httpx2.HTTPTransport(local_address=f"127.1.0.{next(_addresses)}")
        with httpx2.Client(base_url=strict_server.origin, transport=transport) as stranger:
            assert error_of(stranger.request(method, path, headers=headers)) == (401, code)
            assert error_of(stranger.request(method, path, headers=headers)) == (429, "rate_limited")
