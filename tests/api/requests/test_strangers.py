"""Requests without a good token have a budget for each address, and nobody else pays for it."""

import httpx2
import pytest

from stowboard_client import Client
from support.api.answers import error_of
from support.clients.credentials import basic, bearer
from support.servers.stacks import MakeServer, Stack
from support.servers.stowboard import Server

GRANT = {"grant_type": "client_credentials"}
#: Five at once, then one in a minute.
FEW = {"STOWBOARD_RATE_LIMIT_PER_MINUTE": "1", "STOWBOARD_RATE_LIMIT_BURST": "5"}


@pytest.fixture(scope="module")
def few(stack: Stack, make_server: MakeServer) -> Server:
    return make_server(stack() | FEW | {"STOWBOARD_TRUSTED_PROXIES": "127.2.0.0/24"})


def test_an_address_that_keeps_asking_without_a_good_token_is_told_to_wait(few: Server) -> None:
    with at(few, "127.1.1.1") as stranger:
        kinds = [{}, bearer("stow_wrong"), {"authorization": "Basic x"}, bearer("x y"), bearer("stow_other")]
        assert {error_of(stranger.get("/api/v1", headers=kind))[0] for kind in kinds} == {401}
        limited = stranger.post("/api/v1/access/tokens", json={})
        assert error_of(limited) == (429, "rate_limited")
        assert int(limited.headers["retry-after"]) >= 1
        assert stranger.get("/api/v1", headers=few.headers).status_code == 200, "a good token is good from anywhere"
    with at(few, "127.1.1.2") as other:
        assert error_of(other.get("/api/v1"))[0] == 401


def test_behind_a_trusted_proxy_each_client_has_its_own_budget(few: Server) -> None:
    with at(few, "127.2.0.1") as proxy:
        for number in range(12):
            answer = proxy.get("/api/v1", headers={"x-forwarded-for": f"198.51.100.{number}, 127.2.0.9"})
            assert error_of(answer)[0] == 401
        one = [proxy.get("/api/v1", headers={"x-forwarded-for": f"{n}.1.1.1, 203.0.113.5"}) for n in range(1, 8)]
        assert [error_of(answer)[0] for answer in one] == [401] * 5 + [429] * 2, "only the last hop is believed"


def test_nobody_else_can_say_where_they_come_from(few: Server) -> None:
    with at(few, "127.1.1.3") as stranger:
        answers = [stranger.get("/api/v1", headers={"x-forwarded-for": f"198.51.100.{n}"}) for n in range(7)]
    assert [error_of(answer)[0] for answer in answers] == [401] * 5 + [429] * 2


def test_links_begin_with_what_a_trusted_proxy_was_asked_for(few: Server) -> None:
    forwarded = {"x-forwarded-proto": "https", "x-forwarded-host": "stow.example.org"}
    for address, origin in (("127.2.0.2", "https://stow.example.org"), ("127.1.1.4", few.origin)):
        with at(few, address) as web:
            found = web.get("/.well-known/oauth-authorization-server", headers=forwarded).json()
            assert found["issuer"] == origin


def test_a_client_has_one_bucket_for_all_its_tokens(stack: Stack, make_server: MakeServer) -> None:
    server = make_server(stack() | {"STOWBOARD_RATE_LIMIT_PER_MINUTE": "1", "STOWBOARD_RATE_LIMIT_BURST": "6"})
    with Client(server.origin, server.admin_token) as admin:
        app, other = admin.clients.create("alice"), admin.clients.create("alice")
    with httpx2.Client(base_url=server.origin) as web:
        tokens = [web.post("/oauth/token", data=GRANT, headers=basic(app)).json()["access_token"] for _ in range(4)]
        statuses = [web.get("/api/v1", headers=bearer(token)).status_code for token in tokens * 2]
        assert statuses == [200] * 6 + [429] * 2
        again = [web.post("/oauth/token", data=GRANT, headers=basic(app)).status_code for _ in range(3)]
        assert again == [200, 200, 429], "the endpoint itself counts the client"
        granted = web.post("/oauth/token", data=GRANT, headers=basic(other))
        assert granted.status_code == 200, "another one at the same address has its own"
        token = granted.json()["access_token"]
        assert web.get("/api/v1", headers=bearer(token)).status_code == 200
    server.kill()


def at(server: Server, address: str) -> httpx2.Client:
    """A client that comes from this address of the machine's own."""
    return httpx2.Client(base_url=server.origin, transport=httpx2.HTTPTransport(local_address=address))
