"""A task is created once, however often its creation is asked for."""

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest

from stowboard_client import Client, errors
from support.api.answers import data_of, error_of, message_of
from support.clients.task_owner import Owner
from support.stored.rows import rows

TASKS = "/taskapp/tasks"
DUPLICATES = 50


def tasks_of(owner: Owner) -> int:
    return int(rows(owner.server, f"SELECT count(*) FROM task WHERE owner = '{owner.name}'")[0][0])


def create(
    owner: Owner, title: str, *, key: str | None = None, header: str | None = None, path: str = TASKS
) -> httpx2.Response:
    headers = {"idempotency-key": header} if header else {}
    return owner.http.post(path, json={"title": title, "idempotencyKey": key}, headers=headers)


def test_a_retry_by_the_body_gets_the_task_as_it_is_now(ann: Owner) -> None:
    first = create(ann, "Plan", key="k")
    task = data_of(first, 201)
    assert task["idempotencyKey"] == "k"
    changed = ann.tasks.update(task["id"], title="Changed")
    again = create(ann, "Something else", key="k")
    assert data_of(again, 200)["title"] == "Changed"
    assert again.json()["meta"] == {"idempotentReplay": True}
    assert again.headers["etag"] == f'"{changed.version}"'
    assert again.headers["location"] == first.headers["location"]
    assert "idempotent-replayed" not in again.headers
    assert tasks_of(ann) == 1


def test_a_retry_by_the_header_gets_the_first_answer_again(ann: Owner) -> None:
    first = create(ann, "Plan", header="h")
    ann.tasks.update(first.json()["data"]["id"], title="Changed")
    again = create(ann, "Plan", header="h")
    assert (again.status_code, again.content) == (201, first.content)
    assert again.headers["idempotent-replayed"] == "true"
    assert (again.headers["etag"], again.headers["location"]) == (first.headers["etag"], first.headers["location"])
    assert error_of(create(ann, "Another", header="h")) == (422, "idempotency_key_reused")
    assert tasks_of(ann) == 1


def test_with_both_the_header_is_looked_at_first(ann: Owner) -> None:
    first = create(ann, "Plan", key="k", header="h")
    ann.tasks.update(first.json()["data"]["id"], title="Changed")
    assert create(ann, "Plan", key="k", header="h").content == first.content
    by_key = create(ann, "Plan", key="k", header="other")
    assert (by_key.status_code, by_key.json()["data"]["title"]) == (200, "Changed")
    ann.tasks.update(first.json()["data"]["id"], title="Changed again")
    assert create(ann, "Plan", key="k", header="other").content == by_key.content
    assert error_of(create(ann, "Plan", key="k2", header="h")) == (422, "idempotency_key_reused")
    assert tasks_of(ann) == 1


def test_the_alias_is_the_same_request(ann: Owner) -> None:
    first = create(ann, "Plan", header="h")
    assert create(ann, "Plan", header="h", path="/tasks").content == first.content
    assert data_of(create(ann, "Plan", key="k"), 201)["id"] == data_of(create(ann, "x", key="k", path="/tasks"))["id"]
    task_id = first.json()["data"]["id"]
    by_alias = ann.http.post(f"/tasks/{task_id}/archive", headers={"idempotency-key": "archive"})
    replayed = ann.http.post(f"{TASKS}/{task_id}/archive", headers={"idempotency-key": "archive"})
    assert replayed.content == by_alias.content
    assert replayed.headers["idempotent-replayed"] == "true"


def test_a_key_is_its_owners_own(ann: Owner, ben: Owner) -> None:
    assert data_of(create(ann, "Ann's", key="k"), 201)["id"] != data_of(create(ben, "Ben's", key="k"), 201)["id"]
    assert create(ben, "Ben's", key="k").json()["data"]["title"] == "Ben's"


def test_a_key_is_the_same_for_every_token_of_the_owner(ann: Owner) -> None:
    first = create(ann, "Plan", key="k")
    with Client(ann.server.origin, ann.server.admin_token) as admin:
        token = admin.tokens.create(ann.name, kind="interactive")
    with Client(ann.server.origin, token.token) as other:
        assert other.tasks.create("x", key="k").id == first.json()["data"]["id"]


@pytest.mark.parametrize("keys", [("k", None), (None, "h"), ("k", "h")], ids=["body", "header", "both"])
def test_of_50_duplicates_at_once_one_makes_the_task(ann: Owner, keys: tuple[str | None, str | None]) -> None:
    key, header = keys
    with ThreadPoolExecutor(25) as pool:
        answers = list(pool.map(lambda _: create(ann, "Plan", key=key, header=header), range(DUPLICATES)))
    assert len({answer.json()["data"]["id"] for answer in answers}) == 1
    assert tasks_of(ann) == 1
    made = Counter("idempotent-replayed" not in answer.headers and answer.status_code == 201 for answer in answers)
    assert made == {True: 1, False: DUPLICATES - 1}


def test_an_archived_task_still_holds_its_key(ann: Owner) -> None:
    task = ann.tasks.create("Plan", key="k")
    ann.tasks.archive(task.id)
    assert ann.tasks.create("Again", key="k").id == task.id


def test_a_deleted_task_is_not_brought_back_by_a_late_retry(ann: Owner) -> None:
    ann.tasks.delete(ann.tasks.create("Plan", key="k").id)
    answer = create(ann, "Plan", key="k", header="late")
    assert error_of(answer) == (409, "conflict")
    assert "idempotencyKey" in message_of(answer)
    assert create(ann, "Plan", key="k", header="late").headers["idempotent-replayed"] == "true"
    with pytest.raises(errors.Conflict):
        ann.tasks.create("Plan", key="k")
    assert tasks_of(ann) == 0


def test_a_day_after_the_deletion_the_key_is_free_again(ann: Owner) -> None:
    first = ann.tasks.create("Plan", key="k")
    ann.tasks.delete(first.id)
    [(expires_at,)] = rows(ann.server, f"SELECT expires_at FROM task_key_grave WHERE owner = '{ann.name}'")
    assert 23.9 < (expires_at / 1000 - time.time()) / 3600 < 24.1
    rows(ann.server, f"UPDATE task_key_grave SET expires_at = 1 WHERE owner = '{ann.name}'")
    second = ann.tasks.create("Plan", key="k")
    assert second.id != first.id
    ann.tasks.delete(second.id)
    with pytest.raises(errors.Conflict):
        ann.tasks.create("Plan", key="k")


def test_deletions_and_creations_of_one_key_at_once_end_in_one_task_or_in_its_grave(ann: Owner) -> None:
    """A creation either gets the task or is told that it was deleted; none makes a second one."""
    task = ann.tasks.create("Plan", key="k")

    def one(number: int) -> int:
        if number == 5:
            return ann.http.delete(f"{TASKS}/{task.id}").status_code
        return create(ann, "Plan", key="k").status_code

    with ThreadPoolExecutor(10) as pool:
        statuses = Counter(pool.map(one, range(20)))
    assert set(statuses) <= {200, 409}
    assert tasks_of(ann) == 0


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize("key", ["", "k" * 256, 5, ["k"]])
def test_a_key_that_is_none_is_refused(ann: Owner, key: object) -> None:
    answer = ann.http.post(TASKS, json={"title": "Plan", "idempotencyKey": key})
    assert error_of(answer) == (400, "validation_failed")
    assert "idempotencyKey" in message_of(answer)
