"""The understood pieces of a line."""

from datetime import date, time
from enum import StrEnum
from typing import TypeAlias

import msgspec

from stowboard.tasks.quick.amounts import Amount
from stowboard.tasks.quick.names import NamedPlace
from stowboard.tasks.quick.reminders import LineReminder
from stowboard.tasks.quick.repeats import LineRepeat, RepeatEnd


class SpanKind(StrEnum):
    DATE = "date"
    TIME = "time"
    #: A date and a time at once, from now on.
    MOMENT = "moment"
    REPEAT = "repeat"
    UNTIL = "until"
    REMINDER = "reminder"
    TAG = "tag"
    BOARD = "board"
    PRIORITY = "priority"


Value: TypeAlias = date | time | Amount | LineRepeat | RepeatEnd | LineReminder | NamedPlace | str


class LinePiece(msgspec.Struct, frozen=True):
    """A part of the text, by the positions of its characters, and what it says."""

    start: int
    end: int
    kind: SpanKind
    value: Value


class LineSpan(msgspec.Struct, frozen=True):
    """The same as it is told."""

    start: int
    end: int
    kind: SpanKind
    value: str
