"""The two shapes of an answer: `{"data", "meta"}` and `{"error": {"code", "message"}}`."""

from typing import Any

import msgspec

from stowboard.api.endpoint import NO_META
from stowboard.core.errors import Problem

_encode = msgspec.json.Encoder().encode


def success(data: Any, meta: Any) -> bytes:
    text = data if type(data) is msgspec.Raw else _encode(data)  # what is JSON already is not copied once more
    if meta is NO_META:
        return b'{"data":%b,"meta":{}}' % text
    return b'{"data":%b,"meta":%b}' % (text, _encode(meta))


def failure(problem: Problem) -> bytes:
    return _encode({"error": {"code": problem.code, "message": problem.message}})


def without_body(reply: bytes) -> bytes:
    """A kept reply about a task, with the plaintext taken out."""
    envelope = msgspec.json.decode(reply)
    if isinstance(envelope.get("data"), dict) and "body" in envelope["data"]:
        envelope["data"]["body"] = None
    return msgspec.json.encode(envelope)
