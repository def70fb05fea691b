"""Many changes of tasks in one request."""

from typing import Any

import pytest

from stowboard_client import Board, Client, errors, task_operation
from support.api.answers import data_of, error_of, message_of
from support.clients.task_owner import Owner
from support.stored.rows import rows

BATCH = "/taskapp/tasks/batch"
NOBODY = "tsk_01hf7yat000000000000000000"


def test_each_operation_is_done_by_its_own_verb_in_their_order(ann: Owner, board: Board) -> None:
    a, b, c, d = ann.create("abcd")
    done = ann.tasks.batch(
        [
            task_operation("create", title="e", priority=3, board_id=board.id),
            task_operation("update", id=a.id, title="A", tags=["x"]),
            task_operation("move", id=b.id, status="todo", board=board.id, position=0),
            task_operation("complete", id=c.id),
            task_operation("archive", id=d.id),
            task_operation("update", id=a.id, priority=1, if_match=2),
        ]
    )
    assert [one.status for one in done.items] == [201, 200, 200, 200, 200, 200]
    assert (done.meta.done, done.meta.refused) == (6, ())
    e, *_ = [one.task for one in done.items]
    assert e is not None
    assert (e.priority, ann.tasks.get(a.id).priority, ann.tasks.get(a.id).version) == (3, 1, 3)
    assert [one.task_id for one in ann.boards.placements(board.id)] == [b.id, e.id]
    assert (ann.tasks.get(c.id).status, ann.tasks.get(d.id).archived) == ("done", True)
    assert ann.events(a.id) == ["task.created", "task.updated", "task.updated"]
    assert done.items[3].task == ann.tasks.get(c.id)


def test_what_is_refused_does_not_keep_the_others_from_being_done(ann: Owner, ben: Owner) -> None:
    (a,), (theirs,) = ann.create("a"), ben.create("b")
    done = ann.tasks.batch(
        [
            task_operation("create", title="  "),
            task_operation("complete", id=theirs.id),
            task_operation("update", id=a.id, title="A", if_match=7),
            task_operation("create", title="c"),
            task_operation("complete", id="nothing"),
        ]
    )
    assert [one.status for one in done.items] == [400, 404, 412, 201, 404]
    codes = [one.error.code if one.error else None for one in done.items]
    assert codes == ["validation_failed", "not_found", "precondition_failed", None, "not_found"]
    assert done.meta.done == 1
    assert [one.code for one in done.meta.refused] == [code for code in codes if code is not None]
    assert done.meta.refused[2].id == a.id
    assert (ann.tasks.get(a.id), ben.tasks.get(theirs.id)) == (a, theirs)


def test_asked_to_be_whole_one_refusal_undoes_all_and_is_named(ann: Owner, board: Board) -> None:
    a, b = ann.create("ab")
    operations: list[dict[str, object]] = [
        {"op": "create", "title": "new", "idempotencyKey": "k", "boardId": board.id},
        {"op": "complete", "id": a.id},
        {"op": "archive", "id": b.id},
        {"op": "move", "id": NOBODY, "status": "done"},
    ]
    answer = ann.http.post(BATCH, json={"operations": operations, "atomic": True})
    assert error_of(answer) == (404, "not_found")
    assert message_of(answer).startswith("operations[3]: ")
    assert [ann.tasks.get(one.id) for one in (a, b)] == [a, b]
    assert rows(ann.server, f"SELECT count(*) FROM task WHERE owner = '{ann.name}'") == [(2,)]
    assert ann.events(a.id) == ["task.created"]
    assert ann.order(board) == ""
    whole = ann.tasks.batch([*operations[:3]], atomic=True)
    assert whole.meta.done == 3


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"op": "create"}, "operations[1].title is required."),
        ({"op": "explode", "id": NOBODY}, "operations[1]"),
        ({"op": "update"}, "operations[1].id is required."),
        ({"op": "move", "id": NOBODY, "status": "late"}, "operations[1].status"),
        ({"op": "create", "title": "x", "priority": 4}, "operations[1].priority"),
        ({"title": "x"}, "operations[1]"),
        ("create", "operations[1]"),
    ],
)
def test_a_batch_that_cannot_be_read_does_nothing(ann: Owner, wrong: Any, said: str) -> None:
    answer = ann.http.post(BATCH, json={"operations": [{"op": "create", "title": "a"}, wrong]})
    assert error_of(answer) == (400, "validation_failed")
    assert said in message_of(answer)
    assert rows(ann.server, f"SELECT count(*) FROM task WHERE owner = '{ann.name}'") == [(0,)]


def test_a_member_that_nobody_knows_is_named_in_an_operation_too(ann: Owner) -> None:
    operations = [{"op": "create", "title": "a"}, {"op": "create", "title": "b", "dueDate": 5}]
    answer = ann.http.post(BATCH, json={"operations": operations, "atomc": True})
    assert answer.json()["meta"]["ignored"] == ["atomc", "operations[1].dueDate"]


def test_a_whole_number_may_be_written_as_a_fraction(ann: Owner) -> None:
    [a] = ann.create("a")
    operations = [{"op": "update", "id": a.id, "priority": 2.0, "ifMatch": 1.0}, {"op": "create", "title": "3.0"}]
    answer = ann.http.post(BATCH, json={"operations": operations})
    assert [one["task"]["title"] for one in answer.json()["data"]] == ["a", "3.0"]
    assert ann.tasks.get(a.id).priority == 2
    refused = ann.http.post(BATCH, json={"operations": [{"op": "complete", "id": a.id, "ifMatch": 1.5}]})
    assert error_of(refused) == (400, "validation_failed")


