"""Sentences about a wrong value, which name the member and the values that it may have.

A type whose rule cannot be read aloud, such as a pattern, describes it by `Meta(extra={EXPECTED: …})`.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, TypeAlias

from msgspec import inspect

EXPECTED = "expected"
#: Ends a pattern. Python's `$` alone also matches before a last line end.
TEXT_END = r"$(?!\n)"
#: A type, and what was noted about it.
Option: TypeAlias = tuple[inspect.Type, dict[str, Any]]
_PLACE = re.compile(r" - at `(?:key in )?\$\.?(.*)`$")
_STEPS = re.compile(r"[^.\[\]]+|\[[^\]]*\]")
_QUOTED = re.compile(r"`([^`]*)`")
_GOT = re.compile(r", got `[^`]*`$")
_PATTERN = re.compile(r" matching regex .*", re.DOTALL)
_MISSING, _NO_CHOICE = "Object missing required field ", "Invalid enum value "
_TYPES = {
    "str": "a string", "int": "an integer", "bool": "a boolean", "float": "a number", "array": "an array",
    "object": "an object",
}  # fmt: skip


def sentence(text: str, kind: Any) -> str:
    """msgspec's «Expected `str`, got `int` - at `$.title`» as «title: expected a string, got an integer.»"""
    place = _PLACE.search(text)
    member = place[1] if place else ""
    message = text[: place.start()] if place else text
    if message.startswith(_MISSING):
        return f"{member + '.' if member else ''}{message.removeprefix(_MISSING).strip('`')} is required."
    options = list(_options_at(kind, member))
    got = _GOT.search(message)
    if choices := ", ".join(_choices(options)):
        if message.startswith(_NO_CHOICE):
            return f"{member}: {message.removeprefix(_NO_CHOICE)} is not one of {choices}."
        if len(options) == 1 and got:
            return f"{member}: expected one of {choices}{_QUOTED.sub(_in_words, got[0])}."
    if member and (said := _said(options)):
        message = f"expected {said}{got[0] if got else ''}"
    message = _QUOTED.sub(_in_words, _PATTERN.sub(" of another form", message))
    return f"{member}: {message[0].lower()}{message[1:]}." if member else f"{message}."


@lru_cache(256)
def fields_of(kind: Any) -> tuple[inspect.Field, ...]:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return info.fields


def options_of(kind: inspect.Type, extra: dict[str, Any] | None = None) -> Iterator[Option]:
    """The values that are allowed, one by one."""
    if isinstance(kind, inspect.Metadata):
        yield from options_of(kind.type, {**(extra or {}), **(kind.extra or {})})
    elif isinstance(kind, inspect.UnionType):
        for option in kind.types:
            yield from options_of(option, extra)
    else:
        yield kind, extra or {}


def _options_at(kind: Any, member: str) -> list[Option]:
    """The fields of the member at a place like `tags[0]` or `focalPoint.x`."""
    found: list[Option] = [(inspect.type_info(kind), {})]
    for step in _STEPS.findall(member):
        found = [option for within, _ in found for inner in _inside(within, step) for option in options_of(inner)]
    return found


def _inside(kind: inspect.Type, step: str) -> list[inspect.Type]:
    if isinstance(kind, inspect.StructType):
        return [field.type for field in fields_of(kind.cls) if field.encode_name == step]
    return [kind.item_type] if isinstance(kind, inspect.ListType) else []


def _choices(options: list[Option]) -> list[str]:
    enums = [value.value for option, _ in options if isinstance(option, inspect.EnumType) for value in option.cls]
    literals = [value for option, _ in options if isinstance(option, inspect.LiteralType) for value in option.values]
    return [str(value) for value in [*enums, *literals]]


def _said(options: list[Option]) -> str | None:
    """The member's type, if it has only one beside null; else None."""
    given = [(option, extra) for option, extra in options if not isinstance(option, inspect.NoneType)]
    if len(given) != 1:
        return None
    option, extra = given[0]
    said = extra.get(EXPECTED) or _bounds(option)
    return f"{said} or null" if said and len(options) > 1 else said


def _bounds(option: inspect.Type) -> str | None:
    if choices := _choices([(option, {})]):
        return f"one of {', '.join(choices)}"
    if isinstance(option, inspect.IntType | inspect.FloatType):
        name = "an integer" if isinstance(option, inspect.IntType) else "a number"
        return _within(name, option.ge, option.le, "")
    if isinstance(option, inspect.StrType):
        return _within("a string", option.min_length, option.max_length, " characters", of="of ")
    if isinstance(option, inspect.ListType):
        return _within("an array", option.min_length, option.max_length, " items", of="of ")
    return None


def _within(name: str, least: float | None, most: float | None, unit: str, of: str = "") -> str | None:
    if least is not None and most is not None:
        return f"{name} {of or 'from '}{least} to {most}{unit}"
    if most is not None:
        return f"{name} of at most {most}{unit}"
    return f"{name} of at least {least}{unit}" if least is not None else None


def _in_words(quoted: re.Match[str]) -> str:
    return " or ".join(_TYPES.get(name, name) for name in quoted[1].split(" | "))


def counted(number: int, noun: str) -> str:
    """A number with its noun: `1 task`, `2 tasks`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
