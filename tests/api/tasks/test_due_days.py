"""Tasks that are due on a day, and the zone that a task has if none is named."""

from datetime import UTC, date, datetime
from typing import Any

import httpx2
import pytest
from icalendar import Calendar

from stowboard_client import Client, Task
from stowboard_client.errors import BadRequest
from support.api.answers import data_of, error_of, message_of
from support.clients.task_owner import Owner
from support.stored.rows import rows
from support.tasks.recurrence_rules import zone_of

BERLIN = "Europe/Berlin"
TASKS = "/taskapp/tasks"
DAY = "2035-12-24"


def end(day: str, zone: str = BERLIN) -> int:
    """The last second of a day without a change of the clock at its end."""
    return int(datetime.fromisoformat(f"{day}T23:59:59").replace(tzinfo=zone_of(zone)).timestamp() * 1000)


def due(task: Task) -> tuple[str | None, int | None]:
    return task.due_on, task.due_at


def gifts(owner: Owner, **members: Any) -> Task:
    return owner.tasks.create("Gifts", **{"due_on": DAY, "time_zone": BERLIN} | members)


def changed_by_last(owner: Owner, task: Task) -> list[str]:
    changes = data_of(owner.http.get("/changes", params={"subject": task.id}))
    return sorted(changes[0]["changed"])


def test_a_task_that_is_due_on_a_day_is_due_until_its_last_second(ann: Owner) -> None:
    task = gifts(ann)
    assert due(task) == due(ann.tasks.get(task.id)) == (DAY, end(DAY))
    assert data_of(ann.http.get(f"{TASKS}/{task.id}"))["dueOn"] == DAY
    assert due(ann.tasks.create("No date")) == (None, None)


def test_a_day_and_a_moment_at_once_are_refused(ann: Owner) -> None:
    task = gifts(ann)
    for answer in (
        ann.http.post(TASKS, json={"title": "x", "dueOn": DAY, "dueAt": 5}),
        ann.http.patch(f"{TASKS}/{task.id}", json={"dueOn": DAY, "dueAt": 5}),
        ann.http.patch(f"{TASKS}/{task.id}", json={"dueOn": DAY, "clearDueAt": True}),
    ):
        assert error_of(answer) == (400, "validation_failed")
        assert "contradict each other; send one of them" in message_of(answer)
    both = {"operations": [{"op": "create", "title": "x", "dueOn": DAY, "dueAt": 5}]}
    assert data_of(ann.http.post(f"{TASKS}/batch", json=both))[0]["status"] == 400


@pytest.mark.parametrize("day", ["24.12.2035", "2035-12-24T09:00", "2035-02-30", "1969-12-31", 5, True])
def test_what_is_no_day_is_refused(ann: Owner, day: Any) -> None:
    answer = ann.http.post(TASKS, json={"title": "x", "dueOn": day})
    assert error_of(answer) == (400, "validation_failed")
    assert "dueOn" in message_of(answer)


def test_a_moment_ends_a_day_and_a_day_a_moment(ann: Owner) -> None:
    task = gifts(ann)
    assert due(ann.tasks.update(task.id, due_at=5)) == (None, 5)
    assert changed_by_last(ann, task) == ["dueAt", "dueOn"]
    assert due(ann.tasks.update(task.id, due_on="2036-01-01")) == ("2036-01-01", end("2036-01-01"))
    same = ann.tasks.update(task.id, due_on="2036-01-01")
    assert ann.tasks.update(task.id, title="Gifts") == same, "nothing is written if nothing is different"


@pytest.mark.parametrize("body", [{"clearDueAt": True}, {"dueAt": None}, {"dueOn": None}])
def test_a_day_is_cleared_with_its_moment(ann: Owner, body: dict[str, Any]) -> None:
    task = data_of(ann.http.patch(f"{TASKS}/{gifts(ann).id}", json=body))
    assert (task["dueOn"], task["dueAt"]) == (None, None)


def test_no_day_leaves_a_moment_as_it_is(ann: Owner) -> None:
    task = gifts(ann, due_on=None, due_at=5)
    assert due(ann.tasks.update(task.id, due_on=None)) == (None, 5)


def test_a_change_of_zone_moves_the_end_of_the_day_and_an_undo_moves_it_back(ann: Owner) -> None:
    task = gifts(ann)
    assert due(ann.tasks.update(task.id, time_zone="Asia/Tokyo")) == (DAY, end(DAY, "Asia/Tokyo"))
    assert changed_by_last(ann, task) == ["dueAt", "timeZone"]
    change, *_ = data_of(ann.http.get("/changes", params={"subject": task.id}))
    assert data_of(ann.http.post(f"/changes/{change['id']}/undo"))["dueAt"] == end(DAY)


def test_an_undo_brings_a_day_back(ann: Owner) -> None:
    task = gifts(ann)
    ann.tasks.update(task.id, due_at=5)
    change, *_ = data_of(ann.http.get("/changes", params={"subject": task.id}))
    ann.http.post(f"/changes/{change['id']}/undo")
    assert due(ann.tasks.get(task.id)) == (DAY, end(DAY))


