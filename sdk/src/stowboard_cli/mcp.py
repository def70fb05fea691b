"""Speak MCP over standard input and output, for programs on this machine that do not speak HTTP.

Each line is one message of JSON-RPC, sent to /mcp of the installation; its answer is a line on standard output. It
needs a token of your own, or: stow login --agents
"""

import base64
import json
import sys
from argparse import Namespace
from typing import Any

import httpx2

from stowboard_cli.output.harmless import harmless_json
from stowboard_cli.profiles.chosen import chosen_profile, open_client
from stowboard_cli.signing_in.scopes import AGENTS
from stowboard_cli.stow import Stow
from stowboard_client import Client, StowboardError

_VERSION = "io.modelcontextprotocol/protocolVersion"
_INTERNAL = -32603


def run(stow: Stow, given: Namespace) -> None:
    del stow
    _, profile = chosen_profile(given.profile, AGENTS)
    with open_client(given.profile, AGENTS) as client, httpx2.Client(timeout=300) as http:
        bridge = _Bridge(client, http, f"{profile.url.rstrip('/').removesuffix('/api/v1')}/mcp")
        for line in sys.stdin:
            for answer in bridge.take(line) if line.strip() else ():
                sys.stdout.write(answer + "\n")
                sys.stdout.flush()


class _Bridge:
    def __init__(self, client: Client, http: httpx2.Client, url: str) -> None:
        self._client, self._http, self._url = client, http, url
        self._version: str | None = None

    def take(self, line: str) -> list[str]:
        """The answers to one message; a notification has none."""
        try:
            message = json.loads(line)
        except ValueError:
            return [_error(None, -32700, "That is not JSON.")]
        number = message.get("id") if isinstance(message, dict) else None
        try:
            answer = self._http.post(self._url, content=line.encode(), headers=self._headers(message))
        except (httpx2.RequestError, StowboardError, UnicodeEncodeError) as error:
            return [_error(number, _INTERNAL, f"{self._url} cannot be reached: {error}")] if number is not None else []
        answers = _messages(answer)
        self._learn(message, answers)
        if not answers and number is not None:
            return [_error(number, _INTERNAL, f"{self._url} answered {answer.status_code}.")]
        return [harmless_json(json.dumps(each, ensure_ascii=False)) for each in answers]

    def _headers(self, message: Any) -> dict[str, str]:
        headers = {
            "authorization": f"Bearer {self._client.token()}",
            "accept": "application/json, text/event-stream",
            "content-type": "application/json",
        }
        if not isinstance(message, dict):
            return headers
        given = message.get("params")
        params: dict[str, Any] = given if isinstance(given, dict) else {}
        meta = params.get("_meta")
        version = (meta.get(_VERSION) if isinstance(meta, dict) else None) or self._version
        if version:
            headers["mcp-protocol-version"] = str(version)
        if isinstance(message.get("method"), str):
            headers["mcp-method"] = message["method"]
        name = params.get("name") or params.get("uri")
        if isinstance(name, str):
            headers["mcp-name"] = name if _is_plain(name) else f"=?base64?{base64.b64encode(name.encode()).decode()}?="
        return headers

    def _learn(self, message: Any, answers: list[Any]) -> None:
        """Older clients settle on a version once, and later messages carry it in a header."""
        if isinstance(message, dict) and message.get("method") == "initialize" and answers:
            result = answers[-1].get("result") if isinstance(answers[-1], dict) else None
            if isinstance(result, dict):
                self._version = result.get("protocolVersion", self._version)


def _messages(answer: httpx2.Response) -> list[Any]:
    """The messages of an answer in JSON, or in a stream of events that carries JSON."""
    if "text/event-stream" in answer.headers.get("content-type", ""):
        lines = answer.text.splitlines()
        texts = [line.removeprefix("data:").strip() for line in lines if line.startswith("data:")]
    else:
        texts = [answer.text]
    found = []
    for text in texts:
        try:
            message = json.loads(text)
        except ValueError:
            continue
        if isinstance(message, list) or (isinstance(message, dict) and "jsonrpc" in message):
            found.append(message)
    return found


def _is_plain(name: str) -> bool:
    return name.isascii() and name.isprintable() and name == name.strip() and not name.startswith("=?")


def _error(number: Any, code: int, text: str) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": text}})
