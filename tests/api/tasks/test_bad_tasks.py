"""A refusal of a task names the member that is wrong, and nothing of the request is done."""

from typing import Any

import pytest

from support.api.answers import data_of, error_of, message_of
from support.clients.task_owner import Owner
from support.stored.rows import rows

pytestmark = pytest.mark.cluster_in_soak

TASKS = "/taskapp/tasks"
WRONG: list[tuple[str, Any]] = [
    ("title", None), ("title", ""), ("title", "   "), ("title", "\n\t　"), ("title", "x" * 501), ("title", 5),
    ("title", ["x"]), ("title", {}), ("title", True), ("body", 5), ("body", "x" * 100_001), ("body", {"text": "x"}),
    ("body", ["x"]), ("status", "open"), ("status", "DONE"), ("status", ""), ("status", 1),
    ("dueAt", -1), ("dueAt", 1.5), ("dueAt", 253_402_300_800_000), ("dueAt", 10**30), ("dueAt", 2**63), ("dueAt", "5"),
    ("dueAt", "2026-01-01"), ("dueAt", True), ("dueAt", []), ("reminder", -1), ("reminder", 1.5), ("reminder", 10**30),
    ("reminder", {"at": 5}), ("reminder", False), ("recurrence", ""), ("recurrence", "daily"), ("recurrence", 5),
    ("recurrence", "FREQ=HOURLY"), ("recurrence", "FREQ=SECONDLY"), ("recurrence", "FREQ=DAILY;INTERVAL=0"),
    ("recurrence", "FREQ=DAILY" + ";BYMONTH=1" * 50), ("timeZone", ""), ("timeZone", "Mars/Olympus"), ("timeZone", 5),
    ("timeZone", "../../etc/passwd"), ("timeZone", "x" * 65), ("tags", "home"), ("tags", {}),
    ("tags", [5]), ("tags", [None]), ("tags", ["a", ["b"]]), ("tags", [""]), ("tags", ["  "]), ("tags", ["a,b"]),
    ("tags", [","]), ("tags", ["x" * 65]), ("tags", ["a\nb"]), ("tags", ["a\u2028b"]), ("tags", ["\u007f"]),
    ("title", "a\nb"), ("title", "\x1b[2J"), ("title", "a\x9bb"), ("title", "a\u202eb"), ("title", "a\u2066b"),
    ("tags", ["a\u202eb"]), ("tags", ["\u0301" * 100_000]),
    ("visibility", "secret"), ("visibility", ""), ("visibility", 1), ("encryptedBody", "x"), ("encryptedBody", {}),
    ("encryptedBody", {"version": 0, "algorithm": "a", "keyId": "k", "nonce": "n", "ciphertext": "c"}),
    ("encryptedBody", {"version": 1, "algorithm": "a", "keyId": "k", "nonce": "n", "ciphertext": "c" * 350_001}),
    ("encryptedBody", {"version": 1, "algorithm": "a", "keyId": "k", "nonce": "n", "ciphertext": "not base64!"}),
]  # fmt: skip
#: Only in a change.
WRONG_CHANGES: list[tuple[str, Any]] = [
    ("status", None), ("visibility", None), ("archived", None), ("archived", "true"), ("archived", 1),
    ("clearDueAt", 1), ("clearDueAt", "true"), ("clearDueAt", None), ("clearReminder", "yes"), ("clearReminder", 0),
]  # fmt: skip
SHORT = [f"{name}-{str(value)[:30]}" for name, value in WRONG]


@pytest.mark.parametrize(("member", "value"), WRONG, ids=SHORT)
def test_no_task_is_created_with_a_wrong_member(ann: Owner, member: str, value: Any) -> None:
    answer = ann.http.post(TASKS, json={"title": "Good", "tags": ["good"], member: value})
    assert error_of(answer) == (400, "validation_failed")
    assert member in message_of(answer)
    for table in ("task", "task_index", "task_tag", "event"):
        assert rows(ann.server, f"SELECT count(*) FROM {table} WHERE owner = '{ann.name}'") == [(0,)]


@pytest.mark.parametrize(
    ("member", "value"), WRONG + WRONG_CHANGES, ids=SHORT + [f"{name}-{value}" for name, value in WRONG_CHANGES]
)
def test_no_part_of_a_change_with_a_wrong_member_is_made(ann: Owner, member: str, value: Any) -> None:
    before = data_of(ann.http.post(TASKS, json={"title": "Good", "tags": ["good"], "dueAt": 5, "body": "b"}), 201)
    changes = {"title": "Changed", "tags": [], "status": "done", "dueAt": 6, "body": None, member: value}
    answer = ann.http.patch(f"{TASKS}/{before['id']}", json=changes)
    assert error_of(answer) == (400, "validation_failed")
    assert member in message_of(answer)
    assert data_of(ann.http.get(f"{TASKS}/{before['id']}")) == before
    assert ann.events(before["id"]) == ["task.created"]


