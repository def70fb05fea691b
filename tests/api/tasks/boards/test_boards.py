"""Boards: made with three columns, listed, changed, and deleted without their tasks."""

from typing import Any

import pytest

from stowboard_client import Board
from stowboard_client.errors import InvalidCursor, NotFound
from support.api.answers import error_of, message_of
from support.clients.task_owner import Owner

NO_BOARD = "brd_01kbr2x4q8e9w6y3t7n5m1c0vz"
NO_COLUMN = "col_01kbr2x4q8e9w6y3t7n5m1c0vz"


def test_a_new_board_has_an_entry_a_middle_and_a_terminal_column(ann: Owner) -> None:
    board = ann.boards.create("  House ", description="At home")
    assert (board.name, board.description, board.version) == ("House", "At home", 1)
    assert [(column.name, column.status) for column in board.columns] == [
        ("To do", "todo"), ("In progress", "in_progress"), ("Done", "done"),
    ]  # fmt: skip
    assert [column.position for column in board.columns] == [0, 1, 2]
    assert [column.is_entry for column in board.columns] == [True, False, False]
    assert [column.is_terminal for column in board.columns] == [False, False, True]
    assert {column.board_id for column in board.columns} == {board.id}
    assert ann.boards.get(board.id) == board
    assert ann.boards.columns(board.id) == board.columns
    assert list(ann.boards.placements(board.id)) == []


def test_boards_are_listed_newest_first_and_by_the_page(ann: Owner, ben: Owner) -> None:
    boards = [ann.boards.create(f"Board {n}") for n in range(5)]
    ben.boards.create("Theirs")
    pages = list(ann.boards.list(limit=2).pages())
    assert [len(page.items) for page in pages] == [2, 2, 1]
    assert [page.meta.has_more for page in pages] == [True, True, False]
    assert [board for page in pages for board in page.items] == boards[::-1]
    with pytest.raises(InvalidCursor):
        ben.boards.list().page(pages[0].meta.next_cursor)
    with pytest.raises(InvalidCursor):
        ann.boards.placements(boards[0].id).page(pages[0].meta.next_cursor)


def test_a_list_sees_each_board_once_whatever_is_made_and_deleted_meanwhile(ann: Owner) -> None:
    boards = [ann.boards.create(f"Board {n}") for n in range(4)]
    first = ann.boards.list(limit=2).page()
    ann.boards.create("Late")
    ann.boards.delete(boards[3].id)
    rest = ann.boards.list(limit=2).page(first.meta.next_cursor)
    assert [board.id for board in (*first.items, *rest.items)] == [board.id for board in boards[::-1]]


def test_a_board_is_renamed_and_described_and_keeps_the_rest(ann: Owner, board: Board) -> None:
    named = ann.boards.update(board.id, name="Garden")
    assert (named.name, named.description, named.version) == ("Garden", "", 2)
    described = ann.boards.update(board.id, description="Outside")
    assert (described.name, described.description, described.version) == ("Garden", "Outside", 3)
    assert described.columns == board.columns
    assert ann.boards.update(board.id, description=None).description == ""
    assert described.updated_at >= described.created_at == board.created_at


def test_a_change_that_changes_nothing_leaves_the_version(ann: Owner, board: Board) -> None:
    assert ann.boards.update(board.id) == ann.boards.update(board.id, name="House", description=None) == board


def test_deleting_a_board_keeps_its_tasks_in_their_order_on_no_board(ann: Owner, board: Board) -> None:
    ann.create("x")
    _, b, _ = ann.place(board, "abc")
    [d] = ann.place(board, "d", "done")
    ann.tasks.archive(b.id)
    ann.boards.delete(board.id)
    assert (ann.lane("todo"), ann.lane("done")) == ("xabc", "d")
    archived, done = ann.tasks.get(b.id), ann.tasks.get(d.id)
    assert (archived.archived, archived.placement, archived.status) == (True, None, "todo")
    assert (done.placement, done.completed_at) == (None, d.completed_at)
    assert ann.tasks.restore(b.id).placement is None
    with pytest.raises(NotFound):
        ann.boards.get(board.id)
    with pytest.raises(NotFound):
        ann.boards.delete(board.id)


def test_a_task_whose_board_was_deleted_can_be_completed_and_moved(ann: Owner, board: Board) -> None:
    a, b = ann.place(board, "ab")
    ann.boards.delete(board.id)
    assert ann.tasks.complete(a.id).status == "done"
    assert ann.tasks.move(b.id, "todo", board=ann.boards.create("Garden").id).placement is not None


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({}, "name"),
        ({"name": None}, "name"),
        ({"name": ""}, "name"),
        ({"name": "  \t"}, "name"),
        ({"name": "x" * 201}, "name"),
        ({"name": 7}, "name"),
        ({"name": ["x"]}, "name"),
        ({"name": "x", "description": 7}, "description"),
        ({"name": "x", "description": "x" * 2001}, "description"),
        ({"name": "x\u0000"}, "U+0000"),
    ],
)
def test_a_board_that_cannot_be_is_refused_and_the_member_named(
    ann: Owner, board: Board, body: dict[str, Any], named: str
) -> None:
    answers = [ann.http.post("/taskapp/boards", json=body)]
    if body:
        answers.append(ann.http.patch(f"/taskapp/boards/{board.id}", json=body))
    for answer in answers:
        assert error_of(answer) == (400, "validation_failed")
        assert named in message_of(answer)
    assert list(ann.boards.list()) == [board]


