"""Reminders: each becomes one event when its time has come, and none when there is no reason any more."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from stowboard_client import Board, Task
from support.clients.task_owner import Owner
from support.stored.rows import rows
from support.waiting import wait_until

HOUR = 3600 * 1000
DAY = 24 * HOUR


def now() -> int:
    return time.time_ns() // 1_000_000


def ordered(owner: Owner, task: Task) -> list[int]:
    """When the task's reminder is due, as the queue has it."""
    return [due for (due,) in rows(owner.server, f"SELECT due FROM job WHERE dedup = '{task.id}' AND dead = 0")]


def fired(owner: Owner, task: Task) -> int:
    return owner.events(task.id).count("task.reminder")


def wait_until_nothing_is_ordered(owner: Owner, *tasks: Task) -> None:
    wait_until(lambda: not any(ordered(owner, task) for task in tasks))


def test_a_reminder_becomes_one_event_when_it_is_due(ann: Owner) -> None:
    soon = now() + 700
    [task] = ann.create("a", body="secret", reminder=soon, due_at=soon + HOUR)
    assert (ordered(ann, task), fired(ann, task)) == ([soon], 0)
    wait_until_nothing_is_ordered(ann, task)
    assert ann.events(task.id) == ["task.created", "task.reminder"]
    found = rows(
        ann.server, f"SELECT owner, data, created_at FROM event WHERE subject = '{task.id}' AND type = 'task.reminder'"
    )
    [(owner, data, created_at)] = found
    assert owner == ann.name
    assert json.loads(data) == {"taskId": task.id, "reminder": soon, "dueAt": soon + HOUR, "dueOn": None}
    assert created_at >= soon
    assert ann.tasks.get(task.id) == task, "it changes nothing of the task"


def test_a_reminder_in_the_past_is_due_at_once(ann: Owner) -> None:
    [created], [patched] = ann.create("a", reminder=1000), ann.create("b")
    ann.tasks.update(patched.id, reminder=now() - DAY)
    wait_until_nothing_is_ordered(ann, created, patched)
    assert (fired(ann, created), fired(ann, patched)) == (1, 1)


def test_a_reminder_goes_where_a_patch_puts_it(ann: Owner) -> None:
    later = now() + HOUR
    [task] = ann.create("a", reminder=later)
    for reminder in (later + DAY, later - 60_000):
        ann.tasks.update(task.id, reminder=reminder)
        assert ordered(ann, task) == [reminder]
    ann.tasks.update(task.id, title="b", due_at=later, tags=["x"])
    assert ordered(ann, task) == [later - 60_000], "nothing else moves it"
    ann.tasks.update(task.id, reminder=now() + 300)
    wait_until_nothing_is_ordered(ann, task)
    assert fired(ann, task) == 1


CANCELS: dict[str, Callable[[Owner, Task], Any]] = {
    "null": lambda ann, task: ann.tasks.update(task.id, reminder=None),
    "clearReminder": lambda ann, task: ann.http.patch(f"/tasks/{task.id}", json={"clearReminder": True}),
    "complete": lambda ann, task: ann.tasks.complete(task.id),
    "move": lambda ann, task: ann.tasks.move(task.id, "done"),
    "status": lambda ann, task: ann.tasks.update(task.id, status="done"),
    "archive": lambda ann, task: ann.tasks.archive(task.id),
    "delete": lambda ann, task: ann.tasks.delete(task.id),
}


@pytest.mark.parametrize("how", CANCELS)
def test_a_reminder_that_has_lost_its_reason_is_cancelled(ann: Owner, how: str) -> None:
    [task] = ann.create("a", reminder=now() + HOUR)
    CANCELS[how](ann, task)
    assert ordered(ann, task) == []


def test_a_task_that_is_done_or_archived_from_the_start_has_none_ordered(ann: Owner) -> None:
    [done] = ann.create("a", reminder=1000, status="done")
    [task] = ann.create("b")
    ann.tasks.archive(task.id)
    ann.tasks.update(task.id, reminder=now() - 1000)
    assert (ordered(ann, done), ordered(ann, task)) == ([], [])
    assert (fired(ann, done), fired(ann, task)) == (0, 0)


def test_a_reminder_comes_back_with_its_task(ann: Owner, board: Board) -> None:
    later = now() + HOUR
    [task] = ann.create("a", reminder=later)
    ann.tasks.archive(task.id)
    assert ann.tasks.restore(task.id).reminder == later
    assert ordered(ann, task) == [later]
    ann.tasks.complete(task.id)
    ann.tasks.move(task.id, "todo", board=board.id)
    assert ordered(ann, task) == [later]
    ann.boards.delete(board.id)
    assert ordered(ann, task) == [later]


