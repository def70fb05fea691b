"""The document and the server agree on each member and parameter: at its bounds, and with values of other kinds.

What the document refuses, the server never does; what the document allows, the server does not call malformed. New
members are walked by themselves. `TOLD_IN_WORDS` has the rules that no schema can say.
"""

import http.client
import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

import httpx2
import jsonschema_rs
import pytest

from support.servers.stacks import UNLIMITED, MakeServer, Stack
from support.servers.stowboard import Server

Json = dict[str, Any]
#: Method, address and body; the status and the text of the answer.
Ask = Callable[..., tuple[int, str]]
pytestmark = pytest.mark.cluster_in_soak
ENDLESS = "streamEvents"
#: Values that only exist where somebody made them, and texts that are read.
TOLD_IN_WORDS = {
    "assignees": "members of the space",
    "attachments": "assets and videos that exist",
    "board": "a board of one's own",
    "boardId": "a board of one's own",
    "columnId": "a column of that board",
    "cursor": "what a list gave",
    "id": "an asset or a video that exists",
    "redirectUris": "addresses of programs",
    "reminders": "one of two members in each",
    "size": "that of the bytes beside it, within the operator's limit",
    "startAt": "not later than dueAt",
    "text": "captions in WebVTT or SRT",
}
FORMATS = {"byte", "iana-time-zone", "rrule", "search-query", "transform-class", "uri"}
TEXTS = ["", " ", "\n", "\x01", "\u202ex", "a\n", "é", "x", "-", ",", "a,b", "a b"]
#: Queries of a search without a word.
NO_WORDS = ["", " ", "-", '"', ", ,", "!", "..", "\u202e"]


@pytest.fixture(scope="module")
def web(stack: Stack, make_server: MakeServer) -> Iterator[httpx2.Client]:
    server: Server = make_server(stack() | UNLIMITED)
    with httpx2.Client(base_url=server.base_url, headers=server.headers, timeout=60) as web:
        assert web.post("/taskapp/task-index/backfill").json()["data"]["complete"]
        yield web
    server.kill()


