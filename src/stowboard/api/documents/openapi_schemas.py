"""JSON Schemas of the endpoint table's types, as msgspec gives them, made exact for how each is used.

A member with a default may be left out of a request but is always there in an answer, so a type that only occurs in
answers has all its members required, unless one may be UNSET. Types used both ways keep what requests need.
Structs with `omit_defaults` are not understood; answers have none.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any, TypeAlias

import msgspec

from stowboard.api.endpoint import AnyEndpoint, NoMeta, PageMeta
from stowboard.api.parse import LONGEST_PARAMETER
from stowboard.core.clock import LARGEST_NUMBER

Schema: TypeAlias = dict[str, Any]
_REFERENCE = "#/components/schemas/"
_NULL = {"type": "null"}
#: For `msgspec.Meta(extra_json_schema={"format": SCOPE_FORMAT})` on a string.
SCOPE_FORMAT = "scope"
#: Limits that hold for every answer.
LONGEST_TEXT = 16 * 1024 * 1024
MOST_ITEMS = 10_000


class Schemas:
    """The schemas of every type in a table of endpoints."""

    def __init__(self, endpoints: Sequence[AnyEndpoint], scopes: Iterable[str], told: Sequence[Any] = ()) -> None:
        """`told` are further types that we send."""
        asked = [kind for endpoint in endpoints for kind in (endpoint.body, endpoint.query) if kind]
        given = [kind for endpoint in endpoints for kind in (endpoint.answer, endpoint.meta)]
        given += told
        types = list(dict.fromkeys([*asked, *given]))
        schemas, components = with_short_names(
            *msgspec.json.schema_components(types, ref_template=_REFERENCE + "{name}")
        )
        self.components: dict[str, Schema] = components
        self._by_type = dict(zip(types, schemas, strict=True))
        for schema in self.components.values():
            _choose_by_tag(schema)
            _give_enums_a_type(schema)
            _enumerate_scopes(schema, list(scopes))
        for kind in [endpoint.query for endpoint in endpoints if endpoint.query]:
            _bound_texts(self.struct(kind), LONGEST_PARAMETER)
        for name in self._reachable(given) - self._reachable(asked):
            _require_what_is_always_there(self.components[name])
            _bound(self.components[name])
        for kind in asked:
            _tell_what_excludes_each_other(kind, self.struct(kind))
        for schema in schemas:
            _bound(schema)
        for schema in self.components.values():
            _say_that_integers_are_long(schema)
            _leave_null_defaults_out(schema)
        for name in self._reachable([endpoint.body for endpoint in endpoints if endpoint.body]):
            _say_defaults_in_words(self.components[name])
        for kind in [endpoint.query for endpoint in endpoints if endpoint.query]:
            self.struct(kind)["properties"].get("limit", {}).pop("format", None)  # any size is accepted

    def of(self, kind: Any) -> Schema:
        """The schema of a type of the table, mostly a reference."""
        schema: Schema = self._by_type[kind]
        return schema

    def struct(self, kind: type[msgspec.Struct]) -> Schema:
        """The schema of a struct itself, for callers that cannot use a reference."""
        name = self.of(kind)["$ref"].removeprefix(_REFERENCE)
        schema: Schema = self.components[name]
        return schema

    def envelope(self, answer: Any, meta: type[msgspec.Struct]) -> Schema:
        """A reference to the answer with its meta; there is one for each pair."""
        name = self._name_of_answer(answer, meta)
        properties = {"data": self.of(answer), "meta": self.of(meta)}
        envelope = {"type": "object", "title": name, "required": ["data", "meta"], "properties": properties}
        assert self.components.setdefault(name, envelope) == envelope, f"two answers are called {name}"
        return {"$ref": _REFERENCE + name}

    def _name_of_answer(self, answer: Any, meta: type[msgspec.Struct]) -> str:
        """`TaskViewAnswer`, `TaskViewPage`, `ColumnViewListAnswer`."""
        schema = self.of(answer)
        listed = "items" in schema
        one = schema["items"] if listed else schema
        named = one["$ref"].removeprefix(_REFERENCE) if "$ref" in one else one.get("type", "any").capitalize()
        if listed and meta is PageMeta:
            return f"{named}Page"
        more = "" if meta is NoMeta else meta.__name__.removesuffix("Meta")
        return f"{named}{'List' if listed else ''}{more}Answer"

    def query_parameters(self, kind: type[msgspec.Struct]) -> list[Schema]:
        struct = self.struct(kind)
        return [
            _query_parameter(name, schema, name in struct["required"]) for name, schema in struct["properties"].items()
        ]

    def used_by(self, document: Any) -> dict[str, Schema]:
        """The components that a part of the document refers to, directly or not, in order of their names."""
        return {name: self.components[name] for name in sorted(self._closure(references(document)))}

    def _reachable(self, kinds: Iterable[Any]) -> set[str]:
        return self._closure(name for kind in kinds for name in references(self.of(kind)))

    def _closure(self, names: Iterable[str]) -> set[str]:
        found: set[str] = set()
        waiting = [name for name in names if name in self.components]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting.extend(references(self.components[name]))
        return found


def with_short_names(schemas: Any, components: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Two types of one name are told apart by their modules' paths; here by their room: `TaskStatus`, `MediaStatus`."""
    short = {name: _short_name(name) for name in components}
    assert len(set(short.values())) == len(short), "two schemas have one name; rename one of the types"
    renamed = _renamed((schemas, {short[name]: schema for name, schema in components.items()}), short)
    for name, schema in renamed[1].items():
        schema["title"] = name  # some generators of clients use it as the name
    return renamed[0], renamed[1]