def test_a_reminder_that_has_been_is_not_repeated_when_its_task_comes_back(ann: Owner) -> None:
    [task] = ann.create("a", reminder=now() - 1000)
    wait_until_nothing_is_ordered(ann, task)
    ann.tasks.archive(task.id)
    ann.tasks.restore(task.id)
    ann.tasks.complete(task.id)
    ann.tasks.move(task.id, "todo")
    assert (ordered(ann, task), fired(ann, task)) == ([], 1)


def test_a_reminder_keeps_its_distance_to_the_due_date_of_a_recurring_task(ann: Owner) -> None:
    due = now() + 2 * DAY
    [task] = ann.create("a", recurrence="FREQ=DAILY;COUNT=2", due_at=due, reminder=due - HOUR)
    again = ann.tasks.complete(task.id)
    assert (again.due_at, again.reminder) == (due + DAY, due + DAY - HOUR)
    assert ordered(ann, task) == [due + DAY - HOUR]
    ended = ann.tasks.complete(task.id)
    assert (ended.status, ordered(ann, task)) == ("done", [])


def test_a_reminder_that_has_been_comes_again_with_the_next_occurrence(ann: Owner) -> None:
    due = now() + 1000
    [task] = ann.create("a", recurrence="FREQ=DAILY", due_at=due, reminder=due - HOUR)
    wait_until_nothing_is_ordered(ann, task)
    assert fired(ann, task) == 1
    ann.tasks.complete(task.id)
    assert ordered(ann, task) == [due + DAY - HOUR]


def test_a_reminder_that_is_no_time_is_refused(ann: Owner) -> None:
    [task] = ann.create("a")
    for reminder in (-1, "tomorrow", 1.5, True, 10**30, {"at": 5}):
        for answer in (
            ann.http.post("/taskapp/tasks", json={"title": "x", "reminder": reminder}),
            ann.http.patch(f"/taskapp/tasks/{task.id}", json={"reminder": reminder}),
        ):
            assert answer.status_code == 400
            assert "reminder" in answer.json()["error"]["message"]
    both = {"reminder": now() + HOUR, "clearReminder": True}
    assert ann.http.patch(f"/taskapp/tasks/{task.id}", json=both).status_code == 400
    assert ordered(ann, task) == []


def told_times(owner: Owner, task: Task) -> list[int]:
    found = rows(
        owner.server, f"SELECT data FROM event WHERE subject = '{task.id}' AND type = 'task.reminder' ORDER BY id"
    )
    return [json.loads(data)["reminder"] for (data,) in found]


def test_each_of_several_reminders_is_told_once_and_the_next_is_ordered(ann: Owner) -> None:
    past, soon, due = now() - HOUR, now() + 500, now() + DAY
    [task] = ann.create("a", reminder=past, due_at=due, reminders=[{"at": soon}, {"beforeDue": HOUR}, {"at": past}])
    wait_until(lambda: told_times(ann, task) == [past, soon])
    wait_until(lambda: ordered(ann, task) == [due - HOUR])
    ann.tasks.update(task.id, title="b")
    ann.tasks.complete(task.id)
    assert ordered(ann, task) == []
    ann.tasks.move(task.id, "todo")
    assert ordered(ann, task) == [due - HOUR], "reopened, it tells only what is still to come"
    assert told_times(ann, task) == [past, soon]


def test_a_reminder_before_the_due_date_follows_it_and_waits_for_one(ann: Owner) -> None:
    [task] = ann.create("a", reminders=[{"beforeDue": HOUR}])
    assert ordered(ann, task) == []
    later = now() + 2 * HOUR
    ann.tasks.update(task.id, due_at=later)
    assert ordered(ann, task) == [later - HOUR]
    ann.tasks.update(task.id, due_at=now())
    wait_until(lambda: fired(ann, task) == 1)
    ann.tasks.update(task.id, due_at=later)
    assert ordered(ann, task) == [later - HOUR], "it tells again for another date"
    ann.tasks.update(task.id, reminders=None)
    assert ordered(ann, task) == []


def test_the_one_reminder_and_the_further_ones_leave_each_other_alone(ann: Owner) -> None:
    later = now() + DAY
    [task] = ann.create("a", reminder=later, reminders=[{"at": later + 1}])
    cleared = ann.http.patch(f"/taskapp/tasks/{task.id}", json={"clearReminder": True}).json()["data"]
    assert (cleared["reminder"], cleared["reminders"]) == (None, [{"at": later + 1, "beforeDue": None}])
    assert ordered(ann, task) == [later + 1]


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize(
    "wrong", [[{}], [{"at": 1, "beforeDue": 1}], [{"beforeDue": -1}], [{"beforeDue": 28 * DAY + 1}], [{"at": 1}] * 11]
)
def test_a_further_reminder_that_cannot_be_is_refused(ann: Owner, wrong: Any) -> None:
    [task] = ann.create("a")
    assert ann.http.patch(f"/taskapp/tasks/{task.id}", json={"reminders": wrong}).status_code == 400
    assert ann.tasks.get(task.id) == task
