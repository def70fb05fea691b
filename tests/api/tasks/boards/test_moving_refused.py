"""Moves that are not made: what is wrong is named, and everything stays where it was."""

import json
from typing import Any

import pytest

from stowboard_client import Board
from stowboard_client.errors import NotFound, ValidationFailed
from support.api.answers import error_of, message_of
from support.clients.task_owner import Owner

NEVER = "tsk_01kbr2x4q8e9w6y3t7n5m1c0vz"
NO_BOARD = "brd_01kbr2x4q8e9w6y3t7n5m1c0vz"
NO_COLUMN = "col_01kbr2x4q8e9w6y3t7n5m1c0vz"


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize(
    ("body", "named"),
    [
        ("{}", "status"),
        ('{"status": null}', "status"),
        ('{"status": "later"}', "status"),
        ('{"status": 1}', "status"),
        ('{"status": "todo", "position": -1}', "position"),
        ('{"status": "todo", "position": "top"}', "position"),
        ('{"status": "todo", "position": 1.5}', "position"),
        ('{"status": "todo", "position": true}', "position"),
        ('{"status": "todo", "position": 1e300}', "position"),
        ('{"status": "todo", "board": 7}', "board"),
        ('{"status": "todo", "board": ["x"]}', "board"),
        ('{"status": "todo", "boardId": {}}', "boardId"),
        ('{"status": "todo", "columnId": 7}', "columnId"),
        ('{"status": "todo", "beforeTaskId": 7}', "beforeTaskId"),
        ('{"status": "todo", "afterTaskId": []}', "afterTaskId"),
        (json.dumps({"status": "todo", "board": "x" * 101}), "board"),
        ('{"status": "todo", "board": null, "boardId": "brd_x"}', "boardId"),
    ],
)
def test_a_body_that_says_no_place_is_refused_and_the_member_named(
    ann: Owner, board: Board, body: str, named: str
) -> None:
    [a] = ann.place(board, "a")
    answer = ann.http.patch(f"/taskapp/tasks/{a.id}/move", content=body)
    assert error_of(answer) == (400, "validation_failed")
    assert named in message_of(answer)
    assert ann.tasks.get(a.id) == a


def test_members_that_are_null_are_as_if_not_given(ann: Owner, board: Board) -> None:
    a, _ = ann.place(board, "ab")
    ann.tasks.move(a.id, "todo", column_id=None, position=None, before_task_id=None, after_task_id=None)
    assert ann.order(board) == "ab"


@pytest.mark.parametrize("side", ["before_task_id", "after_task_id"])
def test_a_neighbour_elsewhere_is_refused(ann: Owner, board: Board, side: str) -> None:
    [a], [doing] = ann.place(board, "a"), ann.place(board, "d", "in_progress")
    [off], [other] = ann.create("o"), ann.place(ann.boards.create("Garden"), "x")
    wrong: list[tuple[str, dict[str, Any]]] = [
        (doing.id, {}),
        (off.id, {}),
        (off.id, {"board": board.id}),
        (other.id, {"board": board.id}),
        (a.id, {}),
    ]
    for neighbour, destination in wrong:
        with pytest.raises(ValidationFailed, match="beforeTaskId" if side == "before_task_id" else "afterTaskId"):
            ann.tasks.move(a.id, "todo", **destination | {side: neighbour})
    off_every_board: dict[str, Any] = {"board": None, side: a.id}
    with pytest.raises(ValidationFailed):
        ann.tasks.move(doing.id, "todo", **off_every_board)
    assert ann.tasks.get(a.id) == a


@pytest.mark.parametrize("member", ["beforeTaskId", "afterTaskId", "board", "boardId"])
def test_what_is_another_owners_is_as_if_it_had_never_been(ann: Owner, ben: Owner, board: Board, member: str) -> None:
    [a] = ann.place(board, "a")
    theirs_board = ben.boards.create("Theirs")
    [theirs] = ben.place(theirs_board, "x")
    foreign, never = (theirs.id, NEVER) if member.endswith("TaskId") else (theirs_board.id, NO_BOARD)
    answers = [
        ann.http.patch(f"/taskapp/tasks/{a.id}/move", json={"status": "todo", member: given})
        for given in (foreign, never, "", "x", "a" * 100)
    ]
    assert {error_of(answer) for answer in answers} == {(404, "not_found")}
    assert len({answer.content for answer in answers}) == 1
    assert ann.tasks.get(a.id) == a


def test_another_owners_task_cannot_be_moved_and_is_as_if_it_had_never_been(
    ann: Owner, ben: Owner, board: Board
) -> None:
    [theirs] = ben.create("x")
    answers = [
        ann.http.patch(f"/taskapp/tasks/{task_id}/move", json={"status": "done", "board": board.id}, headers=headers)
        for task_id in (theirs.id, NEVER, "x", "tsk_%00")
        for headers in ({}, {"if-match": '"9"'})
    ]
    assert {error_of(answer) for answer in answers} == {(404, "not_found")}
    assert len({answer.content for answer in answers}) == 1
    assert ben.tasks.get(theirs.id) == theirs


def test_a_column_must_be_one_of_the_board_and_of_the_status(ann: Owner, ben: Owner, board: Board) -> None:
    [a] = ann.place(board, "a")
    garden, theirs = ann.boards.create("Garden"), ben.boards.create("Theirs")
    for column_id in (NO_COLUMN, garden.columns[0].id, theirs.columns[0].id, board.columns[1].id, "", "x"):
        with pytest.raises(ValidationFailed, match="columnId"):
            ann.tasks.move(a.id, "todo", column_id=column_id)
    assert ann.tasks.get(a.id) == a


def test_a_column_without_a_board_is_refused_rather_than_ignored(ann: Owner, board: Board) -> None:
    [a], [off] = ann.place(board, "a"), ann.create("o")
    with pytest.raises(ValidationFailed, match="columnId"):
        ann.tasks.move(a.id, "todo", board=None, column_id=board.columns[0].id)
    with pytest.raises(ValidationFailed, match="columnId"):
        ann.tasks.move(off.id, "todo", column_id=board.columns[0].id)
    assert ann.tasks.get(a.id) == a


def test_a_deleted_task_is_no_neighbour_and_a_deleted_board_no_destination(ann: Owner, board: Board) -> None:
    a, b = ann.place(board, "ab")
    ann.tasks.delete(b.id)
    with pytest.raises(NotFound):
        ann.tasks.move(a.id, "todo", after_task_id=b.id)
    garden = ann.boards.create("Garden")
    ann.boards.delete(garden.id)
    with pytest.raises(NotFound):
        ann.tasks.move(a.id, "todo", board=garden.id)
    with pytest.raises(NotFound):
        ann.tasks.move(b.id, "todo")
