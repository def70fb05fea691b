"""Send any request to the API.

  stow api GET /taskapp/tasks -f limit=5
  stow api POST /taskapp/tasks -f title="Call home"

With GET and DELETE, each -f is a query parameter. Otherwise it is a member of the body; its value is read as JSON if it
is JSON, else as text.
"""

import json
import sys
from argparse import ArgumentParser, Namespace
from typing import Any

from msgspec import UNSET

from stowboard_cli.exits import USAGE, CommandFailure
from stowboard_cli.output.harmless import harmless_json
from stowboard_cli.stow import Stow


def run_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("method", metavar="METHOD", type=str.upper)
    parser.add_argument("path", metavar="PATH", help="below /api/v1")
    parser.add_argument("-f", "--field", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--body", metavar="JSON", help="the whole body; - reads it from standard input")
    parser.add_argument("--key", metavar="KEY", help="an Idempotency-Key")


def run(stow: Stow, given: Namespace) -> None:
    fields = dict(_split(text) for text in given.field)
    body: Any = _body(given.body) if given.body is not None else UNSET
    query: dict[str, Any] = {}
    if given.method in ("GET", "HEAD", "DELETE"):
        query = fields
    elif fields:
        if not isinstance(body, dict) and body is not UNSET:
            raise CommandFailure(USAGE, "-f goes with a body that is an object.")
        body = {**({} if body is UNSET else body), **{name: _value(text) for name, text in fields.items()}}
    path = "/" + given.path.removeprefix("/api/v1").lstrip("/")
    answer = stow.client.raw(given.method, path, query=query, body=body, idempotency_key=given.key)
    content: Any = answer.json() if answer.content else None
    text = json.dumps(content, indent=2 if stow.printer.as_table else None, ensure_ascii=False)
    sys.stdout.write(harmless_json(text) + "\n")


def _split(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise CommandFailure(USAGE, f"-f takes NAME=VALUE, not {text!r}.")
    return name, value


def _body(text: str) -> Any:
    try:
        return json.loads(sys.stdin.read() if text == "-" else text)
    except ValueError as error:
        raise CommandFailure(USAGE, f"--body is not JSON: {error}") from None


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