@pytest.mark.parametrize("number", [51, 10_000])
def test_a_51st_tag_is_one_too_many_wherever_it_is(ann: Owner, number: int) -> None:
    ann.tasks.activate_index()
    [task] = ann.create("a")
    tags = [str(n) for n in range(number)]
    for answer in (
        ann.http.post(TASKS, json={"title": "Good", "tags": tags}),
        ann.http.patch(f"{TASKS}/{task.id}", json={"tags": tags}),
        ann.http.get(TASKS, params={"tags": ",".join(tags[:51])}),
    ):
        assert error_of(answer) == (400, "too_many_items")
        assert message_of(answer) == "tags: expected at most 50."
    assert ann.tasks.get(task.id) == task


@pytest.mark.parametrize("body", [b"", b"{}", b'{"Title": "x"}'])
def test_a_title_is_required(ann: Owner, body: bytes) -> None:
    answer = ann.http.post(TASKS, content=body)
    assert error_of(answer) == (400, "validation_failed")
    assert message_of(answer) == "title is required."


@pytest.mark.parametrize(
    "body", [b"[]", b'"x"', b"null", b"{", b"title=x", b'{"title": "\\ud800"}', b'{"title": "\xff"}']
)
@pytest.mark.parametrize("method", ["POST", "PATCH"])
def test_what_is_no_object_is_no_task(ann: Owner, method: str, body: bytes) -> None:
    [task] = ann.create("a")
    path = TASKS if method == "POST" else f"{TASKS}/{task.id}"
    assert error_of(ann.http.request(method, path, content=body)) == (400, "invalid_json")


@pytest.mark.parametrize("member", ["title", "body", "tags", "recurrence", "timeZone", "idempotencyKey"])
def test_the_character_that_no_database_holds_is_refused(ann: Owner, member: str) -> None:
    text = "a\u0000b"
    answer = ann.http.post(TASKS, json={"title": "Good", member: [text] if member == "tags" else text})
    assert error_of(answer) == (400, "validation_failed")


def test_a_body_beyond_all_limits_is_too_large_and_not_stored(ann: Owner) -> None:
    answer = ann.http.post(TASKS, json={"title": "Good", "body": "x" * 3_000_000})
    assert error_of(answer) == (413, "payload_too_large")


def test_whole_numbers_may_be_written_as_decimals(ann: Owner) -> None:
    answer = ann.http.post(TASKS, content=b'{"title": "Good", "dueAt": 5.0, "reminder": 1e3}')
    assert (data_of(answer, 201)["dueAt"], answer.json()["data"]["reminder"]) == (5, 1000)


def test_a_wrong_request_does_not_use_up_its_idempotency_key(ann: Owner) -> None:
    headers = {"idempotency-key": "once"}
    assert ann.http.post(TASKS, json={"title": " "}, headers=headers).status_code == 400
    assert ann.http.post(TASKS, json={"title": "Good"}, headers=headers).status_code == 201


@pytest.mark.parametrize("path", ["/taskapp/tags", TASKS + "/{}/occurrences"])
@pytest.mark.parametrize(("parameter", "value"), [("limit", "0"), ("limit", "x"), ("cursor", "x"), ("cursor", "")])
def test_wrong_parameters_of_the_other_lists_are_refused(ann: Owner, path: str, parameter: str, value: str) -> None:
    [task] = ann.create("a")
    ann.tasks.activate_index()
    answer = ann.http.get(path.format(task.id), params={parameter: value})
    wanted = "invalid_parameter" if parameter == "limit" else "invalid_cursor"
    assert error_of(answer) == (400, wanted)


def test_null_for_an_enumeration_names_what_it_may_be(ann: Owner) -> None:
    [task] = ann.create("a")
    answer = ann.http.patch(f"{TASKS}/{task.id}", json={"status": None})
    assert message_of(answer) == "status: expected one of todo, in_progress, done, got null."
    answer = ann.http.patch(f"{TASKS}/{task.id}", json={"visibility": 5})
    assert message_of(answer) == "visibility: expected one of server-readable, zero-knowledge, got an integer."
    answer = ann.http.patch(f"{TASKS}/{task.id}/move", json={"status": None})
    assert message_of(answer) == "status: expected one of todo, in_progress, done, got null."
