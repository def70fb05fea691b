"""The events that a caller may see, and those of them that it asks for."""

import re
from collections.abc import Iterable
from typing import Annotated, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from stowboard.api.paging import given
from stowboard.core.caller import Access
from stowboard.core.errors import InsufficientScope, InvalidParameter
from stowboard.core.reach import ALL, SpaceOrAll
from stowboard.events.feed import EventFilter
from stowboard.events.kinds import KINDS, AnyEventKind

LONGEST_SUBJECT = 64
#: The longest value of the parameter: far more than all names together.
LONGEST_TYPES = 2000
_BEGINNINGS = sorted({f"{kind.name.rpartition('.')[0]}.*" for kind in KINDS} | {"media.*"})
ONE_TYPE = "|".join(re.escape(name) for name in [*(kind.name for kind in KINDS), *_BEGINNINGS])
#: The parameters that choose among events.
Types: TypeAlias = (
    Annotated[
        str,
        Meta(
            max_length=LONGEST_TYPES,
            description="Kinds, separated by commas; `task.*` is all that begin so. Default: all.",
            extra_json_schema={"pattern": f"^({ONE_TYPE})(,({ONE_TYPE}))*$"},
        ),
    ]
    | UnsetType
)
Subject: TypeAlias = (
    Annotated[str, Meta(min_length=1, max_length=LONGEST_SUBJECT, description="The id of one task, board, …")]
    | UnsetType
)
Space: TypeAlias = (
    Annotated[SpaceOrAll, Meta(description="Only events in this space. By default `all` that the token reaches.")]
    | UnsetType
)


def wanted_by(access: Access, types: Types, subject: Subject, space_id: str | None) -> EventFilter:
    """A filter for the events of a space, by default of all spaces in reach.

    Raises InvalidParameter for an unknown kind, InsufficientScope if the caller can see none of the kinds,
    SpaceNotFound.
    """
    caller = access.caller
    asked = KINDS if types is UNSET else named_kinds(types.split(","))
    visible = [kind for kind in asked if not kind.scope or kind.scope in caller.scopes]
    if not visible:
        scopes = " or ".join(dict.fromkeys(kind.scope for kind in asked))
        raise InsufficientScope(f"The token lacks the scope {scopes}, which these events need.")
    owners = frozenset(access.reach.roles if space_id in (None, ALL) else [access.in_tasks(space_id)])
    return EventFilter(owners, frozenset(kind.name for kind in visible), given(subject))


def named_kinds(names: Iterable[str]) -> list[AnyEventKind]:
    """The kinds with these names; `task.*` stands for several. Raises InvalidParameter."""
    return [kind for name in names for kind in _named(name.strip())]


def matches(pattern: str, kind: str) -> bool:
    return pattern in ("*", kind) or (pattern.endswith(".*") and kind.startswith(pattern[:-1]))


def _named(name: str) -> list[AnyEventKind]:
    found = [kind for kind in KINDS if name != "*" and matches(name, kind.name)]
    if not found:
        raise InvalidParameter(f"types: {name!r} is no kind of event; such are task.completed and media.*.")
    return found
