"""Events: one row for each thing that happened, none for what did not, and never a word of a task's text."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from stowboard_client import Board, Task
from support.clients.task_owner import Owner
from support.stored.rows import rows

SECRETS = ("Top secret title", "Top secret body", "secret-tag", "Secret board", "Secret column")


def all_events(owner: Owner) -> list[tuple[str, str, dict[str, Any]]]:
    """Type, subject and data of everything that happened to what is the owner's."""
    found = rows(owner.server, f"SELECT type, subject, data FROM event WHERE owner = '{owner.name}' ORDER BY id")
    return [(kind, subject, json.loads(data)) for kind, subject, data in found]


HAPPENINGS: list[tuple[str, list[str], Callable[[Owner, Task, Board], Any]]] = [
    ("task.updated", ["title"], lambda ann, task, board: ann.tasks.update(task.id, title="b")),
    ("task.updated", ["dueAt", "tags"], lambda ann, task, board: ann.tasks.update(task.id, due_at=5, tags=["x"])),
    ("task.updated", ["status", "rank"], lambda ann, task, board: ann.tasks.update(task.id, status="done")),
    ("task.moved", ["status", "rank"], lambda ann, task, board: ann.tasks.move(task.id, "done")),
    (
        "task.moved", ["boardId", "columnId", "rank"],
        lambda ann, task, board: ann.tasks.move(task.id, "todo", board=board.id),
    ),
    ("task.completed", ["status", "rank"], lambda ann, task, board: ann.tasks.complete(task.id)),
    ("task.archived", ["archived"], lambda ann, task, board: ann.tasks.archive(task.id)),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "changed", "act"), HAPPENINGS)
def test_what_happens_to_a_task_is_one_event(
    ann: Owner, board: Board, kind: str, changed: list[str], act: Callable[[Owner, Task, Board], Any]
) -> None:
    [task] = ann.create("a")
    before = all_events(ann)
    after = act(ann, task, board)
    assert all_events(ann)[len(before) :] == [
        (kind, task.id, {"taskId": task.id, "version": after.version, "changed": changed})
    ]


def test_the_life_of_a_task_is_told_in_its_order(ann: Owner) -> None:
    [task] = ann.create("a")
    ann.tasks.archive(task.id)
    ann.tasks.restore(task.id)
    ann.tasks.complete(task.id)
    ann.tasks.delete(task.id)
    assert ann.events(task.id) == ["task.created", "task.archived", "task.restored", "task.completed", "task.deleted"]


def test_the_life_of_a_board_and_its_columns_is_told_in_its_order(ann: Owner, board: Board) -> None:
    ann.boards.update(board.id, name="Garden")
    column = ann.boards.add_column(board.id, "Later", "todo")
    ann.boards.update_column(board.id, column.id, name="Much later")
    [task] = ann.place(board, "a", column_id=column.id)
    ann.boards.remove_column(board.id, column.id)
    ann.boards.delete(board.id)
    assert ann.events(board.id) == ["board.created", *["board.updated"] * 4, "board.deleted"]
    assert ann.events(task.id) == ["task.created", "task.moved", "task.moved", "task.moved"]


def test_what_changes_nothing_is_no_event(ann: Owner, board: Board) -> None:
    a, b = ann.place(board, "ab")
    ann.tasks.complete(b.id)
    before = all_events(ann)
    ann.tasks.update(a.id)
    ann.tasks.update(a.id, title="a", tags=[], due_at=None, status="todo")
    ann.tasks.move(a.id, "todo")
    ann.tasks.move(a.id, "todo", position=0)
    ann.tasks.restore(a.id)
    ann.tasks.complete(b.id)
    ann.boards.update(board.id, name="House")
    ann.boards.update_column(board.id, board.columns[0].id, position=0)
    assert all_events(ann) == before


def test_what_is_refused_is_no_event(ann: Owner, ben: Owner, board: Board) -> None:
    [a], [theirs] = ann.place(board, "a"), ben.create("x")
    before = all_events(ann), all_events(ben)
    task, of_board = f"/taskapp/tasks/{a.id}", f"/taskapp/boards/{board.id}"
    stale = {"if-match": '"99"'}
    refused = [
        ann.http.post("/taskapp/tasks", json={"title": " "}),
        ann.http.patch(task, json={"dueAt": 5, "recurrence": "FREQ=HOURLY"}),
        ann.http.patch(task, json={"title": "b"}, headers=stale),
        ann.http.patch(f"{task}/move", json={"status": "done", "beforeTaskId": a.id}),
        ann.http.patch(f"{task}/move", json={"status": "done"}, headers=stale),
        ann.http.post(f"{task}/complete", headers=stale),
        ann.http.post(f"{task}/archive", headers=stale),
        ann.http.delete(task, headers=stale),
        ann.http.delete(f"/taskapp/tasks/{theirs.id}"),
        ann.http.post(f"/taskapp/tasks/{theirs.id}/complete"),
        ann.http.patch(of_board, json={"name": ""}),
        ann.http.delete(f"{of_board}/columns/{board.columns[0].id}"),
        ann.http.patch(f"{of_board}/columns/{board.columns[0].id}", json={"isTerminal": True}),
    ]
    assert {answer.status_code for answer in refused} == {400, 404, 409, 412}
    assert (all_events(ann), all_events(ben)) == before


def test_a_repeated_request_is_no_second_event(ann: Owner) -> None:
    [task] = ann.create("a", recurrence="FREQ=DAILY")
    for _ in range(3):
        ann.tasks.complete(task.id, idempotency_key="again")
    assert ann.events(task.id) == ["task.created", "task.completed"]


def test_no_event_has_a_word_of_what_people_wrote(ann: Owner) -> None:
    title, body, tag, board_name, column_name = SECRETS
    task = ann.tasks.create(title, body=body, tags=[tag], reminder=1000, key="secret key")
    board = ann.boards.create(board_name, description=board_name)
    column = ann.boards.add_column(board.id, column_name, "todo")
    ann.tasks.move(task.id, "todo", board=board.id, column_id=column.id)
    ann.tasks.update(task.id, title=title + "!", body=body + "!", tags=[tag, tag + "2"])
    ann.tasks.complete(task.id)
    ann.tasks.archive(task.id)
    ann.boards.delete(board.id)
    ann.tasks.delete(task.id)
    told = json.dumps(all_events(ann)).lower()
    assert told.count("task.") > 5
    assert "secret" not in told
