"""The examples of the manual on quick add."""

import re
from datetime import datetime
from pathlib import Path

import pytest

from stowboard.tasks.base.task import BoardId, ColumnId, RecurrenceBase, Status
from stowboard.tasks.boards.board import FIRST_COLUMNS
from stowboard.tasks.quick.names import NamedBoard, NamedColumn
from stowboard.tasks.quick.read import LineReading, read_quick
from stowboard.tasks.quick.span import SpanKind
from support.tasks.recurrence_rules import zone_of

PAGE = (Path(__file__).parents[3] / "docs" / "api" / "quick-add.md").read_text()
ZONE = "Europe/Berlin"
NOW = int(datetime(2026, 11, 18, 12, tzinfo=zone_of(ZONE)).timestamp() * 1000)
HOUSE = NamedBoard(BoardId("brd_house"), [NamedColumn(ColumnId(name), name, status) for name, status in FIRST_COLUMNS])


def rows(heading: str) -> list[list[str]]:
    """The rows of the table under a heading of this text, without its own head."""
    table = PAGE.partition(heading)[2].partition("|---")[2].partition("\n\n")[0]
    return [[cell.strip().strip("`") for cell in line.strip("|").split(" |")] for line in table.splitlines()[1:]]


def local(instant: int | None) -> str:
    return (
        "" if instant is None else datetime.fromtimestamp(instant / 1000, zone_of(ZONE)).isoformat(" ", "minutes")[:16]
    )


def read(line: str) -> LineReading:
    return read_quick(line, NOW, ZONE, {"house-work": HOUSE})


def more(reading: LineReading) -> str:
    """As the column of the table says it."""
    place = f"@House work{'/' + reading.column_id if reading.column_id else ''}" if reading.board_id else ""
    reminder = f"reminder {local(reading.reminder)}" if reading.reminder is not None else ""
    priority = f"!{reading.priority}" if reading.priority else ""
    tags = [f"#{tag}" for tag in reading.tags]
    base = "" if reading.recurrence_from is RecurrenceBase.DUE else reading.recurrence_from
    return " ".join(part for part in [reading.recurrence, base, reminder, place, priority, *tags] if part)


@pytest.mark.parametrize(("line", "title", "due", "rest"), rows("are run by the project's tests"))
def test_a_line_of_the_manual_is_read_as_it_says(line: str, title: str, due: str, rest: str) -> None:
    found = read(line)
    assert (found.title, found.due_on or local(found.due_at), more(found)) == (title, due, rest)


@pytest.mark.parametrize("line", [row[0] for row in rows("And what stays in the title")])
def test_what_the_manual_says_is_not_read_stays_in_the_title(line: str) -> None:
    found = read(line)
    assert (found.title, list(found.spans)) == (line, [])
    assert (found.due_at, found.due_on, found.reminder, found.recurrence, found.priority) == (None,) * 5
    assert (found.tags, found.board_id) == ([], None)


def test_every_kind_of_span_is_described() -> None:
    described = re.findall(r"^\| `(\w+)` \|", PAGE.partition("| `kind` |")[2].partition("\n\n")[0], re.MULTILINE)
    assert described == list(SpanKind)


def test_a_column_gives_its_status() -> None:
    assert read("Fix tap @house-work/done").status is Status.DONE
