"""A change touches what it names and nothing else."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stowboard_client import errors
from support.api.answers import data_of, error_of, message_of
from support.clients.task_owner import Owner

TASKS = "/taskapp/tasks"
FULL = {
    "title": "Water the plants", "body": "The cactus, too.", "status": "todo", "dueAt": 1_800_000_000_000,
    "reminder": 1_799_999_000_000, "recurrence": "FREQ=WEEKLY", "timeZone": "Europe/Berlin", "tags": ["home", "garden"],
}  # fmt: skip
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=30).map(str.strip)
DATES = st.integers(0, 4_000_000_000_000)
CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "title": TEXT.filter(bool),
        "body": st.none() | TEXT,
        "status": st.sampled_from(["todo", "in_progress", "done"]),
        "dueAt": st.none() | DATES,
        "reminder": st.none() | DATES,
        "recurrence": st.sampled_from([None, "FREQ=DAILY", "FREQ=WEEKLY"]),
        "timeZone": st.sampled_from([None, "UTC", "Asia/Tokyo"]),
        "tags": st.lists(st.sampled_from(["home", "work", "später"]), max_size=3, unique=True),
        "archived": st.booleans(),
        "clearDueAt": st.just(False),
        "clearReminder": st.just(False),
    },
)
#: What a body may hold and nobody may set, beside members that nobody knows.
NOISE = st.fixed_dictionaries(
    {},
    optional={
        "id": st.just("tsk_00000000000000000000000000"), "owner": st.just("mallory"), "createdAt": st.just(1),
        "version": st.just(99), "idempotencyKey": st.just("other"), "updatedAt": st.just(1),
        "completedAt": st.just(1), "placement": st.none(), "hasBody": st.just(False), "dueat": st.just(5),
    },
)  # fmt: skip
#: Follows from what is named, or tells of the change itself.
DERIVED = {
    "status": ["completedAt"],
    "body": ["hasBody"],
    "always": ["version", "updatedAt"],
}


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=CHANGES, noise=NOISE)
def test_only_what_is_named_changes(ann: Owner, changes: dict[str, Any], noise: dict[str, Any]) -> None:
    before = data_of(ann.http.post(TASKS, json=FULL | {"idempotencyKey": None}), 201)
    after = data_of(ann.http.patch(f"{TASKS}/{before['id']}", json=noise | changes))
    assert data_of(ann.http.get(f"{TASKS}/{before['id']}")) == after
    named = {name: value for name, value in changes.items() if not name.startswith("clear")}
    wanted = named | ({"timeZone": named["timeZone"] or "UTC"} if "timeZone" in named else {})
    assert {name: after[name] for name in wanted} == wanted
    free = {*named, *DERIVED["always"], *(other for name in named for other in DERIVED.get(name, []))}
    assert {name: after[name] for name in before if name not in free} == {
        name: before[name] for name in before if name not in free
    }
    differs = any(before[name] != value for name, value in wanted.items() if name != "archived")
    # Archiving is an act of its own, with an event of its own.
    assert after["version"] == before["version"] + differs + wanted.get("archived", False)


@pytest.mark.parametrize("body", [{}, {"clearDueAt": False}, {"title": "Water the plants"}, {"unknown": 1}, None])
def test_a_change_that_changes_nothing_is_no_new_version(ann: Owner, body: Any) -> None:
    task = data_of(ann.http.post(TASKS, json=FULL), 201)
    answer = (
        ann.http.patch(f"{TASKS}/{task['id']}", json=body)
        if body is not None
        else ann.http.patch(f"{TASKS}/{task['id']}")
    )
    assert data_of(answer) == task
    assert answer.headers["etag"] == '"1"'
    assert ann.events(task["id"]) == ["task.created"]


@pytest.mark.parametrize(
    ("body", "cleared"),
    [
        ({"tags": []}, {"tags": []}),
        ({"dueAt": None}, {"dueAt": None}),
        ({"clearDueAt": True}, {"dueAt": None}),
        ({"clearDueAt": True, "dueAt": None}, {"dueAt": None}),
        ({"reminder": None}, {"reminder": None}),
        ({"clearReminder": True}, {"reminder": None}),
        ({"clearReminder": True, "clearDueAt": True}, {"reminder": None, "dueAt": None}),
        ({"recurrence": None}, {"recurrence": None}),
        ({"timeZone": None}, {"timeZone": "UTC"}),
        ({"body": None}, {"body": None, "hasBody": False}),
    ],
)
def test_empty_null_and_flags_clear(ann: Owner, body: dict[str, Any], cleared: dict[str, Any]) -> None:
    before = data_of(ann.http.post(TASKS, json=FULL), 201)
    after = data_of(ann.http.patch(f"{TASKS}/{before['id']}", json=body))
    assert after == before | cleared | {"version": 2, "updatedAt": after["updatedAt"]}


def test_archived_archives_and_restores(ann: Owner) -> None:
    ann.tasks.activate_index()
    [task] = ann.create("a")
    archived = ann.tasks.update(task.id, archived=True)
    assert (archived.archived, archived.version) == (True, 2)
    assert list(ann.tasks.list()) == []
    assert ann.tasks.update(task.id, archived=True) == archived
    restored = ann.tasks.update(task.id, title="b", archived=False)
    assert (restored.title, restored.archived) == ("b", False)
    assert [one.id for one in ann.tasks.list()] == [task.id]
    assert ann.events(task.id) == ["task.created", "task.archived", "task.updated", "task.restored"]


@pytest.mark.parametrize(("value", "flag"), [("dueAt", "clearDueAt"), ("reminder", "clearReminder")])
def test_a_value_and_its_clear_flag_contradict_each_other(ann: Owner, value: str, flag: str) -> None:
    before = data_of(ann.http.post(TASKS, json=FULL), 201)
    answer = ann.http.patch(f"{TASKS}/{before['id']}", json={"title": "New", value: 5, flag: True})
    assert error_of(answer) == (400, "validation_failed")
    assert value in message_of(answer)
    assert flag in message_of(answer)
    assert data_of(ann.http.get(f"{TASKS}/{before['id']}")) == before


def test_a_status_moves_and_completes_and_reopens(ann: Owner) -> None:
    a, _ = ann.create("ab")
    assert ann.tasks.update(a.id, status="in_progress").completed_at is None
    done = ann.tasks.update(a.id, status="done")
    assert done.completed_at == done.updated_at
    assert ann.tasks.update(a.id, title="a", status="done").completed_at == done.completed_at
    assert ann.tasks.update(a.id, status="todo").completed_at is None
    assert ann.lane("todo") == "ba"


def test_the_same_rule_in_other_words_starts_no_new_series(ann: Owner) -> None:
    task = ann.tasks.create("Weekly", due_at=1_800_000_000_000, recurrence="FREQ=WEEKLY;COUNT=2")
    first = ann.tasks.complete(task.id)
    again = ann.tasks.update(task.id, recurrence="RRULE:freq=weekly;count=2")
    assert again == first
    assert ann.tasks.complete(task.id).status == "done"


def test_a_change_for_another_version_is_refused_and_one_for_this_version_is_made(ann: Owner) -> None:
    [task] = ann.create("a")
    changed = ann.tasks.update(task.id, title="b", if_match=1)
    with pytest.raises(errors.PreconditionFailed):
        ann.tasks.update(task.id, title="c", if_match=1)
    assert ann.tasks.get(task.id) == changed
    for header in ("*", '"2"', '"1", "2"'):
        answer = ann.http.patch(f"{TASKS}/{task.id}", json={"title": "b"}, headers={"if-match": header})
        assert answer.headers["etag"] == '"2"'
    for header in ('W/"2"', '"3"', "", '"1","3"'):
        answer = ann.http.patch(f"{TASKS}/{task.id}", json={"title": "x"}, headers={"if-match": header})
        assert error_of(answer) == (412, "precondition_failed")


def test_of_changes_at_once_none_is_lost(ann: Owner) -> None:
    """Each changes one field, so that a read and write of the whole row would undo another's."""
    task = data_of(ann.http.post(TASKS, json={"title": "a"}), 201)
    changes: list[dict[str, object]] = [
        {"title": "b"},
        {"body": "b"},
        {"dueAt": 5},
        {"reminder": 6},
        {"tags": ["b"]},
        {"timeZone": "Asia/Tokyo"},
    ]
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda body: ann.http.patch(f"{TASKS}/{task['id']}", json=body), changes))
    assert sorted(answer.json()["data"]["version"] for answer in answers) == [2, 3, 4, 5, 6, 7]
    after = data_of(ann.http.get(f"{TASKS}/{task['id']}"))
    assert all(after[name] == value for change in changes for name, value in change.items())
