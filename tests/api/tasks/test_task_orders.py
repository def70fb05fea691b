"""Lists of tasks in other orders than newest first."""

from stowboard_client import Board, Task
from support.api.answers import error_of, message_of
from support.clients.task_owner import Owner


def titles(tasks: list[Task]) -> str:
    return "".join(task.title for task in tasks)


def test_a_board_is_listed_in_its_order_with_the_place_of_each(ann: Owner, board: Board) -> None:
    ann.tasks.activate_index()
    ann.create("x")
    ann.place(board, "abc")
    d, e = ann.place(board, "de", status="done")
    ann.tasks.move(d.id, "done", after_task_id=e.id)
    ann.create("f", board_id=board.id, position=0)
    listed = list(ann.tasks.list(board_id=board.id, limit=2))
    assert titles(listed) == "fabced"
    assert [one.placement.rank for one in listed[:4] if one.placement] == sorted(
        one.placement.rank for one in listed[:4] if one.placement
    )
    assert [one.id for one in listed] == [one.task_id for one in ann.boards.placements(board.id)]
    assert titles(list(ann.tasks.list(board_id=board.id, status="done"))) == "ed"
    assert titles(list(ann.tasks.list(board_id=board.id, sort="-createdAt"))) == "fedcba"
    ann.tasks.archive(e.id)
    assert titles(list(ann.tasks.list(board_id=board.id))) == "fabcd"
    assert titles(list(ann.tasks.list(board_id=board.id, archived=True))) == "fabced"


def test_a_board_of_somebody_else_is_unknown_and_no_board_has_no_order(ann: Owner, ben: Owner, board: Board) -> None:
    for owner in (ann, ben):
        owner.tasks.activate_index()
    ann.place(board, "a")
    answer = ben.http.get("/taskapp/tasks", params={"boardId": board.id})
    assert error_of(answer) == (400, "invalid_parameter")
    answer = ann.http.get("/taskapp/tasks?sort=board")
    assert error_of(answer) == (400, "invalid_parameter")
    assert "boardId" in message_of(answer)
    assert error_of(ann.http.get("/taskapp/tasks?sort=title")) == (400, "invalid_parameter")


def test_by_due_date_those_without_one_come_last(ann: Owner) -> None:
    ann.tasks.activate_index()
    for title, due in zip("abcdef", (30, None, 10, 20, None, 10), strict=True):
        ann.create(title, due_at=due, status="done" if title == "d" else "todo")
    for limit in (1, 2, 4, 50):
        assert titles(list(ann.tasks.list(sort="dueAt", limit=limit))) == "cfdaeb"
    assert titles(list(ann.tasks.list(sort="dueAt", status="todo", limit=2))) == "cfaeb"
    assert titles(list(ann.tasks.list(sort="dueAt", due_after=20))) == "da"


def test_who_keeps_a_copy_asks_for_what_changed_since(ann: Owner) -> None:
    ann.tasks.activate_index()
    tasks = ann.create("abc")
    last = ann.tasks.update(tasks[0].id, title="A")
    assert titles(list(ann.tasks.list(sort="updatedAt", limit=2))) == "bcA"
    assert titles(list(ann.tasks.list(sort="-updatedAt"))) == "Acb"
    assert last.id in [one.id for one in ann.tasks.list(sort="updatedAt", updated_after=last.updated_at)]
    assert list(ann.tasks.list(sort="updatedAt", updated_after=last.updated_at + 1)) == []
