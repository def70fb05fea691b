"""History of a task, and undo: what a change changed is as it was, or the refusal names what stands in the way."""

from collections.abc import Callable
from typing import Any

import pytest

from stowboard_client import Board, Task
from support.api.answers import data_of, error_of, message_of
from support.clients.task_owner import Owner

A_DAY = 86_400_000


def history(owner: Owner, task_id: str) -> list[dict[str, Any]]:
    """The changes after the creation."""
    found: list[dict[str, Any]] = data_of(owner.http.get("/changes", params={"subject": task_id}))
    return [change for change in found if change["kind"] != "task.created"]


def undo(owner: Owner, change_id: str) -> dict[str, Any]:
    shown: dict[str, Any] = data_of(owner.http.post(f"/changes/{change_id}/undo"))
    return shown


def undo_last(owner: Owner, task_id: str) -> dict[str, Any]:
    return undo(owner, history(owner, task_id)[0]["id"])


def said(task: Task) -> dict[str, Any]:
    """All that the task says, but for what every change of it changes."""
    return {name: getattr(task, name) for name in task.__struct_fields__ if name not in ("version", "updated_at")}


def test_history_says_who_changed_what_and_how_it_was(ann: Owner) -> None:
    task = ann.tasks.create("Plants", body="old", tags=["home"])
    assert history(ann, task.id) == []
    ann.tasks.update(task.id, title="Water plants", body="new")
    ann.tasks.complete(task.id)
    completed, updated = history(ann, task.id)
    assert (completed["kind"], updated["kind"]) == ("task.completed", "task.updated")
    assert (updated["changed"], updated["before"]) == (["title", "body"], {"title": "Plants", "body": "old"})
    assert (updated["version"], updated["subject"], updated["spaceId"]) == (2, task.id, f"~{ann.name}")
    assert updated["actor"]["person"] == ann.name
    assert updated["undoneBy"] is None
    listed = data_of(ann.http.get("/changes", params={"spaceId": "own"}))
    assert [change["id"] for change in listed][:2] == [completed["id"], updated["id"]]
    assert all("before" not in change for change in listed)


def test_an_undo_brings_back_members_and_an_undo_of_it_brings_the_change_back(ann: Owner) -> None:
    task = ann.tasks.create("Plants", body="old", tags=["home"], priority=1, metadata={"order": "1"})
    changed = ann.tasks.update(
        task.id, title="Water", body=None, tags=["a", "b"], priority=3, due_at=A_DAY, metadata={"x": "y"}
    )
    answer = ann.http.post(f"/changes/{history(ann, task.id)[0]['id']}/undo")
    assert data_of(answer)["title"] == "Plants"
    assert said(ann.tasks.get(task.id)) == said(task)
    first = answer.json()["meta"]["changeId"]
    assert history(ann, task.id)[1]["undoneBy"] == first == history(ann, task.id)[0]["id"]
    undo(ann, first)
    assert said(ann.tasks.get(task.id)) == said(changed)
    redone, undone, change = history(ann, task.id)
    assert (change["undoneBy"], undone["undoneBy"], redone["undoneBy"]) == (None, redone["id"], None)
    undo(ann, change["id"])
    assert said(ann.tasks.get(task.id)) == said(task)


def test_undone_in_reverse_all_is_as_it_was_and_each_state_in_between(ann: Owner, board: Board) -> None:
    (task,) = ann.place(board, "abc")[1:2]
    states = [ann.tasks.get(task.id)]
    steps: list[Callable[[], Task]] = [
        lambda: ann.tasks.update(task.id, title="B"),
        lambda: ann.tasks.move(task.id, "in_progress", board=board.id),
        lambda: ann.tasks.update(task.id, title="bb", archived=True),
        lambda: ann.tasks.restore(task.id),
        lambda: ann.tasks.complete(task.id),
        lambda: ann.tasks.move(task.id, "todo", board=None),
        lambda: ann.tasks.update(task.id, status="done"),
    ]
    for step in steps:
        step()
        states.append(ann.tasks.get(task.id))
    for state in reversed(states[:-1]):
        for change in history(ann, task.id):
            if change["version"] > state.version and change["undoes"] is None and change["undoneBy"] is None:
                undo(ann, change["id"])
        assert said(ann.tasks.get(task.id)) == said(state)
    assert ann.order(board) == "abc"


