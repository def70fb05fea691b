"""The trash of tasks: out of everything, not changed, and back in its very place."""

from typing import Any

import pytest

from stowboard_client import Board, Task, errors
from support.api.answers import data_of, error_of, message_of
from support.clients.task_owner import Owner
from support.stored.rows import rows
from support.waiting import wait_until

A_DAY = 86_400_000
FAR = 4_000_000_000_000


def said(task: Task) -> dict[str, Any]:
    """All that the task says, but for what every change of it changes."""
    return {name: getattr(task, name) for name in task.__struct_fields__ if name not in ("version", "updated_at")}


def trash(owner: Owner, **query: str) -> list[str]:
    return [task["title"] for task in data_of(owner.http.get("/taskapp/tasks", params={"trashed": "only"} | query))]


def test_a_task_in_the_trash_is_in_no_list_count_search_calendar_or_board(ann: Owner, board: Board) -> None:
    ann.tasks.activate_index()
    a, b, c = ann.place(board, "abc")
    ann.tasks.update(b.id, tags=["x"], due_at=FAR, metadata={"k": "v"}, body="needle")
    ann.tasks.update(c.id, tags=["x"])
    address = ann.tasks.create_calendar().url
    trashed = ann.tasks.trash(b.id)
    assert trashed.trashed_at is not None
    assert ann.tasks.get(b.id) == trashed
    assert ann.tasks.trash(b.id) == trashed
    assert ann.order(board) == "ac"
    for query in ({}, {"archived": True}, {"archived": "only"}, {"tags": "x"}, {"status": "todo"}, {"q": "needle"},
                  {"metadata": ("k", "v")}, {"board_id": board.id}, {"due_after": 1}, {"sort": "-updatedAt"},
                  {"sort": "dueAt"}):  # fmt: skip
        assert b.id not in [task.id for task in ann.tasks.list(**query)], query
    assert [(tag.tag, tag.count) for tag in ann.client.tags.list()] == [("x", 1)]
    assert list(ann.client.search("needle")) == []
    assert "SUMMARY" not in ann.http.get(address).text
    assert ann.boards.get(board.id).version == board.version
    assert trash(ann) == ["b"]
    assert [task.id for task in (a, c)] == [one.task_id for one in ann.boards.placements(board.id)]


def test_a_restored_task_is_what_it_was_in_its_very_place(ann: Owner, board: Board) -> None:
    ann.tasks.activate_index()
    _, b, c = ann.place(board, "abc")
    before = ann.tasks.update(b.id, tags=["x"], due_at=FAR, body="needle", archived=True)
    before = ann.tasks.get(b.id)
    ann.tasks.trash(b.id)
    ann.tasks.move(c.id, "todo", board=board.id, position=0)
    restored = ann.tasks.restore(b.id)
    assert restored.archived
    assert said(ann.tasks.get(b.id)) | {"placement": None} == said(before) | {"placement": None}
    assert ann.order(board) == "ca"
    assert not ann.tasks.restore(b.id).archived
    assert ann.order(board) == "cab"
    assert [task.title for task in ann.tasks.list(tags="x", q="needle")] == ["b"]
    assert [(tag.tag, tag.count) for tag in ann.client.tags.list()] == [("x", 1)]
    assert trash(ann) == []


def test_nothing_but_a_restore_or_its_deletion_changes_what_is_in_the_trash(ann: Owner, board: Board) -> None:
    (task,) = ann.create("a")
    trashed = ann.tasks.trash(task.id)
    address = f"/taskapp/tasks/{task.id}"
    for answer in (
        ann.http.patch(address, json={"title": "b"}),
        ann.http.patch(address, json={"archived": True}),
        ann.http.patch(f"{address}/move", json={"status": "done"}),
        ann.http.patch(f"{address}/move", json={"status": "todo", "board": board.id}),
        ann.http.post(f"{address}/complete"),
        ann.http.post(f"{address}/archive"),
        ann.http.post(f"{address}/transfer", json={"spaceId": "spc_library"}),
    ):
        assert error_of(answer) == (409, "conflict"), answer.request.url
        assert "Restore it first" in message_of(answer)
    assert ann.tasks.get(task.id) == trashed
    ann.tasks.delete(task.id)
    assert trash(ann) == []
    with pytest.raises(errors.NotFound):
        ann.tasks.restore(task.id)


