"""Columns and boards go while tasks are moved into them. No task is lost, and none is left where nothing is."""

import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

from stowboard_client import Board
from support.clients.task_owner import Owner
from support.rounds import rounds
from support.stored.rows import rows

LETTERS = "abcdefgh"
MOVERS = 6
TIMES = rounds(12, 25)


def test_a_column_that_is_removed_while_tasks_move_into_it_takes_none_with_it(ann: Owner, board: Board) -> None:
    tasks = ann.place(board, LETTERS)

    def add_and_remove() -> Iterator[int]:
        while True:
            column = ann.boards.add_column(board.id, "Short-lived", "in_progress", position=1)
            named.append(column.id)
            yield ann.http.delete(f"/taskapp/boards/{board.id}/columns/{column.id}").status_code

    named = [board.columns[1].id]

    def move(chance: random.Random) -> int:
        body = {"status": chance.choice(["todo", "in_progress"]), "board": board.id}
        if body["status"] == "in_progress" and chance.random() < 0.7:
            body["columnId"] = named[-1]
        return ann.http.patch(f"/taskapp/tasks/{chance.choice(tasks).id}/move", json=body).status_code

    removed, moved = beside(add_and_remove(), TIMES, move)
    assert set(removed) == {200}
    assert set(moved) <= {200, 400}
    assert 200 in moved
    check_places(ann)
    assert sorted(ann.order(board) + ann.order(board, 1)) == list(LETTERS)


def test_a_board_that_is_deleted_while_tasks_move_onto_it_takes_none_with_it(ann: Owner) -> None:
    tasks = ann.create(LETTERS)
    latest = [ann.boards.create("First")]

    def make_and_delete() -> Iterator[int]:
        while True:
            latest.append(ann.boards.create("Short-lived"))
            yield ann.http.delete(f"/taskapp/boards/{latest[-2].id}").status_code

    def act(chance: random.Random) -> int:
        address = f"/taskapp/tasks/{chance.choice(tasks).id}"
        if chance.random() < 0.3:
            return ann.http.post(f"{address}/complete").status_code
        body = {"status": chance.choice(["todo", "in_progress", "done"]), "board": latest[-1].id}
        status = ann.http.patch(f"{address}/move", json=body).status_code
        return 200 if status in (400, 404) else status  # it was gone before

    deleted, acted = beside(make_and_delete(), TIMES, act)
    assert set(deleted) == set(acted) == {200}
    check_places(ann)
    assert rows(ann.server, f"SELECT count(*) FROM task WHERE owner = '{ann.name}'") == [(len(LETTERS),)]


def beside(changes: Iterator[int], times: int, act: Callable[[random.Random], int]) -> tuple[list[int], list[int]]:
    """The statuses of the changes, and of all that was done until they had ended."""
    over = False

    def keep_acting(mover: int) -> list[int]:
        chance, statuses = random.Random(mover), []
        while not over:
            statuses.append(act(chance))
        return statuses

    with ThreadPoolExecutor(MOVERS) as movers:
        acting = [movers.submit(keep_acting, mover) for mover in range(MOVERS)]
        try:
            changed = list(islice(changes, times))
        finally:
            over = True
        return changed, [status for mover in acting for status in mover.result()]


def check_places(owner: Owner) -> None:
    """Each task is in a column that is there and has its status, or on no board."""
    lost = rows(
        owner.server,
        "SELECT t.id, t.lane, t.status FROM task AS t LEFT JOIN board_column AS c ON c.id = t.column_id"
        f" WHERE t.owner = '{owner.name}' AND NOT (t.column_id IS NULL AND t.board_id IS NULL"
        f" AND t.lane = 'u:' || t.status || ':{owner.name}')"
        " AND (c.id IS NULL OR c.board_id <> t.board_id OR c.status <> t.status OR t.lane <> c.id)",
    )
    assert lost == []
