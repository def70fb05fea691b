"""The revision of MCP that a client speaks, and what it changes.

Since 2026-07-28 each request names its revision, in `_meta` and again in its headers, and nothing is remembered between
requests. Before, a client began with `initialize`; we answer that and remember nothing either, since nothing that we
offer needs a session. A client of either era needs no setting: each request shows its era.
"""

import base64
import binascii
from typing import Any

import msgspec

from stowboard import __version__
from stowboard.agents.protocol.messages import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    RESOURCE_NOT_FOUND,
    UNSUPPORTED_VERSION,
    RpcError,
    RpcMessage,
)
from stowboard.http.exchange import Exchange

MODERN = "2026-07-28"
LEGACY = ("2025-11-25", "2025-06-18", "2025-03-26")
SUPPORTED = [MODERN, *LEGACY]
SERVER = {"name": "stowboard", "title": "Stowboard", "version": __version__}
_VERSION = "io.modelcontextprotocol/protocolVersion"
_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
_SERVER_INFO = "io.modelcontextprotocol/serverInfo"
_HEADER = "mcp-protocol-version"
#: The parameter that the header Mcp-Name repeats.
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_ENCODED, _ENCODED_END = "=?base64?", "?="


class Era(msgspec.Struct, frozen=True):
    modern: bool

    def result(self, content: dict[str, Any], cached_ms: int | None = None) -> dict[str, Any]:
        """A result in the form of this era; the client, and no shared cache, may keep it for `cached_ms`."""
        if not self.modern:
            return content
        shown = {"resultType": "complete", **content, "_meta": {_SERVER_INFO: SERVER}}
        return shown if cached_ms is None else {**shown, "ttlMs": cached_ms, "cacheScope": "private"}

    def no_method(self, name: str) -> RpcError:
        """Before 2026 an error was answered with 200."""
        return RpcError(METHOD_NOT_FOUND, f"There is no method {name[:100]!r} here.", 404 if self.modern else 200)

    def wrong(self, message: str) -> RpcError:
        """The parameters are wrong, or name something that does not exist; the request itself is well-formed."""
        return RpcError(INVALID_PARAMS, message, 200)

    def no_resource(self, uri: str) -> RpcError:
        code = INVALID_PARAMS if self.modern else RESOURCE_NOT_FOUND
        return RpcError(code, "There is no such resource.", 200, {"uri": uri})


def era_of(message: RpcMessage, exchange: Exchange) -> Era:
    """Raises RpcError for an unknown revision, and for headers that contradict the body."""
    told, header = message.meta.get(_VERSION), exchange.header(_HEADER)
    if told is None and header != MODERN:
        if header is not None and header not in LEGACY and message.method != "initialize":
            raise _unsupported(header)
        return Era(modern=False)
    _check_meta(message, told, header)
    _check_repeated(exchange, "Mcp-Method", str(message.method))
    if (member := _NAMED.get(str(message.method))) is not None:
        _check_repeated(exchange, "Mcp-Name", message.parameters.get(member), encoded=True)
    return Era(modern=True)


def _check_meta(message: RpcMessage, told: Any, header: str | None) -> None:
    if not isinstance(told, str):
        raise RpcError(INVALID_PARAMS, f"params._meta needs {_VERSION}, a string.")
    if header != told:
        raise RpcError(HEADER_MISMATCH, f"MCP-Protocol-Version and {_VERSION} differ, or one of them is missing.")
    if told != MODERN:
        raise _unsupported(told)
    if not isinstance(message.meta.get(_CAPABILITIES), dict):
        raise RpcError(INVALID_PARAMS, f"params._meta needs {_CAPABILITIES}, an object.")


def _check_repeated(exchange: Exchange, name: str, value: Any, *, encoded: bool = False) -> None:
    header = exchange.header(name.lower())
    if header is None or exchange.header_count(name.lower()) > 1:
        raise RpcError(HEADER_MISMATCH, f"The header {name} is missing, or was sent more than once.")
    if encoded and header.startswith(_ENCODED) and header.endswith(_ENCODED_END):
        header = _decoded(header[len(_ENCODED) : -len(_ENCODED_END)], name)
    if header != value:
        raise RpcError(HEADER_MISMATCH, f"The header {name} says something else than the body.")


def _decoded(text: str, name: str) -> str:
    try:
        return base64.b64decode(text, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        raise RpcError(HEADER_MISMATCH, f"The header {name} is not UTF-8 in base64.") from None


def _unsupported(version: str) -> RpcError:
    data = {"supported": SUPPORTED, "requested": version[:100]}
    return RpcError(UNSUPPORTED_VERSION, "This revision of the protocol is not spoken here.", 400, data)
