"""The Library is for media: no tasks and boards are made in it, and nobody is asked for there by name."""

from typing import Any

import pytest

from stowboard_client import Client
from support.api.answers import error_of, message_of
from support.clients.task_owner import Owner
from support.stored.rows import rows

LIBRARY = "spc_library"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/taskapp/tasks", {"title": "x"}),
        ("/taskapp/tasks", {"title": "x", "assignees": ["somebody"]}),
        ("/taskapp/boards", {"name": "x"}),
    ],
)
def test_nothing_is_made_in_the_library(ann: Owner, path: str, body: dict[str, Any]) -> None:
    answer = ann.http.post(path, json=body | {"spaceId": LIBRARY})
    assert error_of(answer) == (409, "conflict")
    assert "The Library is for media" in message_of(answer)


def test_what_is_there_is_read_moved_and_transferred_out(ann: Owner, client: Client) -> None:
    task, board = ann.tasks.create("x"), ann.boards.create("House")
    for table, thing in (("task", task.id), ("board", board.id)):
        assert "409" in str(ann.http.post(f"/taskapp/{table}s/{thing}/transfer", json={"spaceId": LIBRARY}))
        rows(ann.server, f"UPDATE {table} SET owner = '{LIBRARY}' WHERE id = '{thing}'")
    client.accounts.create(ann.name)
    assert ann.tasks.get(task.id).space_id == LIBRARY
    assert ann.tasks.move(task.id, "done").status == "done"
    for name in (ann.name, "nobody-of-this-name"):
        answer = ann.http.patch(f"/taskapp/tasks/{task.id}", json={"assignees": [name]})
        assert error_of(answer) == (409, "conflict"), "the same for a name that there is and one that there is not"
    assert ann.http.post(f"/taskapp/tasks/{task.id}/transfer", json={"spaceId": "own"}).json()["data"]["spaceId"] == (
        f"~{ann.name}"
    )
    assert ann.boards.transfer(board.id, "own").space_id == f"~{ann.name}"
