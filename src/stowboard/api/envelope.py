"""The two shapes of an answer: `{"data", "meta"}` and `{"error": {"code", "message"}}`."""

from typing import Any

import msgspec

from stowboard.api.endpoint import NO_META
from stowboard.core.errors import Problem

_encode = msgspec.json.Encoder().encode


def success(data: Any, meta: Any) -> bytes:
    if meta is NO_META:
        return b'{"data":%b,"meta":{}}' % _encode(data)
    return b'{"data":%b,"meta":%b}' % (_encode(data), _encode(meta))


def failure(problem: Problem) -> bytes:
    return _encode({"error": {"code": problem.code, "message": problem.message}})
