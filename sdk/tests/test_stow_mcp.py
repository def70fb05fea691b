"""`stow mcp` between a program on this machine and an endpoint over HTTP."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from scripted_server import Answer, HangUp, ScriptedServer, document

from stowboard_cli.main import run


@pytest.fixture
def bridge(
    server: ScriptedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Any:
    monkeypatch.setenv("STOW_FOLDER", str(tmp_path))
    monkeypatch.setenv("STOW_URL", server.url)
    monkeypatch.setenv("STOW_TOKEN", "stow_token")

    def say(*messages: object) -> list[Any]:
        lines = "".join((message if isinstance(message, str) else json.dumps(message)) + "\n" for message in messages)
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        assert run(["mcp"]) == 0
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return say


def test_each_message_is_posted_and_its_answer_is_a_line(bridge: Any, server: ScriptedServer) -> None:
    server.will(
        document(200, {"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": "2025-11-25"}}),
        Answer(202, b""),
        document(200, {"jsonrpc": "2.0", "id": 2, "result": {"tools": []}}),
    )
    answers = bridge(
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    )
    assert [answer["id"] for answer in answers] == [1, 2]
    assert [seen.path for seen in server.seen] == ["/mcp"] * 3
    assert server.seen[0].headers["authorization"] == "Bearer stow_token"
    assert "mcp-protocol-version" not in server.seen[0].headers
    assert server.seen[2].headers["mcp-protocol-version"] == "2025-11-25"


def test_headers_of_the_newest_revision_are_those_of_the_message(bridge: Any, server: ScriptedServer) -> None:
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
    event = b'event: message\ndata: {"jsonrpc": "2.0", "id": 1, "result": {}}\n\n'
    server.will(Answer(200, event, {"content-type": "text/event-stream"}), document(200, {"jsonrpc": "2.0", "id": 2}))
    answers = bridge(
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "find_tasks", "_meta": meta}},
        {
            "jsonrpc": "2.0",
            "id": 2,
            "method": "resources/read",
            "params": {"uri": "stowboard://boards/ä", "_meta": meta},
        },
    )
    assert [answer["id"] for answer in answers] == [1, 2]
    headers = server.seen[0].headers
    assert (headers["mcp-method"], headers["mcp-name"]) == ("tools/call", "find_tasks")
    assert headers["mcp-protocol-version"] == "2026-07-28"
    assert server.seen[1].headers["mcp-name"].startswith("=?base64?")


def test_what_cannot_be_sent_is_answered_all_the_same(bridge: Any, server: ScriptedServer) -> None:
    server.will(HangUp(), Answer(502, b"<html>"))
    answers = bridge("{", {"jsonrpc": "2.0", "id": 1, "method": "x"}, {"jsonrpc": "2.0", "id": 2, "method": "x"})
    assert [(answer["id"], answer["error"]["code"]) for answer in answers] == [(None, -32700), (1, -32603), (2, -32603)]


def test_a_strange_message_or_answer_does_not_end_the_bridge(bridge: Any, server: ScriptedServer) -> None:
    strange: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"_meta": ["x"]}}
    server.will(document(200, {"jsonrpc": "2.0", "id": 1, "result": "x"}), document(200, {"jsonrpc": "2.0", "id": 3}))
    answers = bridge(strange, {"jsonrpc": "2.0", "id": 2, "method": "ä"}, {"jsonrpc": "2.0", "id": 3, "method": "ping"})
    assert [answer["id"] for answer in answers] == [1, 2, 3]
    assert answers[1]["error"]["code"] == -32603
