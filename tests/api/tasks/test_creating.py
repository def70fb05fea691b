"""A new task, and the members that a caller can give it."""

import pytest

from stowboard_client import Task
from support.api.answers import data_of
from support.clients.task_owner import Owner

TASKS = "/taskapp/tasks"
EVERYTHING = {
    "title": "Water the plants",
    "body": "The cactus, too.",
    "status": "in_progress",
    "dueAt": 1_800_000_000_000,
    "reminder": 1_799_999_000_000,
    "recurrence": "FREQ=WEEKLY",
    "timeZone": "Europe/Berlin",
    "tags": ["home", "garden"],
    "visibility": "server-readable",
    "idempotencyKey": "plants",
}
FIELDS = {
    "id", "title", "body", "status", "dueAt", "reminder", "recurrence", "timeZone", "tags", "placement", "archived",
    "visibility", "idempotencyKey", "hasBody", "createdAt", "updatedAt", "completedAt", "version", "priority",
    "attachments", "metadata", "spaceId", "createdBy", "updatedBy", "assignees", "checklist",
    "startAt", "reminders", "recurrenceFrom", "commentCount", "trashedAt", "dueOn",
}  # fmt: skip


def test_a_title_is_all_that_a_task_needs(ann: Owner) -> None:
    answer = ann.http.post(TASKS, json={"title": "Call home"})
    task = data_of(answer, 201)
    assert answer.json()["meta"] == {}
    assert set(task) == FIELDS
    assert task["id"].startswith("tsk_")
    assert task["createdAt"] == task["updatedAt"] > 1_700_000_000_000
    rest = {name: value for name, value in task.items() if name not in ("id", "title", "createdAt", "updatedAt")}
    assert rest == {
        "body": None, "status": "todo", "dueAt": None, "dueOn": None, "reminder": None, "recurrence": None,
        "timeZone": "UTC", "tags": [], "placement": None, "archived": False,
        "visibility": "server-readable", "idempotencyKey": None, "hasBody": False,
        "completedAt": None, "version": 1, "priority": 0, "attachments": [],
        "metadata": {}, "spaceId": f"~{ann.name}", "createdBy": ann.name, "updatedBy": ann.name,
        "assignees": [], "checklist": [], "startAt": None, "reminders": [], "recurrenceFrom": "due", "commentCount": 0,
        "trashedAt": None,
    }  # fmt: skip


def test_everything_that_is_given_is_kept_and_read_again(ann: Owner) -> None:
    task = data_of(ann.http.post(TASKS, json=EVERYTHING), 201)
    assert {name: task[name] for name in EVERYTHING} == EVERYTHING
    assert task["hasBody"]
    assert data_of(ann.http.get(f"{TASKS}/{task['id']}")) == task


def test_a_new_task_says_where_it_is_and_which_version(ann: Owner) -> None:
    answer = ann.http.post(TASKS, json={"title": "Call home"})
    assert answer.headers["location"] == f"{ann.server.base_url}{TASKS}/{answer.json()['data']['id']}"
    assert answer.headers["etag"] == '"1"'
    assert ann.http.get(answer.headers["location"]).json()["data"] == answer.json()["data"]


def test_what_only_the_service_decides_cannot_be_sent(ann: Owner, ben: Owner) -> None:
    foreign = {
        "id": "tsk_00000000000000000000000000", "owner": ben.name, "ownerId": ben.name, "createdAt": 1, "updatedAt": 1,
        "completedAt": 1, "version": 9, "archived": True, "hasBody": True, "placement": {"boardId": "brd_x"},
        "rank": "a0", "anchorAt": 1, "indexedVersion": 7,
    }  # fmt: skip
    task = ann.tasks.get(data_of(ann.http.post(TASKS, json={"title": "Mine", **foreign}), 201)["id"])
    assert (task.version, task.archived, task.has_body, task.placement, task.completed_at) == (
        1,
        False,
        False,
        None,
        None,
    )
    assert task.id != foreign["id"]
    assert task.created_at > 1


