"""Tasks and boards in a shared space: where they are made, who sees them, and who may change them."""

import time
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from support.api.answers import data_of, error_of
from support.clients.space_people import SpacePerson, people
from support.servers.stowboard import Server

TASKS, BOARDS = "/taskapp/tasks", "/taskapp/boards"


@pytest.fixture(scope="module")
def home(shared_server: Server) -> Iterator[tuple[str, SpacePerson, SpacePerson, SpacePerson, SpacePerson]]:
    """A space, its manager, an editor, a viewer, and somebody who is not in it."""
    with people(shared_server, "ann", "ben", "cid", "eve") as (ann, ben, cid, eve):
        space_id = ann.make_space()
        ann.add(space_id, ben, "editor")
        ann.add(space_id, cid, "viewer")
        yield space_id, ann, ben, cid, eve


def make(person: SpacePerson, title: str = "t", **members: Any) -> Any:
    return data_of(person.api.post(TASKS, json={"title": title, **members}), 201)


def titles(person: SpacePerson, **query: Any) -> list[str]:
    return [task["title"] for task in data_of(person.api.get(TASKS, params=query))]


def test_a_task_of_a_space_names_it_and_the_people_who_made_and_changed_it(home: Any) -> None:
    space_id, ann, ben, cid, eve = home
    task = make(ann, "Milk", spaceId=space_id, tags=["shop"])
    assert (task["spaceId"], task["createdBy"], task["updatedBy"]) == (space_id, ann.name, ann.name)
    changed = data_of(ben.api.patch(f"{TASKS}/{task['id']}", json={"title": "Oat milk"}))
    assert (changed["createdBy"], changed["updatedBy"]) == (ann.name, ben.name)
    assert data_of(cid.api.get(f"{TASKS}/{task['id']}")) == changed
    assert changed in data_of(cid.api.get(TASKS, params={"spaceId": space_id}))
    assert {"tag": "shop", "count": 1} in data_of(ben.api.get("/taskapp/tags", params={"spaceId": space_id}))
    never = eve.api.get(f"{TASKS}/tsk_01kbr2x4q8e9w6y3t7n5m1c0vz")
    assert eve.api.get(f"{TASKS}/{task['id']}").content == never.content


def test_without_a_space_a_task_is_its_makers_own(home: Any) -> None:
    space_id, ann, ben, *_ = home
    task = make(ann, "Diary")
    assert (task["spaceId"], task["createdBy"]) == (f"~{ann.name}", ann.name)
    assert error_of(ben.api.get(f"{TASKS}/{task['id']}")) == (404, "not_found")
    assert "Diary" not in titles(ann, spaceId=space_id)


@pytest.mark.parametrize("path", ["complete", "archive", "restore"])
def test_a_viewer_sees_a_task_and_may_not_change_it(home: Any, path: str) -> None:
    space_id, ann, _, cid, eve = home
    task_id = make(ann, spaceId=space_id)["id"]
    refused = cid.api.post(f"{TASKS}/{task_id}/{path}")
    assert error_of(refused) == (403, "insufficient_role")
    assert "editor" in refused.json()["error"]["message"]
    assert error_of(eve.api.post(f"{TASKS}/{task_id}/{path}")) == (404, "not_found")


def test_who_may_not_write_in_a_space_makes_nothing_there(home: Any) -> None:
    space_id, ann, _, cid, eve = home
    board_id = data_of(ann.api.post(BOARDS, json={"name": "B", "spaceId": space_id}), 201)["id"]
    for body in ({"spaceId": space_id}, {"boardId": board_id}):
        assert error_of(cid.api.post(TASKS, json={"title": "t", **body})) == (403, "insufficient_role")
    assert error_of(eve.api.post(TASKS, json={"title": "t", "spaceId": space_id})) == (404, "not_found")
    unknown = eve.api.post(TASKS, json={"title": "t", "spaceId": "spc_01kbr2x4q8e9w6y3t7n5m1c0vz"})
    assert eve.api.post(TASKS, json={"title": "t", "spaceId": space_id}).content == unknown.content
    assert error_of(eve.api.post(TASKS, json={"title": "t", "boardId": board_id})) == (400, "validation_failed")
    assert error_of(eve.api.get(TASKS, params={"spaceId": space_id})) == (404, "not_found")


def test_the_board_decides_in_which_space_a_task_is_made_and_listed(home: Any) -> None:
    space_id, ann, ben, *_ = home
    board = data_of(ann.api.post(BOARDS, json={"name": "Garden", "spaceId": space_id}), 201)
    assert (board["spaceId"], board["createdBy"]) == (space_id, ann.name)
    task = make(ben, "Dig", boardId=board["id"])
    assert (task["spaceId"], task["createdBy"]) == (space_id, ben.name)
    assert titles(ann, boardId=board["id"]) == ["Dig"]
    contradicting = {"title": "t", "boardId": board["id"], "spaceId": "own"}
    assert error_of(ann.api.post(TASKS, json=contradicting)) == (400, "validation_failed")
    asked = ann.api.get(TASKS, params={"boardId": board["id"], "spaceId": "own"})
    assert error_of(asked) == (400, "invalid_parameter")
    quick = make(ben, "Rake @garden", quick=True, spaceId=space_id)
    assert quick["placement"]["boardId"] == board["id"]


