"""Completing: a task ends in the terminal column, or comes back with its next due date."""

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from stowboard_client import Board, Task
from stowboard_client.errors import NotFound, PreconditionFailed
from support.api.answers import data_of, error_of, message_of
from support.clients.task_owner import Owner
from support.stored.rows import rows

DAY = 24 * 3600 * 1000
BERLIN = "Europe/Berlin"
NOW = time.time_ns() // 1_000_000


def at(text: str, zone: str = "UTC") -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


def wall(moment: int | None, zone: str = "UTC") -> str:
    assert moment is not None
    return datetime.fromtimestamp(moment / 1000, ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M")


def recurring(owner: Owner, rule: str, due_at: int | None = None, **members: Any) -> Task:
    [task] = owner.create("r", recurrence=rule, due_at=due_at, **members)
    return task


def test_a_task_is_done_and_at_the_end_of_the_terminal_column(ann: Owner, board: Board) -> None:
    ann.place(board, "x", "done")
    a, _ = ann.place(board, "ab")
    done = ann.tasks.complete(a.id)
    assert (done.status, done.completed_at, done.version) == ("done", done.updated_at, a.version + 1)
    assert (ann.order(board), ann.order(board, 2)) == ("b", "xa")
    assert done.placement is not None
    assert done.placement.position == 1
    assert list(ann.tasks.occurrences(a.id)) == []


def test_off_every_board_it_is_done_all_the_same(ann: Owner) -> None:
    ann.create("x", status="done")
    a, _ = ann.create("ab")
    assert ann.tasks.complete(a.id).status == "done"
    assert (ann.lane("todo"), ann.lane("done")) == ("b", "xa")


def test_completing_what_is_done_changes_nothing(ann: Owner, board: Board) -> None:
    a, b = ann.place(board, "ab")
    done = ann.tasks.complete(a.id)
    ann.tasks.complete(b.id)
    assert ann.tasks.complete(a.id) == done
    assert ann.order(board, 2) == "ab"
    ended = recurring(ann, "FREQ=DAILY;COUNT=1", NOW)
    ended = ann.tasks.update(ended.id, status="done")
    assert ann.tasks.complete(ended.id) == ended, "its series has no further occurrence"
    assert list(ann.tasks.occurrences(ended.id)) == []


@pytest.mark.parametrize("status", ["todo", "in_progress", "done"])
@pytest.mark.parametrize("on_board", [True, False])
def test_a_series_goes_on_from_any_status(ann: Owner, board: Board, status: Any, on_board: bool) -> None:
    task = recurring(ann, "FREQ=DAILY;COUNT=3", NOW + DAY)
    if on_board:
        ann.tasks.move(task.id, "todo", board=board.id)
    for due_at in (NOW + 2 * DAY, NOW + 3 * DAY):
        ann.tasks.update(task.id, status=status)
        again = ann.tasks.complete(task.id)
        assert (again.status, again.due_at, again.completed_at) == ("todo", due_at, None)
    assert ann.order(board) == ("r" if on_board else "")
    ended = ann.tasks.complete(task.id)
    assert ended.status == "done"
    assert ann.tasks.complete(task.id) == ended
    assert [one.number for one in ann.tasks.occurrences(task.id)] == [3, 2, 1]


def test_completing_a_version_that_is_gone_is_refused(ann: Owner) -> None:
    [a] = ann.create("a")
    with pytest.raises(PreconditionFailed):
        ann.tasks.complete(a.id, if_match=2)
    assert ann.tasks.get(a.id) == a


def test_a_recurring_task_comes_back_to_the_end_of_the_entry_column(ann: Owner, board: Board) -> None:
    task = recurring(ann, "FREQ=DAILY;INTERVAL=2", NOW + 3 * DAY)
    ann.tasks.move(task.id, "in_progress", board=board.id)
    ann.place(board, "ab")
    again = ann.tasks.complete(task.id)
    assert (again.status, again.due_at, again.completed_at) == ("todo", NOW + 5 * DAY, None)
    assert ann.order(board) == "abr"
    ann.place(board, "c")
    assert ann.tasks.complete(task.id).due_at == NOW + 7 * DAY
    assert ann.order(board) == "abcr", "also when it is in the entry column already"


def test_the_reminder_of_a_recurring_task_keeps_its_distance(ann: Owner) -> None:
    task = recurring(ann, "FREQ=DAILY", NOW + DAY, reminder=NOW + DAY - 3_600_000)
    again = ann.tasks.complete(task.id)
    assert (again.due_at, again.reminder) == (NOW + 2 * DAY, NOW + 2 * DAY - 3_600_000)


def test_an_overdue_one_is_next_due_in_the_future(ann: Owner) -> None:
    task = recurring(ann, "FREQ=WEEKLY", NOW - 100 * DAY)
    again = ann.tasks.complete(task.id)
    assert again.due_at == NOW - 100 * DAY + 105 * DAY


def test_the_dates_that_come_are_those_that_completing_gives(ann: Owner) -> None:
    task = recurring(ann, "FREQ=MONTHLY;COUNT=4", at("2037-01-31T09:00", BERLIN), time_zone=BERLIN)
    coming = [one.due_at for one in ann.tasks.upcoming(task.id, limit=10)]
    assert [wall(moment, BERLIN) for moment in coming] == ["2037-02-28 09:00", "2037-03-31 09:00", "2037-04-30 09:00"]
    assert [ann.tasks.complete(task.id).due_at for _ in coming] == coming
    assert ann.tasks.upcoming(task.id) == []
    late = recurring(ann, "FREQ=DAILY", NOW - 10 * DAY)
    assert all(one.due_at > NOW for one in ann.tasks.upcoming(late.id)), "what was missed does not come again"
    [once] = ann.create("o", due_at=NOW)
    assert ann.tasks.upcoming(once.id) == []


def test_what_was_completed_is_told_latest_first_and_by_the_page(ann: Owner) -> None:
    task = recurring(ann, "FREQ=DAILY", NOW + DAY)
    completed = [ann.tasks.complete(task.id) for _ in range(5)]
    pages = list(ann.tasks.occurrences(task.id, limit=2).pages())
    assert [[one.number for one in page.items] for page in pages] == [[5, 4], [3, 2], [1]]
    assert [page.meta.has_more for page in pages] == [True, True, False]
    found = [one for page in pages for one in page.items][::-1]
    assert [one.due_at for one in found] == [NOW + n * DAY for n in range(1, 6)]
    times = [time for one, task in zip(found, completed, strict=True) for time in (one.completed_at, task.updated_at)]
    assert times == sorted(times)


def test_the_occurrences_of_a_deleted_task_go_with_it(ann: Owner) -> None:
    task = recurring(ann, "FREQ=DAILY", NOW)
    ann.tasks.complete(task.id)
    ann.tasks.delete(task.id)
    with pytest.raises(NotFound):
        ann.tasks.occurrences(task.id).page()
    assert rows(ann.server, f"SELECT count(*) FROM task_occurrence WHERE task_id = '{task.id}'") == [(0,)]


def test_a_series_of_a_count_ends_as_done(ann: Owner, board: Board) -> None:
    task = recurring(ann, "FREQ=DAILY;COUNT=3", NOW + DAY)
    ann.tasks.move(task.id, "todo", board=board.id)
    assert [ann.tasks.complete(task.id).status for _ in range(3)] == ["todo", "todo", "done"]
    ended = ann.tasks.get(task.id)
    assert (ended.due_at, ended.completed_at) == (NOW + 3 * DAY, ended.updated_at)
    assert ann.order(board, 2) == "r"
    assert [one.number for one in ann.tasks.occurrences(task.id)] == [3, 2, 1]
    assert ann.tasks.complete(task.id) == ended


def test_a_series_until_a_day_ends_as_done_after_that_day(ann: Owner) -> None:
    until = datetime.fromtimestamp((NOW + 3 * DAY) / 1000, ZoneInfo("UTC")).strftime("%Y%m%d")
    task = recurring(ann, f"FREQ=DAILY;UNTIL={until}", NOW + DAY)
    assert [ann.tasks.complete(task.id).status for _ in range(3)] == ["todo", "todo", "done"]


def test_the_time_of_day_survives_the_change_of_clocks(ann: Owner) -> None:
    task = recurring(ann, "FREQ=DAILY", at("2030-03-30T09:00", BERLIN), time_zone=BERLIN)
    dues = [ann.tasks.complete(task.id).due_at for _ in range(2)]
    assert [wall(due, BERLIN) for due in dues] == ["2030-03-31 09:00", "2030-04-01 09:00"]
    assert dues[0] == at("2030-03-30T09:00", BERLIN) + DAY - 3600 * 1000
    skipped = recurring(ann, "FREQ=DAILY", at("2030-03-30T02:30", BERLIN), time_zone=BERLIN)
    dues = [ann.tasks.complete(skipped.id).due_at for _ in range(2)]
    assert [wall(due, BERLIN) for due in dues] == ["2030-03-31 03:30", "2030-04-01 02:30"]


def test_the_end_of_the_month_is_clamped_and_does_not_drift(ann: Owner) -> None:
    task = recurring(ann, "FREQ=MONTHLY", at("2031-01-31T12:00"))
    dues = [wall(ann.tasks.complete(task.id).due_at) for _ in range(4)]
    assert dues == ["2031-02-28 12:00", "2031-03-31 12:00", "2031-04-30 12:00", "2031-05-31 12:00"]
    leap = recurring(ann, "FREQ=YEARLY", at("2028-02-29T12:00"))
    assert wall(ann.tasks.complete(leap.id).due_at) == "2029-02-28 12:00"


def test_a_patched_due_date_moves_only_this_occurrence(ann: Owner) -> None:
    task = recurring(ann, "FREQ=WEEKLY", at("2031-03-03T09:00"))
    assert ann.tasks.update(task.id, due_at=at("2031-03-05T17:00")).recurrence == "FREQ=WEEKLY"
    assert wall(ann.tasks.complete(task.id).due_at) == "2031-03-10 09:00"


def test_a_patched_rule_counts_from_the_present_due_date(ann: Owner) -> None:
    task = recurring(ann, "FREQ=WEEKLY;COUNT=2", at("2031-03-03T09:00"))
    ann.tasks.complete(task.id)
    ann.tasks.update(task.id, due_at=at("2031-03-11T10:00"))
    ann.tasks.update(task.id, recurrence="FREQ=WEEKLY;COUNT=3")
    dues = [wall(ann.tasks.complete(task.id).due_at) for _ in range(2)]
    assert dues == ["2031-03-18 10:00", "2031-03-25 10:00"]
    assert ann.tasks.complete(task.id).status == "done"


def test_a_task_that_no_longer_recurs_is_done_when_completed(ann: Owner) -> None:
    task = recurring(ann, "FREQ=DAILY", NOW)
    ann.tasks.complete(task.id)
    ann.tasks.update(task.id, recurrence=None)
    assert ann.tasks.complete(task.id).status == "done"
    assert [one.number for one in ann.tasks.occurrences(task.id)] == [1]


def test_without_a_due_date_a_series_starts_when_it_is_completed(ann: Owner) -> None:
    task = recurring(ann, "FREQ=DAILY")
    again = ann.tasks.complete(task.id)
    assert again.due_at is not None
    assert NOW + DAY < again.due_at <= again.updated_at + DAY
    cleared = recurring(ann, "FREQ=DAILY", NOW - 10 * DAY)
    ann.tasks.update(cleared.id, due_at=None)
    assert ann.tasks.complete(cleared.id).due_at in (NOW + DAY, NOW + 2 * DAY)


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize(
    ("members", "named"),
    [
        ({"recurrence": "FREQ=HOURLY"}, "recurrence"),
        ({"recurrence": "FREQ=SECONDLY;INTERVAL=1"}, "recurrence"),
        ({"recurrence": "FREQ=DAILY;BYHOUR=1,2"}, "recurrence"),
        ({"recurrence": "every day"}, "recurrence"),
        ({"recurrence": ""}, "recurrence"),
        ({"recurrence": 7}, "recurrence"),
        ({"recurrence": "FREQ=DAILY;INTERVAL=0"}, "recurrence"),
        ({"recurrence": "FREQ=DAILY;COUNT=2;UNTIL=20310101"}, "recurrence"),
        ({"recurrence": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"}, "recurrence"),
        ({"recurrence": "FREQ=DAILY;" + "BYMONTH=1;" * 60}, "recurrence"),
        ({"timeZone": "Mars/Olympus"}, "timeZone"),
        ({"timeZone": "../etc/passwd"}, "timeZone"),
        ({"timeZone": "europe/berlin "}, "timeZone"),
        ({"timeZone": 1}, "timeZone"),
    ],
)
def test_a_rule_or_zone_that_cannot_be_is_refused_and_named(ann: Owner, members: dict[str, Any], named: str) -> None:
    [task] = ann.create("a", due_at=NOW)
    answers = [
        ann.http.post("/taskapp/tasks", json={"title": "x", "dueAt": NOW} | members),
        ann.http.patch(f"/taskapp/tasks/{task.id}", json=members),
    ]
    for answer in answers:
        assert error_of(answer) == (400, "validation_failed")
        assert message_of(answer).startswith(named) or named in message_of(answer)
    assert ann.tasks.get(task.id) == task


def test_retries_of_one_completion_at_the_same_time_complete_once(ann: Owner) -> None:
    task = recurring(ann, "FREQ=DAILY", NOW + DAY)
    headers = {"idempotency-key": "once"}

    def complete(_: int) -> tuple[int, bytes]:
        answer = ann.http.post(f"/taskapp/tasks/{task.id}/complete", headers=headers)
        return answer.status_code, answer.content

    with ThreadPoolExecutor(8) as threads:
        answers = set(threads.map(complete, range(8)))
    assert len(answers) == 1
    assert ann.tasks.get(task.id).due_at == NOW + 2 * DAY
    assert [one.number for one in ann.tasks.occurrences(task.id)] == [1]


def test_completions_at_the_same_time_without_a_key_are_one_occurrence_each(ann: Owner) -> None:
    task = recurring(ann, "FREQ=DAILY", NOW + DAY)
    with ThreadPoolExecutor(4) as threads:
        statuses = set(threads.map(lambda _: ann.http.post(f"/tasks/{task.id}/complete").status_code, range(4)))
    assert statuses == {200}
    assert ann.tasks.get(task.id).due_at == NOW + 5 * DAY
    assert [one.due_at for one in ann.tasks.occurrences(task.id)] == [NOW + n * DAY for n in (4, 3, 2, 1)]


def test_more_dates_than_ten_are_given_as_ten(ann: Owner) -> None:
    task = ann.tasks.create("daily", due_at=NOW, recurrence="FREQ=DAILY")
    answer = ann.http.get(f"/taskapp/tasks/{task.id}/upcoming", params={"limit": 100})
    assert len(data_of(answer)) == answer.json()["meta"]["limit"] == 10
    assert error_of(ann.http.get(f"/taskapp/tasks/{task.id}/upcoming", params={"limit": 0}))[0] == 400
