"""The door /mcp lets the right tokens in, and tells a client without a token where it gets one."""

import re

import httpx2
import pytest

from support.api.answers import error_of
from support.clients.agents import Agent
from support.clients.applications import App, registered
from support.clients.credentials import Issue, bearer
from support.clients.people import Browser, invited
from support.servers.stowboard import Server
from support.waiting import wait_until


def challenge(answer: httpx2.Response) -> dict[str, str]:
    scheme, _, fields = answer.headers["www-authenticate"].partition(" ")
    assert scheme == "Bearer"
    return dict(re.findall(r'(\w+)="([^"]*)"', fields))


def test_without_a_token_a_client_is_led_to_where_they_are_given(server: Server) -> None:
    answer = Agent(server.origin, None).post("tools/list")
    assert error_of(answer) == (401, "missing_token")
    told = challenge(answer)
    assert told == {
        "resource_metadata": f"{server.origin}/.well-known/oauth-protected-resource/mcp",
        "scope": "tasks:read tasks:write media:read media:write",
    }
    resource = httpx2.get(told["resource_metadata"]).json()
    assert resource["resource"] == f"{server.origin}/mcp"
    assert resource["authorization_servers"] == [server.origin]
    assert resource["scopes_supported"] == told["scope"].split()
    metadata = httpx2.get(f"{server.origin}/.well-known/oauth-authorization-server").json()
    assert f"{server.origin}/mcp" in metadata["protected_resources"]


def test_a_token_that_is_no_good_is_told_so(server: Server) -> None:
    answer = Agent(server.origin, "stow_nonsense").post("tools/list")
    assert (answer.status_code, challenge(answer)["error"]) == (401, "invalid_token")


@pytest.fixture
def browser(server: Server, owner: str) -> Browser:
    return invited(server, owner)


@pytest.fixture
def app(server: Server) -> App:
    return registered(server)


def test_a_token_opens_the_door_that_it_was_given_for(server: Server, browser: Browser, app: App) -> None:
    for_agents = app.sign_in(browser, resource=f"{server.origin}/mcp")["access_token"]
    for_api = app.sign_in(browser, resource=f"{server.origin}/api/v1")["access_token"]
    assert Agent(server.origin, for_agents).post("tools/list").status_code == 200
    assert Agent(server.origin, for_api).post("tools/list").status_code == 401
    assert httpx2.get(f"{server.base_url}/taskapp/boards", headers=bearer(for_agents)).status_code == 401


def test_a_revoked_token_is_refused(server: Server, issue: Issue) -> None:
    token = issue()
    agent = Agent(server.origin, token)
    assert agent.post("tools/list").status_code == 200
    httpx2.delete(f"{server.base_url}/access/tokens/{token.id}", headers=server.headers)
    wait_until(lambda: agent.post("tools/list").status_code == 401)


def test_a_page_of_another_site_is_kept_out(server: Server, agent: Agent) -> None:
    message = agent.message("tools/list")
    for origin in ("https://evil.example.com", "null", "http://127.0.0.1:1"):
        answer = agent.send(message, origin=origin)
        assert error_of(answer) == (403, "cross_site")
        assert "access-control-allow-origin" not in answer.headers
    assert agent.send(message, origin=server.origin).status_code == 200


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_there_are_no_streams_and_no_sessions(server: Server, agent: Agent, method: str) -> None:
    answer = httpx2.request(method, f"{server.origin}/mcp", headers=agent.headers(agent.message("ping")))
    assert (answer.status_code, answer.headers["allow"]) == (405, "OPTIONS, POST")


def test_what_a_tool_needs_beyond_the_token_is_named_all_at_once(server: Server, issue: Issue, owner: str) -> None:
    reader = Agent(server.origin, issue(owner, scopes=["tasks:read"]))
    answer = reader.post("tools/call", name="save_task", arguments={"title": "x"})
    assert error_of(answer) == (403, "insufficient_scope")
    told = challenge(answer)
    assert (told["error"], told["scope"]) == ("insufficient_scope", "tasks:write")
    assert told["resource_metadata"].endswith("/.well-known/oauth-protected-resource/mcp")
    media = Agent(server.origin, issue(owner, scopes=["media:read"]))
    assert challenge(media.post("resources/list"))["scope"] == "tasks:read"


def test_each_call_counts_against_the_limit_and_is_a_line_in_the_log(strict_server: Server) -> None:
    body = {"owner": "alice", "scopes": ["tasks:read"]}
    made = httpx2.post(f"{strict_server.base_url}/access/tokens", json=body, headers=strict_server.headers).json()[
        "data"
    ]
    agent = Agent(strict_server.origin, made["token"])
    first = agent.post("tools/call", name="find_tasks", arguments={})
    assert re.match(r'"burst";r=\d+;', first.headers["ratelimit"])
    assert "q=1;w=60" in first.headers["ratelimit-policy"]
    refusals = [answer for _ in range(40) if (answer := agent.post("tools/list")).status_code == 429]
    assert error_of(refusals[0]) == (429, "rate_limited")
    assert int(refusals[0].headers["retry-after"]) >= 1
    wait_until(lambda: '"path":"/mcp find_tasks","status":200' in strict_server.log())
    assert f'"tokenId":"{made["id"]}"' in strict_server.log()
    assert made["token"] not in strict_server.log()
