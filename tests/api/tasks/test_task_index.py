"""The index through the API: nothing is listed before its activation, and then everything."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from stowboard.core.ids import part_of
from stowboard_client import Client, errors
from support.api.answers import data_of, error_of, message_of
from support.clients.task_owner import Owner
from support.stored.rows import rows

BACKFILL = "/taskapp/task-index/backfill"
LISTS = ["/taskapp/tasks", "/tasks", "/taskapp/tags"]


@pytest.mark.parametrize("path", LISTS)
def test_before_the_activation_lists_name_the_operation_that_helps(ann: Owner, path: str) -> None:
    answer = ann.http.get(path)
    assert error_of(answer) == (409, "task_index_not_activated")
    assert f"POST {BACKFILL}" in message_of(answer)
    with pytest.raises(errors.TaskIndexNotActivated):
        list(ann.tasks.list())


def test_before_the_activation_everything_but_lists_works(ann: Owner) -> None:
    board = ann.boards.create("House")
    a, b = ann.create("ab", tags=["x"])
    ann.tasks.update(a.id, tags=["y"])
    ann.tasks.move(a.id, "in_progress", board=board.id)
    ann.tasks.complete(a.id)
    ann.tasks.archive(a.id)
    ann.tasks.restore(a.id)
    assert ann.tasks.get(a.id).status == "done"
    assert len(list(ann.boards.placements(board.id))) == 1
    ann.tasks.delete(b.id)
    ann.tasks.backfill()
    assert [task.id for task in ann.tasks.list(tags="y", status="done", board_id=board.id)] == [a.id]


@pytest.mark.parametrize("path", [BACKFILL, "/task-index/backfill"])
def test_one_call_activates_an_owner_without_tasks(ann: Owner, path: str) -> None:
    answer = data_of(ann.http.post(path))
    assert answer == {"complete": True, "status": "active", "processed": 0, "processedTotal": 0}
    assert [ann.http.get(path).status_code for path in LISTS] == [200, 200, 200]


def test_one_call_activates_an_owner_of_a_few_tasks_and_a_second_one_changes_nothing(ann: Owner) -> None:
    ann.create("abc", tags=["x"])
    first = ann.tasks.backfill()
    assert (first.complete, first.status, first.processed, first.processed_total) == (True, "active", 3, 3)
    before = list(ann.tasks.list())
    again = ann.tasks.backfill()
    assert (again.complete, again.status, again.processed, again.processed_total) == (True, "active", 0, 3)
    assert list(ann.tasks.list()) == before
    assert all(task.version == 1 for task in before)


def test_a_new_token_of_an_active_owner_reads_at_once(ann: Owner, client: Client) -> None:
    ann.create("a")
    ann.tasks.backfill()
    with Client(ann.server.origin, client.tokens.create(ann.name).token) as other:
        assert [task.title for task in other.tasks.list()] == ["a"]


def test_an_owner_activates_nobody_else(ann: Owner, ben: Owner) -> None:
    ben.create("b", tags=["x"])
    ann.tasks.backfill()
    with pytest.raises(errors.TaskIndexNotActivated):
        list(ben.client.tags.list())
    ben.tasks.backfill()
    assert list(ann.tasks.list()) == []


def test_backfills_at_once_with_writers_end_in_an_index_that_tells_the_truth(ann: Owner) -> None:
    tasks = ann.create("abcdefghij", tags=["x"])

    def work(number: int) -> None:
        if number % 2:
            ann.tasks.backfill()
        else:
            ann.tasks.update(tasks[number % 10].id, tags=["y", str(number)])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(24)))
    listed = {task.id: task for task in ann.tasks.list()}
    assert listed == {task.id: ann.tasks.get(task.id) for task in tasks}
    counts = {tag.tag: tag.count for tag in ann.client.tags.list()}
    assert counts["y"] == len([task for task in listed.values() if "y" in task.tags])


def test_a_task_that_the_index_does_not_know_is_found_by_the_next_walk(ann: Owner) -> None:
    a, _ = ann.create("ab", tags=["x"])
    for table in ("task_index", "task_tag"):
        rows(ann.server, f"DELETE FROM {table} WHERE task_id = '{a.id}'")
    its_part = f"owner = '{ann.name}' AND part = {part_of(a.id)}"
    rows(ann.server, f"UPDATE task_tag_part SET active = active - 1 WHERE {its_part}")
    rows(ann.server, f"UPDATE task SET indexed_version = NULL WHERE id = '{a.id}'")
    ann.tasks.activate_index()
    assert [task.title for task in ann.tasks.list(tags="x")] == ["b", "a"]
    assert [tag.count for tag in ann.client.tags.list()] == [2]


def test_a_token_that_may_only_read_activates_the_index_that_it_reads(ann: Owner, client: Client) -> None:
    ann.create("a")
    with Client(ann.server.origin, client.tokens.create(ann.name, scopes=["tasks:read"]).token) as reader:
        with pytest.raises(errors.TaskIndexNotActivated):
            list(reader.tasks.list())
        assert reader.tasks.backfill().complete
        assert [task.title for task in reader.tasks.list()] == ["a"]
