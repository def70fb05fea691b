"""Placements: where each task of a board is, column by column."""

import pytest

from stowboard_client import Board
from stowboard_client.errors import InvalidCursor
from support.api.answers import error_of
from support.clients.task_owner import Owner


def test_placements_are_told_column_by_column_in_order(ann: Owner, board: Board) -> None:
    done = ann.place(board, "x", "done")
    todo = ann.place(board, "abc")
    ann.create("o")
    placements = list(ann.boards.placements(board.id))
    assert [one.task_id for one in placements] == [task.id for task in [*todo, *done]]
    assert [one.position for one in placements] == [0, 1, 2, 0]
    assert {one.board_id for one in placements} == {board.id}
    for one in placements:
        placement = ann.tasks.get(one.task_id).placement
        assert placement is not None
        assert (placement.column_id, placement.position, placement.rank) == (one.column_id, one.position, one.rank)


def test_placements_follow_the_order_of_the_columns(ann: Owner, board: Board) -> None:
    [a], [x] = ann.place(board, "a"), ann.place(board, "x", "done")
    ann.boards.update_column(board.id, board.columns[2].id, position=0)
    assert [one.task_id for one in ann.boards.placements(board.id)] == [x.id, a.id]


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 8])
def test_pages_of_placements_make_up_the_whole(ann: Owner, board: Board, limit: int) -> None:
    ann.place(board, "abc")
    archived, *_ = ann.place(board, "defg", "in_progress")
    ann.place(board, "h", "done")
    ann.tasks.archive(archived.id)
    whole = ann.boards.placements(board.id).page()
    assert (len(whole.items), whole.meta.limit, whole.meta.has_more) == (7, 50, False)
    pages = list(ann.boards.placements(board.id, limit=limit).pages())
    assert tuple(one for page in pages for one in page.items) == whole.items
    assert all(len(page.items) == limit for page in pages[:-1])
    assert pages[-1].items
    assert [page.meta.has_more for page in pages] == [True] * (len(pages) - 1) + [False]


def test_a_task_that_moves_behind_the_page_is_not_missed(ann: Owner, board: Board) -> None:
    a, *_ = ann.place(board, "abcd")
    first = ann.boards.placements(board.id, limit=2).page()
    ann.tasks.move(a.id, "todo", position=3)
    rest = ann.boards.placements(board.id, limit=10).page(first.meta.next_cursor)
    assert [one.position for one in rest.items] == [1, 2, 3]
    assert rest.items[-1].task_id == a.id


def test_archived_tasks_have_no_placement_until_they_are_restored_to_their_place(ann: Owner, board: Board) -> None:
    a, b, _ = ann.place(board, "abc")
    ann.tasks.archive(b.id)
    assert ann.order(board) == "ac"
    ann.tasks.move(a.id, "todo", position=1)
    assert ann.order(board) == "ca"
    restored = ann.tasks.restore(b.id)
    assert ann.order(board) == "bca"
    assert restored.placement is not None
    assert (restored.placement.position, restored.placement.rank) == (0, b.placement.rank if b.placement else None)


def test_the_size_of_a_page_is_bounded_and_its_cursor_good_for_its_board_alone(ann: Owner, board: Board) -> None:
    ann.place(board, "ab")
    address = f"/taskapp/boards/{board.id}/placements"
    assert ann.http.get(address, params={"limit": 5000}).json()["meta"]["limit"] == 100
    for limit in ("0", "-1", "x", "1.5", ""):
        assert ann.http.get(address, params={"limit": limit}).status_code == 400, limit
    cursor = ann.boards.placements(board.id, limit=1).page().meta.next_cursor
    assert cursor is not None
    with pytest.raises(InvalidCursor):
        ann.boards.placements(ann.boards.create("Garden").id).page(cursor)
    assert error_of(ann.http.get(address, params={"cursor": cursor[:-2] + "xx"})) == (400, "invalid_cursor")
