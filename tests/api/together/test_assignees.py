"""Assignees: members of the space, found by lists, told by events."""

from collections.abc import Callable
from typing import Any

from support.api.answers import data_of, error_of, message_of
from support.waiting import wait_until

Url = Callable[..., str]


def listed(person: Any, **query: Any) -> list[str]:
    return [task["id"] for task in data_of(person.api.get("/taskapp/tasks", params={"limit": 100, **query}))]


def test_members_are_assigned_and_found_and_events_say_who(team: Any, url: Url) -> None:
    task = team.make(assignees=[team.ben.name, team.vic.name, team.ben.name])
    assert task["assignees"] == [team.ben.name, team.vic.name]
    assert (
        f'"assignees":{{"added":["{team.ben.name}","{team.vic.name}"],"removed":[]}}'
        in team.events(task, "task.assigned")[0]
    )
    changed = data_of(team.ben.api.patch(url(task), json={"assignees": [team.kim.name, team.ben.name]}))
    assert changed["assignees"] == [team.kim.name, team.ben.name]
    assert f'"added":["{team.kim.name}"],"removed":["{team.vic.name}"]' in team.events(task, "task.assigned")[1]
    of_space = {"spaceId": team.space_id}
    assert task["id"] in listed(team.ben, assignee="me", **of_space)
    assert task["id"] in listed(team.vic, assignee=team.kim.name, **of_space)
    assert task["id"] not in listed(team.vic, assignee="me", **of_space)
    for sort in ("dueAt", "-updatedAt", "createdAt"):
        assert task["id"] in listed(team.ben, assignee="me", sort=sort, **of_space)
    data_of(team.ben.api.post(url(task, "archive")))
    assert task["id"] not in listed(team.ben, assignee="me", **of_space)
    assert task["id"] in listed(team.ben, assignee="me", archived="only", **of_space)
    data_of(team.ben.api.patch(url(task), json={"assignees": []}))
    assert task["id"] not in listed(team.ben, assignee="me", archived="true", **of_space)


def test_my_work_is_over_all_spaces(team: Any) -> None:
    shared = team.make(assignees=[team.ben.name])
    own = data_of(team.ben.api.post("/taskapp/tasks", json={"title": "own", "assignees": [team.ben.name]}), 201)
    for space_id in ("own", "spc_library"):
        while not data_of(team.ben.api.post("/taskapp/task-index/backfill", params={"spaceId": space_id}))["complete"]:
            pass
    mine = listed(team.ben, assignee="me", spaceId="all")
    assert {shared["id"], own["id"]} <= set(mine)


def test_nobody_else_can_be_assigned(team: Any, url: Url) -> None:
    task = team.make(assignees=[team.ben.name])
    for name in (team.eve.name, "nobody", "", team.ben.name.upper()):
        answer = team.ben.api.patch(url(task), json={"assignees": [team.ben.name, name]})
        assert error_of(answer) == (400, "validation_failed")
        assert f"assignees: {name!r} is no member" in message_of(answer)
    answer = team.ben.api.post("/taskapp/tasks", json={"title": "own", "assignees": [team.ann.name]})
    assert error_of(answer) == (400, "validation_failed"), "in one's own space there is only oneself"
    many = team.ben.api.patch(url(task), json={"assignees": [f"n{number}" for number in range(21)]})
    assert error_of(many) == (400, "too_many_items")
    assert team.get(task) == task


def test_who_leaves_the_space_is_assigned_no_longer(team: Any) -> None:
    guest = type(team.ben)(team.server, "guest")
    with guest.api:
        team.ann.add(team.space_id, guest)
        tasks = [team.make(assignees=[guest.name, team.ben.name]) for _ in range(2)]
        data_of(team.ann.api.delete(f"/spaces/{team.space_id}/members/{guest.name}"))
        wait_until(lambda: all(team.get(task)["assignees"] == [team.ben.name] for task in tasks))


def test_in_a_transfer_those_stay_assigned_who_are_there_too(team: Any, url: Url) -> None:
    other = team.ann.make_space("Garden")
    team.ann.add(other, team.ben)
    task = team.make(assignees=[team.ben.name, team.vic.name])
    moved = data_of(team.ann.api.post(url(task, "transfer"), json={"spaceId": other}))
    assert moved["assignees"] == [team.ben.name]
    assert task["id"] in listed(team.ben, assignee="me", spaceId=other)
    assert task["id"] not in listed(team.ben, assignee="me", spaceId=team.space_id)


def test_tasks_that_have_started_or_have_no_start_are_listed(team: Any) -> None:
    early, late, never = team.make(startAt=1000), team.make(startAt=5000), team.make()
    found = listed(team.vic, spaceId=team.space_id, startBefore=5000)
    assert early["id"] in found
    assert never["id"] in found
    assert late["id"] not in found