def test_the_trash_lists_the_latest_first_by_the_page_and_takes_no_filter(ann: Owner) -> None:
    for task in reversed(ann.create("abc")):
        ann.tasks.trash(task.id)
    assert trash(ann) == ["a", "b", "c"]
    first = ann.http.get("/taskapp/tasks", params={"trashed": "only", "limit": 2})
    rest = trash(ann, cursor=first.json()["meta"]["nextCursor"])
    assert ([task["title"] for task in data_of(first)], rest) == (["a", "b"], ["c"])
    for query in ({"status": "todo"}, {"q": "a"}, {"archived": "only"}, {"sort": "dueAt"}, {"tags": "x"}):
        answer = ann.http.get("/taskapp/tasks", params={"trashed": "only"} | query)
        assert error_of(answer) == (400, "invalid_parameter"), query
    assert error_of(ann.http.get("/taskapp/tasks", params={"trashed": "true"})) == (400, "invalid_parameter")


def test_a_task_in_the_trash_reminds_nobody_until_it_is_back(ann: Owner) -> None:
    task = ann.tasks.create("a", reminder=FAR)
    ordered = f"SELECT count(*) FROM job WHERE kind = 'tasks.remind' AND dedup = '{task.id}'"
    assert rows(ann.server, ordered) == [(1,)]
    ann.tasks.trash(task.id)
    assert rows(ann.server, ordered) == [(0,)]
    ann.tasks.restore(task.id)
    assert rows(ann.server, ordered) == [(1,)]


def test_a_backfill_passes_over_the_trash(ann: Owner) -> None:
    a, _ = ann.create("ab", tags=["x"])
    ann.tasks.trash(a.id)
    assert ann.tasks.backfill().complete
    assert [task.title for task in ann.tasks.list()] == ["b"]
    assert [tag.count for tag in ann.client.tags.list()] == [1]
    ann.tasks.restore(a.id)
    assert [tag.count for tag in ann.client.tags.list()] == [2]


def test_many_are_trashed_and_restored_in_a_batch(ann: Owner) -> None:
    tasks = ann.create("ab")
    done = ann.http.post("/taskapp/tasks/batch", json={"operations": [{"op": "trash", "id": t.id} for t in tasks]})
    assert [result["task"]["trashedAt"] is not None for result in data_of(done)] == [True, True]
    back = ann.http.post("/taskapp/tasks/batch", json={"operations": [{"op": "restore", "id": t.id} for t in tasks]})
    assert [result["task"]["trashedAt"] for result in data_of(back)] == [None, None]


def test_putting_in_the_trash_and_restoring_are_undone(ann: Owner) -> None:
    task = ann.tasks.create("a", body="text")
    ann.tasks.trash(task.id)
    change = next(iter(ann.client.changes.list(subject=task.id)))
    assert (change.kind, change.changed) == ("task.trashed", ("trashedAt",))
    undone = ann.client.changes.undo(change.id)
    assert undone.subject["trashedAt"] is None
    assert said(ann.tasks.get(task.id)) == said(task)
    again = ann.client.changes.undo(undone.meta.change_id)
    assert again.subject["trashedAt"] is not None


def test_a_change_of_a_task_in_the_trash_is_not_undone_before_it_is_back(ann: Owner) -> None:
    (task,) = ann.create("a")
    ann.tasks.update(task.id, title="b")
    change = next(iter(ann.client.changes.list(subject=task.id)))
    ann.tasks.trash(task.id)
    with pytest.raises(errors.Conflict, match="Restore it first"):
        ann.client.changes.undo(change.id)
    ann.tasks.restore(task.id)
    assert ann.client.changes.undo(change.id).subject["title"] == "a"


def test_a_board_that_is_deleted_lets_go_of_what_is_in_the_trash(ann: Owner, board: Board) -> None:
    (task,) = ann.place(board, "a")
    ann.tasks.trash(task.id)
    ann.boards.delete(board.id)
    back = ann.tasks.restore(task.id)
    assert (back.placement, back.trashed_at, back.status) == (None, None, "todo")


def test_an_asset_is_not_said_to_be_used_by_a_task_in_the_trash_and_its_end_is_seen_on_return(ann: Owner) -> None:
    asset = ann.client.uploads.file("note.txt", b"text")
    task = ann.tasks.create("a", attachments=[asset.id])
    ann.tasks.trash(task.id)
    assert list(ann.client.assets.usage(asset.id)) == []
    ann.tasks.restore(task.id)
    assert [use.task_id for use in ann.client.assets.usage(asset.id)] == [task.id]
    ann.tasks.trash(task.id)
    ann.client.assets.delete(asset.id)
    wait_until(lambda: ann.tasks.get(task.id).attachments[0].deleted)
    assert ann.tasks.restore(task.id).attachments[0].deleted


def test_the_trash_of_another_owner_is_not_seen_nor_emptied(ann: Owner, ben: Owner) -> None:
    (task,) = ann.create("a")
    ann.tasks.trash(task.id)
    assert trash(ben) == []
    for verb in ("restore", "trash"):
        assert error_of(ben.http.post(f"/taskapp/tasks/{task.id}/{verb}")) == (404, "not_found")