def test_more_than_a_hundred_are_refused_and_none_is_nothing(ann: Owner) -> None:
    with pytest.raises(errors.TooManyItems):
        ann.tasks.batch([task_operation("create", title="x")] * 101)
    assert ann.tasks.batch([]).items == ()


def test_a_repeated_batch_is_answered_again_and_creates_nothing_twice(ann: Owner) -> None:
    operations = [task_operation("create", title="a"), task_operation("complete", id=NOBODY)]
    first, again = (ann.tasks.batch(operations, idempotency_key="once") for _ in range(2))
    assert first == again
    assert rows(ann.server, f"SELECT count(*) FROM task WHERE owner = '{ann.name}'") == [(1,)]
    keyed = [ann.tasks.batch([task_operation("create", title="b", idempotency_key="own")]) for _ in range(2)]
    assert [one.items[0].status for one in keyed] == [201, 200]


def test_a_kept_answer_forgets_the_text_of_a_task_that_turns_private(ann: Owner) -> None:
    operations = [task_operation("create", title=title, body="secret words") for title in "ab"]
    made = ann.tasks.batch(operations, idempotency_key="once").items
    task = made[1].task
    assert task is not None
    assert task.body == "secret words"
    ann.tasks.update(task.id, visibility="zero-knowledge")
    again = ann.tasks.batch(operations, idempotency_key="once").items
    assert [one.task.body if one.task else "" for one in again] == [None, None]


def test_a_text_that_the_same_batch_forgets_is_not_told(ann: Owner, ann_herself: Client) -> None:
    [made] = ann.tasks.batch([task_operation("create", title="a")]).items
    assert made.task is not None
    told = ann_herself.tasks.batch(
        [
            task_operation("update", id=made.task.id, body="secret words"),
            task_operation("update", id=made.task.id, visibility="zero-knowledge"),
        ],
        idempotency_key="private",
    )
    assert [one.task.body if one.task else "" for one in told.items] == [None, None]


def test_a_task_is_created_where_it_shall_be(ann: Owner, board: Board) -> None:
    ann.place(board, "ab")
    [c] = ann.create("c", board_id=board.id, position=1)
    assert c.placement is not None
    assert (c.placement.column_id, c.placement.position) == (board.columns[0].id, 1)
    assert ann.order(board) == "acb"
    ann.create("d", board_id=board.id)
    assert ann.order(board) == "acbd"
    [e] = ann.create("e", board_id=board.id, column_id=board.columns[2].id)
    assert (e.status, e.completed_at is not None, ann.order(board, 2)) == ("done", True, "e")
    ann.create("fg", status="in_progress")
    ann.create("h", status="in_progress", position=0)
    assert ann.lane("in_progress") == "hfg"
    again = ann.tasks.create("z", board_id=board.id, key="k")
    assert ann.tasks.create("y", board_id=board.id, key="k").id == again.id


def test_a_place_that_is_not_there_is_refused_by_name(ann: Owner, ben: Owner, board: Board) -> None:
    theirs = ben.boards.create("Theirs")
    column, other = board.columns[2].id, theirs.columns[0].id
    for members, said in [
        ({"boardId": theirs.id}, "boardId: "),
        ({"boardId": "brd_1"}, "boardId: "),
        ({"columnId": column}, "columnId: "),
        ({"boardId": board.id, "columnId": other}, "columnId: "),
        ({"boardId": board.id, "columnId": column, "status": "todo"}, "columnId: "),
    ]:
        answer = ann.http.post("/taskapp/tasks", json={"title": "a"} | members)
        assert error_of(answer) == (400, "validation_failed"), members
        assert said in message_of(answer)


def test_a_priority_is_kept_changed_and_cleared(ann: Owner) -> None:
    [a] = ann.create("a", priority=2)
    assert a.priority == 2
    assert ann.tasks.update(a.id, priority=3).priority == 3
    assert ann.tasks.update(a.id, title="b").priority == 3
    assert ann.tasks.update(a.id, priority=None).priority == 0
    assert error_of(ann.http.patch(f"/taskapp/tasks/{a.id}", json={"priority": -1})) == (400, "validation_failed")


def test_what_a_refused_operation_had_written_is_undone(ann: Owner) -> None:
    ann.tasks.activate_index()
    gone = data_of(ann.http.post("/taskapp/tasks", json={"title": "gone", "idempotencyKey": "used"}), 201)
    ann.tasks.delete(gone["id"])
    operations = [
        {"op": "create", "title": "a", "tags": ["x"]},
        # Stored, before it turns out that its key was a deleted task's.
        {"op": "create", "title": "b", "tags": ["x"], "idempotencyKey": "used"},
        {"op": "create", "title": "c", "tags": ["x"]},
    ]
    answer = ann.http.post(BATCH, json={"operations": operations}).json()
    assert [one["status"] for one in answer["data"]] == [201, 409, 201]
    assert [task.title for task in ann.tasks.list()] == ["c", "a"]
    assert [tag.count for tag in ann.client.tags.list()] == [2]
    assert rows(ann.server, f"SELECT count(*) FROM task WHERE owner = '{ann.name}'") == [(2,)]