def test_a_task_does_not_move_onto_a_board_of_another_space(home: Any) -> None:
    space_id, ann, *_ = home
    board_id = data_of(ann.api.post(BOARDS, json={"name": "B", "spaceId": space_id}), 201)["id"]
    own = make(ann, "Mine")
    refused = ann.api.patch(f"{TASKS}/{own['id']}/move", json={"status": "todo", "board": board_id})
    assert error_of(refused) == (400, "validation_failed")
    assert "Transfer" in refused.json()["error"]["message"]


def test_zero_knowledge_stays_in_a_persons_own_space(home: Any) -> None:
    space_id, ann, *_ = home
    body = {"title": "t", "visibility": "zero-knowledge"}
    assert error_of(ann.api.post(TASKS, json={**body, "spaceId": space_id})) == (400, "validation_failed")
    task_id = make(ann, spaceId=space_id)["id"]
    patched = ann.api.patch(f"{TASKS}/{task_id}", json={"visibility": "zero-knowledge"})
    assert error_of(patched) == (400, "validation_failed")
    assert make(ann, visibility="zero-knowledge")["visibility"] == "zero-knowledge"


def test_a_list_over_all_spaces_is_one_list_with_exact_cursors(server: Server) -> None:
    with people(server, "ann", "ben") as (ann, ben):
        spaces = [ann.make_space(name) for name in ("A", "B")]
        ann.add(spaces[0], ben, "editor")
        data_of(ann.api.post("/taskapp/task-index/backfill"))
        made = [make(ann, str(n), spaceId=[*spaces, "own"][n % 3], dueAt=1_800_000_000_000 - n) for n in range(9)]
        make(ben, "of ben alone")
        for sort, expected in (("-createdAt", list("876543210")), ("createdAt", list("012345678"))):
            assert walked(ann.api, sort) == expected
        assert walked(ann.api, "dueAt") == list("876543210")
        assert [task["spaceId"] for task in made[:2]] == spaces
        cursor = ann.api.get(TASKS, params={"spaceId": "all", "limit": 2}).json()["meta"]["nextCursor"]
        assert error_of(ann.api.get(TASKS, params={"cursor": cursor})) == (400, "invalid_cursor")
        inactive = ben.api.get(TASKS, params={"spaceId": "all"})
        assert error_of(inactive) == (409, "task_index_not_activated")
        assert f"~{ben.name}" in inactive.json()["error"]["message"]


def walked(api: httpx2.Client, sort: str) -> list[str]:
    found: list[str] = []
    query: dict[str, Any] = {"spaceId": "all", "limit": 2, "sort": sort}
    while True:
        answer = api.get(TASKS, params=query).json()
        found += [task["title"] for task in answer["data"]]
        if answer["meta"]["nextCursor"] is None:
            return found
        query["cursor"] = answer["meta"]["nextCursor"]


def test_boards_are_listed_by_space_and_over_all(home: Any) -> None:
    space_id, ann, _, cid, eve = home
    here = data_of(ann.api.post(BOARDS, json={"name": "Here", "spaceId": space_id}), 201)
    mine = data_of(ann.api.post(BOARDS, json={"name": "Mine"}), 201)
    assert here in data_of(cid.api.get(BOARDS, params={"spaceId": space_id}))
    assert here not in data_of(ann.api.get(BOARDS))
    both = data_of(ann.api.get(BOARDS, params={"spaceId": "all"}))
    assert here in both
    assert mine in both
    assert here not in data_of(eve.api.get(BOARDS, params={"spaceId": "all"}))


def test_a_calendar_of_a_space_is_read_for_as_long_as_its_maker_is_in_it(server: Server) -> None:
    with people(server, "ann", "ben") as (ann, ben), httpx2.Client() as anybody:
        space_id = ann.make_space()
        ann.add(space_id, ben, "viewer")
        due = time.time_ns() // 1_000_000 + 3_600_000
        make(ann, "Shared party", spaceId=space_id, dueAt=due)
        make(ben, "Own appointment", dueAt=due)
        urls = {
            space: data_of(ben.api.post("/taskapp/calendar", json={"spaceId": space}), 201)["url"]
            for space in (space_id, "own", "all")
        }
        read = {space: anybody.get(url).text for space, url in urls.items()}
        assert ["Shared party" in read[space] for space in (space_id, "own", "all")] == [True, False, True]
        assert ["Own appointment" in read[space] for space in (space_id, "own", "all")] == [False, True, True]
        data_of(ann.api.delete(f"/spaces/{space_id}/members/{ben.name}"))
        assert anybody.get(urls[space_id]).status_code == 404
        assert "Shared party" not in anybody.get(urls["all"]).text
        assert "Own appointment" in anybody.get(urls["own"]).text
