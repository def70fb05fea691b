"""A line of text as a task: `Renew cert fri 9am #ops every month`.

The text is read once, from left to right; at each word the readers are asked in their order, and the first that knows
the words takes them. Then what contradicts itself is put back: two dates, two times, an end without a repetition. What
no reader took is the title; if nothing is left, the whole line is the title. Nothing here looks at a clock or a
database, and no text makes it fail.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import date, time

import msgspec

from stowboard.core.tags import MAX_TAGS
from stowboard.core.time_zones import wall_of, zone_of
from stowboard.tasks.base.task import BoardId, ColumnId, RecurrenceBase, Status
from stowboard.tasks.quick.amounts import Amount, read_amount_ahead
from stowboard.tasks.quick.dates import read_date, read_time, unclear_date
from stowboard.tasks.quick.match import LineMatch
from stowboard.tasks.quick.names import Boards, NamedPlace, read_place, read_tag
from stowboard.tasks.quick.reminders import read_reminder
from stowboard.tasks.quick.repeats import LineRepeat, RepeatEnd, read_repeat, read_until, unclear_repeat
from stowboard.tasks.quick.schedule import LineSchedule, scheduled
from stowboard.tasks.quick.span import LinePiece, SpanKind, SpanView, Value
from stowboard.tasks.quick.tokenise import LineToken, phrase_at, read_priority, tokenise


class LineReading(msgspec.Struct, frozen=True, kw_only=True):
    """A line as it was understood. The title is the text that no span covers."""

    title: str
    spans: Sequence[SpanView]
    #: One of the two is None.
    due_at: int | None
    due_on: str | None
    reminder: int | None
    recurrence: str | None
    recurrence_from: RecurrenceBase
    tags: list[str]
    board_id: BoardId | None
    column_id: ColumnId | None
    status: Status | None
    priority: int | None


def read_quick(text: str, now: int, time_zone: str, boards: Boards) -> LineReading:
    """Raises WrongTimeZone."""
    today = wall_of(zone_of(time_zone), now).date()
    pieces = _without_contradictions(list(_pieces(tokenise(text), today, boards)))
    schedule, kept = scheduled(pieces, now, time_zone)
    if not _title(text, kept):
        schedule, kept = LineSchedule(), []
    place = next((piece.value for piece in kept if isinstance(piece.value, NamedPlace)), None)
    priority = next((str(piece.value) for piece in kept if piece.kind is SpanKind.PRIORITY), None)
    return LineReading(
        title=_title(text, kept),
        spans=[SpanView(piece.start, piece.end, piece.kind, _told(piece, schedule, time_zone)) for piece in kept],
        due_at=schedule.due_at if schedule.due_on is None else None,
        due_on=None if schedule.due_on is None else schedule.due_on.isoformat(),
        reminder=schedule.reminder,
        recurrence=schedule.recurrence,
        recurrence_from=_recurrence_from(kept),
        tags=list(dict.fromkeys(str(piece.value) for piece in kept if piece.kind is SpanKind.TAG)),
        board_id=place.board.id if place else None,
        column_id=place.column.id if place and place.column else None,
        status=place.column.status if place and place.column else None,
        priority=int(priority) if priority else None,
    )


def _recurrence_from(pieces: Sequence[LinePiece]) -> RecurrenceBase:
    from_completion = any(isinstance(piece.value, LineRepeat) and piece.value.from_completion for piece in pieces)
    return RecurrenceBase.COMPLETION if from_completion else RecurrenceBase.DUE


def _pieces(tokens: Sequence[LineToken], today: date, boards: Boards) -> Iterator[LinePiece]:
    at = 0
    tags: set[str] = set()
    while at < len(tokens):
        token, taken = tokens[at], 1
        tag, place, priority = read_tag(token), read_place(token, boards), read_priority(token.text)
        if tag is not None and len(tags | {tag}) <= MAX_TAGS:
            tags.add(tag)
            yield LinePiece(token.start, token.end, SpanKind.TAG, tag)
        elif place is not None:
            yield LinePiece(token.start, token.end, SpanKind.BOARD, place)
        elif priority is not None:
            yield LinePiece(token.start, token.end, SpanKind.PRIORITY, priority)
        else:
            words = phrase_at(tokens, at)
            found = _phrase(words, today)
            taken = found[1].words if found else unclear_repeat(words) or unclear_date(words, today) or 1
            if found:
                yield LinePiece(token.start, tokens[at + taken - 1].end, found[0], found[1].value)
        at += taken


def _phrase(words: Sequence[str], today: date) -> tuple[SpanKind, LineMatch[Value]] | None:
    for kind, read in _READERS:
        try:
            found = read(words, today)
        except (OverflowError, ValueError):
            continue  # past the end of the calendar
        if found:
            return kind, found
    return None


def _moment(words: Sequence[str], _today: date) -> LineMatch[Amount] | None:
    """`in 2 hours`."""
    amount = read_amount_ahead(words)
    return amount if amount and amount.value.exact is not None else None


_READERS: list[tuple[SpanKind, Callable[[Sequence[str], date], LineMatch[Value] | None]]] = [
    (SpanKind.REPEAT, read_repeat),
    (SpanKind.UNTIL, read_until),
    (SpanKind.REMINDER, read_reminder),
    (SpanKind.DATE, read_date),
    (SpanKind.TIME, lambda words, _today: read_time(words)),
    (SpanKind.MOMENT, _moment),
]


def _without_contradictions(pieces: list[LinePiece]) -> list[LinePiece]:
    """Leaves out anything said twice, since nobody knows which was meant."""
    said = Counter(piece.kind for piece in pieces if piece.kind is not SpanKind.TAG)
    refused = {kind for kind, times in said.items() if times > 1}
    parts = said.keys() & {SpanKind.DATE, SpanKind.TIME, SpanKind.REPEAT}
    if SpanKind.MOMENT in said and parts:
        refused |= {SpanKind.MOMENT, *parts}
    if SpanKind.REPEAT not in said or SpanKind.REPEAT in refused:
        refused.add(SpanKind.UNTIL)
    return [piece for piece in pieces if piece.kind not in refused]


def _title(text: str, pieces: Sequence[LinePiece]) -> str:
    outside, at = [], 0
    for piece in pieces:
        outside.append(text[at : piece.start])
        at = piece.end
    return " ".join(" ".join([*outside, text[at:]]).split())


def _told(piece: LinePiece, schedule: LineSchedule, time_zone: str) -> str:
    """The value of a span: dates and times in ISO 8601 on the zone's wall clock, the rest as the API has it."""
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
