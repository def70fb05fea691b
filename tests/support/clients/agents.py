"""A client of MCP for tests, as plain as can be, of either era."""

import itertools
from typing import Any

import httpx2

from stowboard_client import IssuedToken

MODERN, LEGACY = "2026-07-28", "2025-11-25"
VERSION, CAPABILITIES = "io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities"
#: One for all, since each reads the certificates of the machine.
_web = httpx2.Client(limits=httpx2.Limits(max_keepalive_connections=0))
_NAMED = {"tools/call": "name", "resources/read": "uri"}


class Agent:
    def __init__(self, origin: str, token: IssuedToken | str | None, version: str = MODERN) -> None:
        self.version = version
        self._url, self._numbers = f"{origin}/mcp", itertools.count(1)
        self._headers = {"accept": "application/json, text/event-stream"}
        if token is not None:
            self._headers["authorization"] = f"Bearer {token if isinstance(token, str) else token.token}"

    def message(self, method: str, **params: Any) -> dict[str, Any]:
        """The request as this era has it."""
        if self.version == MODERN:
            params["_meta"] = {VERSION: MODERN, CAPABILITIES: {}}
        return {"jsonrpc": "2.0", "id": next(self._numbers), "method": method, "params": params}

    def headers(self, message: dict[str, Any]) -> dict[str, str]:
        headers = {**self._headers, "mcp-protocol-version": self.version}
        if self.version == MODERN:
            headers["mcp-method"] = message["method"]
            if (member := _NAMED.get(message["method"])) is not None:
                headers["mcp-name"] = message["params"].get(member, "")
        return headers

    def send(self, content: Any, **headers: str | None) -> httpx2.Response:
        """A message with the headers that it should have, but for those that are given; None leaves one out."""
        right = self.headers(content) if isinstance(content, dict) and "method" in content else self._headers
        wanted = right | {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {name: value for name, value in wanted.items() if value is not None}
        if isinstance(content, bytes):
            return _web.post(self._url, content=content, headers=sent)
        return _web.post(self._url, json=content, headers=sent)

    def post(self, method: str, **params: Any) -> httpx2.Response:
        return self.send(self.message(method, **params))

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """The result."""
        answer = self.post(method, **params)
        assert answer.status_code == 200, answer.text
        result: dict[str, Any] = answer.json()["result"]
        return result

    def try_call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        return self.ask("tools/call", name=tool, arguments=arguments)

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured result, once the tool has worked."""
        result = self.try_call(tool, **arguments)
        assert not result.get("isError"), result["content"]
        content: dict[str, Any] = result["structuredContent"]
        return content

    def text(self, tool: str, **arguments: Any) -> str:
        """The text that a model reads first."""
        return str(self.try_call(tool, **arguments)["content"][0]["text"])

    def refused(self, tool: str, **arguments: Any) -> str:
        """The text that a model reads when the tool did not work."""
        result = self.try_call(tool, **arguments)
        assert result["isError"] is True
        return str(result["content"][0]["text"])

    def tools(self) -> list[dict[str, Any]]:
        tools: list[dict[str, Any]] = self.ask("tools/list")["tools"]
        return tools
