"""Where a moved task lands."""

import pytest

from stowboard_client import Board
from stowboard_client.errors import PreconditionFailed, ValidationFailed
from support.clients.task_owner import Owner


def test_a_task_enters_a_board_at_the_end_of_the_column_of_its_status(ann: Owner, board: Board) -> None:
    ann.place(board, "ab")
    [c] = ann.create("c")
    moved = ann.tasks.move(c.id, "todo", board=board.id)
    assert moved.placement is not None
    assert (moved.placement.board_id, moved.placement.column_id) == (board.id, board.columns[0].id)
    assert moved.placement.position == 2
    assert ann.order(board) == "abc"
    assert ann.tasks.get(c.id) == moved


def test_the_board_may_be_named_by_either_member(ann: Owner, board: Board) -> None:
    [a] = ann.create("a")
    answer = ann.http.patch(f"/taskapp/tasks/{a.id}/move", json={"status": "todo", "boardId": board.id})
    assert answer.json()["data"]["placement"]["boardId"] == board.id
    both = {"status": "done", "boardId": board.id, "board": board.id}
    assert ann.http.patch(f"/tasks/{a.id}/move", json=both).json()["data"]["placement"]["boardId"] == board.id


def test_null_takes_a_task_off_its_board(ann: Owner, board: Board) -> None:
    ann.create("x")
    a, _ = ann.place(board, "ab")
    moved = ann.tasks.move(a.id, "todo", board=None)
    assert moved.placement is None
    assert ann.order(board) == "b"
    assert ann.lane("todo") == "xa"


def test_a_task_keeps_its_board_when_none_is_given(ann: Owner, board: Board) -> None:
    [a] = ann.place(board, "a")
    moved = ann.tasks.move(a.id, "in_progress")
    assert moved.placement is not None
    assert moved.placement.column_id == board.columns[1].id


@pytest.mark.parametrize(
    ("position", "expected"), [(0, "dabc"), (1, "adbc"), (2, "abdc"), (3, "abcd"), (4, "abcd"), (1_000_000_000, "abcd")]
)
def test_a_position_counts_from_nought_and_ends_at_the_end(
    ann: Owner, board: Board, position: int, expected: str
) -> None:
    *_, d = ann.place(board, "abcd")
    moved = ann.tasks.move(d.id, "todo", position=position)
    assert ann.order(board) == expected
    assert moved.placement is not None
    assert moved.placement.position == min(position, 3)


def test_a_position_is_the_one_that_the_task_has_afterwards_also_downwards(ann: Owner, board: Board) -> None:
    a, *_ = ann.place(board, "abcd")
    ann.tasks.move(a.id, "todo", position=2)
    assert ann.order(board) == "bcad"


def test_archived_tasks_do_not_count_in_positions(ann: Owner, board: Board) -> None:
    a, _, _, d = ann.place(board, "abcd")
    ann.tasks.archive(a.id)
    moved = ann.tasks.move(d.id, "todo", position=1)
    assert moved.placement is not None
    assert moved.placement.position == 1
    assert ann.order(board) == "bdc"


@pytest.mark.parametrize(
    ("mover", "neighbour", "before", "after"),
    [("d", "a", "dabc", "adbc"), ("d", "b", "adbc", "abdc"), ("a", "c", "bacd", "bcad"), ("a", "d", "bcad", "bcda")],
)
def test_a_neighbour_is_landed_directly_beside(
    ann: Owner, board: Board, mover: str, neighbour: str, before: str, after: str
) -> None:
    ids = {task.title: task.id for task in ann.place(board, "abcd")}
    ann.tasks.move(ids[mover], "todo", before_task_id=ids[neighbour])
    assert ann.order(board) == before
    ann.tasks.move(ids[mover], "todo", after_task_id=ids[neighbour])
    assert ann.order(board) == after


def test_between_two_neighbours_that_are_next_to_each_other(ann: Owner, board: Board) -> None:
    a, b, _, d = ann.place(board, "abcd")
    ann.tasks.move(d.id, "todo", after_task_id=a.id, before_task_id=b.id)
    assert ann.order(board) == "adbc"
    ann.tasks.move(d.id, "todo", after_task_id=a.id, before_task_id=b.id)
    assert ann.order(board) == "adbc"


def test_neighbours_between_which_only_an_archived_task_lies_are_next_to_each_other(ann: Owner, board: Board) -> None:
    a, b, c, _, e = ann.place(board, "abcde")
    ann.tasks.archive(b.id)
    ann.tasks.move(e.id, "todo", after_task_id=a.id, before_task_id=c.id)
    assert ann.order(board) == "aecd"
    ann.tasks.restore(b.id)
    assert sorted(ann.order(board)) == list("abcde")


@pytest.mark.parametrize(("after", "before"), [("a", "c"), ("b", "a"), ("a", "a")])
def test_neighbours_that_are_not_next_to_each_other_are_refused(
    ann: Owner, board: Board, after: str, before: str
) -> None:
    ids = {task.title: task.id for task in ann.place(board, "abcd")}
    with pytest.raises(ValidationFailed, match="afterTaskId"):
        ann.tasks.move(ids["d"], "todo", after_task_id=ids[after], before_task_id=ids[before])
    assert ann.order(board) == "abcd"


def test_a_neighbour_wins_over_a_position(ann: Owner, board: Board) -> None:
    a, _, c = ann.place(board, "abc")
    ann.tasks.move(c.id, "todo", before_task_id=a.id, position=2)
    assert ann.order(board) == "cab"


def test_a_neighbour_on_a_board_implies_that_board(ann: Owner, board: Board) -> None:
    a, _ = ann.place(board, "ab")
    other = ann.boards.create("Garden")
    [c], [d] = ann.create("c"), ann.place(other, "d")
    ann.tasks.move(c.id, "todo", after_task_id=a.id)
    ann.tasks.move(d.id, "todo", before_task_id=c.id)
    assert ann.order(board) == "adcb"
    assert ann.order(other) == ""


