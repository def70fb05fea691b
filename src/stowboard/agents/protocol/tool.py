"""A tool as a model sees it: a name, a sentence, and arguments whose schema comes from the type that decodes them.

An omitted argument and null are the same. An unknown argument is refused by name: a model that misspells a filter must
see an error, not get everything.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from stowboard.core.errors import Problem, ValidationFailed
from stowboard.core.wording import sentence

_UNKNOWN = "Object contains unknown field "
#: Limits that are left out: a call beyond them gets an error that names the limit.
_LEFT_OUT = {"title", "minimum", "minItems", "minLength", "maxLength"}


class Arguments(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """The arguments of a tool."""


class TextContent(msgspec.Struct, frozen=True, tag_field="type", tag="text"):
    text: str


class ImageContent(msgspec.Struct, frozen=True, tag_field="type", tag="image", rename="camel"):
    #: The bytes, in base64.
    data: str
    mime_type: str


class ResourceLink(msgspec.Struct, frozen=True, tag_field="type", tag="resource_link", rename="camel", kw_only=True):
    uri: str
    name: str
    mime_type: str
    description: str
    size: int | msgspec.UnsetType = msgspec.UNSET


class ToolResult(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """Text for the model, and the same facts for programs."""

    content: Sequence[Any]
    structured_content: Any = msgspec.UNSET
    is_error: bool = False


@dataclass(frozen=True)
class Tool:
    name: str
    title: str
    description: str
    arguments: type[Arguments]
    #: Called with the caller (see methods.AgentCaller) and the arguments. The model is told of a Problem that it
    #: raises.
    run: Callable[[Any, Any], Awaitable[ToolResult]]
    scopes: frozenset[str] = frozenset()
    #: The scopes that these arguments need; by default all of the tool's.
    scopes_of: Callable[[Any], frozenset[str]] | None = None
    reads: bool = False
    destroys: bool = False
    repeatable: bool = False

    @cached_property
    def listed(self) -> dict[str, Any]:
        """The tool's entry in the list of tools. Hints that equal their default are left out."""
        hints = {"readOnlyHint": True} if self.reads else {"destructiveHint": self.destroys}
        if self.repeatable and not self.reads:
            hints["idempotentHint"] = True
        return {
            "name": self.name, "title": self.title, "description": self.description,
            "inputSchema": input_schema(self.arguments), "annotations": hints | {"openWorldHint": False},
        }  # fmt: skip

    def is_for(self, scopes: frozenset[str]) -> bool:
        """True if a caller with these scopes can use it."""
        return not self.scopes.isdisjoint(scopes) if self.scopes_of else self.scopes <= scopes

    def read_arguments(self, given: dict[str, Any]) -> Any:
        """Raises ValidationFailed."""
        told = {name: value for name, value in given.items() if value is not None}
        try:
            return msgspec.convert(told, self.arguments, strict=False)
        except msgspec.ValidationError as error:
            text = str(error)
        if text.startswith(_UNKNOWN):
            known = ", ".join(self.arguments.__struct_encode_fields__)
            raise ValidationFailed(f"There is no argument {text.removeprefix(_UNKNOWN)}; there are {known}.")
        raise ValidationFailed(sentence(text, self.arguments))

    def missing_scopes(self, arguments: Any, scopes: frozenset[str]) -> frozenset[str]:
        return (self.scopes_of(arguments) if self.scopes_of else self.scopes) - scopes


def told_of(problem: Problem) -> ToolResult:
    """A refusal, as text that the model can act on."""
    facts = {"code": problem.code, "message": problem.message}
    return ToolResult([TextContent(f"{problem.code}: {problem.message}")], {"error": facts}, is_error=True)


def input_schema(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """As short as it can be: a model pays for each word of it, in every session.

    Titles, some bounds and the choice of null are left out: a model has no use for them.
    """
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
