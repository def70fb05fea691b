"""An unknown address: a page for a person in a browser, the envelope for programs."""

import httpx2
import pytest

from support.api.answers import error_of
from support.servers.stowboard import Server

pytestmark = pytest.mark.cluster_in_soak

BROWSER = {"accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


@pytest.mark.parametrize("path", ["/nowhere", "/docs/nowhere", "/favicon.icon"])
def test_a_browser_gets_a_page(server: Server, path: str) -> None:
    answer = httpx2.get(server.origin + path, headers=BROWSER)
    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "Page not found" in answer.text
    assert "script-src" not in answer.headers["content-security-policy"]


@pytest.mark.parametrize("accept", ["*/*", "application/json", ""])
def test_a_program_gets_the_envelope(server: Server, accept: str) -> None:
    assert error_of(httpx2.get(f"{server.origin}/nowhere", headers={"accept": accept})) == (404, "route_not_found")


def test_an_unknown_operation_of_the_api_is_an_error_for_browsers_too(server: Server) -> None:
    answer = httpx2.get(f"{server.base_url}/nowhere", headers=BROWSER | server.headers)
    assert error_of(answer) == (404, "route_not_found")
