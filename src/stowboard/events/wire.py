"""Events as JSON: the same in the feed, in streams and for webhooks."""

from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from stowboard.core.caller import API_DOOR
from stowboard.core.reach import LIBRARY, space_id_of
from stowboard.events.feed import Event
from stowboard.events.kinds import KINDS, MEDIA, AnyEventKind

KindName = Annotated[str, Meta(extra_json_schema={"enum": [kind.name for kind in KINDS]})]
_SAMPLE_ID, _SAMPLE_POSITION, _SAMPLE_TIME = "evt_01ka2z5v8w8f2h6k0n4p7r9t1v", 4711, 1_794_762_000_000


class ActorView(msgspec.Struct, frozen=True, rename="camel"):
    """The one who did it: a person, or a token of a space, by an application or by hand, and through which door."""

    person: str | None
    token_id: str
    application_id: Annotated[str | None, Meta(description="The grant or OAuth client; null for a token made by hand.")]
    door: str


class EventView(msgspec.Struct, frozen=True, rename="camel"):
    """An event. `sequence` grows from one event to the next; the kind decides the members of `data`."""

    id: str
    type: KindName
    timestamp: Annotated[str, Meta(description="In UTC, ISO 8601.", extra_json_schema={"format": "date-time"})]
    sequence: int
    subject: Annotated[str, Meta(description="The id of the task, board, asset, video or space.")]
    data: Annotated[Any, Meta(extra_json_schema={"type": "object"})]
    space_id: Annotated[str, Meta(description="The space in which it happened.")]
    actor: Annotated[ActorView | None, Meta(description="null for the service itself.")]


def view(event: Event) -> EventView:
    return EventView(
        event.id, event.type, as_timestamp(event.created_at), event.position, event.subject, msgspec.Raw(event.data),
        space_id_of(event.owner), read_actor(event.actor),
    )  # fmt: skip


def read_actor(words: str | None) -> ActorView | None:
    """The actor, from the words that `outbox.emit` has written."""
    if words is None:
        return None
    token_id, application_id, door, person = words.split(" ", 3)
    return ActorView(person or None, token_id, None if application_id == "-" else application_id, door)


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
        "data": data, "spaceId": LIBRARY if kind.scope == MEDIA else "~alice",
        "actor": {
            "person": "alice", "tokenId": "tok_01ka2z5v8w8f2h6k0n4p7r9t1x", "applicationId": None, "door": API_DOOR,
        },
    }  # fmt: skip