def test_a_change_is_not_undone_over_a_later_one_of_the_same_member(ann: Owner) -> None:
    (task,) = ann.create("a")
    ann.tasks.update(task.id, title="b", priority=1)
    ann.tasks.update(task.id, title="c")
    ann.tasks.update(task.id, due_at=A_DAY)
    due, later, first = history(ann, task.id)
    refused = ann.http.post(f"/changes/{first['id']}/undo")
    assert error_of(refused) == (409, "conflict")
    assert "title" in message_of(refused)
    assert "priority" not in message_of(refused)
    undo(ann, later["id"])
    shown = undo(ann, first["id"])
    assert (shown["title"], shown["priority"], shown["dueAt"]) == ("a", 0, A_DAY)
    again = ann.http.post(f"/changes/{first['id']}/undo")
    assert error_of(again) == (409, "conflict")
    undo(ann, due["id"])


def test_a_completed_occurrence_is_taken_back_whole(ann: Owner) -> None:
    task = ann.tasks.create("Plants", due_at=A_DAY, reminder=A_DAY - 1000, recurrence="FREQ=DAILY")
    done = ann.tasks.complete(task.id)
    assert len(list(ann.tasks.occurrences(task.id))) == 1
    undo_last(ann, task.id)
    assert said(ann.tasks.get(task.id)) == said(task)
    assert list(ann.tasks.occurrences(task.id)) == []
    undo_last(ann, task.id)
    assert said(ann.tasks.get(task.id)) == said(done)
    assert len(list(ann.tasks.occurrences(task.id))) == 1


def test_a_task_goes_back_between_its_neighbours_or_to_what_is_left_of_its_board(ann: Owner, board: Board) -> None:
    _, b, _ = ann.place(board, "abc")
    ann.tasks.move(b.id, "todo", board=board.id, position=2)
    assert ann.order(board) == "acb"
    undo_last(ann, b.id)
    assert ann.order(board) == "abc"
    column = ann.boards.add_column(board.id, "Later", "todo")
    moved = ann.tasks.move(b.id, "todo", board=board.id, column_id=column.id)
    assert moved.placement is not None
    ann.tasks.move(b.id, "todo", board=None)
    ann.boards.remove_column(board.id, column.id)
    undo_last(ann, b.id)
    assert ann.order(board) == "acb"
    ann.tasks.move(b.id, "in_progress", board=None)
    ann.boards.delete(board.id)
    undo_last(ann, b.id)
    back = ann.tasks.get(b.id)
    assert (back.status, back.placement) == ("todo", None)


def test_a_deleted_task_has_no_history(ann: Owner) -> None:
    (task,) = ann.create("a")
    ann.tasks.update(task.id, title="b")
    (change,) = history(ann, task.id)
    ann.tasks.delete(task.id)
    assert history(ann, task.id) == []
    assert error_of(ann.http.post(f"/changes/{change['id']}/undo")) == (404, "not_found")


@pytest.mark.parametrize("change_id", ["chg_01kbr2x4q8e9w6y3t7n5m1c0vz", "x", "tsk_01kbr2x4q8e9w6y3t7n5m1c0vz"])
def test_what_never_was_is_not_found(ann: Owner, change_id: str) -> None:
    assert error_of(ann.http.post(f"/changes/{change_id}/undo")) == (404, "not_found")


def test_another_owner_sees_no_history_and_undoes_nothing(ann: Owner, ben: Owner) -> None:
    (task,) = ann.create("a")
    ann.tasks.update(task.id, title="b")
    (change,) = history(ann, task.id)
    assert history(ben, task.id) == []
    assert error_of(ben.http.post(f"/changes/{change['id']}/undo")) == (404, "not_found")
