"""Events as JSON: the same in the feed, in streams and for webhooks."""

from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from stowboard.events.feed import Event
from stowboard.events.kinds import KINDS, AnyEventKind

KindName = Annotated[str, Meta(extra_json_schema={"enum": [kind.name for kind in KINDS]})]
_SAMPLE_ID, _SAMPLE_POSITION, _SAMPLE_TIME = "evt_01ka2z5v8w8f2h6k0n4p7r9t1v", 4711, 1_794_762_000_000


class EventView(msgspec.Struct, frozen=True):
    """An event. `sequence` grows from one event to the next; the kind decides the members of `data`."""

    id: str
    type: KindName
    timestamp: Annotated[str, Meta(description="In UTC, ISO 8601.", extra_json_schema={"format": "date-time"})]
    sequence: int
    subject: Annotated[str, Meta(description="The id of the task, board, asset or video.")]
    data: Annotated[Any, Meta(extra_json_schema={"type": "object"})]


def view(event: Event) -> EventView:
    return EventView(
        event.id, event.type, as_timestamp(event.created_at), event.position, event.subject, msgspec.Raw(event.data)
    )


def as_timestamp(ms: int) -> str:
    moment = datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds")
    return moment.removesuffix("+00:00") + "Z"


def sample(kind: AnyEventKind) -> dict[str, Any]:
    """A sample event of the kind, for documents and for trying out a receiver."""
    data: dict[str, Any] = msgspec.to_builtins(kind.example)
    subject = next(iter(data.values()))  # each begins with the id of what it is about
    timestamp = as_timestamp(_SAMPLE_TIME)
    return {
        "id": _SAMPLE_ID, "type": kind.name, "timestamp": timestamp, "sequence": _SAMPLE_POSITION, "subject": subject,
        "data": data,
    }  # fmt: skip
