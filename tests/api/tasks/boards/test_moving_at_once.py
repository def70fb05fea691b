"""Many move the same tasks at the same time. Nobody is told of an error of ours, and no task is lost or doubled."""

import random
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from stowboard_client import Board
from support.clients.task_owner import Owner
from support.rounds import rounds
from support.stored.rows import rows

MOVERS, EACH = 16, rounds(15, 25)
LETTERS = "abcdefghijklmnop"


def test_movers_beside_one_task_lose_none_and_keep_the_order_sound(ann: Owner, board: Board) -> None:
    """All within one column, so that every few moves its ranks have to be spread again."""
    header, *others = ann.place(board, "h" + LETTERS)

    def move(mover: int, chance: random.Random) -> int:
        side = chance.choice(["beforeTaskId", "afterTaskId", "afterTaskId"])
        return send(ann, others[mover].id, {"status": "todo", side: header.id})

    assert set(at_once(move, each=2 * EACH)) == {200}
    assert sorted(ann.order(board)) == sorted("h" + LETTERS)
    check_ranks(ann)


def test_movers_of_the_same_tasks_over_boards_and_lanes_lose_none(ann: Owner, board: Board) -> None:
    garden = ann.boards.create("Garden")
    tasks = [*ann.place(board, LETTERS[:8]), *ann.create(LETTERS[8:])]

    def move(mover: int, chance: random.Random) -> int:
        body: dict[str, Any] = {
            "status": chance.choice(["todo", "in_progress", "done"]),
            "board": chance.choice([board.id, garden.id, None]),
        }
        if chance.random() < 0.5:
            body["position"] = chance.randrange(6)
        elif chance.random() < 0.5:
            body["afterTaskId"] = chance.choice(tasks).id  # often elsewhere by then, and so refused
        return send(ann, chance.choice(tasks).id, body)

    answers = Counter(at_once(move, each=EACH))
    assert set(answers) <= {200, 400}
    assert answers[200] > MOVERS * EACH * 0.4
    placed = [ann.order(one, column) for one in (board, garden) for column in range(3)]
    lanes = [ann.lane(status) for status in ("todo", "in_progress", "done")]
    assert sorted("".join(placed + lanes)) == sorted(LETTERS)
    check_ranks(ann)


def test_completing_and_changing_beside_moves_lose_nothing(ann: Owner, board: Board) -> None:
    tasks = ann.place(board, LETTERS)
    header = ann.place(board, "h")[0]

    def act(mover: int, chance: random.Random) -> int:
        address = f"/taskapp/tasks/{tasks[mover].id}"
        kind = chance.randrange(5)
        if kind == 0:
            return ann.http.post(f"{address}/complete").status_code
        if kind == 1:
            return ann.http.patch(address, json={"status": chance.choice(["todo", "done"])}).status_code
        if kind == 2:
            return ann.http.post(f"{address}/{chance.choice(['archive', 'restore'])}").status_code
        return send(ann, tasks[mover].id, {"status": "todo", "afterTaskId": header.id})

    assert set(at_once(act, each=EACH)) == {200}
    for task in tasks:
        ann.tasks.restore(task.id)
    assert sorted(ann.order(board) + ann.order(board, 2)) == sorted("h" + LETTERS)
    check_ranks(ann)


def at_once(act: Callable[[int, random.Random], int], each: int) -> list[int]:
    """The statuses of what every mover did, so many times one after the other."""

    def run(mover: int) -> list[int]:
        chance = random.Random(mover)
        return [act(mover, chance) for _ in range(each)]

    with ThreadPoolExecutor(MOVERS) as movers:
        return [status for statuses in movers.map(run, range(MOVERS)) for status in statuses]


def send(owner: Owner, task_id: str, body: dict[str, Any]) -> int:
    return owner.http.patch(f"/taskapp/tasks/{task_id}/move", json=body).status_code


def check_ranks(owner: Owner) -> None:
    stored = rows(owner.server, f"SELECT lane, rank, column_id, status FROM task WHERE owner = '{owner.name}'")
    assert len({(lane, rank) for lane, rank, _, _ in stored}) == len(stored)
    assert max(len(rank) for _, rank, _, _ in stored) <= 32
    assert all(lane == (column_id or f"u:{status}:{owner.name}") for lane, _, column_id, status in stored)