def references(node: Any) -> Iterator[str]:
    """Names of the schemas that a piece of the document refers to."""
    for part in _parts(node):
        reference = part.get("$ref")
        if isinstance(reference, str) and reference.startswith(_REFERENCE):
            yield reference.removeprefix(_REFERENCE)


def _short_name(name: str) -> str:
    _, *path = name.split(".")
    return path[0].capitalize().removesuffix("s") + path[-1] if path else name


def _renamed(node: Any, short: dict[str, str]) -> Any:
    if isinstance(node, dict):
        return {
            key: _REFERENCE + short[value.removeprefix(_REFERENCE)] if key == "$ref" else _renamed(value, short)
            for key, value in node.items()
        }
    return [_renamed(value, short) for value in node] if isinstance(node, list | tuple) else node


def _say_that_integers_are_long(schema: Schema) -> None:
    """Generators of clients reserve 32 bits for an integer that does not say 64."""
    for part in _parts(schema):
        if part.get("type") == "integer":
            part.setdefault("format", "int64")


def _bound(schema: Schema) -> None:
    """Some generators refuse what has no bound. Types of requests have their own; others get the common ones."""
    _say_that_integers_are_long(schema)
    for part in _parts(schema):
        if part.get("type") == "integer":
            part.setdefault("minimum", -LARGEST_NUMBER)
            part.setdefault("maximum", LARGEST_NUMBER)
        elif part.get("type") == "array":
            part.setdefault("maxItems", MOST_ITEMS)
    _bound_texts(schema, LONGEST_TEXT)


def _bound_texts(schema: Schema, longest: int) -> None:
    for part in _parts(schema):
        if part.get("type") == "string" and not part.keys() & {"enum", "const"}:
            part.setdefault("maxLength", longest)


