"""Boards answer their version, and a change can be for one version alone."""

import pytest

from stowboard_client import Board
from stowboard_client.errors import PreconditionFailed
from support.api.answers import data_of, error_of
from support.clients.task_owner import Owner

BOARDS = "/taskapp/boards"


def test_the_etag_is_the_version_of_the_board_and_its_columns(ann: Owner) -> None:
    made = ann.http.post(BOARDS, json={"name": "House"})
    assert (data_of(made, 201)["version"], made.headers["etag"]) == (1, '"1"')
    address = f"{BOARDS}/{made.json()['data']['id']}"
    assert ann.http.get(address).headers["etag"] == '"1"'
    assert ann.http.patch(address, json={"name": "Garden"}).headers["etag"] == '"2"'
    data_of(ann.http.post(f"{address}/columns", json={"name": "Later", "status": "todo"}), 201)
    assert ann.http.get(address).headers["etag"] == '"3"'
    [task] = ann.create("a")
    ann.tasks.move(task.id, "todo", board=made.json()["data"]["id"])
    assert ann.http.get(address).headers["etag"] == '"3"', "where its tasks are is no part of the board"


def test_a_change_for_another_version_is_refused(ann: Owner, board: Board) -> None:
    changed = ann.boards.update(board.id, name="Garden", if_match=1)
    with pytest.raises(PreconditionFailed):
        ann.boards.update(board.id, name="Attic", if_match=1)
    with pytest.raises(PreconditionFailed):
        ann.boards.delete(board.id, if_match=1)
    assert ann.boards.get(board.id) == changed
    for header in ("*", '"2"', '"1", "2"'):
        answer = ann.http.patch(f"{BOARDS}/{board.id}", json={"name": "Garden"}, headers={"if-match": header})
        assert answer.headers["etag"] == '"2"'
    for header in ('W/"2"', '"3"', ""):
        answer = ann.http.delete(f"{BOARDS}/{board.id}", headers={"if-match": header})
        assert error_of(answer) == (412, "precondition_failed")
    assert ann.boards.delete(board.id, if_match=2).deleted


def test_columns_have_the_version_of_their_board(ann: Owner, board: Board) -> None:
    columns = f"{BOARDS}/{board.id}/columns"
    added = ann.http.post(columns, json={"name": "Later", "status": "todo"}, headers={"if-match": '"1"'})
    assert (data_of(added, 201)["name"], added.headers["etag"]) == ("Later", '"2"')
    column = data_of(added, 201)["id"]
    renamed = ann.http.patch(f"{columns}/{column}", json={"name": "Soon"}, headers={"if-match": '"2"'})
    assert (data_of(renamed)["name"], renamed.headers["etag"]) == ("Soon", '"3"')
    same = ann.http.patch(f"{columns}/{column}", json={"name": "Soon"}, headers={"if-match": '"3"'})
    assert same.headers["etag"] == '"3"', "nothing was changed"
    before = ann.boards.get(board.id)
    with pytest.raises(PreconditionFailed):
        ann.boards.add_column(board.id, "Never", "todo", if_match=2)
    with pytest.raises(PreconditionFailed):
        ann.boards.update_column(board.id, column, name="Never", if_match=2)
    with pytest.raises(PreconditionFailed):
        ann.boards.remove_column(board.id, column, if_match=2)
    assert ann.boards.get(board.id) == before
    assert ann.boards.remove_column(board.id, column, if_match=3).deleted
