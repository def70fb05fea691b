"""The tools and resources that the conformance suite of MCP asks for, on our own door; everybody is let in.

`granian --interface asgi support.agents.conformance_app:app`, with ORIGIN in the environment.
"""

import os
from typing import Any, cast

from stowboard.agents.door import AgentDoor
from stowboard.agents.protocol.methods import Methods
from stowboard.agents.protocol.tool import Arguments, ImageContent, TextContent, Tool, ToolResult
from stowboard.api.admission import Admission
from stowboard.api.gateway import Gateway
from stowboard.api.limits.rule import RateLimitRule, RateLimitSettings
from stowboard.api.limits.shared_memory import SharedLimiter
from stowboard.api.pipeline import Pipeline
from stowboard.core.caller import Caller, TokenId, TokenKind
from stowboard.core.errors import Conflict
from stowboard.core.reach import Reach
from stowboard.core.signing import DigestKey
from stowboard.http.asgi import Message, Receive, Send, serve_asgi
from stowboard.http.body_memory import BodyMemory
from stowboard.http.crowd import Crowd, CrowdSettings
from stowboard.http.exchange import Exchange, Route
from stowboard.http.origin import Origins
from stowboard.http.proxies import Proxies

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCB2kUIOwAAAABJRU5ErkJggg=="
WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA="
ANYBODYS = Reach.of_owner("anybody")
ANYBODY = Caller(TokenId("tok_any"), "anybody", frozenset(), None, TokenKind.AUTOMATION, ANYBODYS, "anybody")


class Nothing(Arguments, frozen=True):
    """No arguments."""


def fixture(name: str, description: str, *content: Any) -> Tool:
    async def run(_asked: Any, _arguments: Any) -> ToolResult:
        return ToolResult(list(content))

    return Tool(name, name, description, Nothing, run, reads=True)


async def fail(_asked: Any, _arguments: Any) -> ToolResult:
    raise Conflict("This tool intentionally returns an error for testing.")


def embedded(uri: str) -> dict[str, Any]:
    text = {"uri": uri, "mimeType": "text/plain", "text": "This is an embedded resource content."}
    return {"type": "resource", "resource": text}


TOOLS = [
    fixture("test_simple_text", "Text.", TextContent("This is a simple text response for testing.")),
    fixture("test_image_content", "An image.", ImageContent(PNG, "image/png")),
    fixture("test_audio_content", "A sound.", {"type": "audio", "data": WAV, "mimeType": "audio/wav"}),
    fixture("test_embedded_resource", "A resource.", embedded("test://embedded-resource")),
    fixture(
        "test_multiple_content_types", "Several.", TextContent("Multiple content types test:"),
        ImageContent(PNG, "image/png"),
        embedded("test://mixed-content-resource"),
    ),
    fixture("test_logging_tool", "No log is sent to clients.", TextContent("Nothing is logged.")),
    Tool("test_error_handling", "Fails", "Always fails.", Nothing, fail),
]  # fmt: skip


class FixtureResources:
    async def page(self, _asked: Any, _cursor: str | None) -> dict[str, Any]:
        return {"resources": [
            {"uri": "test://static-text", "name": "text", "mimeType": "text/plain"},
            {"uri": "test://static-binary", "name": "binary", "mimeType": "image/png"},
        ]}  # fmt: skip

    def templates(self) -> list[dict[str, Any]]:
        return [{"uriTemplate": "test://template/{id}/data", "name": "template", "mimeType": "application/json"}]

    async def find(self, _asked: Any, uri: str) -> list[dict[str, Any]] | None:
        if uri == "test://static-text":
            return [{"uri": uri, "mimeType": "text/plain", "text": "This is the content of the static text resource."}]
        if uri == "test://static-binary":
            return [{"uri": uri, "mimeType": "image/png", "blob": PNG}]
        if uri == "test://template/123/data":
            return [{"uri": uri, "mimeType": "application/json", "text": '{"id": "123", "templateTest": true}'}]
        return None


class Anybody:
    def find_remembered(self, header: str | None, door: str = "") -> Caller | None:
        return ANYBODY

    async def check(self, exchange: Exchange, door: str = "") -> Caller:
        return ANYBODY

    async def look_up_again(self, caller: Caller) -> Caller:
        return ANYBODY


class Asked:
    caller = ANYBODY


def build() -> Gateway:
    proxies = Proxies(())
    origins, memory = Origins(os.environ["ORIGIN"], proxies), BodyMemory(1 << 24)
    limiter = SharedLimiter(RateLimitRule(RateLimitSettings(6_000_000, 10_000)), os.environ["ORIGIN"])
    methods = Methods(TOOLS, FixtureResources(), "Fixtures.")
    admission = Admission(Anybody(), limiter, proxies, DigestKey(b"k" * 32))
    door = AgentDoor(methods, lambda _caller, _origin: Asked(), admission, origins, memory, "")
    routes = [Route("POST", "/mcp", door.answer, cross_origin=False)]
    crowd = Crowd(CrowdSettings(), proxies, 0)
    return Gateway(cast(Pipeline, None), routes, origins, limiter.rule, None, proxies, crowd, memory)


gateway = build()


async def nothing() -> None:
    """There is nothing to start or to stop."""


async def app(scope: Message, receive: Receive, send: Send) -> None:
    await serve_asgi(gateway.handle, nothing, nothing, scope, receive, send)
