"""The server does not send again what a client has: If-None-Match on one task, asset, video and board."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import pytest

from support.api.answers import data_of, error_of
from support.clients.credentials import Issue, bearer
from support.servers.stowboard import Server

Change = Callable[[], httpx2.Response]


@pytest.fixture
def alice(server: Server, issue: Issue) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=f"{server.origin}/api/v1", headers=bearer(issue("alice-revalidates"))) as client:
        yield client


def things(alice: httpx2.Client) -> dict[str, tuple[str, Change]]:
    """The path of one of each kind, and a change of it."""
    task = data_of(alice.post("/taskapp/tasks", json={"title": "A"}), 201)["id"]
    board = data_of(alice.post("/taskapp/boards", json={"name": "A"}), 201)["id"]
    asset = data_of(alice.post("/media/upload/file", json={"filename": "a.txt", "data": "YQ=="}), 201)["id"]
    video = data_of(alice.post("/media/videos/upload", json={"title": "A"}), 201)["id"]

    def patch(path: str, body: dict[str, Any]) -> tuple[str, Change]:
        return path, lambda: alice.patch(path, json=body)

    return {
        "task": patch(f"/taskapp/tasks/{task}", {"title": "B"}),
        "board": patch(f"/taskapp/boards/{board}", {"name": "B"}),
        "asset": patch(f"/media/assets/{asset}", {"title": "B"}),
        "video": patch(f"/media/videos/{video}", {"title": "B"}),
    }


@pytest.mark.parametrize("kind", ["task", "board", "asset", "video"])
def test_what_has_not_changed_is_304_and_what_has_is_sent(alice: httpx2.Client, kind: str) -> None:
    path, change = things(alice)[kind]
    etag = alice.get(path).headers["etag"]
    for tags in (etag, f"W/{etag}", f'"other", {etag}', "*"):
        known = alice.get(path, headers={"if-none-match": tags})
        assert (known.status_code, known.content, known.headers["etag"]) == (304, b"", etag)
    assert alice.head(path, headers={"if-none-match": etag}).status_code == 304
    assert alice.get(path, headers={"if-none-match": '"other"'}).status_code == 200
    assert change().status_code == 200
    changed = alice.get(path, headers={"if-none-match": etag})
    assert changed.status_code == 200
    assert changed.headers["etag"] != etag


@pytest.mark.parametrize("kind", ["task", "asset"])
def test_the_tag_of_what_was_read_is_good_for_if_match(alice: httpx2.Client, kind: str) -> None:
    path, _ = things(alice)[kind]
    etag = alice.get(path).headers["etag"]
    assert alice.patch(path, json={"title": "C"}, headers={"if-match": etag}).status_code == 200
    again = alice.patch(path, json={"title": "D"}, headers={"if-match": etag})
    assert error_of(again) == (412, "precondition_failed")


def test_a_task_whose_place_was_moved_by_another_is_sent(alice: httpx2.Client) -> None:
    board = data_of(alice.post("/taskapp/boards", json={"name": "A"}), 201)["id"]
    first, second = (data_of(alice.post("/taskapp/tasks", json={"title": name}), 201)["id"] for name in "ab")
    for task in (first, second):
        data_of(alice.patch(f"/taskapp/tasks/{task}/move", json={"status": "todo", "board": board}))
    before = alice.get(f"/taskapp/tasks/{second}")
    assert data_of(before)["placement"]["position"] == 1
    data_of(alice.patch(f"/taskapp/tasks/{first}/move", json={"status": "todo", "afterTaskId": second}))
    after = alice.get(f"/taskapp/tasks/{second}", headers={"if-none-match": before.headers["etag"]})
    assert data_of(after)["placement"]["position"] == 0


def test_errors_and_lists_are_never_304(alice: httpx2.Client) -> None:
    headers = {"if-none-match": "*"}
    assert alice.get("/taskapp/tasks/task_unknown", headers=headers).status_code == 404
    assert alice.get("/media/assets", headers=headers).status_code == 200
