"""Checklists: items that are changed one by one, so that nobody undoes what another does."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest

from support.api.answers import data_of, error_of

Url = Callable[..., str]


def titles(task: Any) -> list[str]:
    return [item["title"] for item in task["checklist"]]


def test_an_item_is_added_ticked_moved_renamed_and_taken_out(team: Any, url: Url) -> None:
    task = team.make(checklist=[{"title": " Soil "}, {"title": "Pot", "done": True}])
    soil, pot = task["checklist"]
    assert soil == {"id": soil["id"], "title": "Soil", "done": False, "doneAt": None, "doneBy": None}
    assert (pot["done"], pot["doneBy"], pot["doneAt"] is not None) == (True, team.ann.name, True)
    answer = team.ben.api.post(url(task, "checklist"), json={"title": "Water", "position": 1})
    water = data_of(answer, 201)
    assert answer.headers["etag"] == '"2"'
    ticked = data_of(team.ben.api.patch(url(task, "checklist", soil["id"]), json={"done": True}))
    assert (ticked["done"], ticked["doneBy"]) == (True, team.ben.name)
    again = team.ann.api.patch(url(task, "checklist", soil["id"]), json={"done": True})
    assert data_of(again) == ticked, "the first who ticked it stays"
    assert again.headers["etag"] == '"3"'
    data_of(team.ben.api.patch(url(task, "checklist", soil["id"]), json={"title": "Earth", "position": 9}))
    assert titles(team.get(task)) == ["Water", "Pot", "Earth"]
    gone = data_of(team.ben.api.delete(url(task, "checklist", water["id"])))
    assert gone == {"id": water["id"], "deleted": True}
    assert titles(team.get(task)) == ["Pot", "Earth"]
    assert f'"changed":["checklist"],"itemId":"{water["id"]}"' in team.events(task, "task.updated")[-1]


def test_a_hundred_people_who_tick_a_hundred_items_all_succeed(team: Any, url: Url) -> None:
    task = team.make(checklist=[{"title": f"i{number}"} for number in range(100)])

    def tick(item: Any) -> int:
        return int(team.ben.api.patch(url(task, "checklist", item["id"]), json={"done": True}).status_code)

    with ThreadPoolExecutor(10) as pool:
        assert set(pool.map(tick, task["checklist"])) == {200}
    after = team.get(task)
    assert after["version"] == 101
    assert [item["id"] for item in after["checklist"]] == [item["id"] for item in task["checklist"]]
    assert all(item["done"] for item in after["checklist"])


def test_a_whole_list_keeps_items_whose_ids_it_names(team: Any, url: Url) -> None:
    task = team.make(checklist=[{"title": "a", "done": True}, {"title": "b"}])
    first, second = task["checklist"]
    entries = [{"id": second["id"], "title": "B", "done": True}, {"title": "new"}, {"id": first["id"], "title": "a"}]
    changed = data_of(team.ben.api.patch(url(task), json={"checklist": entries}))["checklist"]
    assert [item["title"] for item in changed] == ["B", "new", "a"]
    assert changed[2] == first
    assert (changed[0]["id"], changed[0]["doneBy"]) == (second["id"], team.ben.name)
    doubled = [{"id": first["id"], "title": "a"}, {"id": first["id"], "title": "a"}]
    one, other = data_of(team.ben.api.patch(url(task), json={"checklist": doubled}))["checklist"]
    assert one["id"] == first["id"] != other["id"]
    assert data_of(team.ben.api.patch(url(task), json={"checklist": None}))["checklist"] == []


def test_what_cannot_be_is_refused_and_nothing_is_changed(team: Any, url: Url) -> None:
    full = team.make(checklist=[{"title": "i"}] * 100)
    other = team.make(checklist=[{"title": "theirs"}])
    stolen = other["checklist"][0]["id"]
    assert error_of(team.ben.api.post(url(full, "checklist"), json={"title": "x"})) == (400, "too_many_items")
    body = {"title": "t", "checklist": [{"title": "i"}] * 101}
    assert error_of(team.ben.api.post("/taskapp/tasks", json=body)) == (400, "too_many_items")
    never = team.ben.api.patch(url(full, "checklist", "itm_01kbr2x4q8e9w6y3t7n5m1c0vz"), json={"done": True})
    for answer in (
        team.ben.api.patch(url(full, "checklist", stolen), json={"done": True}),
        team.ben.api.delete(url(full, "checklist", stolen)),
    ):
        assert error_of(answer) == (404, "not_found")
        assert answer.content == never.content
    for title in ("", "  ", "a\nb", "x" * 501):
        assert error_of(team.ben.api.post(url(other, "checklist"), json={"title": title})) == (400, "validation_failed")
    stale = team.ben.api.patch(url(other, "checklist", stolen), json={"done": True}, headers={"if-match": '"7"'})
    assert error_of(stale) == (412, "precondition_failed")
    for person in (team.kim, team.vic):
        refused = person.api.patch(url(other, "checklist", stolen), json={"done": True})
        assert error_of(refused) == (403, "insufficient_role")
    assert (team.get(full), team.get(other)) == (full, other)


@pytest.mark.parametrize("from_completion", [False, True])
def test_a_completed_recurring_task_is_unticked_and_its_dates_move_along(
    team: Any, url: Url, from_completion: bool
) -> None:
    due, day = 1_924_941_600_000, 86_400_000
    task = team.make(
        recurrence="FREQ=DAILY;INTERVAL=2", dueAt=due, startAt=due - day, assignees=[team.ben.name],
        recurrenceFrom="completion" if from_completion else None,
        reminders=[{"at": due - 1000}, {"beforeDue": 5000}], checklist=[{"title": "a", "done": True}, {"title": "b"}],
    )  # fmt: skip
    rolled = data_of(team.ben.api.post(url(task, "complete")))
    moved = rolled["dueAt"] - due
    if from_completion:
        assert (moved < 0, moved % day) == (True, 0), "two days from now, at the time of day at which it was due"
    else:
        assert moved == 2 * day
    assert rolled["startAt"] == due - day + moved
    assert rolled["reminders"] == [{"at": due - 1000 + moved, "beforeDue": None}, {"at": None, "beforeDue": 5000}]
    assert rolled["assignees"] == [team.ben.name]
    assert [(item["id"], item["done"], item["doneBy"]) for item in rolled["checklist"]] == [
        (item["id"], False, None) for item in task["checklist"]
    ]


def test_a_retry_of_an_item_with_a_key_makes_it_once(team: Any, url: Url) -> None:
    task = team.make()
    headers = {"idempotency-key": f"item-{task['id']}"}
    sent = [team.ben.api.post(url(task, "checklist"), json={"title": "a"}, headers=headers) for _ in range(2)]
    assert [answer.status_code for answer in sent] == [201, 201]
    assert sent[0].content == sent[1].content
    assert len(team.get(task)["checklist"]) == 1


def test_a_task_without_any_of_it_shows_every_member(team: Any) -> None:
    task = team.make()
    names = ("assignees", "checklist", "startAt", "reminders", "recurrenceFrom", "commentCount")
    assert [task[name] for name in names] == [[], [], None, [], "due", 0]
    listed = data_of(team.ann.api.get("/taskapp/tasks", params={"spaceId": team.space_id, "limit": 1}))
    assert listed == [task]


def test_a_task_is_shown_whole_whatever_its_texts_look_like(team: Any) -> None:
    tricky = ',"spaceId":"~eve"}'
    task = team.make(
        tricky, body=tricky, tags=["spaceId"], metadata={"spaceId": tricky}, checklist=[{"title": tricky}]
    )  # fmt: skip
    listed = data_of(team.ann.api.get("/taskapp/tasks", params={"spaceId": team.space_id, "limit": 1}))
    assert listed == [task] == [team.get(task)]
    assert (task["spaceId"], task["metadata"], task["title"]) == (team.space_id, {"spaceId": tricky}, tricky)


def test_a_start_after_the_due_date_is_refused(team: Any, url: Url) -> None:
    task = team.make(dueAt=2000, startAt=1000)
    for body in ({"startAt": 3000}, {"dueAt": 500}):
        answer: httpx2.Response = team.ben.api.patch(url(task), json=body)
        assert error_of(answer) == (400, "validation_failed")
    assert team.get(task) == task
    assert data_of(team.ben.api.patch(url(task), json={"dueAt": 500, "startAt": None}))["startAt"] is None


def test_changes_to_a_task_that_people_share_are_in_its_history_and_undone(team: Any, url: Url) -> None:
    task = team.make(checklist=[{"title": "a"}], startAt=1000)
    item = task["checklist"][0]
    data_of(team.ben.api.patch(url(task, "checklist", item["id"]), json={"done": True}))
    data_of(team.ben.api.patch(url(task), json={"assignees": [team.vic.name], "startAt": None}))
    data_of(team.kim.api.post(url(task, "comments"), json={"body": "not a change that is undone"}), 201)
    assigned, ticked = data_of(team.ann.api.get("/changes", params={"subject": task["id"]}))
    assert (assigned["changed"], ticked["changed"]) == (["assignees", "startAt"], ["checklist"])
    assert (assigned["before"], ticked["before"]) == ({"assignees": [], "startAt": 1000}, {"checklist": [item]})
    for change in (ticked, assigned):
        data_of(team.ann.api.post(f"/changes/{change['id']}/undo"))
    after = team.get(task)
    assert [after[name] for name in ("assignees", "checklist", "startAt", "commentCount")] == [[], [item], 1000, 1]
    listed = team.vic.api.get("/taskapp/tasks", params={"assignee": "me", "spaceId": team.space_id, "limit": 100})
    assert task["id"] not in [found["id"] for found in data_of(listed)]


def test_a_task_in_the_trash_is_not_worked_on_and_comes_back_as_it_was(team: Any, url: Url) -> None:
    task = team.make(checklist=[{"title": "a"}], assignees=[team.ben.name])
    data_of(team.kim.api.post(url(task, "comments"), json={"body": "c"}), 201)
    data_of(team.ben.api.post(url(task, "trash")))
    of_ben = {"assignee": "me", "spaceId": team.space_id, "archived": "true", "limit": 100}
    assert task["id"] not in [found["id"] for found in data_of(team.ben.api.get("/taskapp/tasks", params=of_ben))]
    for answer in (
        team.ben.api.patch(url(task, "checklist", task["checklist"][0]["id"]), json={"done": True}),
        team.kim.api.post(url(task, "comments"), json={"body": "x"}),
        team.ben.api.post(url(task, "checklist"), json={"title": "x"}),
    ):
        assert error_of(answer) == (409, "conflict")
    back = data_of(team.ben.api.post(url(task, "restore")))
    assert (back["checklist"], back["assignees"], back["commentCount"]) == (task["checklist"], [team.ben.name], 1)
    assert task["id"] in [found["id"] for found in data_of(team.ben.api.get("/taskapp/tasks", params=of_ben))]
