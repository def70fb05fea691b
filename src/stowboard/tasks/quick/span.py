"""The understood pieces of a line."""

from datetime import date, time
from enum import StrEnum
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

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


class SpanView(msgspec.Struct, frozen=True):
    """A part of the text that was understood, by the positions of its first character and of the one behind it."""

    start: Annotated[int, Meta(description="In characters of Unicode, from 0.")]
    end: int
    kind: SpanKind
    value: str