def test_lists_take_a_day_by_its_last_second(ann: Owner) -> None:
    ann.client.tasks.activate_index()
    task, later = gifts(ann), gifts(ann, due_on=None, due_at=end(DAY) + 1)
    listed = list(ann.tasks.list(sort="dueAt"))
    assert [each.id for each in listed] == [task.id, later.id]
    assert due(listed[0]) == (DAY, end(DAY))
    assert [each.id for each in ann.tasks.list(due_before=end(DAY) + 1)] == [task.id]


def test_completing_moves_the_day_and_keeps_the_history_of_days(ann: Owner) -> None:
    task = gifts(ann, due_on="2035-01-31", recurrence="FREQ=MONTHLY")
    assert [date.due_on for date in ann.tasks.upcoming(task.id, limit=2)] == ["2035-02-28", "2035-03-31"]
    assert due(ann.tasks.complete(task.id)) == ("2035-02-28", end("2035-02-28"))
    # The series is counted from its first day, also in the days on which the clock changes.
    assert due(ann.tasks.complete(task.id)) == ("2035-03-31", end("2035-03-31"))
    assert [one.due_on for one in ann.tasks.occurrences(task.id)] == ["2035-02-28", "2035-01-31"]
    moved = ann.tasks.update(task.id, due_at=end("2035-04-01") - 1000)
    assert due(ann.tasks.complete(moved.id)) == (None, end("2035-05-01") - 1000), "a moment begins a series of moments"


def test_a_day_that_repeats_is_due_today_again_if_it_was_late(ann: Owner) -> None:
    today = datetime.now(UTC).date()
    late = ann.tasks.create("Pills", due_on="2026-01-01", recurrence="FREQ=DAILY", time_zone="UTC")
    again = ann.tasks.complete(late.id).due_on
    assert again is not None
    assert 0 <= (date.fromisoformat(again) - today).days <= 1, "midnight may have passed meanwhile"


def test_reminders_before_a_day_count_from_nine_in_the_morning(ann: Owner) -> None:
    task = gifts(ann, reminders=[{"beforeDue": 3_600_000}])
    order = f"SELECT due FROM job WHERE dedup = '{task.id}' AND dead = 0"
    assert rows(ann.server, order) == [(end(DAY) + 1000 - 16 * 3_600_000,)]
    ann.tasks.update(task.id, time_zone="Asia/Tokyo")
    assert rows(ann.server, order) == [(end(DAY, "Asia/Tokyo") + 1000 - 16 * 3_600_000,)]


def test_a_start_is_no_later_than_the_end_of_the_day(ann: Owner) -> None:
    assert gifts(ann, start_at=end(DAY)).start_at == end(DAY)
    with pytest.raises(BadRequest, match="startAt"):
        gifts(ann, start_at=end(DAY) + 1)


def test_a_calendar_has_a_day_without_a_time(ann: Owner) -> None:
    gifts(ann, recurrence="FREQ=YEARLY")
    url = ann.tasks.create_calendar().url
    (event,) = Calendar.from_ical(httpx2.get(url).content).walk("VEVENT")
    assert (event.decoded("DTSTART"), event.decoded("DTEND")) == (date(2035, 12, 24), date(2035, 12, 25))
    (todo,) = Calendar.from_ical(httpx2.get(f"{url}?type=todo").content).walk("VTODO")
    assert todo.decoded("DUE") == date(2035, 12, 24)


def test_a_line_with_a_day_makes_a_task_that_is_due_on_it(ann: Owner) -> None:
    read = ann.tasks.parse(f"Gifts {DAY}", time_zone=BERLIN).task
    assert (read.due_on, read.due_at) == (DAY, None)
    assert due(ann.tasks.quick_add(f"Gifts {DAY}", time_zone=BERLIN)) == (DAY, end(DAY))
    assert due(ann.tasks.quick_add(f"Gifts {DAY}", due_at=5)) == (None, 5)
    assert due(ann.tasks.quick_add(f"Gifts {DAY} 9am", due_on="2035-12-25", time_zone="UTC"))[0] == "2035-12-25"


def test_a_task_has_the_zone_of_the_account_of_who_makes_it(ann: Owner, ben: Owner, client: Client) -> None:
    client.accounts.create(ann.name)
    rows(ann.server, f"UPDATE account SET time_zone = '{BERLIN}' WHERE username = '{ann.name}'")
    task = ann.tasks.create("Gifts", due_on=DAY)
    assert (task.time_zone, task.due_at) == (BERLIN, end(DAY))
    batch = {"operations": [{"op": "create", "title": "x", "dueOn": DAY}, {"op": "create", "title": "y"}]}
    zones = [each["task"]["timeZone"] for each in data_of(ann.http.post(f"{TASKS}/batch", json=batch))]
    assert zones == [BERLIN, BERLIN]
    assert ann.tasks.update(task.id, time_zone="UTC").time_zone == "UTC"
    assert ann.tasks.update(task.id, time_zone=None).time_zone == BERLIN, "null is the default again"
    assert ann.tasks.update(task.id, title="More gifts").time_zone == BERLIN
    assert ben.tasks.create("Gifts").time_zone == "UTC"
