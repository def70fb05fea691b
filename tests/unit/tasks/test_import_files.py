"""Files of other programs are read with all that they say."""

from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stowboard.core.errors import TooManyItems, ValidationFailed
from stowboard.tasks.imports.calendar_file import read_calendar
from stowboard.tasks.imports.columns import columns_here
from stowboard.tasks.imports.plan import PlannedColumn, PlannedComment
from stowboard.tasks.imports.read_file import ImportKind, read_file
from stowboard.tasks.imports.todoist_sync import read_sync
from stowboard.tasks.imports.vikunja import read_html
from support.imports import FOLDER, plans, read, sample, sample_json


@pytest.mark.parametrize("sample", plans(), ids=lambda sample: sample["file"])
def test_a_sample_is_read_with_all_that_it_says(sample: dict[str, Any]) -> None:
    assert read(sample["file"], sample["name"]) == sample["plan"]


def test_a_subtask_that_is_only_a_text_becomes_an_item() -> None:
    items = [
        {"id": "a", "content": "Trip", "project_id": "p", "responsible_uid": "u2"},
        {"id": "b", "content": "Pack", "project_id": "p", "parent_id": "a", "checked": True},
        {"id": "c", "content": "Book", "project_id": "p", "parent_id": "a", "due": {"date": "2035-12-24"}},
    ]
    people = [{"id": "u2", "full_name": "Ben"}]
    notes = [{"id": "n", "item_id": "a", "content": "Soon?", "posted_uid": "u2", "posted_at": "2025-01-01T00:00:00Z"}]
    answer = {"projects": [{"id": "p", "name": "P"}], "items": items, "collaborators": people, "notes": notes}
    [board] = read_sync(answer, "UTC").boards
    trip, book = board.tasks
    assert (trip.checklist, trip.people) == ([("Pack", True)], ["Ben"])
    assert trip.comments == [PlannedComment("Ben", "Soon?", 1735689600000)]
    assert book.body == "Part of: Trip"


def test_an_answer_of_todoist_is_read_with_all_that_it_says() -> None:
    plan = read_sync(sample_json("todoist-answer.json"), "UTC")
    [board] = plan.boards
    assert [column.name for column in board.columns] == ["First", "Second"]
    fixed, weekly = board.tasks
    assert (fixed.priority, fixed.due_text, fixed.zone) == (3, "2035-12-24 18:00", "Europe/Berlin")
    assert (weekly.priority, weekly.due_text, weekly.due_once) == (0, "jeden Freitag 2035-12-28", "2035-12-28")
    assert weekly.body == "Part of: Fixed\n\n[a.pdf](https://files.todoist.com/a.pdf)"
    assert len(weekly.files) == 1
    assert [comment.body for comment in weekly.comments] == ["See", "Words"]


def todo(*lines: str) -> bytes:
    return "\r\n".join(["BEGIN:VCALENDAR", "BEGIN:VTODO", *lines, "END:VTODO", "END:VCALENDAR", ""]).encode()


@pytest.mark.parametrize("end", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c"])
def test_a_line_of_a_calendar_ends_in_a_line_end_alone(end: str) -> None:
    [board] = read_calendar(todo("UID:1", f"SUMMARY:one{end}two", "DESCRIPTION:x"), "list", "UTC").boards
    assert (board.tasks[0].title, board.tasks[0].body) == (f"one{end}two", "x")


def test_a_line_of_a_calendar_is_unfolded_by_octets() -> None:
    content = todo("UID:1", "SUMMARY:Grüße").replace("ü".encode(), b"\xc3\r\n \xbc")
    [board] = read_calendar(content, "list", "UTC").boards
    assert board.tasks[0].title == "Grüße"


@pytest.mark.parametrize("day", ["20261301", "20260230", "2026010", "99991301T000000", "x", ""])
def test_a_date_that_is_none_is_kept_as_text(day: str) -> None:
    [board] = read_calendar(todo("UID:1", f"DUE:{day}"), "list", "UTC").boards
    [task] = board.tasks
    assert (task.due_at, task.due_on, task.due_text) == (None, None, day)


def test_a_day_without_a_time_is_a_day() -> None:
    [board] = read_calendar(todo("UID:1", "DUE;VALUE=DATE:20261224"), "list", "UTC").boards
    assert (board.tasks[0].due_at, board.tasks[0].due_on) == (None, "2026-12-24")


def test_an_editors_text_is_read_once_whatever_it_is() -> None:
    assert read_html("<" * 200_000)[0] == "<" * 200_000
    assert read_html("<a " * 60_000)[0] == ("<a " * 60_000).strip()
    assert read_html("<!--" * 50_000)[1] == []


@given(st.lists(st.builds(PlannedColumn, st.text(max_size=30))))
def test_a_board_always_has_a_column_to_enter_and_one_to_end_in(planned: list[PlannedColumn]) -> None:
    columns = columns_here(planned)
    statuses = [status for _, status in columns]
    assert "done" in statuses
    assert any(status != "done" for status in statuses)
    assert len(columns) <= 50
    assert all(name.strip() and len(name) <= 200 for name, _ in columns)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([
        "lists", "cards", "id", "name", "pos", "actions", "items", "projects", "tasks", "title", "kind", "columns",
        "checklists", "due", "content", "child_projects", "placement", "members", "labels",
    ]), inner, max_size=5),
    max_leaves=12,
)  # fmt: skip


@given(_JSON, st.sampled_from(ImportKind))
def test_whatever_json_it_is_it_is_read_or_refused(value: Any, kind: ImportKind) -> None:
    content = msgspec.json.encode(value)
    with suppress(ValidationFailed, TooManyItems):
        read_file(content, "x", kind, "UTC")


@given(
    st.sampled_from(sorted(path.name for path in FOLDER.iterdir() if path.suffix in (".csv", ".ics", ".json"))),
    st.data(),
)
def test_a_damaged_file_is_read_or_refused(name: str, data: st.DataObject) -> None:
    content = bytearray(sample(name))
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    with suppress(ValidationFailed, TooManyItems):
        read_file(bytes(content), name, None, "UTC")