def test_what_a_board_does_not_know_is_ignored(ann: Owner) -> None:
    given = {"name": "x", "id": "brd_mine", "owner": "ben", "version": 9, "columns": []}
    made = ann.http.post("/taskapp/boards", json=given).json()["data"]
    assert (made["id"] != "brd_mine", made["version"], len(made["columns"])) == (True, 1, 3)


PATHS = [
    ("GET", "/taskapp/boards/{board}", None),
    ("PATCH", "/taskapp/boards/{board}", {"name": "x"}),
    ("DELETE", "/taskapp/boards/{board}", None),
    ("GET", "/taskapp/boards/{board}/columns", None),
    ("POST", "/taskapp/boards/{board}/columns", {"name": "x", "status": "todo"}),
    ("GET", "/taskapp/boards/{board}/placements", None),
    ("PATCH", "/taskapp/boards/{board}/columns/{column}", {"name": "x"}),
    ("DELETE", "/taskapp/boards/{board}/columns/{column}", None),
]


@pytest.mark.parametrize(("method", "path", "body"), PATHS)
def test_another_owners_board_is_as_if_it_had_never_been(
    ann: Owner, ben: Owner, board: Board, method: str, path: str, body: Any
) -> None:
    theirs = ben.boards.create("Theirs")
    ids = [(theirs.id, theirs.columns[1].id), (NO_BOARD, NO_COLUMN), ("x", "x"), ("brd_%00", "col_%00")]
    if "{column}" in path:
        ids += [(board.id, theirs.columns[1].id), (board.id, NO_COLUMN), (board.id, "x"), (theirs.id, board.id)]
    answers = [
        ann.http.request(method, path.format(board=board_id, column=column_id), json=body)
        for board_id, column_id in ids
    ]
    assert {error_of(answer) for answer in answers} == {(404, "not_found")}
    assert len({answer.content for answer in answers}) == 1
    assert ben.boards.get(theirs.id) == theirs
    assert ann.boards.get(board.id) == board


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize("text", ["a\x1b[2Jb", "a\x85b", "a\u202eb", "a\u2069b"])
def test_no_board_or_column_is_named_with_what_terminals_obey(ann: Owner, board: Board, text: str) -> None:
    path = f"/taskapp/boards/{board.id}"
    answers = {
        "name": [
            ann.http.post("/taskapp/boards", json={"name": text}),
            ann.http.patch(path, json={"name": text}),
            ann.http.post(f"{path}/columns", json={"name": text, "status": "todo"}),
            ann.http.patch(f"{path}/columns/{board.columns[0].id}", json={"name": text}),
        ],
        "description": [
            ann.http.post("/taskapp/boards", json={"name": "x", "description": text}),
            ann.http.patch(path, json={"description": text}),
        ],
    }
    for member, refused in answers.items():
        for answer in refused:
            assert error_of(answer) == (400, "validation_failed")
            assert message_of(answer).startswith(f"{member}: ")
    assert ann.boards.get(board.id) == board
    assert ann.boards.update(board.id, description="one\n\ttwo").description == "one\n\ttwo"


def test_an_archived_board_is_in_no_default_list_and_its_tasks_keep_their_places(ann: Owner) -> None:
    board, other = ann.boards.create("House"), ann.boards.create("Garden")
    tasks = ann.place(board, "abc")
    archived = ann.boards.update(board.id, archived=True)
    assert (archived.archived, archived.version) == (True, 2)
    assert ann.boards.update(board.id, archived=True) == archived, "nothing is written if nothing is different"
    assert [each.id for each in ann.boards.list()] == [other.id]
    assert [each.id for each in ann.boards.list(archived=True)] == [other.id, board.id]
    assert [each.id for each in ann.boards.list(archived="only")] == [board.id]
    assert (ann.boards.get(board.id), ann.order(board)) == (archived, "abc")
    assert ann.tasks.quick_add("Fix tap @house").placement is None
    assert ann.tasks.get(tasks[0].id).placement is not None
    assert ann.boards.update(board.id, archived=False).archived is False
    assert [each.id for each in ann.boards.list()] == [other.id, board.id]
    assert ann.order(board) == "abc"


def test_changes_of_a_board_are_in_its_history_and_undone(ann: Owner, board: Board) -> None:
    ann.boards.update(board.id, name="Home", description="All of it")
    ann.boards.update(board.id, archived=True)
    archiving, renaming = list(ann.client.changes.list(subject=board.id))[:2]
    assert (renaming.changed, renaming.before) == (("name", "description"), {"name": "House", "description": ""})
    assert ann.client.changes.undo(archiving.id).subject["archived"] is False
    assert ann.client.changes.undo(renaming.id).subject["name"] == "House"
    ann.boards.delete(board.id)
    assert list(ann.client.changes.list(subject=board.id)) == []
