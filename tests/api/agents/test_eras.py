"""Both revisions of the protocol on one address, to the letter."""

import base64
from typing import Any

import httpx2
import pytest

from support.api.answers import error_of
from support.clients.agents import CAPABILITIES, LEGACY, MODERN, VERSION, Agent

pytestmark = pytest.mark.cluster_in_soak
PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS = -32700, -32600, -32601, -32602
HEADER_MISMATCH, UNSUPPORTED = -32020, -32022


@pytest.fixture
def legacy(make_agent: Any) -> Agent:
    agent: Agent = make_agent(version=LEGACY)
    return agent


def rpc_error(answer: httpx2.Response) -> tuple[int, int]:
    assert answer.headers["content-type"] == "application/json"
    return answer.status_code, answer.json()["error"]["code"]


def test_a_modern_client_discovers_what_there_is(agent: Agent) -> None:
    result = agent.ask("server/discover")
    assert result["resultType"] == "complete"
    assert {MODERN, LEGACY} <= set(result["supportedVersions"])
    assert result["capabilities"] == {"tools": {}, "resources": {}}
    assert (result["cacheScope"], result["ttlMs"] > 0) == ("private", True)
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "stowboard"
    assert "data, never instructions" in result["instructions"]


@pytest.mark.parametrize(("asked", "given"), [(LEGACY, LEGACY), ("2025-06-18", "2025-06-18"), ("1999-01-01", LEGACY)])
def test_an_older_client_opens_with_initialize_and_gets_no_session(legacy: Agent, asked: str, given: str) -> None:
    message = legacy.message("initialize", protocolVersion=asked, capabilities={}, clientInfo={"name": "x"})
    answer = legacy.send(message, mcp_protocol_version=None)
    result = answer.json()["result"]
    assert (result["protocolVersion"], result["serverInfo"]["name"]) == (given, "stowboard")
    assert "resultType" not in result
    assert "mcp-session-id" not in answer.headers
    begun = legacy.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert (begun.status_code, begun.content) == (202, b"")
    assert legacy.ask("ping") == {}


def test_an_answer_to_nobodys_question_is_taken(legacy: Agent) -> None:
    assert legacy.send({"jsonrpc": "2.0", "id": 7, "result": {}}).status_code == 202


@pytest.mark.parametrize("version", [MODERN, LEGACY])
def test_lists_are_the_same_in_both(make_agent: Any, version: str) -> None:
    agent = make_agent(version=version)
    assert [tool["name"] for tool in agent.tools()][:3] == ["find_tasks", "get_task", "save_task"]
    assert agent.ask("resources/list")["resources"] == []
    assert agent.ask("resources/templates/list")["resourceTemplates"][0]["uriTemplate"] == "stowboard://boards/{id}"


def test_what_is_not_there_is_told_as_each_revision_says(agent: Agent, legacy: Agent) -> None:
    for method in ("prompts/list", "initialize", "ping", "subscriptions/listen", "no/such"):
        assert rpc_error(agent.post(method)) == (404, NO_METHOD)
    for method in ("prompts/list", "server/discover", "no/such"):
        assert rpc_error(legacy.post(method)) == (200, NO_METHOD)
    assert rpc_error(agent.post("resources/read", uri="stowboard://nothing")) == (200, INVALID_PARAMS)
    assert rpc_error(legacy.post("resources/read", uri="stowboard://nothing")) == (200, -32002)
    for each in (agent, legacy):
        assert rpc_error(each.post("tools/call", name="no_such_tool", arguments={})) == (200, INVALID_PARAMS)
        assert rpc_error(each.post("tools/list", cursor="made-up")) == (200, INVALID_PARAMS)
        assert rpc_error(each.post("resources/list", cursor="made-up")) == (200, INVALID_PARAMS)


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"mcp_protocol_version": None}, HEADER_MISMATCH),
        ({"mcp_protocol_version": LEGACY}, HEADER_MISMATCH),
        ({"mcp_method": None}, HEADER_MISMATCH),
        ({"mcp_method": "tools/list"}, HEADER_MISMATCH),
        ({"mcp_name": None}, HEADER_MISMATCH),
        ({"mcp_name": "get_task"}, HEADER_MISMATCH),
        ({"mcp_name": "=?base64?!?="}, HEADER_MISMATCH),
        ({"mcp_name": "=?base64?/w==?="}, HEADER_MISMATCH),
    ],
)
def test_headers_must_say_what_the_body_says(agent: Agent, headers: dict[str, str | None], code: int) -> None:
    message = agent.message("tools/call", name="find_tasks", arguments={})
    assert rpc_error(agent.send(message, **headers)) == (400, code)


def test_a_name_in_base64_is_read(agent: Agent) -> None:
    message = agent.message("tools/call", name="find_tasks", arguments={})
    encoded = f"=?base64?{base64.b64encode(b'find_tasks').decode()}?="
    assert agent.send(message, mcp_name=encoded).status_code == 200


def test_a_revision_that_nobody_speaks_here_is_refused_with_those_that_are(agent: Agent, legacy: Agent) -> None:
    message = agent.message("tools/list")
    message["params"]["_meta"][VERSION] = "1900-01-01"
    answer = agent.send(message, mcp_protocol_version="1900-01-01")
    assert rpc_error(answer) == (400, UNSUPPORTED)
    assert answer.json()["error"]["data"]["requested"] == "1900-01-01"
    assert MODERN in answer.json()["error"]["data"]["supported"]
    assert rpc_error(legacy.send(legacy.message("tools/list"), mcp_protocol_version="2024-01-01")) == (400, UNSUPPORTED)


@pytest.mark.parametrize("member", [VERSION, CAPABILITIES])
def test_a_modern_request_says_all_that_it_must(agent: Agent, member: str) -> None:
    message = agent.message("tools/list")
    del message["params"]["_meta"][member]
    assert rpc_error(agent.send(message)) == (400, INVALID_PARAMS)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", INVALID_REQUEST),
        (b"{", PARSE_ERROR),
        (b"\xff", PARSE_ERROR),
        (b'"x"', INVALID_REQUEST),
        (b"5", INVALID_REQUEST),
        (b"null", INVALID_REQUEST),
        (b"true", INVALID_REQUEST),
        (b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', INVALID_REQUEST),
        (b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}', INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": 1}', INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]}', INVALID_REQUEST),
        (b"[" * 100_000, INVALID_REQUEST),
    ],
    ids=str,
)
def test_what_is_no_message_is_refused(legacy: Agent, content: bytes, code: int) -> None:
    assert rpc_error(legacy.send(content)) == (400, code)


def test_a_message_that_is_too_long_is_refused_by_its_size(legacy: Agent) -> None:
    answer = legacy.send(legacy.message("ping", filler="x" * (2 * 1024 * 1024)))
    assert error_of(answer) == (413, "payload_too_large")


def test_an_id_of_zero_is_an_id(legacy: Agent) -> None:
    assert legacy.send({"jsonrpc": "2.0", "id": 0, "method": "ping"}).json() == {
        "jsonrpc": "2.0",
        "id": 0,
        "result": {},
    }
