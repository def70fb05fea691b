"""The log of a server, as a machine reads it."""

import json
import time
from typing import Any

from support.servers.stowboard import Server

WRITTEN_WITHIN_SECONDS = 60.0


def log_lines(server: Server) -> list[dict[str, Any]]:
    """Every line that is not the greeting. A line that is no JSON object fails."""
    lines = server.log().splitlines()
    return [_object(line) for line in lines if line and not line.startswith("  ")]


def request_lines(server: Server) -> list[dict[str, Any]]:
    return [line for line in log_lines(server) if line["event"] == "request"]


def line_of(server: Server, request_id: str) -> dict[str, Any]:
    """The line about one request; lines are written a moment after the answer."""
    give_up = time.monotonic() + WRITTEN_WITHIN_SECONDS
    while time.monotonic() < give_up:
        for line in request_lines(server):
            if line["requestId"] == request_id:
                return line
        time.sleep(0.05)
    raise AssertionError(f"{request_id} is not in the log")


def errors(server: Server) -> list[dict[str, Any]]:
    return [line for line in log_lines(server) if line["level"] in ("error", "critical")]


def _object(line: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(line)
    assert isinstance(content, dict)
    return content
