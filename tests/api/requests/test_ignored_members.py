"""Members of a body that an operation does not know are not bound, and the answer names them."""

import json
import secrets
from typing import Any

import httpx2
import pytest

from support.api.answers import data_of, error_of, message_of

TOKENS, TASKS = "/api/v1/access/tokens", "/api/v1/taskapp/tasks"


def meta_of(answer: httpx2.Response, status: int = 200) -> Any:
    data_of(answer, status)
    return answer.json()["meta"]


@pytest.mark.parametrize(
    ("body", "ignored"),
    [
        ({"dueat": 5}, ["dueat"]),
        ({"due_at": 5, "id": "tsk_1", "archived": True}, ["due_at", "id", "archived"]),
        ({"": 1, "ä": {"title": 1}}, ["", "ä"]),
        ({"dueAt": 5.0, "x": [1.0]}, ["x"]),
        ({f"m{n}": n for n in range(50)}, [f"m{n}" for n in range(20)]),
        ({"m" * 500: 1}, ["m" * 99 + "…"]),
    ],
)
def test_what_was_ignored_is_named_in_the_answer(
    admin: httpx2.Client, body: dict[str, Any], ignored: list[str]
) -> None:
    assert meta_of(admin.post(TASKS, json={"title": "a"} | body), 201) == {"ignored": ignored}
    assert meta_of(admin.post(TASKS, json=body | {"title": "a"}), 201) == {"ignored": ignored}


def test_where_nothing_was_ignored_nothing_is_said(admin: httpx2.Client) -> None:
    assert meta_of(admin.post(TASKS, json={"title": "a", "dueAt": 5.0, "tags": None}), 201) == {}


def test_it_stands_beside_what_else_the_answer_has_to_say(admin: httpx2.Client) -> None:
    body = {"title": "once", "idempotencyKey": "said-beside", "prio": 1}
    assert meta_of(admin.post(TASKS, json=body), 201) == {"ignored": ["prio"]}
    assert meta_of(admin.post(TASKS, json=body)) == {"idempotentReplay": True, "ignored": ["prio"]}
    found = admin.post("/api/v1/media/assets/by-ids", json={"ids": ["ast_1"], "fields": ["url"]})
    assert meta_of(found) == {"missing": ["ast_1"], "ignored": ["fields"]}


def test_a_change_names_them_too_and_a_replay_does_as_the_first(admin: httpx2.Client) -> None:
    task = data_of(admin.post(TASKS, json={"title": "a"}), 201)
    headers = {"idempotency-key": f"ignored-{task['id']}"}
    first = admin.patch(f"{TASKS}/{task['id']}", json={"titel": "b"}, headers=headers)
    assert meta_of(first) == {"ignored": ["titel"]}
    assert data_of(first) == task
    again = admin.patch(f"{TASKS}/{task['id']}", json={"titel": "b"}, headers=headers)
    assert (again.content, again.headers["idempotent-replayed"]) == (first.content, "true")


def test_of_a_body_with_thousands_of_members_the_first_is_named(admin: httpx2.Client) -> None:
    members = ",".join(f'"m{n}":{n}' for n in range(5000))
    answer = admin.post(TASKS, content=f'{{"title":"a",{members}}}'.encode())
    assert meta_of(answer, 201) == {"ignored": ["m0"]}


def test_a_wrong_member_is_refused_whatever_is_ignored(admin: httpx2.Client) -> None:
    for body in ({"x": 1, "title": 5}, {"title": 5, "x": 1}, {"x": 1}):
        answer = admin.post(TASKS, content=json.dumps(body).encode())
        assert answer.status_code == 400
        assert answer.json()["error"]["message"].startswith("title")


@pytest.mark.parametrize("prefer", ["handling=strict", 'respond-async, Handling="strict"', "handling=strict; x=1"])
def test_a_strict_request_with_an_unknown_member_is_refused_and_nothing_is_done(
    admin: httpx2.Client, prefer: str
) -> None:
    headers = {"prefer": prefer, "idempotency-key": secrets.token_hex(8)}
    body = {"title": "strict", "columns": []}
    answer = admin.post(TASKS, json=body, headers=headers)
    assert error_of(answer) == (400, "validation_failed")
    assert message_of(answer).startswith("columns: ")
    assert meta_of(admin.post(TASKS, json={"title": "strict"}, headers=headers), 201) == {}


@pytest.mark.parametrize("prefer", ["handling=lenient", "return=minimal", "x-handling=strict", ""])
def test_any_other_preference_changes_nothing(admin: httpx2.Client, prefer: str) -> None:
    answer = admin.post(TASKS, json={"title": "a", "x": 1}, headers={"prefer": prefer})
    assert meta_of(answer, 201) == {"ignored": ["x"]}
