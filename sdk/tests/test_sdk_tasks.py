"""Requests and answers of the operations on tasks, tags and the index."""

from typing import Any

import pytest
from both_faces import Face, collected, settled
from scripted_server import ScriptedServer, data, error

from stowboard_client import Backfill, EncryptedBody, Occurrence, Tag, Task, errors

TASK: dict[str, Any] = {
    "id": "tsk_1",
    "title": "Water the plants",
    "body": None,
    "status": "todo",
    "dueAt": 1_800_000_000_000,
    "reminder": None,
    "recurrence": "FREQ=WEEKLY",
    "timeZone": "Europe/Berlin",
    "tags": ["home", "green"],
    "placement": {"boardId": "brd_1", "columnId": "col_1", "rank": "a0", "position": 3},
    "archived": False,
    "visibility": "server-readable",
    "idempotencyKey": "plants",
    "hasBody": False,
    "createdAt": 1_700_000_000_000,
    "updatedAt": 1_700_000_000_001,
    "completedAt": None,
    "version": 7,
}
ENVELOPE = {"version": 1, "algorithm": "A256GCM", "keyId": "k1", "nonce": "bm9uY2U", "ciphertext": "Y2lwaGVy"}
META = {"nextCursor": None, "hasMore": False, "limit": 50}


async def test_a_created_task_comes_back_typed_and_only_what_was_given_is_sent(
    face: Face, server: ScriptedServer
) -> None:
    server.will(data({**TASK, "memberOfTheFuture": 1}, status=201))
    task = await settled(face.client().tasks.create("Water the plants", due_at=1_800_000_000_000, tags=["home"]))
    assert isinstance(task, Task)
    assert (task.due_at, task.time_zone, task.tags, task.version) == (
        1_800_000_000_000,
        "Europe/Berlin",
        ("home", "green"),
        7,
    )
    assert task.placement is not None
    assert (task.placement.board_id, task.placement.position) == ("brd_1", 3)
    assert task.encrypted_body is None
    [asked] = server.seen
    assert (asked.method, asked.path) == ("POST", "/api/v1/taskapp/tasks")
    assert asked.json == {"title": "Water the plants", "dueAt": 1_800_000_000_000, "tags": ["home"]}


async def test_a_tasks_own_key_goes_into_the_body_and_the_requests_key_into_the_header(
    face: Face, server: ScriptedServer
) -> None:
    server.will(data(TASK, status=201), data(TASK, status=201))
    client = face.client()
    await settled(client.tasks.create("Water", key="plants", idempotency_key="request-1"))
    await settled(client.tasks.create("Water", key="plants"))
    assert [asked.json["idempotencyKey"] for asked in server.seen] == ["plants", "plants"]
    assert server.seen[0].headers["idempotency-key"] == "request-1"
    assert server.seen[1].headers["idempotency-key"] not in ("plants", "request-1")


async def test_an_update_keeps_what_is_left_out_and_clears_what_is_none(face: Face, server: ScriptedServer) -> None:
    server.will(data(TASK), data(TASK))
    client = face.client()
    await settled(client.tasks.update("tsk_1", due_at=None, tags=[], title="Water them"))
    await settled(client.tasks.update("tsk_1"))
    assert [(asked.method, asked.path) for asked in server.seen] == [("PATCH", "/api/v1/taskapp/tasks/tsk_1")] * 2
    assert [asked.json for asked in server.seen] == [{"title": "Water them", "dueAt": None, "tags": []}, {}]


async def test_a_move_says_where_to_and_none_leaves_the_board(face: Face, server: ScriptedServer) -> None:
    server.will(data(TASK), data(TASK))
    client = face.client()
    await settled(client.tasks.move("tsk_1", "done", board="brd_1", before_task_id="tsk_2"))
    await settled(client.tasks.move("tsk_1", "todo", board=None, position=0))
    assert {(asked.method, asked.path) for asked in server.seen} == {("PATCH", "/api/v1/taskapp/tasks/tsk_1/move")}
    assert [asked.json for asked in server.seen] == [
        {"status": "done", "board": "brd_1", "beforeTaskId": "tsk_2"},
        {"status": "todo", "board": None, "position": 0},
    ]


async def test_a_task_is_read_completed_archived_restored_and_deleted_by_its_id(
    face: Face, server: ScriptedServer
) -> None:
    server.will(data(TASK), data(TASK), data(TASK), data(TASK), data({"id": "tsk_1", "deleted": True}))
    tasks = face.client().tasks
    for operation in (tasks.get, tasks.complete, tasks.archive, tasks.restore):
        assert isinstance(await settled(operation("tsk_1")), Task)
    assert (await settled(tasks.delete("tsk_1"))).deleted
    address = "/api/v1/taskapp/tasks/tsk_1"
    assert [(asked.method, asked.path, asked.body) for asked in server.seen] == [
        ("GET", address, b""),
        ("POST", address + "/complete", b""),
        ("POST", address + "/archive", b""),
        ("POST", address + "/restore", b""),
        ("DELETE", address, b""),
    ]


async def test_a_change_can_be_bound_to_the_version_that_it_was_made_for(face: Face, server: ScriptedServer) -> None:
    server.will(*[data(TASK)] * 5, error(412, "precondition_failed"), data(TASK))
    tasks = face.client().tasks
    await settled(tasks.update("tsk_1", title="x", if_match=7))
    await settled(tasks.move("tsk_1", "done", if_match=7))
    for operation in (tasks.complete, tasks.archive, tasks.restore):
        await settled(operation("tsk_1", if_match=7))
    with pytest.raises(errors.PreconditionFailed):
        await settled(tasks.delete("tsk_1", if_match=7))
    await settled(tasks.complete("tsk_1"))
    assert [asked.headers.get("if-match") for asked in server.seen] == ['"7"'] * 6 + [None]