@pytest.fixture(scope="module")
def ask(web: httpx2.Client) -> Iterator[Ask]:
    """For many thousand requests: four times as fast as `web`."""
    connection = http.client.HTTPConnection(web.base_url.host, web.base_url.port, timeout=60)
    headers = {"authorization": web.headers["authorization"], "content-type": "application/json"}

    def ask(method: str, path: str, body: Any = None) -> tuple[int, str]:
        encoded = None if body is None else json.dumps(body).encode()
        connection.request(method.upper(), web.base_url.path.rstrip("/") + path, encoded, headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    yield ask
    connection.close()


@pytest.fixture(scope="module")
def doc(web: httpx2.Client) -> Json:
    document: Json = httpx2.get(str(web.base_url).replace("/api/v1/", "/openapi.json")).json()
    return document


@pytest.fixture
def known(web: httpx2.Client) -> dict[str, str]:
    return {
        "{task_id}": made(web, "/taskapp/tasks", {"title": "A"}),
        "{board_id}": made(web, "/taskapp/boards", {"name": "A"}),
        "{asset_id}": made(web, "/media/upload/file", {"filename": "a.txt", "data": "YQ=="}),
        "{video_id}": made(web, "/media/videos/upload", {"title": "A"}),
        "{webhook_id}": made(web, "/webhooks", {"url": "https://hooks.example.com", "types": ["task.*"]}),
    }


def operations(doc: Json, ids: dict[str, str] | None = None) -> Iterator[tuple[str, str, Json]]:
    """Method, an address with these ids, or `x` for any other, and the operation. Aliases are the same operations."""
    for path, by_method in doc["paths"].items():
        for method, one in by_method.items():
            if "servers" not in one and one["operationId"] != ENDLESS and not path.startswith("/tasks"):
                parts = [(ids or {}).get(part, "x") if part.startswith("{") else part for part in path.split("/")]
                yield method, "/".join(parts), one


def disagreement(status: int, valid: bool) -> bool:
    """A refusal for another reason, such as an unknown id, says nothing about the value."""
    return 200 <= status < 300 if not valid else status in (400, 413)


def test_a_parameter_is_taken_if_the_document_says_so(ask: Ask, doc: Json) -> None:
    wrong = []
    for method, path, one in operations(doc):
        parameters = [parameter for parameter in one.get("parameters", []) if parameter.get("in") == "query"]
        needed = {parameter["name"]: "water" for parameter in parameters if parameter["required"]}
        for parameter in parameters:
            name, schema = parameter["name"], parameter["schema"]
            check = jsonschema_rs.validator_for(schema | {"components": doc["components"]})
            kinds: tuple[type, ...] = (str,)
            if not any(part.get("type") == "string" for part in options(doc, schema)):
                kinds = (str, int)
            for value in values_of(doc, schema):
                if not isinstance(value, kinds):
                    continue
                query = needed | {name: str(value) if value is not True else "true"}
                status, text = ask(method, f"{path}?{urlencode(query)}")
                valid = check.is_valid(value)
                if disagreement(status, valid) and not (valid and is_told_in_words(doc, name, schema)):
                    wrong.append((one["operationId"], name, value, text))
    assert wrong == [], "\n".join(map(str, wrong))


def test_a_search_without_a_word_is_refused_by_both(web: httpx2.Client, doc: Json) -> None:
    queries = [
        (path, parameter["schema"])
        for _, path, one in operations(doc)
        for parameter in one.get("parameters", [])
        if parameter.get("name") == "q"
    ]
    assert queries
    for path, schema in queries:
        for text in NO_WORDS:
            assert not jsonschema_rs.is_valid(schema, text), text
            assert web.get(path, params={"q": text}).status_code == 400
        for text in ("é", "日", "7", '"holi', "tag:"):
            assert jsonschema_rs.is_valid(schema, text), text
            assert web.get(path, params={"q": text}).status_code == 200


def test_a_member_of_a_body_is_taken_if_the_document_says_so(ask: Ask, doc: Json, known: dict[str, str]) -> None:
    wrong = []
    for method, path, one in operations(doc, known):
        if "requestBody" not in one:
            continue
        content = one["requestBody"]["content"]["application/json"]
        check = jsonschema_rs.validator_for(content["schema"] | {"components": doc["components"]})
        example = content.get("example", {})
        if one["operationId"] == "addAttachment":
            example = {"id": known["{asset_id}"]}
        for name, body in bodies_of(doc, content["schema"], example):
            status, text = ask(method, path, body)
            valid = check.is_valid(body)
            in_words = is_told_in_words(doc, name, resolved(doc, content["schema"])["properties"].get(name, {}))
            in_words |= one["operationId"] in ("uploadFromUrl", "beginImport")  # hosts exist, files are read
            if disagreement(status, valid) and not (valid and in_words):
                wrong.append((one["operationId"], name, str(body)[:200], text))
    assert wrong == [], "\n".join(map(str, wrong))


def test_conditions_are_heeded_where_the_document_has_them(
    web: httpx2.Client, doc: Json, known: dict[str, str]
) -> None:
    """If-None-Match on every read that has an ETag, If-Match on every change that heeds it, and nowhere else."""
    wrong = []
    whole = sorted(operations(doc, known), key=lambda each: each[0] == "delete")
    for method, path, one in whole:
        told = {parameter.get("name") for parameter in one.get("parameters", [])}
        body = one.get("requestBody", {}).get("content", {}).get("application/json", {}).get("example")
        needed = {"q": "water"} if "q" in told else {}
        if method == "get":
            answer = web.get(path, params=needed)
            etag = answer.headers.get("etag")
            if answer.is_success and (etag is not None) != ("If-None-Match" in told):
                wrong.append((one["operationId"], "If-None-Match", etag))
            elif answer.is_success and etag is not None:
                again = web.get(path, params=needed, headers={"if-none-match": etag})
                assert again.status_code == 304, one["operationId"]
        elif "x" not in path.split("/"):
            answer = web.request(method, path, json=body, headers={"if-match": '"other"'})
            if (answer.status_code == 412) != ("If-Match" in told) and answer.status_code not in (400, 403, 409):
                wrong.append((one["operationId"], "If-Match", str(answer.status_code)))
    assert wrong == []


def made(web: httpx2.Client, path: str, body: Json) -> str:
    answer = web.post(path, json=body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["data"]["id"])


def bodies_of(doc: Json, schema: Json, example: Json) -> Iterator[tuple[str, Any]]:
    """The example, without each member, and with other values of it; and things that are no object."""
    anything: list[Any] = [[], 5, {}, example]
    yield from (("", whole) for whole in anything)
    for name, member in resolved(doc, schema)["properties"].items():
        yield name, {other: value for other, value in example.items() if other != name}
        for value in values_of(doc, member):
            yield name, example | {name: value}


def values_of(doc: Json, schema: Json) -> Iterator[Any]:
    """Values at the bounds of the schema and beyond them, and of other types."""
    yield from (None, {}, True)
    for part in options(doc, schema):
        if part.get("type") in ("integer", "number"):
            yield from (
                value + more for key in ("minimum", "maximum") if (value := part.get(key)) for more in (-1, 0, 1)
            )
            yield from (0, -1, 1.5, "x", 10**25)
        elif part.get("type") == "string":
            yield from [1, *TEXTS, *part.get("enum", [])[:1]]
            yield from ("x" * (part["maxLength"] + more) for more in (0, 1) if part.get("maxLength", 9999) < 5000)
        elif part.get("type") == "array":
            yield []
            yield from ([value] for value in values_of(doc, part["items"]))
            if part.get("maxItems", 9999) < 1000:
                yield from ([f"a{number}" for number in range(part["maxItems"] + more)] for more in (0, 1))
        else:
            yield from ({"a": "b"}, {"a b": "b"}, {"": "b"}, {"a": 1}, {f"a{number}": "b" for number in range(60)})


def is_told_in_words(doc: Json, name: str, schema: Json) -> bool:
    parts = list(options(doc, schema))
    parts += [item for part in parts if "items" in part for item in options(doc, part["items"])]
    return name in TOLD_IN_WORDS or any(part.get("format") in FORMATS for part in parts)


def options(doc: Json, schema: Json) -> Iterator[Json]:
    """The schemas of which one has to fit."""
    schema = resolved(doc, schema)
    choices = schema.get("anyOf", schema.get("oneOf"))
    if choices is None:
        yield schema
    else:
        for choice in choices:
            yield from options(doc, choice)


def resolved(doc: Json, schema: Json) -> Json:
    while "$ref" in schema:
        schema = doc["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema
