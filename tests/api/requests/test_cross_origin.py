"""Pages of other origins: preflights, and what a page may read of an answer."""

import httpx2
import pytest

from support.api.answers import data_of, error_of

pytestmark = pytest.mark.cluster_in_soak

PAGE = {"origin": "https://page.test"}
EXPOSED = {
    "ratelimit", "ratelimit-policy", "retry-after", "x-request-id", "idempotent-replayed", "etag", "location", "link",
    "www-authenticate", "allow",
}  # fmt: skip


def listed(value: str) -> set[str]:
    return {name.strip().lower() for name in value.split(",")}


@pytest.mark.parametrize("path", ["/api/v1", "/api/v1/access/tokens", "/api/v1/nothing", "/oauth/token", "/healthz"])
def test_a_preflight_needs_no_token_and_allows_what_the_api_takes(web: httpx2.Client, path: str) -> None:
    asked = {"access-control-request-method": "POST", "access-control-request-headers": "authorization"}
    answer = web.options(path, headers=PAGE | asked)
    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in answer.headers
    assert {"get", "post", "patch", "put", "delete"} <= listed(answer.headers["access-control-allow-methods"])
    allowed = listed(answer.headers["access-control-allow-headers"])
    assert {"authorization", "content-type", "idempotency-key", "if-match", "x-request-id"} <= allowed
    assert int(answer.headers["access-control-max-age"]) > 0


def test_an_options_request_that_is_no_preflight_needs_a_token(web: httpx2.Client) -> None:
    assert error_of(web.options("/api/v1", headers=PAGE)) == (401, "missing_token")


def test_a_page_may_read_answers_and_errors_and_their_headers(web: httpx2.Client, admin: httpx2.Client) -> None:
    data_of(admin.get("/api/v1", headers=PAGE))
    for answer in (
        admin.get("/api/v1", headers=PAGE),
        web.get("/api/v1", headers=PAGE),
        admin.get("/api/v1/nothing", headers=PAGE),
        admin.post("/api/v1/access/tokens", content=b"{", headers=PAGE),
    ):
        assert answer.headers["access-control-allow-origin"] == "*"
        assert listed(answer.headers["access-control-expose-headers"]) >= EXPOSED


def test_a_program_that_is_no_page_is_spared_the_headers(admin: httpx2.Client) -> None:
    assert not [name for name in admin.get("/api/v1").headers if name.startswith("access-control")]
