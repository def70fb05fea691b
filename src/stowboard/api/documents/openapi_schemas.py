"""JSON Schemas of the endpoint table's types, as msgspec gives them, made exact for how each is used.

A member with a default may be left out of a request but is always there in an answer, so a type that only occurs in
answers has all its members required, unless one may be UNSET. Types used both ways keep what requests need.
Structs with `omit_defaults` are not understood; answers have none.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

import msgspec

from stowboard.api.endpoint import AnyEndpoint

Schema: TypeAlias = dict[str, Any]
_REFERENCE = "#/components/schemas/"
_NULL = {"type": "null"}
#: For `msgspec.Meta(extra_json_schema={"format": SCOPE_FORMAT})` on a string.
SCOPE_FORMAT = "scope"


class Schemas:
    """The schemas of every type in a table of endpoints."""

    def __init__(self, endpoints: Sequence[AnyEndpoint], scopes: Iterable[str], told: Sequence[Any] = ()) -> None:
        """`told` are further types that we give."""
        asked = [kind for endpoint in endpoints for kind in (endpoint.body, endpoint.query) if kind]
        given = [kind for endpoint in endpoints for kind in (endpoint.answer, endpoint.meta)]
        given += told
        types = list(dict.fromkeys([*asked, *given]))
        schemas, self.components = msgspec.json.schema_components(types, ref_template=_REFERENCE + "{name}")
        self._by_type = dict(zip(types, schemas, strict=True))
        for schema in self.components.values():
            _give_enums_a_type(schema)
            _enumerate_scopes(schema, list(scopes))
        for name in self._reachable(given) - self._reachable(asked):
            _require_what_is_always_there(self.components[name])

    def of(self, kind: Any) -> Schema:
        """The schema of a type of the table, mostly a reference."""
        return self._by_type[kind]

    def struct(self, kind: type[msgspec.Struct]) -> Schema:
        """The schema of a struct itself, where a reference does not do."""
        name = self.of(kind)["$ref"].removeprefix(_REFERENCE)
        schema: Schema = self.components[name]
        return schema

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


def references(node: Any) -> Iterator[str]:
    """Names of the schemas that a piece of the document refers to."""
    if isinstance(node, dict):
        reference = node.get("$ref")
        if isinstance(reference, str) and reference.startswith(_REFERENCE):
            yield reference.removeprefix(_REFERENCE)
        for value in node.values():
            yield from references(value)
    elif isinstance(node, list):
        for value in node:
            yield from references(value)


def _give_enums_a_type(schema: Schema) -> None:
    """msgspec lists the values of an enum alone; generators of clients want to know that they are strings."""
    for part in [schema, *schema.get("properties", {}).values()]:
        if "enum" in part and all(isinstance(value, str) for value in part["enum"]):
            part.setdefault("type", "string")


def _enumerate_scopes(node: Any, scopes: list[str]) -> None:
    """A member that must be a scope says so by its format; which ones exist, only the composition root knows."""
    if isinstance(node, dict):
        if node.get("format") == SCOPE_FORMAT:
            node["enum"] = scopes
        for value in node.values():
            _enumerate_scopes(value, scopes)
    elif isinstance(node, list):
        for value in node:
            _enumerate_scopes(value, scopes)


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
