"""Columns: added, renamed, reordered and removed; a board always has one entry and one terminal column."""

from typing import Any

import pytest

from stowboard_client import Board
from stowboard_client.errors import Conflict, NotFound, TooManyItems, ValidationFailed
from support.api.answers import error_of, message_of
from support.clients.task_owner import Owner


def names(owner: Owner, board: Board) -> list[str]:
    columns = owner.boards.columns(board.id)
    assert [column.position for column in columns] == list(range(len(columns)))
    assert sum(column.is_entry for column in columns) == sum(column.is_terminal for column in columns) == 1
    return [column.name for column in columns]


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        (0, ["New", "To do", "In progress", "Done"]),
        (1, ["To do", "New", "In progress", "Done"]),
        (3, ["To do", "In progress", "Done", "New"]),
        (1000, ["To do", "In progress", "Done", "New"]),
        (None, ["To do", "In progress", "Done", "New"]),
    ],
)
def test_a_column_is_added_where_it_is_wanted(
    ann: Owner, board: Board, position: int | None, expected: list[str]
) -> None:
    added = ann.boards.add_column(board.id, " New ", "in_progress", position=position)
    assert names(ann, board) == expected
    assert (added.position, added.is_entry, added.is_terminal) == (expected.index("New"), False, False)
    after = ann.boards.get(board.id)
    assert after.version == board.version + 1
    assert added in after.columns


def test_a_column_is_renamed_and_its_tasks_stay(ann: Owner, board: Board) -> None:
    ann.place(board, "ab")
    renamed = ann.boards.update_column(board.id, board.columns[0].id, name="Soon")
    assert (renamed.name, renamed.position, renamed.is_entry) == ("Soon", 0, True)
    assert names(ann, board) == ["Soon", "In progress", "Done"]
    assert ann.order(board) == "ab"


@pytest.mark.parametrize(
    ("column", "position", "expected"),
    [
        (0, 2, ["In progress", "Done", "To do"]),
        (0, 1, ["In progress", "To do", "Done"]),
        (2, 0, ["Done", "To do", "In progress"]),
        (1, 1, ["To do", "In progress", "Done"]),
        (0, 1000, ["In progress", "Done", "To do"]),
    ],
)
def test_a_column_goes_to_another_position(
    ann: Owner, board: Board, column: int, position: int, expected: list[str]
) -> None:
    moved = ann.boards.update_column(board.id, board.columns[column].id, position=position)
    assert names(ann, board) == expected
    assert moved.position == expected.index(moved.name)


def test_a_change_of_a_column_that_changes_nothing_leaves_the_boards_version(ann: Owner, board: Board) -> None:
    entry = board.columns[0]
    assert ann.boards.update_column(board.id, entry.id) == entry
    assert ann.boards.update_column(board.id, entry.id, name="To do", position=0, is_entry=True) == entry
    assert ann.boards.get(board.id) == board


def test_another_column_becomes_the_entry_and_tasks_go_there(ann: Owner, board: Board) -> None:
    inbox = ann.boards.add_column(board.id, "Inbox", "todo")
    assert ann.boards.update_column(board.id, inbox.id, is_entry=True).is_entry
    assert names(ann, board)[3] == "Inbox"
    [a] = ann.create("a", recurrence="FREQ=DAILY", due_at=1_794_787_200_000)
    ann.tasks.move(a.id, "in_progress", board=board.id)
    back = ann.tasks.complete(a.id)
    assert back.placement is not None
    assert back.placement.column_id == inbox.id
    ann.boards.remove_column(board.id, board.columns[0].id)
    assert names(ann, board) == ["In progress", "Done", "Inbox"]


def test_another_column_becomes_the_terminal_one_and_completed_tasks_go_there(ann: Owner, board: Board) -> None:
    shipped = ann.boards.add_column(board.id, "Shipped", "done")
    ann.boards.update_column(board.id, shipped.id, is_terminal=True)
    [a] = ann.place(board, "a")
    placement = ann.tasks.complete(a.id).placement
    assert placement is not None
    assert placement.column_id == shipped.id
    names(ann, board)