@pytest.mark.parametrize(
    ("filters", "query"),
    [
        ({}, {}),
        ({"tags": ["home", "green"]}, {"tags": ["home,green"]}),
        ({"tags": "home"}, {"tags": ["home"]}),
        ({"archived": True}, {"archived": ["true"]}),
        ({"archived": "only", "status": "done"}, {"archived": ["only"], "status": ["done"]}),
        ({"board_id": "brd_1", "q": "fern"}, {"boardId": ["brd_1"], "q": ["fern"]}),
        ({"due_after": 0, "due_before": 9, "limit": 2}, {"dueAfter": ["0"], "dueBefore": ["9"], "limit": ["2"]}),
    ],
)
async def test_filters_of_a_list_are_asked_for_by_the_services_names(
    face: Face, server: ScriptedServer, filters: dict[str, Any], query: dict[str, list[str]]
) -> None:
    server.will(data([TASK], META))
    [task] = await collected(face.client().tasks.list(**filters))
    assert task.id == "tsk_1"
    assert (server.seen[0].path, server.seen[0].query) == ("/api/v1/taskapp/tasks", query)


async def test_a_short_or_empty_page_does_not_end_a_list(face: Face, server: ScriptedServer) -> None:
    more = {"nextCursor": "c1", "hasMore": True, "limit": 50}
    server.will(data([], more), data([{**TASK, "placement": None}], META))
    [task] = await collected(face.client().tasks.list(q="fern"))
    assert task.placement is None
    assert server.seen[1].query == {"q": ["fern"], "cursor": ["c1"]}


async def test_occurrences_and_tags_are_listed(face: Face, server: ScriptedServer) -> None:
    server.will(data([{"number": 2, "dueAt": None, "completedAt": 5}], META), data([{"tag": "home", "count": 3}], META))
    client = face.client()
    assert await collected(client.tasks.occurrences("tsk_1")) == [Occurrence(number=2, due_at=None, completed_at=5)]
    assert await collected(client.tags.list()) == [Tag(tag="home", count=3)]
    assert [asked.path for asked in server.seen] == ["/api/v1/taskapp/tasks/tsk_1/occurrences", "/api/v1/taskapp/tags"]


async def test_a_list_before_the_index_is_activated_is_an_error_of_its_own(face: Face, server: ScriptedServer) -> None:
    server.will(error(409, "task_index_not_activated"))
    with pytest.raises(errors.TaskIndexNotActivated):
        await collected(face.client().tasks.list())
    assert len(server.seen) == 1


async def test_the_index_is_backfilled_until_it_is_complete_each_batch_a_request_of_its_own(
    face: Face, server: ScriptedServer
) -> None:
    server.will(
        data(_progress(500, 500)),
        error(503, "service_unavailable", Retry_After="1"),
        data(_progress(500, 1000)),
        data(_progress(20, 1020)),
    )
    done = await settled(face.client().tasks.activate_index())
    assert done == Backfill(complete=True, status="active", processed=20, processed_total=1020)
    assert [(asked.method, asked.path) for asked in server.seen] == [
        ("POST", "/api/v1/taskapp/task-index/backfill")
    ] * 4
    first, second, again, third = (asked.headers["idempotency-key"] for asked in server.seen)
    assert second == again
    assert len({first, second, third}) == 3


async def test_one_batch_of_the_backfill_can_be_asked_for_alone(face: Face, server: ScriptedServer) -> None:
    server.will(data(_progress(500, 500)))
    progress = await settled(face.client().tasks.backfill())
    assert (progress.complete, progress.status) == (False, "backfilling")
    assert len(server.seen) == 1


async def test_a_sealed_body_is_sent_and_read_as_it_is(face: Face, server: ScriptedServer) -> None:
    sealed = {**TASK, "visibility": "zero-knowledge", "hasBody": True, "encryptedBody": ENVELOPE}
    server.will(data(sealed), data({**sealed, "hasBody": False, "encryptedBody": None}))
    client = face.client()
    envelope = EncryptedBody(version=1, algorithm="A256GCM", key_id="k1", nonce="bm9uY2U", ciphertext="Y2lwaGVy")
    task = await settled(client.tasks.update("tsk_1", visibility="zero-knowledge", encrypted_body=envelope))
    assert task.encrypted_body == envelope
    assert (await settled(client.tasks.update("tsk_1", encrypted_body=None))).encrypted_body is None
    assert [asked.json for asked in server.seen] == [
        {"visibility": "zero-knowledge", "encryptedBody": ENVELOPE},
        {"encryptedBody": None},
    ]


async def test_plaintext_for_a_sealed_body_is_an_error_of_its_own(face: Face, server: ScriptedServer) -> None:
    server.will(error(403, "zero_knowledge_body"))
    with pytest.raises(errors.ZeroKnowledgeBody):
        await settled(face.client().tasks.update("tsk_1", body="plain"))


def _progress(processed: int, total: int) -> dict[str, Any]:
    complete = processed < 500
    status = "active" if complete else "backfilling"
    return {"complete": complete, "status": status, "processed": processed, "processedTotal": total}
