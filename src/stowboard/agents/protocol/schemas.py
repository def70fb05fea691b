"""The JSON Schema of a tool's arguments, as short as it can be: a model pays for each word of it, in every session."""

from typing import Any

import msgspec

#: Limits that are left out: a call beyond them gets an error that names the limit.
_LEFT_OUT = {"title", "minimum", "minItems", "minLength", "maxLength"}


def input_schema(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Titles, some bounds and the choice of null are left out: a model has no use for them."""
    whole = msgspec.json.schema(kind)
    definitions = whole["$defs"]
    own = definitions[kind.__name__]
    schema: dict[str, Any] = {"type": "object"}
    if own["properties"]:
        schema["properties"] = {name: _short(value, definitions) for name, value in own["properties"].items()}
    if own.get("required"):
        schema["required"] = own["required"]
    return schema


def _short(schema: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    found = dict(schema)
    if "$ref" in found:
        found = definitions[found.pop("$ref").rpartition("/")[2]] | found
    options = [option for option in found.pop("anyOf", []) if option != {"type": "null"}]
    if options:
        assert len(options) == 1, "an argument has one type"
        found = options[0] | found
        return _short(found, definitions)
    if "items" in found:
        found["items"] = _short(found["items"], definitions)
    if not found.get("default"):
        found.pop("default", None)
    return {name: value for name, value in found.items() if name not in _LEFT_OUT}
