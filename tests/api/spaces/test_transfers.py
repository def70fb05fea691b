"""Tasks and boards go from one space to another whole, with their ids, or not at all."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from support.api.answers import data_of, error_of
from support.clients.space_people import SpacePerson, people
from support.servers.stowboard import Server
from support.stored.rows import rows
from support.waiting import wait_until

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


def test_attachments_are_copied_along_and_reminders_go_along(server: Server) -> None:
    with people(server, "ann", "ben") as (ann, ben):
        space_id = ann.make_space()
        ann.add(space_id, ben)
        board_id = data_of(ann.api.post(BOARDS, json={"name": "B"}), 201)["id"]
        file = {"filename": "plan.txt", "data": "aGVsbG8="}
        mine = data_of(ann.api.post("/media/upload/file", json={**file, "spaceId": "own"}), 201)
        common = data_of(ann.api.post("/media/upload/file", json=file), 201)["id"]
        task = make(ann, "t", boardId=board_id, reminder=4_000_000_000_000, attachments=[mine["id"], common])["id"]
        data_of(ann.api.post(f"{BOARDS}/{board_id}/transfer", json={"spaceId": space_id}))
        [copied, stayed] = data_of(ben.api.get(f"{TASKS}/{task}"))["attachments"]
        assert stayed["id"] == common
        assert copied["id"] != mine["id"]
        copy = data_of(ben.api.get(f"/media/assets/{copied['id']}"))
        assert (copy["spaceId"], copy["checksum"], copy["filename"]) == (space_id, mine["checksum"], "plan.txt")
        assert [use["taskId"] for use in data_of(ben.api.get(f"/media/assets/{copy['id']}/usage"))] == [task]
        assert data_of(ann.api.get(f"/media/assets/{mine['id']}/usage")) == []
        assert data_of(ann.api.get(f"/media/assets/{mine['id']}"))["spaceId"] == f"~{ann.name}"
        rows(server, f"UPDATE job SET due = 1 WHERE dedup = '{task}'")
        told = f"SELECT owner FROM event WHERE subject = '{task}' AND type = 'task.reminder'"
        wait_until(lambda: rows(server, told) == [(space_id,)])


def test_a_board_with_a_video_attached_stays_whole_where_it_is_and_the_video_is_named(server: Server) -> None:
    with people(server, "ann") as (ann,):
        space_id = ann.make_space()
        board_id = data_of(ann.api.post(BOARDS, json={"name": "B"}), 201)["id"]
        video = data_of(ann.api.post("/media/videos/upload", json={"title": "v", "spaceId": "own"}), 201)["id"]
        plain = make(ann, "plain", boardId=board_id)
        make(ann, "filmed", boardId=board_id, attachments=[video])
        refused = ann.api.post(f"{BOARDS}/{board_id}/transfer", json={"spaceId": space_id})
        assert error_of(refused) == (409, "conflict")
        assert video in refused.json()["error"]["message"]
        assert data_of(ann.api.get(f"{TASKS}/{plain['id']}")) == plain


def test_tasks_that_come_into_a_space_at_one_time_have_each_their_place(server: Server) -> None:
    with people(server, "ann") as (ann,):
        space_id = ann.make_space()
        tasks = [make(ann, f"{number}")["id"] for number in range(12)]

        def bring(task: str) -> int:
            return ann.api.post(f"{TASKS}/{task}/transfer", json={"spaceId": space_id}).status_code

        def create(number: int) -> int:
            return ann.api.post(TASKS, json={"title": f"new {number}", "spaceId": space_id}).status_code

        with ThreadPoolExecutor(8) as pool:
            brought, created = pool.map(bring, tasks), pool.map(create, range(12))
            assert set(brought) == {200}
            assert set(created) == {201}
        assert len(found(ann, spaceId=space_id)) == 24


def test_a_task_is_made_on_a_board_that_is_being_transferred(server: Server) -> None:
    with people(server, "ann") as (ann,):
        home = ann.make_space()
        board = data_of(ann.api.post(BOARDS, json={"name": "Restless"}), 201)["id"]
        operations = [{"op": "create", "title": f"{number}", "boardId": board} for number in range(100)]
        data_of(ann.api.post(f"{TASKS}/batch", json={"operations": operations}))

        def transfer() -> set[int]:
            spaces = [home, "own"] * 6
            return {ann.api.post(f"{BOARDS}/{board}/transfer", json={"spaceId": space}).status_code for space in spaces}

        with ThreadPoolExecutor(4) as threads:
            transferring = threads.submit(transfer)
            made: list[int] = []
            while not transferring.done():
                work = [threads.submit(ann.api.post, TASKS, json={"title": "new", "boardId": board}) for _ in range(3)]
                made += [each.result().status_code for each in work]
        assert (transferring.result(), set(made)) == ({200}, {201})
