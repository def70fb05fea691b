"""A service for this machine alone is asked under its names: a page of another site has another one (rebinding)."""

import httpx2
import pytest

from support.api.answers import error_of
from support.servers.stacks import UNLIMITED, MakeServer
from support.servers.stowboard import Server

pytestmark = pytest.mark.cluster_in_soak

FOREIGN = ["stow.example.org", "127.0.0.1.example.org", "localhost.example.org:8080", "10.0.0.1"]
OWN = ["localhost", "localhost:8080", "LOCALHOST", "127.0.0.1", "127.0.0.1:9", "[::1]:8080"]
PATHS = [("GET", "/session"), ("POST", "/session/token"), ("POST", "/mcp")]


def ask(server: Server, method: str, path: str, host: str) -> httpx2.Response:
    return httpx2.request(method, server.origin + path, headers={"host": host} | server.headers)


@pytest.mark.parametrize("host", FOREIGN)
@pytest.mark.parametrize(("method", "path"), PATHS)
def test_another_name_is_refused_where_only_our_own_pages_ask(
    server: Server, method: str, path: str, host: str
) -> None:
    assert error_of(ask(server, method, path, host)) == (400, "invalid_parameter")


@pytest.mark.parametrize("host", OWN)
def test_names_of_this_machine_are_taken(server: Server, host: str) -> None:
    assert ask(server, "GET", "/session", host).status_code == 401
    assert "Host" not in ask(server, "POST", "/mcp", host).text


def test_elsewhere_any_name_does(server: Server) -> None:
    assert ask(server, "GET", "/api/v1", "stow.example.org").status_code == 200
    assert ask(server, "GET", "/openapi.json", "stow.example.org").status_code == 200


def test_with_a_public_url_the_name_is_the_proxys_to_choose(make_server: MakeServer) -> None:
    server = make_server(UNLIMITED | {"STOWBOARD_PUBLIC_URL": "https://stow.example.org"})
    assert ask(server, "GET", "/session", "stow.example.org").status_code == 401
    server.kill()
