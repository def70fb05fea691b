"""Entries of a calendar, and the text that carries them."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar

from stowboard.core.clock import LATEST_MS
from stowboard.tasks.base.task import Task, TaskId
from stowboard.tasks.calendar.entries import MOST_ENTRIES, MOST_OCCURRENCES, entries_of
from stowboard.tasks.calendar.ical import CalendarEntry, as_events

JANUARY_31 = int(datetime(2027, 1, 31, 9, tzinfo=UTC).timestamp() * 1000)
texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.just("\n"), max_size=200)


def task(**members: object) -> Task:
    return Task(id=TaskId("tsk_1"), owner="a", title="t", due_at=JANUARY_31, anchor_at=JANUARY_31, **members)  # type: ignore[arg-type]


def days(tasks: list[Task]) -> list[str]:
    found = entries_of(tasks, JANUARY_31, "https://a.example", titles=True, coming=True)
    return [f"{datetime.fromtimestamp(entry.begins_at / 1000, UTC):%m-%d}" for entry in found]


def test_month_ends_clamp_as_the_task_itself_will() -> None:
    assert days([task(recurrence="FREQ=MONTHLY")]) == ["01-31", "02-28", "03-31", "04-30"]


def test_a_series_with_a_count_ends_where_the_task_will() -> None:
    assert days([task(recurrence="FREQ=DAILY;COUNT=5", completions=2)]) == ["01-31", "02-01", "02-02"]


def test_the_number_of_entries_is_bounded() -> None:
    assert len(days([task(recurrence="FREQ=DAILY")])) == MOST_OCCURRENCES
    assert len(days([task(recurrence="FREQ=DAILY")] * 100)) == MOST_ENTRIES


def test_an_entry_at_the_end_of_time_ends_with_it() -> None:
    entry = CalendarEntry(uid="a", summary="a", begins_at=LATEST_MS, changed_at=0, version=1)
    assert b"DTEND:99991231T235959Z\r\n" in as_events([entry], 1000)


@given(texts, texts, st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs"]), min_size=1), max_size=5))
def test_any_text_comes_back_as_it_was_and_lines_are_short(title: str, body: str, tags: list[str]) -> None:
    entry = CalendarEntry(
        uid="a", summary=title, begins_at=JANUARY_31, changed_at=0, version=1, description=body, categories=tags
    )
    ics = as_events([entry], 1000)
    assert all(len(line) <= 75 for line in ics.split(b"\r\n"))
    assert all(line.decode() is not None for line in ics.split(b"\r\n"))  # no character is cut in two
    [event] = Calendar.from_ical(ics).walk("VEVENT")
    assert str(event["SUMMARY"]) == title
    assert str(event.get("DESCRIPTION", "")) == body


def test_control_characters_cannot_begin_another_line() -> None:
    entry = CalendarEntry(uid="a", summary="x\r\nATTENDEE:y\rz\x00\x0b", begins_at=0, changed_at=0, version=1)
    ics = as_events([entry], 1000)
    assert b"SUMMARY:x\\nATTENDEE:yz\r\n" in ics
