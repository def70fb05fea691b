"""Long answers that are kept for replays: statuses and ids in place of things, which the replay shows as they are then.

A batch of a hundred changes is a few kilobytes, and its answer may have ten megabytes.
"""

from collections.abc import Collection, Mapping
from typing import Any

import msgspec

#: Answers are kept as they are up to this length.
LONGEST = 64 * 1024
_ID = "shownNow"


def outline_of(body: bytes, subjects: Collection[str]) -> bytes:
    """The answer with the id of each of these things in its place."""
    return msgspec.json.encode(_outlined(msgspec.json.decode(body), frozenset(subjects)))


def ids_in(outline: bytes) -> list[str]:
    found: list[str] = []
    _filled(msgspec.json.decode(outline), lambda thing_id: found.append(thing_id))
    return found


def filled(outline: bytes, things: Mapping[str, msgspec.Raw]) -> bytes:
    """The answer with things in place of their ids, null for one that is gone; `meta.shownNow` says so."""
    answer = _filled(msgspec.json.decode(outline), things.get)
    answer["meta"][_ID] = True
    return msgspec.json.encode(answer)


def _outlined(value: Any, subjects: frozenset[str]) -> Any:
    if isinstance(value, dict):
        if value.get("id") in subjects:
            return {_ID: value["id"]}
        return {name: _outlined(each, subjects) for name, each in value.items()}
    return [_outlined(each, subjects) for each in value] if isinstance(value, list) else value


def _filled(value: Any, find: Any) -> Any:
    if isinstance(value, dict):
        if value.keys() == {_ID}:
            return find(value[_ID])
        return {name: _filled(each, find) for name, each in value.items()}
    return [_filled(each, find) for each in value] if isinstance(value, list) else value
