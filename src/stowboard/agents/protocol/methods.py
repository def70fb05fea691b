"""The methods of MCP that are offered: tools and resources. No prompts, no sampling, no streams, no sessions."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol, TypeAlias

import msgspec

from stowboard.agents.protocol.eras import LEGACY, SERVER, SUPPORTED, Era
from stowboard.agents.protocol.messages import RpcMessage
from stowboard.agents.protocol.tool import Tool, ToolResult, told_of
from stowboard.core.caller import Caller
from stowboard.core.errors import InsufficientScope, InvalidCursor, Problem

#: The time that a client may keep lists that change only with an update of the server.
_RARELY_MS = 300_000
_OFFERED: dict[str, Any] = {"tools": {}, "resources": {}}


class AgentCaller(Protocol):
    """The caller, with what tools need."""

    @property
    def caller(self) -> Caller:
        """The caller, as the token says."""


class Resources(Protocol):
    """Documents that a client may read without a tool."""

    async def page(self, asked: Any, cursor: str | None) -> dict[str, Any]:
        """`resources`, and `nextCursor` if more follow. Raises Problem."""

    def templates(self) -> list[dict[str, Any]]:
        """Patterns of addresses."""

    async def find(self, asked: Any, uri: str) -> list[dict[str, Any]] | None:
        """The contents at an address. Raises Problem."""


class ScopesNeeded(InsufficientScope):
    """All the scopes that the request needs beyond those of the token."""

    def __init__(self, scopes: frozenset[str]) -> None:
        self.scopes = " ".join(sorted(scopes))
        super().__init__(f"This needs a token with {self.scopes}, which yours lacks.")


Method: TypeAlias = Callable[["Methods", Any, Era, dict[str, Any]], Awaitable[dict[str, Any]]]


class Methods:
    def __init__(self, tools: Sequence[Tool], resources: Resources, instructions: str) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._resources, self._instructions = resources, instructions

    async def answer(self, asked: AgentCaller, era: Era, message: RpcMessage) -> dict[str, Any]:
        """The result of a request. Raises RpcError, ScopesNeeded, and Problem for a resource that cannot be had."""
        method = _ALWAYS.get(str(message.method)) or (_MODERN if era.modern else _LEGACY).get(str(message.method))
        if method is None:
            raise era.no_method(str(message.method))
        return await method(self, asked, era, message.parameters)

    def name_of(self, message: RpcMessage) -> str:
        """The method or the tool, for the log; never text that a client made up."""
        method = str(message.method)
        if method == "tools/call":
            name = message.parameters.get("name")
            return name if isinstance(name, str) and name in self._tools else method
        return method if method in _ALWAYS | _MODERN | _LEGACY else "unknown"

    async def discover(self, _asked: Any, era: Era, _: dict[str, Any]) -> dict[str, Any]:
        told = {"supportedVersions": SUPPORTED, "capabilities": _OFFERED, "instructions": self._instructions}
        return era.result(told, _RARELY_MS)

    async def initialize(self, _asked: Any, era: Era, parameters: dict[str, Any]) -> dict[str, Any]:
        wanted = parameters.get("protocolVersion")
        version = wanted if wanted in LEGACY else LEGACY[0]
        return era.result({
            "protocolVersion": version, "capabilities": _OFFERED, "serverInfo": SERVER,
            "instructions": self._instructions,
        })  # fmt: skip

    async def ping(self, _asked: Any, era: Era, _: dict[str, Any]) -> dict[str, Any]:
        return era.result({})

    async def list_tools(self, asked: AgentCaller, era: Era, parameters: dict[str, Any]) -> dict[str, Any]:
        _no_cursor(era, parameters)
        tools = [tool.listed for tool in self._tools.values() if tool.is_for(asked.caller.scopes)]
        return era.result({"tools": tools}, _RARELY_MS)

    async def call_tool(self, asked: AgentCaller, era: Era, parameters: dict[str, Any]) -> dict[str, Any]:
        tool = self._tools.get(_text(era, parameters, "name"))
        given = parameters.get("arguments") or {}
        if tool is None or not isinstance(given, dict):
            raise era.wrong("There is no such tool." if tool is None else "arguments: expected an object.")
        return era.result(msgspec.to_builtins(await _called(tool, asked, given)))

    async def list_resources(self, asked: AgentCaller, era: Era, parameters: dict[str, Any]) -> dict[str, Any]:
        cursor = parameters.get("cursor")
        try:
            return era.result(await self._resources.page(asked, None if cursor is None else str(cursor)), 0)
        except InvalidCursor as problem:
            raise era.wrong(problem.message) from None

    async def list_templates(self, _asked: Any, era: Era, parameters: dict[str, Any]) -> dict[str, Any]:
        _no_cursor(era, parameters)
        return era.result({"resourceTemplates": self._resources.templates()}, _RARELY_MS)

    async def read_resource(self, asked: AgentCaller, era: Era, parameters: dict[str, Any]) -> dict[str, Any]:
        uri = _text(era, parameters, "uri")
        contents = await self._resources.find(asked, uri)
        if contents is None:
            raise era.no_resource(uri)
        return era.result({"contents": contents}, 0)


async def _called(tool: Tool, asked: AgentCaller, given: dict[str, Any]) -> ToolResult:
    """A refusal of the tool is a result for the model; only a missing scope is an error for its client."""
    try:
        arguments = tool.read_arguments(given)
        if missing := tool.missing_scopes(arguments, asked.caller.scopes):
            raise ScopesNeeded(missing)
        return await tool.run(asked, arguments)
    except ScopesNeeded:
        raise
    except Problem as problem:
        return told_of(problem)


def _text(era: Era, parameters: dict[str, Any], name: str) -> str:
    value = parameters.get(name)
    if not isinstance(value, str):
        raise era.wrong(f"{name}: expected a string.")
    return value


def _no_cursor(era: Era, parameters: dict[str, Any]) -> None:
    """These lists have one page."""
    if parameters.get("cursor") is not None:
        raise era.wrong("The cursor is not one that this list gave.")


_ALWAYS: dict[str, Method] = {
    "tools/list": Methods.list_tools,
    "tools/call": Methods.call_tool,
    "resources/list": Methods.list_resources,
    "resources/templates/list": Methods.list_templates,
    "resources/read": Methods.read_resource,
}
_MODERN: dict[str, Method] = {"server/discover": Methods.discover}
_LEGACY: dict[str, Method] = {"initialize": Methods.initialize, "ping": Methods.ping}
