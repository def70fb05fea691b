"""Long answers under an Idempotency-Key are kept as ids, and what a token's kept answers take is bounded."""

import json
import secrets
from typing import Any

import httpx2

from support.clients.task_owner import Owner
from support.stored.rows import rows

KIB = 1024
BATCH = "/taskapp/tasks/batch"


def send(owner: Owner, method: str, path: str, key: str, body: dict[str, Any]) -> httpx2.Response:
    return owner.http.request(method, path, json=body, headers={"idempotency-key": key})


def kept(owner: Owner) -> list[tuple[int, int, int]]:
    """Length, noted size and outline of what is kept for the owner, the oldest first."""
    return rows(
        owner.server,
        f"SELECT length(body), size, outline FROM idempotency WHERE scope LIKE '%{owner.name}%' AND body IS NOT NULL"
        " ORDER BY expires_at",
    )


def test_the_answer_of_a_large_batch_is_kept_as_ids_and_shown_as_it_is_now(ann: Owner) -> None:
    key, titles = secrets.token_hex(8), [f"t{number}" for number in range(20)]
    operations = [{"op": "create", "title": title, "body": "x" * 7 * KIB} for title in titles]
    operations.append({"op": "complete", "id": "tsk_01kbr2x4q8e9w6y3t7n5m1c0vz"})
    first = send(ann, "POST", BATCH, key, {"operations": operations})
    (length, size, outline), *others = kept(ann)
    assert (length == size < 8 * KIB, outline, others) == (True, 1, [])
    tasks = [result["task"] for result in first.json()["data"][:-1]]
    changed = ann.tasks.update(tasks[0]["id"], body="short")
    ann.tasks.delete(tasks[1]["id"])
    again = send(ann, "POST", BATCH, key, {"operations": operations})
    assert (again.status_code, again.headers["idempotent-replayed"]) == (first.status_code, "true")
    assert again.json()["meta"] == first.json()["meta"] | {"shownNow": True}
    results = again.json()["data"]
    assert [result["status"] for result in results] == [201] * 20 + [404]
    assert (results[0]["task"]["body"], results[0]["task"]["version"]) == ("short", changed.version)
    assert (results[1]["task"], results[20]) == (None, first.json()["data"][20])
    assert [result["task"] for result in results[2:-1]] == tasks[2:]
    assert send(ann, "POST", BATCH, key, {"operations": operations[1:]}).status_code == 422


def test_a_long_task_is_shown_as_it_is_now(ann: Owner) -> None:
    key, body = secrets.token_hex(8), {"title": "t", "body": "x" * 100_000}
    first = send(ann, "POST", "/taskapp/tasks", key, body)
    task = first.json()["data"]
    again = send(ann, "POST", "/taskapp/tasks", key, body)
    assert (again.status_code, again.json()) == (201, {"data": task, "meta": {"shownNow": True}})
    assert again.headers["location"] == first.headers["location"]
    ann.tasks.update(task["id"], visibility="zero-knowledge")
    assert send(ann, "POST", "/taskapp/tasks", key, body).json()["data"]["body"] is None
    ann.tasks.delete(task["id"])
    assert send(ann, "POST", "/taskapp/tasks", key, body).json()["data"] is None
    assert len(list(ann.client.changes.list(subject=task["id"]))) == 0


def test_a_short_answer_is_kept_to_the_byte(ann: Owner) -> None:
    key, body = secrets.token_hex(8), {"title": "t", "body": "x" * 1000}
    first = send(ann, "POST", "/taskapp/tasks", key, body)
    ann.tasks.update(first.json()["data"]["id"], title="u")
    assert send(ann, "POST", "/taskapp/tasks", key, body).content == first.content
    assert not any(outline for _, _, outline in kept(ann))


def test_beyond_what_a_token_may_keep_the_oldest_answers_go_first(ann: Owner) -> None:
    keys = [secrets.token_hex(8) for _ in range(4)]
    for key in keys[:3]:
        send(ann, "POST", "/taskapp/tasks", key, {"title": key})
    # As if the first two had been of thirty and of forty megabytes.
    for key, megabytes in zip(keys, (30, 40), strict=False):
        title = json.dumps({"title": key})
        first = send(ann, "POST", "/taskapp/tasks", key, json.loads(title))
        assert first.headers["idempotent-replayed"] == "true"
        rows(
            ann.server,
            f"UPDATE idempotency SET size = {megabytes * KIB * KIB} WHERE scope LIKE '%{ann.name}%' AND expires_at ="
            f" (SELECT min(expires_at) FROM idempotency WHERE scope LIKE '%{ann.name}%' AND size < {KIB * KIB})",
        )
    long = send(ann, "POST", "/taskapp/tasks", keys[3], {"title": "t", "body": "y" * 40 * KIB})
    assert long.status_code == 201
    replayed = [
        "idempotent-replayed" in send(ann, "POST", "/taskapp/tasks", key, {"title": key}).headers for key in keys[:3]
    ]
    assert replayed == [False, True, True]