def test_a_column_of_done_tasks_is_no_entry_and_only_one_of_done_tasks_is_terminal(ann: Owner, board: Board) -> None:
    with pytest.raises(Conflict):
        ann.boards.update_column(board.id, board.columns[2].id, is_entry=True)
    with pytest.raises(Conflict):
        ann.boards.update_column(board.id, board.columns[0].id, is_terminal=True)
    middle = board.columns[1].id
    with pytest.raises(Conflict):
        ann.boards.update_column(board.id, middle, is_entry=True, is_terminal=True)
    for flag in ("is_entry", "is_terminal"):
        with pytest.raises(ValidationFailed, match="true"):
            ann.boards.update_column(board.id, board.columns[0].id, **{flag: False})  # type: ignore[arg-type]
    assert ann.boards.get(board.id) == board


def test_the_entry_and_the_terminal_column_cannot_be_removed(ann: Owner, board: Board) -> None:
    for column in (board.columns[0], board.columns[2]):
        with pytest.raises(Conflict):
            ann.boards.remove_column(board.id, column.id)
    assert ann.boards.get(board.id) == board


def test_the_tasks_of_a_removed_column_go_in_order_to_another_of_their_status(ann: Owner, board: Board) -> None:
    review = ann.boards.add_column(board.id, "Review", "in_progress", position=2)
    ann.place(board, "ab", "in_progress")
    _, y, _ = ann.place(board, "xyz", "in_progress", column_id=review.id)
    ann.tasks.archive(y.id)
    ann.boards.remove_column(board.id, review.id)
    assert ann.order(board, 1) == "abxz"
    ann.tasks.restore(y.id)
    assert ann.order(board, 1) == "abxyz"
    assert ann.tasks.get(y.id).status == "in_progress"
    assert names(ann, board) == ["To do", "In progress", "Done"]
    with pytest.raises(NotFound):
        ann.boards.remove_column(board.id, review.id)


def test_without_another_of_their_status_they_go_to_the_entry_column(ann: Owner, board: Board) -> None:
    ann.place(board, "a")
    x, _ = ann.place(board, "xy", "in_progress")
    ann.boards.remove_column(board.id, board.columns[1].id)
    assert ann.order(board) == "axy"
    assert ann.tasks.get(x.id).status == "todo"
    with pytest.raises(ValidationFailed, match="status"):
        ann.tasks.move(x.id, "in_progress")
    with pytest.raises(ValidationFailed, match="status"):
        ann.tasks.update(x.id, status="in_progress")
    assert ann.order(board) == "axy"


def test_a_board_has_fifty_columns_at_most(ann: Owner, board: Board) -> None:
    for n in range(47):
        ann.boards.add_column(board.id, f"Column {n}", "todo")
    with pytest.raises(TooManyItems, match="50"):
        ann.boards.add_column(board.id, "One more", "todo")
    assert len(names(ann, board)) == 50


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({"name": None}, "name"),
        ({"name": ""}, "name"),
        ({"name": "   "}, "name"),
        ({"name": "x" * 201}, "name"),
        ({"name": 1}, "name"),
        ({"position": -1}, "position"),
        ({"position": "first"}, "position"),
        ({"position": 1.5}, "position"),
        ({"position": True}, "position"),
        ({"position": 10**30}, "position"),
    ],
)
def test_what_no_column_can_be_is_refused_and_the_member_named(
    ann: Owner, board: Board, body: dict[str, Any], named: str
) -> None:
    answers = [
        ann.http.post(f"/taskapp/boards/{board.id}/columns", json={"name": "x", "status": "todo"} | body),
        ann.http.patch(f"/taskapp/boards/{board.id}/columns/{board.columns[0].id}", json=body),
    ]
    for answer in answers:
        assert error_of(answer) == (400, "validation_failed")
        assert named in message_of(answer)
    assert ann.boards.get(board.id) == board


def test_what_only_one_of_the_bodies_has_is_checked_as_well(ann: Owner, board: Board) -> None:
    address = f"/taskapp/boards/{board.id}/columns"
    created: list[Any] = [{}, {"name": "x"}, {"status": "todo"}, {"name": "x", "status": "later"}]
    changed: list[Any] = [{"isEntry": None}, {"isEntry": 1}, {"isTerminal": "true"}, {"position": None}]
    answers = [ann.http.post(address, json=body) for body in created]
    answers += [ann.http.patch(f"{address}/{board.columns[0].id}", json=body) for body in changed]
    assert {error_of(answer) for answer in answers} == {(400, "validation_failed")}
    assert ann.boards.get(board.id) == board


def test_the_status_of_a_column_stays(ann: Owner, board: Board) -> None:
    answer = ann.http.patch(f"/taskapp/boards/{board.id}/columns/{board.columns[1].id}", json={"status": "done"})
    assert answer.json()["data"]["status"] == "in_progress"