def test_titles_and_tags_are_trimmed_and_each_tag_is_there_once(ann: Owner) -> None:
    task = ann.tasks.create("  Call home \n", tags=[" b", "a ", "b", "A"])
    assert (task.title, task.tags) == ("Call home", ("b", "a", "A"))


@pytest.mark.parametrize("tag", ["x" * 64, "crème brûlée", "日本", "👩‍👩‍👧", "می‌خواهم", "a/b", '"', "%_", "\\", "a b"])
def test_a_tag_may_be_any_text_without_commas_and_control_characters(ann: Owner, tag: str) -> None:
    ann.tasks.backfill()
    task = ann.tasks.create("Tagged", tags=[tag])
    assert task.tags == (tag,)
    assert [found.id for found in ann.tasks.list(tags=[tag])] == [task.id]
    assert [(found.tag, found.count) for found in ann.client.tags.list()] == [(tag, 1)]


def test_a_task_that_is_created_done_was_completed_now(ann: Owner) -> None:
    task = ann.tasks.create("Done already", status="done")
    assert task.completed_at == task.created_at


def test_the_longest_of_everything_is_taken(ann: Owner) -> None:
    tags = [f"{number:03}" + "x" * 61 for number in range(50)]
    task = ann.tasks.create(
        "t" * 500, body="b" * 100_000, tags=tags, key="k" * 255, due_at=253_402_300_799_999, reminder=0
    )
    assert ann.tasks.get(task.id) == task
    assert (len(task.tags), len(task.body or ""), task.reminder) == (50, 100_000, 0)


def test_text_comes_back_as_it_went_in(ann: Owner) -> None:
    odd = '"quoted" \\back\\ \'; DROP TABLE task; -- é e\u0301 🤷🏽 </script> \u200f\u200d'
    task = ann.tasks.create(f"-{odd}-", body=f"{odd}\u202e\t\r\n\u0001\x1b")
    assert (ann.tasks.get(task.id).title, ann.tasks.get(task.id).body) == (f"-{odd}-", f"{odd}\u202e\t\r\n\u0001\x1b")


def test_ids_go_up_in_the_order_of_creation(ann: Owner) -> None:
    ids = [task.id for task in ann.create("abcdefghij")]
    assert ids == sorted(ids)


def test_the_alias_knows_the_same_tasks_on_every_path(ann: Owner) -> None:
    task = data_of(ann.http.post("/tasks", json={"title": "By alias"}), 201)
    path = f"/tasks/{task['id']}"
    assert data_of(ann.http.get(f"/taskapp{path}")) == data_of(ann.http.get(path)) == task
    assert data_of(ann.http.patch(path, json={"title": "Renamed"}))["title"] == "Renamed"
    assert data_of(ann.http.patch(f"{path}/move", json={"status": "in_progress"}))["status"] == "in_progress"
    assert data_of(ann.http.post(f"{path}/complete"))["status"] == "done"
    assert data_of(ann.http.post(f"{path}/archive"))["archived"]
    assert not data_of(ann.http.post(f"{path}/restore"))["archived"]
    assert data_of(ann.http.get(f"{path}/occurrences")) == []
    assert ann.http.get("/tasks").status_code == 409
    assert data_of(ann.http.post("/task-index/backfill"))["complete"]
    assert data_of(ann.http.get("/tasks")) == data_of(ann.http.get("/taskapp/tasks"))
    assert data_of(ann.http.delete(path)) == {"id": task["id"], "deleted": True}
    assert ann.http.get(f"/taskapp{path}").status_code == 404


def test_a_task_reads_the_same_alone_and_in_a_list(ann: Owner) -> None:
    ann.tasks.backfill()
    created = data_of(ann.http.post(TASKS, json=EVERYTHING), 201)
    assert data_of(ann.http.get(TASKS)) == [created]
    assert isinstance(ann.tasks.get(created["id"]), Task)
