"""Quick add over HTTP: a line read, a line made a task."""

from datetime import datetime

import pytest

from stowboard_client import Board, Client
from support.api.answers import data_of, error_of, message_of
from support.clients.task_owner import Owner
from support.stored.rows import rows
from support.tasks.recurrence_rules import zone_of

PARSE = "/taskapp/tasks/parse"
TASKS = "/taskapp/tasks"
ZONE = "Europe/Berlin"


def test_a_line_is_read_and_nothing_is_made(ann: Owner) -> None:
    ann.tasks.activate_index()
    parsed = ann.tasks.parse("  Renew cert 24 dec 2030 9am #ops every month", time_zone=ZONE)
    assert [(span.start, span.end, span.kind, span.value) for span in parsed.spans] == [
        (13, 24, "date", "2030-12-24"), (25, 28, "time", "09:00"), (29, 33, "tag", "ops"),
        (34, 45, "repeat", "FREQ=MONTHLY"),
    ]  # fmt: skip
    assert (parsed.task.title, parsed.task.tags, parsed.task.recurrence) == ("Renew cert", ("ops",), "FREQ=MONTHLY")
    assert parsed.task.due_at == int(datetime(2030, 12, 24, 9, tzinfo=zone_of(ZONE)).timestamp() * 1000)
    assert list(ann.tasks.list()) == []


def test_what_was_read_is_what_is_made(ann: Owner) -> None:
    line = "Renew cert 24 dec 2030 9am #ops every month remind me 1 hour before"
    parsed = ann.tasks.parse(line, time_zone=ZONE).task
    task = ann.tasks.quick_add(line, time_zone=ZONE, tags=["more"])
    assert (task.title, task.due_at, task.reminder) == (parsed.title, parsed.due_at, parsed.reminder)
    assert (task.recurrence, task.time_zone, task.tags) == (parsed.recurrence, ZONE, ("ops", "more"))
    assert task.reminder is not None
    assert parsed.due_at == task.reminder + 3_600_000


def test_what_the_line_says_of_a_board_is_where_the_task_is(ann: Owner, board: Board) -> None:
    parsed = ann.tasks.parse("Fix tap @house/in-progress").task
    task = ann.tasks.quick_add("Fix tap @house/in-progress")
    assert task.placement is not None
    assert (task.placement.board_id, task.placement.column_id) == (board.id, board.columns[1].id)
    assert (parsed.board_id, parsed.column_id, parsed.status) == (board.id, board.columns[1].id, task.status)
    plain = ann.tasks.quick_add(f"Paint @{board.id} tomorrow")
    assert plain.placement is not None
    assert (plain.title, plain.placement.column_id) == ("Paint", board.columns[0].id)


def test_a_board_of_another_owner_or_of_two_by_one_name_is_not_found(ann: Owner, ben: Owner, board: Board) -> None:
    assert ben.tasks.quick_add("Fix tap @House").title == "Fix tap @House"
    assert ben.tasks.quick_add(f"Fix tap @{board.id}").placement is None
    ann.boards.create("house")
    assert ann.tasks.quick_add("Fix tap @House").title == "Fix tap @House"


def test_a_member_wins_over_the_line_and_a_retry_makes_nothing(ann: Owner, board: Board) -> None:
    first = ann.tasks.quick_add("Call tomorrow @house", due_at=5, key="once")
    assert (first.title, first.due_at) == ("Call", 5)
    again = ann.tasks.quick_add("Call tomorrow @house", due_at=5, key="once")
    assert again == first


def test_how_urgent_a_task_is_is_said_in_the_line_unless_a_member_says_it(ann: Owner) -> None:
    parsed = ann.tasks.parse("Fix tap !3 #home")
    assert [(span.kind, span.value) for span in parsed.spans] == [("priority", "3"), ("tag", "home")]
    assert (parsed.task.title, parsed.task.priority) == ("Fix tap", 3)
    body = {"title": "Fix tap !3", "quick": True}
    given = [data_of(ann.http.post(TASKS, json=body | more), 201) for more in ({}, {"priority": 0}, {"priority": None})]
    assert [(task["title"], task["priority"]) for task in given] == [("Fix tap", 3), ("Fix tap", 0), ("Fix tap", 3)]
    assert ann.tasks.quick_add("Fix tap").priority == 0


def test_without_quick_a_title_is_a_title(ann: Owner) -> None:
    task = data_of(ann.http.post(TASKS, json={"title": "Call tomorrow #x", "quick": None}), 201)
    assert (task["title"], task["dueAt"], task["tags"]) == ("Call tomorrow #x", None, [])


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "text is required."),
        ({"text": "  "}, "text: expected at least one character that is not a space."),
        ({"text": "x" * 501}, "text: expected a string of 1 to 500 characters."),
        ({"text": "x", "timeZone": "Mars/Olympus"}, "timeZone: It must be a name of the IANA time zone database"),
    ],
)
def test_what_cannot_be_read_is_refused(ann: Owner, body: dict[str, str], message: str) -> None:
    answer = ann.http.post(PARSE, json=body)
    assert error_of(answer) == (400, "validation_failed")
    assert message_of(answer).startswith(message)


def test_a_line_is_meant_in_the_time_zone_of_the_person(ann: Owner, client: Client) -> None:
    client.accounts.create(ann.name)
    rows(ann.server, f"UPDATE account SET time_zone = '{ZONE}' WHERE username = '{ann.name}'")
    nine = int(datetime(2030, 12, 24, 9, tzinfo=zone_of(ZONE)).timestamp() * 1000)
    line = " Renew cert 24 dec 2030 9am"
    parsed = data_of(ann.http.post(PARSE, json={"text": line}))
    assert (parsed["task"]["dueAt"], parsed["task"]["timeZone"]) == (nine, ZONE)
    made = ann.http.post(TASKS, json={"title": line, "quick": True})
    task = data_of(made, 201)
    assert (task["dueAt"], task["timeZone"], task["title"]) == (nine, ZONE, "Renew cert")
    assert made.json()["meta"]["spans"] == parsed["spans"]
    assert [span["kind"] for span in parsed["spans"]] == ["date", "time"]
    (batched,) = data_of(
        ann.http.post(f"{TASKS}/batch", json={"operations": [{"op": "create", "title": line, "quick": True}]})
    )
    assert (batched["task"]["dueAt"], batched["task"]["timeZone"]) == (nine, ZONE)
    utc = data_of(ann.http.post(TASKS, json={"title": line, "quick": True, "timeZone": "UTC"}), 201)
    assert (utc["dueAt"], utc["timeZone"]) == (nine + 3_600_000, "UTC")
    assert "spans" not in ann.http.post(TASKS, json={"title": line}).json()["meta"]