def _tell_what_excludes_each_other(kind: type[msgspec.Struct], schema: Schema) -> None:
    """Say which members exclude or need each other, as the class attributes of a body list them.

    `EXCLUDE_EACH_OTHER`: a value, and a flag that must not be true beside it. `NOT_BOTH`: two values. `AT_LEAST_ONE`:
    one of these has to be given. `EITHER`: exactly one of two. `NEEDS`: a member, and another one needed beside it.
    """
    refused = [
        {"required": [value, flag], "properties": {value: {"not": {"const": None}}, flag: {"const": True}}}
        for value, flag in getattr(kind, "EXCLUDE_EACH_OTHER", ())
    ]
    refused += [
        {"required": list(both), "properties": {value: {"not": {"const": None}} for value in both}}
        for both in getattr(kind, "NOT_BOTH", ())
    ]
    refused += [
        {"required": [value], "properties": {value: {"not": {"const": None}}, other: {"const": None}}}
        for value, other in getattr(kind, "NEEDS", ())
    ]
    either = getattr(kind, "EITHER", ())
    if needed := either or getattr(kind, "AT_LEAST_ONE", ()):
        missing = product(*(_as_good_as_left_out(schema["properties"][name]) for name in needed))
        refused += [{"properties": dict(zip(needed, values, strict=True))} for values in missing]
    if either:
        given = {name: _is_given(schema["properties"][name]) for name in either}
        refused.append({"required": list(either), "properties": given})
    if refused:
        schema["not"] = {"anyOf": refused} if len(refused) > 1 else refused[0]


def _as_good_as_left_out(member: Schema) -> list[Schema]:
    kinds = {part.get("type") for part in _parts(member)}
    empty: dict[str, Schema] = {"boolean": {"const": False}, "array": {"maxItems": 0}}
    # Not `type: null`: openapi-generator makes a class of it, and then does not find it.
    return [{"const": None}, *(schema for kind, schema in empty.items() if kind in kinds)]


def _is_given(member: Schema) -> Schema:
    is_flag = any(part.get("type") == "boolean" for part in _parts(member))
    return {"const": True} if is_flag else {"not": {"const": None}}


def _choose_by_tag(schema: Schema) -> None:
    """A union that a tag tells apart is exactly one of its types; generators of clients rely on `oneOf` for that."""
    for part in _parts(schema):
        if "discriminator" in part and "anyOf" in part:
            part["oneOf"] = part.pop("anyOf")


def _leave_null_defaults_out(schema: Schema) -> None:
    for part in _parts(schema):
        if "default" in part and part["default"] is None:
            del part["default"]


def _say_defaults_in_words(schema: Schema) -> None:
    """openapi-typescript treats a member with a default as required, so defaults are told in the description."""
    for member in schema.get("properties", {}).values():
        default = member.pop("default", None)
        if default not in (None, [], {}):
            words = f"By default `{msgspec.json.encode(default).decode().strip(chr(34))}`."
            member["description"] = " ".join(filter(None, [member.get("description"), words]))


def _parts(node: Any) -> Iterator[Schema]:
    """The schema itself and all within it."""
    if isinstance(node, dict):
        yield node
        for key, value in node.items():
            if key not in ("example", "examples", "default", "enum"):
                yield from _parts(value)
    elif isinstance(node, list):
        for value in node:
            yield from _parts(value)


def _give_enums_a_type(schema: Schema) -> None:
    """msgspec lists the values of an enum alone; generators of clients want to know that they are strings."""
    for part in [schema, *schema.get("properties", {}).values()]:
        if "enum" in part and all(isinstance(value, str) for value in part["enum"]):
            part.setdefault("type", "string")


def _enumerate_scopes(schema: Schema, scopes: list[str]) -> None:
    """Lists the scopes in every member whose format says that it is one; only `app.py` knows which exist."""
    for part in _parts(schema):
        if part.get("format") == SCOPE_FORMAT:
            part["enum"] = scopes


def _require_what_is_always_there(schema: Schema) -> None:
    properties = schema.get("properties", {})
    always = [name for name, member in properties.items() if name in schema["required"] or "default" in member]
    for member in properties.values():
        member.pop("default", None)
    if always:
        schema["required"] = always


def _query_parameter(name: str, schema: Schema, required: bool) -> Schema:
    described = dict(schema)
    description = described.pop("description", None)
    parameter = {"name": name, "in": "query", "required": required, "schema": _without_null(described)}
    return parameter | ({"description": description} if description else {})


def _without_null(schema: Schema) -> Schema:
    """A query string has no null; an optional parameter is left out."""
    options = [option for option in schema.get("anyOf", []) if option != _NULL]
    rest = {key: value for key, value in schema.items() if key != "anyOf" and not (key == "default" and value is None)}
    if not options:
        return rest
    return rest | (options[0] if len(options) == 1 else {"anyOf": options})
