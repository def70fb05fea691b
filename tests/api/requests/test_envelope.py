"""The shape of answers: success, error, HEAD, OPTIONS, and the headers that all of them have."""

import re

import httpx2
import pytest

from support.api.answers import check_quota, data_of, error_of
from support.servers.stowboard import Server

pytestmark = pytest.mark.cluster_in_soak

TOKENS = "/api/v1/access/tokens"


@pytest.mark.parametrize("path", ["/api/v1", "/api/v1/"])
def test_a_success_is_data_and_an_empty_meta(admin: httpx2.Client, path: str) -> None:
    answer = admin.get(path)
    assert data_of(answer)["version"] == "v1"
    assert answer.json()["meta"] == {}
    assert not answer.history


def test_a_creation_answers_201_and_a_deletion_names_what_it_deleted(admin: httpx2.Client) -> None:
    created = data_of(admin.post(TOKENS, json={"owner": "alice"}), 201)
    assert data_of(admin.delete(f"{TOKENS}/{created['id']}")) == {
        "id": created["id"], "deleted": True, "ended": {},
    }  # fmt: skip


def test_a_list_has_exactly_the_three_members_of_paging_in_its_meta(admin: httpx2.Client) -> None:
    answer = admin.get(TOKENS, params={"limit": 1})
    assert len(data_of(answer)) == 1
    assert set(answer.json()["meta"]) == {"limit", "hasMore", "nextCursor"}


def test_json_is_camel_case_and_times_are_whole_milliseconds(admin: httpx2.Client) -> None:
    created = data_of(admin.post(TOKENS, json={"owner": "alice", "expiresIn": 60}), 201)
    assert set(created) == {
        "id", "owner", "scopes", "admin", "namespace", "kind", "name", "createdAt", "expiresAt", "revokedAt",
        "lastUsedAt", "spaces", "token",
    }  # fmt: skip
    assert created["expiresAt"] - created["createdAt"] == 60_000
    assert created["createdAt"] > 1_700_000_000_000


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/v1/nothing", 404, "route_not_found"),
        ("GET", "/api/v1/access", 404, "route_not_found"),
        ("GET", "/api/v1//access/tokens", 404, "route_not_found"),
        ("GET", "/api/v1/access/tokens/", 404, "route_not_found"),
        ("GET", "/api/v1/access/tokens/tok_unknown", 404, "not_found"),
        ("PUT", "/api/v1/access/tokens", 405, "method_not_allowed"),
        ("POST", "/api/v1/access/tokens", 400, "validation_failed"),
        ("GET", "/api/v1/access/tokens?limit=x", 400, "invalid_parameter"),
    ],
)
def test_an_error_is_a_code_and_a_message_and_links_its_explanation(
    admin: httpx2.Client, server: Server, method: str, path: str, status: int, code: str
) -> None:
    answer = admin.request(method, path)
    assert error_of(answer) == (status, code)
    assert answer.headers["link"] == f'<{server.origin}/docs/errors#{code}>; rel="help"'
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["/nothing", "/api", "/api/v2", "/api/v1x", "/oauth", "/oauth/nothing"])
def test_an_unknown_path_outside_the_api_is_404_in_the_same_shape(web: httpx2.Client, path: str) -> None:
    assert error_of(web.get(path)) == (404, "route_not_found")


@pytest.mark.parametrize("path", ["/api/v1/nothing", "/api/v1/access/tokens/x/y", "/api/v1/%2e%2e/healthz"])
def test_an_unknown_path_of_the_api_says_nothing_to_who_has_no_token(
    web: httpx2.Client, admin: httpx2.Client, path: str
) -> None:
    assert error_of(web.get(path)) == (401, "missing_token")
    assert error_of(admin.get(path)) == (404, "route_not_found")


@pytest.mark.parametrize("path", ["/api/v1", "/api/v1/access/tokens?limit=1", "/api/v1/nothing", "/healthz"])
def test_head_answers_with_the_headers_of_get_and_no_body(admin: httpx2.Client, path: str) -> None:
    plain = {"accept-encoding": "identity"}
    head, get = admin.head(path, headers=plain), admin.get(path, headers=plain)
    assert (head.status_code, head.content) == (get.status_code, b"")
    passing = {"x-request-id", "date", "ratelimit"}
    assert {name: head.headers[name] for name in head.headers if name not in passing} == {
        name: get.headers[name] for name in get.headers if name not in passing
    }
    assert int(head.headers["content-length"]) == len(get.content)


@pytest.mark.parametrize(
    ("path", "allow"),
    [
        ("/api/v1", "GET, HEAD, OPTIONS"),
        ("/api/v1/access/tokens", "GET, HEAD, OPTIONS, POST"),
        ("/api/v1/access/tokens/x", "DELETE, GET, HEAD, OPTIONS"),
        ("/healthz", "GET, HEAD, OPTIONS"),
        ("/oauth/token", "OPTIONS, POST"),
    ],
)
def test_options_and_a_wrong_method_list_the_methods(admin: httpx2.Client, path: str, allow: str) -> None:
    options = admin.options(path)
    assert (options.status_code, options.headers["allow"], options.content) == (204, allow, b"")
    for method in ("PUT", "TRACE", "PROPFIND"):
        wrong = admin.request(method, path)
        assert error_of(wrong) == (405, "method_not_allowed")
        assert wrong.headers["allow"] == allow


@pytest.mark.parametrize("path", ["/api/v1", "/api/v1/nothing", "/healthz", "/nothing", "/oauth/token"])
def test_a_request_id_is_given_back_or_made_up(admin: httpx2.Client, path: str) -> None:
    mine = admin.get(path, headers={"x-request-id": "my-request.42_a"})
    assert mine.headers["x-request-id"] == "my-request.42_a"
    made = {admin.get(path).headers["x-request-id"] for _ in range(3)}
    assert len(made) == 3
    assert all(re.fullmatch(r"req_[0-9a-f]{12,}", name) for name in made)


@pytest.mark.parametrize("given", ["short", "a" * 65, "white space!", 'quote"quote', "<script>alert(1)</script>"])
def test_a_request_id_that_could_do_harm_in_a_log_is_replaced(admin: httpx2.Client, given: str) -> None:
    assert admin.get("/api/v1", headers={"x-request-id": given}).headers["x-request-id"].startswith("req_")


def test_the_rate_limit_is_announced_on_every_answer_of_the_api(admin: httpx2.Client, web: httpx2.Client) -> None:
    preflight = {"origin": "https://page.test", "access-control-request-method": "POST"}
    for answer in (
        admin.get("/api/v1"),
        admin.head("/api/v1"),
        admin.options("/api/v1"),
        web.options("/api/v1", headers=preflight),
        web.get("/api/v1"),
        web.get("/api/v1", headers={"authorization": "Bearer wrong"}),
        admin.get("/api/v1/nothing"),
        admin.put("/api/v1"),
        admin.post(TOKENS, content=b"{"),
        admin.post(TOKENS, content=b"x" * 1_100_000),
        admin.post(TOKENS, data={"owner": "a"}),
        admin.post(TOKENS, json={"owner": "alice"}),
        admin.delete(f"{TOKENS}/tok_unknown"),
    ):
        check_quota(answer)
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"


def test_documents_outside_the_api_are_not_counted(admin: httpx2.Client) -> None:
    for path in ("/healthz", "/openapi.json", "/nothing"):
        assert "ratelimit" not in admin.get(path).headers
