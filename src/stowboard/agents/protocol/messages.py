"""JSON-RPC 2.0 as MCP has it: one message in a body, and one answer or none."""

from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from stowboard.core.decoding import NotAnObject, decode_json
from stowboard.core.errors import InvalidJson, ValidationFailed

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
#: Codes of MCP: headers that contradict the body; an unsupported revision.
HEADER_MISMATCH, UNSUPPORTED_VERSION = -32020, -32022
#: A code of MCP before 2026.
RESOURCE_NOT_FOUND = -32002


class RpcMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A request. Without an id it is a notification; with a result or an error it is an answer that nobody asked
    for.
    """

    jsonrpc: Literal["2.0"]
    method: str | UnsetType = UNSET
    id: str | int | UnsetType = UNSET
    params: dict[str, Any] | UnsetType = UNSET
    result: msgspec.Raw | UnsetType = UNSET
    error: msgspec.Raw | UnsetType = UNSET

    @property
    def is_answer(self) -> bool:
        return self.method is UNSET and not (self.result is UNSET and self.error is UNSET)

    @property
    def is_notification(self) -> bool:
        return self.id is UNSET

    @property
    def parameters(self) -> dict[str, Any]:
        return self.params or {}

    @property
    def meta(self) -> dict[str, Any]:
        meta = self.parameters.get("_meta")
        return meta if isinstance(meta, dict) else {}


class RpcError(Exception):
    """An error answer. `status` is the status of HTTP, for revisions that define one."""

    def __init__(self, code: int, message: str, status: int = 400, data: Any = UNSET) -> None:
        super().__init__(message)
        self.code, self.message, self.status, self.data = code, message, status, data


def read_message(raw: bytes) -> RpcMessage:
    """Raises RpcError."""
    try:
        message = decode_json(_decoder, raw)
    except InvalidJson as problem:
        code = INVALID_REQUEST if isinstance(problem, NotAnObject) else PARSE_ERROR
        raise RpcError(code, f"{problem.message} Each message is an object of its own.") from None
    except ValidationFailed as problem:
        raise RpcError(INVALID_REQUEST, f"Not a message of JSON-RPC 2.0: {problem.message}") from None
    if message.method is UNSET and not message.is_answer:
        raise RpcError(INVALID_REQUEST, "Not a message of JSON-RPC 2.0: method is required.")
    return message


def write_result(message: RpcMessage, result: Any) -> bytes:
    return _encode({"jsonrpc": "2.0", "id": message.id, "result": result})


def write_error(message: RpcMessage | None, error: RpcError) -> bytes:
    shown: dict[str, Any] = {"code": error.code, "message": error.message}
    if error.data is not UNSET:
        shown["data"] = error.data
    answer: dict[str, Any] = {"jsonrpc": "2.0", "error": shown}
    if message is not None and message.id is not UNSET:
        answer["id"] = message.id
    return _encode(answer)


_decoder = msgspec.json.Decoder(RpcMessage)
_encode = msgspec.json.Encoder().encode
