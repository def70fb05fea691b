"""Quick add over HTTP: what a line of text would make."""

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from stowboard.api.endpoint import Call, Endpoint
from stowboard.api.time_zones import TimeZones
from stowboard.core.errors import ValidationFailed
from stowboard.core.reach import SpaceId
from stowboard.db.database import Tx
from stowboard.tasks.base.task import BoardId, ColumnId, RecurrenceBase, Status
from stowboard.tasks.quick.span import SpanView
from stowboard.tasks.quick_add import understand
from stowboard.tasks.wire import CreateBody, TaskPatchBody, Title, Zone

B = TypeVar("B", CreateBody, TaskPatchBody)


class ParseBody(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A line to read."""

    text: Title
    time_zone: Zone | None = None
    space_id: SpaceId | None = None


class QuickTask(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The body of the creation that the line stands for."""

    title: str
    status: Status
    due_at: int | None
    due_on: str | None
    reminder: int | None
    recurrence: str | None
    recurrence_from: RecurrenceBase
    time_zone: str
    tags: list[str]
    board_id: BoardId | None
    column_id: ColumnId | None
    priority: int


class ParsedView(msgspec.Struct, frozen=True):
    """The understood spans, in the order of the text, and the task that the line would make."""

    spans: list[SpanView]
    task: QuickTask


async def parse_task(tx: Tx, call: Call[ParseBody, None]) -> ParsedView:
    """Read a line such as «Renew cert fri 9am #ops every month» as a task, and make nothing.

    What is not understood, or could be meant in two ways, stays in the title.
    """
    body = call.body
    if not body.text.strip():
        raise ValidationFailed("text: expected at least one character that is not a space.")
    time_zone = body.time_zone or await own_time_zone(tx, call)
    reading = await understand(tx, call.access, body.space_id, body.text, time_zone)
    said = msgspec.structs.asdict(reading)
    spans = show_spans(body.text, said.pop("spans"))
    said |= {"status": reading.status or Status.TODO, "priority": reading.priority or 0}
    return ParsedView(spans, QuickTask(**said, time_zone=time_zone or "UTC"))


async def in_own_zone(tx: Tx, call: Call[Any, Any], body: B) -> B:
    """The body with the time zone that the person has set for their account, if it leaves the zone to us."""
    return body if body.time_zone is not None else replace(body, time_zone=await own_time_zone(tx, call))


async def own_time_zone(tx: Tx, call: Call[Any, Any]) -> str | None:
    """The time zone that the person has set for their account, in which "9am" is meant."""
    return await call.use(TimeZones).find_time_zone(tx, call.caller.owner)


def show_spans(text: str, spans: Sequence[SpanView]) -> list[SpanView]:
    """The spans in the text as it was sent: it was trimmed before it was read."""
    trimmed = len(text) - len(text.lstrip())
    return [replace(span, start=trimmed + span.start, end=trimmed + span.end) for span in spans]


ENDPOINTS = [
    Endpoint(
        "POST", "/taskapp/tasks/parse", parse_task, ParsedView, scope="tasks:read", body=ParseBody, reads=True,
        example_body={"text": "Renew cert fri 9am #ops every month", "timeZone": "Europe/Berlin"},
        example={
            "spans": [
                {"start": 11, "end": 14, "kind": "date", "value": "2026-11-20"},
                {"start": 15, "end": 18, "kind": "time", "value": "09:00"},
                {"start": 19, "end": 23, "kind": "tag", "value": "ops"},
                {"start": 24, "end": 35, "kind": "repeat", "value": "FREQ=MONTHLY"},
            ],
            "task": {
                "title": "Renew cert", "status": "todo", "dueAt": 1795161600000, "dueOn": None, "reminder": None,
                "recurrence": "FREQ=MONTHLY", "recurrenceFrom": "due", "timeZone": "Europe/Berlin", "tags": ["ops"],
                "boardId": None, "columnId": None, "priority": 0,
            },
        },
    ),
]  # fmt: skip
