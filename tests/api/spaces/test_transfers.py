"""Tasks and boards go from one space to another whole, with their ids, or not at all."""

from typing import Any

from support.api.answers import data_of, error_of
from support.clients.space_people import SpacePerson, people
from support.servers.stowboard import Server

TASKS, BOARDS = "/taskapp/tasks", "/taskapp/boards"


def make(person: SpacePerson, title: str, **members: Any) -> Any:
    return data_of(person.api.post(TASKS, json={"title": title, **members}), 201)


def found(person: SpacePerson, **query: Any) -> list[str]:
    return [task["id"] for task in data_of(person.api.get(TASKS, params=query))]


def test_a_board_takes_its_tasks_along_and_everything_follows_them(server: Server) -> None:
    with people(server, "ann", "ben") as (ann, ben):
        data_of(ann.api.post("/taskapp/task-index/backfill"))
        space_id = ann.make_space()
        ann.add(space_id, ben)
        board = data_of(ann.api.post(BOARDS, json={"name": "House"}), 201)
        members = {"tags": ["home"], "metadata": {"order": "4711"}, "reminder": 4_000_000_000_000}
        first = make(ann, "Paint the wall", boardId=board["id"], idempotencyKey="paint", **members)
        second = make(ann, "Old", boardId=board["id"])
        data_of(ann.api.post(f"{TASKS}/{second['id']}/archive"))
        moved = data_of(ann.api.post(f"{BOARDS}/{board['id']}/transfer", json={"spaceId": space_id}))
        assert (moved["id"], moved["spaceId"], moved["columns"]) == (board["id"], space_id, board["columns"])
        task = data_of(ben.api.get(f"{TASKS}/{first['id']}"))
        assert (task["spaceId"], task["createdBy"]) == (space_id, ann.name)
        assert (task["placement"], task["idempotencyKey"]) == (first["placement"], "paint")
        for query in ({}, {"tags": "home"}, {"metadata": "order:4711"}, {"q": "wall"}, {"boardId": board["id"]}):
            assert found(ben, spaceId=space_id, **query) == [first["id"]]
        for query in ({}, {"tags": "home"}, {"metadata": "order:4711"}, {"q": "wall"}):
            assert found(ann, **query) == []
        assert found(ben, spaceId=space_id, archived="only") == [second["id"]]
        assert data_of(ann.api.get("/taskapp/tags")) == []
        assert data_of(ben.api.get("/taskapp/tags", params={"spaceId": space_id})) == [{"tag": "home", "count": 1}]
        late = ann.api.post(TASKS, json={"title": "Paint the wall", "idempotencyKey": "paint"})
        assert error_of(late) == (409, "conflict")
        data_of(ben.api.post(f"{TASKS}/{first['id']}/complete"))


def test_a_task_leaves_its_board_and_a_key_that_is_taken_ends(server: Server) -> None:
    with people(server, "ann") as (ann,):
        space_id = ann.make_space()
        board_id = data_of(ann.api.post(BOARDS, json={"name": "B"}), 201)["id"]
        task = make(ann, "Mine", boardId=board_id, idempotencyKey="k")
        make(ann, "Theirs", spaceId=space_id, idempotencyKey="k")
        moved = data_of(ann.api.post(f"{TASKS}/{task['id']}/transfer", json={"spaceId": space_id}))
        assert (moved["id"], moved["spaceId"]) == (task["id"], space_id)
        assert (moved["placement"], moved["idempotencyKey"]) == (None, None)
        back = data_of(ann.api.post(f"{TASKS}/{task['id']}/transfer", json={"spaceId": "own"}))
        assert (back["spaceId"], back["createdBy"]) == (f"~{ann.name}", ann.name)
        again = data_of(ann.api.post(f"{TASKS}/{task['id']}/transfer", json={"spaceId": "own"}))
        assert again["version"] == back["version"]


def test_who_is_no_editor_in_both_spaces_transfers_nothing(server: Server) -> None:
    with people(server, "ann", "cid", "eve") as (ann, cid, eve):
        space_id = ann.make_space()
        ann.add(space_id, cid, "viewer")
        board = data_of(ann.api.post(BOARDS, json={"name": "B", "spaceId": space_id}), 201)
        task = make(ann, "t", boardId=board["id"])
        own = make(cid, "own")
        for path in (f"{TASKS}/{task['id']}", f"{BOARDS}/{board['id']}"):
            assert error_of(cid.api.post(f"{path}/transfer", json={"spaceId": "own"})) == (403, "insufficient_role")
            assert error_of(eve.api.post(f"{path}/transfer", json={"spaceId": "own"})) == (404, "not_found")
            assert error_of(ann.api.post(f"{path}/transfer", json={"spaceId": f"~{cid.name}"})) == (404, "not_found")
        refused = cid.api.post(f"{TASKS}/{own['id']}/transfer", json={"spaceId": space_id})
        assert error_of(refused) == (403, "insufficient_role")
        assert data_of(ann.api.get(f"{TASKS}/{task['id']}")) == task


def test_a_board_with_a_zero_knowledge_task_stays_whole_where_it_is(server: Server) -> None:
    with people(server, "ann") as (ann,):
        space_id = ann.make_space()
        board = data_of(ann.api.post(BOARDS, json={"name": "B"}), 201)
        plain = make(ann, "plain", boardId=board["id"])
        make(ann, "sealed", boardId=board["id"], visibility="zero-knowledge")
        refused = ann.api.post(f"{BOARDS}/{board['id']}/transfer", json={"spaceId": space_id})
        assert error_of(refused) == (409, "conflict")
        assert data_of(ann.api.get(f"{TASKS}/{plain['id']}")) == plain
        assert data_of(ann.api.get(f"{BOARDS}/{board['id']}")) == board
