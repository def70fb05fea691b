"""The value of a span in text: dates and times in ISO 8601 on the zone's wall clock, the rest as the API has it."""

from datetime import date, time

from stowboard.core.time_zones import zone_of
from stowboard.tasks.quick.names import NamedPlace
from stowboard.tasks.quick.repeats import LineRepeat, RepeatEnd
from stowboard.tasks.quick.schedule import LineSchedule
from stowboard.tasks.quick.span import LinePiece, SpanKind
from stowboard.tasks.recurrence.wall_clock import wall_of


def told(piece: LinePiece, schedule: LineSchedule, time_zone: str) -> str:
    match piece.value:
        case date() as day:
            return day.isoformat()
        case time() as clock:
            return f"{clock:%H:%M}"
        case LineRepeat(rule):
            return rule
        case RepeatEnd(part):
            return part
        case NamedPlace(board):
            return board.id
        case str() as said:
            return said
    instant = schedule.due_at if piece.kind is SpanKind.MOMENT else schedule.reminder
    assert instant is not None
    return wall_of(zone_of(time_zone), instant).isoformat(timespec="minutes")