def test_a_neighbour_says_which_of_several_columns_of_a_status_is_meant(ann: Owner, board: Board) -> None:
    later = ann.boards.add_column(board.id, "Later", "todo")
    [x] = ann.place(board, "x", column_id=later.id)
    [a] = ann.place(board, "a")
    moved = ann.tasks.move(a.id, "todo", before_task_id=x.id)
    assert moved.placement is not None
    assert moved.placement.column_id == later.id
    assert ann.order(board, later.id) == "ax"


def test_a_column_is_chosen_among_several_of_one_status(ann: Owner, board: Board) -> None:
    later = ann.boards.add_column(board.id, "Later", "todo")
    a, b = ann.place(board, "ab")
    ann.tasks.move(a.id, "todo", column_id=later.id)
    assert (ann.order(board), ann.order(board, later.id)) == ("b", "a")
    ann.tasks.move(a.id, "todo", position=0)
    assert ann.order(board, later.id) == "a", "without a column it stays in its own, which has that status"
    ann.tasks.move(b.id, "in_progress")
    ann.tasks.move(b.id, "todo")
    assert ann.order(board) == "b", "from elsewhere it goes to the entry column"


def test_without_an_order_a_task_stays_where_it_is_in_its_column(ann: Owner, board: Board) -> None:
    a, *_ = ann.place(board, "abc")
    moved = ann.tasks.move(a.id, "todo")
    assert moved == ann.tasks.move(a.id, "todo", board=board.id)
    assert moved.version == a.version
    assert ann.order(board) == "abc"


@pytest.mark.parametrize("where", [{"position": 1}, {"after": "a"}, {"before": "c"}, {"after": "a", "before": "c"}])
def test_a_move_to_where_the_task_is_changes_nothing(ann: Owner, board: Board, where: dict[str, str | int]) -> None:
    ids = {task.title: task.id for task in ann.place(board, "abc")}
    b = ann.tasks.get(ids["b"])
    neighbours = {f"{name}_task_id": ids[str(where[name])] for name in ("after", "before") if name in where}
    position = {"position": where["position"]} if "position" in where else {}
    assert ann.tasks.move(b.id, "todo", **neighbours, **position) == b  # type: ignore[arg-type]
    assert ann.order(board) == "abc"


def test_off_every_board_there_is_a_lane_for_each_status(ann: Owner) -> None:
    a, b, c, d = ann.create("abcd")
    ann.tasks.move(d.id, "todo", position=0)
    ann.tasks.move(a.id, "todo", after_task_id=c.id)
    assert ann.lane("todo") == "dbca"
    ann.tasks.move(b.id, "done")
    ann.tasks.move(c.id, "done", before_task_id=b.id)
    ann.tasks.move(d.id, "done")
    assert (ann.lane("todo"), ann.lane("done")) == ("a", "cbd")


def test_the_lanes_of_two_owners_do_not_meet(ann: Owner, ben: Owner) -> None:
    ann.create("ab")
    x, y = ben.create("xy")
    ben.tasks.move(y.id, "todo", position=0)
    ben.tasks.move(x.id, "todo", position=5)
    assert (ann.lane("todo"), ben.lane("todo")) == ("ab", "yx")


def test_the_status_says_whether_a_task_is_completed(ann: Owner, board: Board) -> None:
    [a] = ann.place(board, "a")
    done = ann.tasks.move(a.id, "done")
    assert done.completed_at == done.updated_at
    ann.place(board, "b", "done")
    again = ann.tasks.move(a.id, "done", position=1)
    assert (again.version, again.completed_at) == (done.version + 1, done.completed_at), "it is done since then"
    assert ann.tasks.move(a.id, "in_progress").completed_at is None


def test_a_status_in_a_patch_goes_to_the_end_of_that_column(ann: Owner, board: Board) -> None:
    ann.place(board, "xy", "in_progress")
    [a, _] = ann.place(board, "ab")
    changed = ann.tasks.update(a.id, status="in_progress", title="a")
    assert changed.placement is not None
    assert changed.placement.position == 2
    assert (ann.order(board), ann.order(board, 1)) == ("b", "xya")
    assert ann.tasks.update(a.id, status="done").completed_at is not None


def test_a_status_in_a_patch_off_every_board_goes_to_the_end_of_that_lane(ann: Owner) -> None:
    ann.create("xy", status="done")
    [a] = ann.create("a")
    ann.tasks.update(a.id, status="done")
    assert ann.lane("done") == "xya"


def test_a_move_for_another_version_is_refused(ann: Owner, board: Board) -> None:
    [a] = ann.place(board, "a")
    with pytest.raises(PreconditionFailed):
        ann.tasks.move(a.id, "done", if_match=a.version + 1)
    assert ann.tasks.get(a.id) == a
    moved = ann.tasks.move(a.id, "done", if_match=a.version)
    answer = ann.http.get(f"/taskapp/tasks/{a.id}")
    assert moved.version == a.version + 1
    assert answer.headers["etag"].startswith(f'"{moved.version}~')
    body = {"status": "todo"}
    for wrong in (f'"{a.version}"', "nonsense", f'W/"{moved.version}"', '""'):
        answer = ann.http.patch(f"/taskapp/tasks/{a.id}/move", json=body, headers={"if-match": wrong})
        assert answer.status_code == 412, wrong
    for right in ("*", f'"7000", "{moved.version}"'):
        assert ann.http.patch(
            f"/taskapp/tasks/{a.id}/move", json={"status": "done"}, headers={"if-match": right}
        ).is_success
