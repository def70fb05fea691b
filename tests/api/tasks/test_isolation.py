"""Another owner's task is nowhere: every path answers as for a task that never was, to the byte."""

from typing import Any

import httpx2
import pytest

from support.api.answers import error_of
from support.clients.task_owner import Owner

NEVER = "tsk_7zzzzzzzzzzzzzzzzzzzzzzzzz"
OPERATIONS: list[tuple[str, str, Any]] = [
    ("GET", "", None),
    ("PATCH", "", {"title": "Mine now"}),
    ("PATCH", "", {}),
    ("PATCH", "", {"visibility": "zero-knowledge", "body": "x"}),
    ("PATCH", "/move", {"status": "done"}),
    ("POST", "/complete", None),
    ("POST", "/archive", None),
    ("POST", "/restore", None),
    ("GET", "/occurrences", None),
    ("GET", "/upcoming", None),
    ("DELETE", "", None),
]
UNTELLING = {"date", "x-request-id", "ratelimit"}


@pytest.mark.parametrize("prefix", ["/taskapp/tasks", "/tasks"])
@pytest.mark.parametrize(("method", "tail", "body"), OPERATIONS)
def test_a_foreign_task_and_one_that_never_was_are_the_same(
    ann: Owner, ben: Owner, prefix: str, method: str, tail: str, body: Any
) -> None:
    [task] = ben.create("b", body="secret", tags=["secret"])
    answers = [
        ann.http.request(method, f"{prefix}/{task_id}{tail}", json=body, headers=headers)
        for task_id in (task.id, NEVER)
        for headers in ({}, {"if-match": '"1"'}, {"if-match": '"7"'})
    ]
    assert {error_of(answer) for answer in answers} == {(404, "not_found")}
    assert len({telling(answer) for answer in answers}) == 1
    assert ben.tasks.get(task.id) == task


@pytest.mark.parametrize("member", ["beforeTaskId", "afterTaskId", "board", "boardId", "both"])
def test_a_foreign_neighbour_or_board_and_one_that_never_was_are_the_same(ann: Owner, ben: Owner, member: str) -> None:
    [mine], [foreign] = ann.create("a"), ben.create("b")
    board = ben.boards.create("Ben's")
    values = [board.id, "brd_7zzzzzzzzzzzzzzzzzzzzzzzzz"] if member.startswith("board") else [foreign.id, NEVER]
    answers = []
    for value in values:
        places = dict.fromkeys(["beforeTaskId", "afterTaskId"] if member == "both" else [member], value)
        answers.append(ann.http.patch(f"/taskapp/tasks/{mine.id}/move", json={"status": "done", **places}))
    assert {error_of(answer) for answer in answers} == {(404, "not_found")}
    assert len({telling(answer) for answer in answers}) == 1
    assert ann.tasks.get(mine.id) == mine


@pytest.mark.parametrize(
    "task_id", ["x", "tsk_", "TSK_7ZZZZZZZZZZZZZZZZZZZZZZZZZ", NEVER + "0", "brd" + NEVER[3:], "%2e%2e", "'"]
)
def test_what_cannot_be_an_id_is_not_found_either(ann: Owner, task_id: str) -> None:
    [never, odd] = [telling(ann.http.get(f"/taskapp/tasks/{one}")) for one in (NEVER, task_id)]
    assert odd == never


def test_lists_tags_and_searches_know_the_owners_own_alone(ann: Owner, ben: Owner) -> None:
    ben.create("b", body="needle", tags=["shared", "bens"], due_at=5)
    ann.create("a", body="needle", tags=["shared"], due_at=5)
    for owner in (ann, ben):
        owner.tasks.activate_index()
    for filters in ({}, {"tags": "shared"}, {"q": "needle"}, {"due_before": 9}, {"status": "todo"}, {"archived": True}):
        wanted: dict[str, Any] = dict(filters)
        assert [task.title for task in ann.tasks.list(**wanted)] == ["a"]
    assert [(tag.tag, tag.count) for tag in ann.client.tags.list()] == [("shared", 1)]
    assert list(ann.tasks.list(tags="bens")) == []


def test_an_admin_sees_only_tasks_of_the_own_owner(ben: Owner) -> None:
    [task] = ben.create("b")
    answer = httpx2.get(f"{ben.server.base_url}/taskapp/tasks/{task.id}", headers=ben.server.headers)
    assert error_of(answer) == (404, "not_found")


def telling(answer: httpx2.Response) -> tuple[int, bytes, tuple[tuple[str, str], ...]]:
    """All of an answer but what differs between any two."""
    headers = tuple(sorted((name, value) for name, value in answer.headers.items() if name not in UNTELLING))
    return answer.status_code, answer.content, headers


def test_what_cannot_be_the_id_of_a_comment_is_not_found(ann: Owner) -> None:
    (task,) = ann.create("a")
    for comment_id in ("%00", "cmt_%00", "x"):
        path = f"/taskapp/tasks/{task.id}/comments/{comment_id}"
        assert error_of(ann.http.patch(path, json={"body": "b"})) == (404, "not_found")
        assert error_of(ann.http.delete(path)) == (404, "not_found")
