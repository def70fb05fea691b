"""A session has one bucket, whatever number of bearers its browser takes."""

from support.api.answers import error_of
from support.clients.people import fresh_name, invited
from support.servers.stacks import MakeServer, Stack

BURST = 20


def test_the_bearers_of_one_session_share_a_bucket_and_taking_one_counts(stack: Stack, make_server: MakeServer) -> None:
    limits = {"STOWBOARD_RATE_LIMIT_BURST": str(BURST), "STOWBOARD_RATE_LIMIT_PER_MINUTE": "1"}
    server = make_server(stack() | limits)
    browser, other = invited(server, fresh_name("ann")), invited(server, fresh_name("ben"))
    bearers = [browser.bearer() for _ in range(4)]
    asked = [browser.get("/api/v1/access/me", headers=bearers[n % 4]) for n in range(BURST)]
    assert [answer.status_code for answer in asked] == [200] * (BURST - 4) + [429] * 4
    refused = browser.post("/session/token", json={})
    assert error_of(refused) == (429, "rate_limited")
    assert int(refused.headers["retry-after"]) >= 1
    assert other.get("/api/v1/access/me", headers=other.bearer()).status_code == 200
    server.kill()
