"""Schemas as generators of clients need them: short names, 64 bits, bounds, and nothing that only Python means."""

import re
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from stowboard.access.base.account import check_email
from stowboard.api.documents.openapi import document
from stowboard.catalogue import CATALOGUE
from stowboard.core.errors import ValidationFailed
from stowboard.core.plain_text import SPACES, checked_line
from stowboard.core.tags import Tag, checked_tag
from stowboard.events.mail.address import MailAddress
from stowboard.tasks.wire import Title as TaskTitle

Json = dict[str, Any]


@pytest.fixture(scope="module")
def doc() -> Json:
    return document(CATALOGUE, "https://stowboard.test")


def test_names_are_short_and_of_letters_alone(doc: Json) -> None:
    assert [name for name in doc["components"]["schemas"] if not re.fullmatch("[A-Z][A-Za-z0-9]{2,40}", name)] == []


def test_a_schema_is_entitled_as_it_is_called(doc: Json) -> None:
    schemas = doc["components"]["schemas"]
    assert [name for name, schema in schemas.items() if name != schema["title"]] == []


def test_what_is_sent_has_a_section_of_its_own(doc: Json) -> None:
    asked = {tag for operations in doc["paths"].values() for one in operations.values() for tag in one["tags"]}
    sent = {tag for operations in doc["webhooks"].values() for one in operations.values() for tag in one["tags"]}
    assert asked & sent == set()
    assert asked | sent == {tag["name"] for tag in doc["tags"]}


def test_a_default_of_a_member_is_told_in_words(doc: Json) -> None:
    """A client's types would else ask for the member."""
    members = doc["components"]["schemas"]["CreateBody"]["properties"]
    assert members["visibility"]["description"] == "By default `server-readable`."
    assert [path for path, part in parts(doc) if path.startswith("schemas") and "default" in part] == []


def test_an_integer_has_64_bits(doc: Json) -> None:
    small = [path for path, part in parts(doc) if part.get("type") == "integer" and part.get("format") != "int64"]
    assert [path for path in small if "/limit/" not in path] == []


def test_every_string_list_and_number_has_its_bounds(doc: Json) -> None:
    unbound = [path for path, part in parts(doc) if missing_bounds(part)]
    # A `limit` has no largest value: whatever is asked for, the largest page is given.
    assert [path for path in unbound if "/limit/" not in path] == []


def test_no_member_has_null_as_its_default(doc: Json) -> None:
    assert [path for path, part in parts(doc) if part.get("default", ...) is None] == []


def test_operations_on_videos_have_a_section_of_their_own(doc: Json) -> None:
    tags = {
        tag
        for path, operations in doc["paths"].items()
        if path.startswith("/media/videos")
        for operation in operations.values()
        for tag in operation["tags"]
    }
    assert tags == {"Videos"}


def test_what_excludes_each_other_is_told(doc: Json) -> None:
    patch = doc["components"]["schemas"]["TaskPatchBody"]
    schema = {name: part for name, part in patch.items() if name == "not"}
    assert not jsonschema_rs.is_valid(schema, {"dueAt": 1, "clearDueAt": True})
    assert jsonschema_rs.is_valid(schema, {"dueAt": 1, "clearDueAt": False})
    assert jsonschema_rs.is_valid(schema, {"clearDueAt": True})


def missing_bounds(part: Json) -> bool:
    kind = part.get("type")
    if kind == "string":
        # A file in a form has the limit of the whole body.
        return not part.keys() & {"maxLength", "enum", "const", "contentMediaType"}
    if kind == "integer":
        return not part.keys() >= {"minimum", "maximum"}
    return kind == "array" and "maxItems" not in part


def parts(doc: Json) -> Iterator[tuple[str, Json]]:
    """Every schema of the document with its place."""
    yield from _within("schemas", doc["components"]["schemas"])
    for path, operations in doc["paths"].items():
        for method, operation in operations.items():
            named = {parameter.get("name", "$ref"): parameter for parameter in operation.get("parameters", [])}
            yield from _within(f"{method} {path}", [named, operation.get("requestBody")])


def _within(path: str, node: Any) -> Iterator[tuple[str, Json]]:
    if isinstance(node, dict):
        yield path, node
        for key, value in node.items():
            if key not in ("example", "examples", "enum"):
                yield from _within(f"{path}/{key}", value)
    elif isinstance(node, list):
        for number, value in enumerate(node):
            yield from _within(f"{path}/{number}", value)


def test_a_union_that_a_tag_tells_apart_is_exactly_one_of_its_types(doc: Json) -> None:
    items = doc["components"]["schemas"]["BatchBody"]["properties"]["operations"]["items"]
    assert "discriminator" in items
    assert len(items["oneOf"]) > 1


def test_no_schema_has_a_name_that_generated_clients_have_for_themselves(doc: Json) -> None:
    own = {"FetchError", "ResponseError", "RequiredError", "BaseAPI", "Configuration"}
    assert own.isdisjoint(doc["components"]["schemas"])


@pytest.mark.parametrize(
    ("name", "valid", "invalid"),
    [
        (
            "PosterBody",
            [{"time": 1}, {"assetId": "a", "time": None}],
            [{}, {"time": None}, {"time": 1, "assetId": "a"}],
        ),
        ("ReplayBody", [{"failed": True}, {"since": 1}], [{}, {"failed": False}, {"failed": True, "since": 1}]),
        ("ApplicationBody", [{"name": "A", "device": True}], [{"name": "A"}, {"name": "A", "redirectUris": []}]),
    ],
)
def test_a_body_that_needs_one_of_two_members_says_so(
    doc: Json, name: str, valid: list[Json], invalid: list[Json]
) -> None:
    schema = {"$ref": f"#/components/schemas/{name}", "components": doc["components"]}
    check = jsonschema_rs.validator_for(schema)
    assert [body for body in valid if not check.is_valid(body)] == []
    assert [body for body in invalid if check.is_valid(body)] == []


def test_no_pattern_has_a_class_of_characters_that_python_and_javascript_read_differently(doc: Json) -> None:
    patterns = {node["pattern"] for _, node in _within("", doc) if isinstance(node.get("pattern"), str)}
    assert [pattern for pattern in patterns if re.search(r"\\[sSwWdDbB]", pattern)] == []


def test_the_spaces_of_patterns_are_those_that_are_trimmed() -> None:
    space = re.compile(f"[{SPACES}]")
    assert [char for char in map(chr, range(0x10000)) if bool(space.fullmatch(char)) == bool(char.strip())] == []


@pytest.mark.parametrize("text", ["a", "a b", " a\n", "\x85a", "\ufeff", "", " ", "\x1f", "a\nb", "a\x85b", "\x7fa"])
@pytest.mark.parametrize("schema", [(TaskTitle, checked_line), (Tag, checked_tag)], ids=["line", "tag"])
def test_a_line_is_taken_if_the_document_says_so(schema: tuple[Any, Callable[[str, str], str]], text: str) -> None:
    annotation, check = schema
    valid = jsonschema_rs.is_valid(msgspec.json.schema(annotation), text)
    with nullcontext() if valid else pytest.raises(ValidationFailed):
        check("member", text)


@pytest.mark.parametrize("text", ["a@b.c", "a\x85@b.c", "a@b\u00a0.c", "\ufeffa@b.c", "a b@c.d", "a@b"])
def test_an_address_is_taken_if_the_document_says_so(text: str) -> None:
    with (
        nullcontext()
        if jsonschema_rs.is_valid(msgspec.json.schema(MailAddress), text)
        else pytest.raises(ValidationFailed)
    ):
        check_email(text)
