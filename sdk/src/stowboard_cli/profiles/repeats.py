"""A command that is given again because it had no answer is the same act: its writes have the keys of the first time.

A file beside the profiles has the words of the last command and the keys of its writes, if one of them had no answer.
The very next command takes them if it has the same words; any other ends them.
"""

import contextlib
import hashlib
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

import httpx2
import msgspec

from stowboard_cli.profiles import stored

_LASTS_SECONDS = 3600
_KEY = "idempotency-key"
#: Statuses that leave open whether a write was done, or say that it may be sent again.
_OPEN = {408, 425, 429}


class _Unanswered(msgspec.Struct):
    words: list[str]
    at: float
    #: By the digest of what each write asks.
    keys: dict[str, str]


class Repeats:
    def __init__(self, words: Sequence[str]) -> None:
        self._words = list(words)
        self._file = stored.own_folder() / "unanswered.json"
        self._before: dict[str, str] = {}
        self._keys: dict[str, str] = {}
        self._open: set[str] = set()
        #: For the HTTP client of the command.
        self.hooks: dict[str, list[Any]] = {"request": [self._ask], "response": [self._hear]}

    def __enter__(self) -> Self:
        with contextlib.suppress(OSError, msgspec.MsgspecError):
            kept = msgspec.json.decode(self._file.read_bytes(), type=_Unanswered)
            if kept.words == self._words and time.time() < kept.at + _LASTS_SECONDS:
                self._before = kept.keys
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Without a place for the file, every command is an act of its own."""
        with contextlib.suppress(OSError):
            if self._open:
                self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._file.write_bytes(msgspec.json.encode(_Unanswered(self._words, time.time(), self._keys)))
            else:
                self._file.unlink(missing_ok=True)

    def _ask(self, request: httpx2.Request) -> None:
        if _KEY in request.headers:
            asked = _digest(request)
            key = self._keys[asked] = self._before.get(asked, request.headers[_KEY])
            request.headers[_KEY] = key
            self._open.add(asked)

    def _hear(self, response: httpx2.Response) -> None:
        if _KEY not in response.request.headers or response.status_code >= 500 or response.status_code in _OPEN:
            return
        asked = _digest(response.request)
        self._open.discard(asked)
        if response.is_error:
            self._keys.pop(asked, None)  # the same key would get the same refusal


def _digest(request: httpx2.Request) -> str:
    return hashlib.sha256(f"{request.method} {request.url} ".encode() + request.content).hexdigest()
