"""The members that an event names as changed."""

from collections.abc import Iterable

import msgspec


def changed_members(before: msgspec.Struct, after: msgspec.Struct, told: Iterable[str]) -> list[str]:
    """The names of the members that differ, as on the wire; only those in `told` are compared."""
    return [_camel(name) for name in told if getattr(before, name) != getattr(after, name)]


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
