"""Arguments that several tools share."""

from typing import Annotated, Any, Literal

from msgspec import Meta

TASKS_READ, TASKS_WRITE = frozenset({"tasks:read"}), frozenset({"tasks:write"})
MEDIA_READ, MEDIA_WRITE = frozenset({"media:read"}), frozenset({"media:write"})
#: Clears what can be empty.
NONE = "none"
StatusName = Literal["todo", "in_progress", "done"]
Time = Annotated[str, Meta(description="ISO 8601")]
Key = Annotated[str, Meta(max_length=200, description="Any word; makes a retry harmless")]
Limit = Annotated[int, Meta(ge=1, le=50)]
Board = Annotated[str, Meta(description="Name or id")]
Space = Annotated[str, Meta(description="Shared space: name or id")]
#: The space of a list.
Spaces = Annotated[str, Meta(description='Shared space: name or id; "all" for every one')]


def given(members: dict[str, Any]) -> dict[str, Any]:
    """The members that are not None."""
    return {name: value for name, value in members.items() if value is not None}
