"""Structured logs: one JSON object a line, or a short line for people at a terminal.

Only values that are passed by name are written. JSON escapes control characters, and long texts are cut. No header,
body or token is ever passed here. Access lines are written together every tenth of a second, which makes them cheap
enough to be on by default; a crash can lose that tenth.
"""

import logging
import re
import sys
import time
from functools import lru_cache
from typing import Any, TextIO

import msgspec

LONGEST_TEXT = 1000
FLUSH_SECONDS = 0.1
_encode = msgspec.json.Encoder().encode
_UNREMARKABLE = re.compile(r"[A-Za-z0-9/_.~:+-]+").fullmatch
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


def configure_logging(level: str, people: bool, stream: TextIO = sys.stderr) -> None:
    handler = logging.StreamHandler(stream)
    handler.setFormatter(_ForPeople() if people else _ForMachines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.raiseExceptions = False  # otherwise each line that cannot be written makes another line


#: Time in milliseconds, method, path, status, microseconds, request id, token id.
_Entry = tuple[int, str, str, int, int, str, str]


class AccessLog:
    """Lines about finished requests. The owner calls `flush` every `FLUSH_SECONDS`."""

    def __init__(self, people: bool, stream: TextIO = sys.stderr) -> None:
        self._people, self._stream = people, stream
        self._waiting: list[_Entry] = []
        self._start = ""

    def add(self, method: str, path: str, status: int, micros: int, request_id: str, token_id: str) -> None:
        self._waiting.append((time.time_ns() // 1_000_000, method, path, status, micros, request_id, token_id))

    def flush(self) -> None:
        if self._waiting:
            lines, self._waiting = self._waiting, []
            line = _access_for_people if self._people else _access_for_machines
            try:
                self._stream.write("".join((self._start, *map(line, lines))))
                self._stream.flush()
                self._start = ""
            except OSError:  # the disk is full or the reader is gone: lines are lost, requests go on
                self._start = "\n"  # the last line may be torn


def _access_for_machines(entry: _Entry) -> str:
    # Built by hand: half the cost of an encoder. Only path and method are text that a client chose.
    at_ms, method, path, status, micros, request_id, token_id = entry
    method, path = _quoted(method[:LONGEST_TEXT]), _quoted(path[:LONGEST_TEXT])  # cut, since they are remembered
    return (
        f'{{"time":"{_iso(at_ms)}","level":"info","event":"request","method":"{method}","path":"{path}",'
        f'"status":{status},"ms":{_ms(micros)},"requestId":"{request_id}","tokenId":"{token_id}"}}\n'
    )


def _access_for_people(entry: _Entry) -> str:
    at_ms, method, path, status, micros, _, _ = entry
    clock = time.strftime("%H:%M:%S", time.localtime(at_ms // 1000))
    return f"{clock}  {status}  {method:6} {_plain(path)}  {micros / 1000:.1f} ms\n"


class _ForMachines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, Any] = {
            "time": _iso(int(record.created * 1000)),
            "level": record.levelname.lower(),
            "event": record.getMessage()[:LONGEST_TEXT],
            "logger": record.name,
        }
        fields |= {name: _short(value) for name, value in vars(record).items() if name not in _STANDARD}
        if record.exc_info:
            fields["trace"] = self.formatException(record.exc_info)
        return _encode(fields).decode()


class _ForPeople(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        extra = " ".join(f"{name}={_short(value)}" for name, value in vars(record).items() if name not in _STANDARD)
        clock = time.strftime("%H:%M:%S", time.localtime(record.created))
        line = f"{clock}  {record.levelname.lower():7}  {record.getMessage()[:LONGEST_TEXT]}  {extra}".rstrip()
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def _plain(path: str) -> str:
    """A path that is safe to show in a terminal: no control sequence, no line end of any kind."""
    short = path[:LONGEST_TEXT]
    return short if short.isascii() and short.isprintable() else ascii(short)[1:-1]


@lru_cache(1024)
def _quoted(text: str) -> str:
    """The text, escaped for a JSON string, without the quotes."""
    if len(text) < LONGEST_TEXT and _UNREMARKABLE(text):
        return text
    return _encode(_plain(text)).decode()[1:-1]


def _short(value: Any) -> Any:
    return value if isinstance(value, int | float | bool | None) else str(value)[:LONGEST_TEXT]


@lru_cache(8)
def _iso(at_ms: int) -> str:
    return f"{_second(at_ms // 1000)}.{at_ms % 1000:03}Z"


@lru_cache(8)
def _second(at: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at))


@lru_cache(1024)
def _ms(micros: int) -> str:
    return str(micros / 1000)
