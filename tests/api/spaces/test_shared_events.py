"""Everybody in a shared space, and nobody else, is told what happens there and who did it."""

import asyncio
from typing import Any

from support.api.answers import data_of, error_of
from support.clients.listening import Listener
from support.clients.space_people import SpacePerson, people
from support.servers.stowboard import Server
from support.waiting import until

TASKS, BOARDS = "/taskapp/tasks", "/taskapp/boards"


async def done(work: Any, *args: Any, **members: Any) -> Any:
    return await asyncio.to_thread(work, *args, **members)


async def listen(server: Server, person: SpacePerson, query: str = "") -> Listener:
    return await Listener.open(server, person.api.headers["authorization"].removeprefix("Bearer "), query)


async def test_two_people_share_a_board_live_and_a_third_hears_nothing(server: Server) -> None:
    with people(server, "ann", "ben", "eve") as (ann, ben, eve):
        space_id = ann.make_space()
        bens, eves = await listen(server, ben, "spaceId=all"), await listen(server, eve)
        await done(ann.add, space_id, ben)
        await until(lambda: "space.joined" in bens.kinds)
        board = data_of(await done(ann.api.post, BOARDS, json={"name": "Home", "spaceId": space_id}), 201)
        await until(lambda: "board.created" in bens.kinds)
        task = data_of(await done(ann.api.post, TASKS, json={"title": "Milk", "boardId": board["id"]}), 201)
        await until(lambda: "task.created" in bens.kinds)
        created = next(event for _, event in bens.messages if event["type"] == "task.created")
        assert (created["subject"], created["spaceId"]) == (task["id"], space_id)
        assert created["actor"]["person"] == ann.name
        assert created["actor"]["door"] == "/api/v1"
        data_of(await done(ben.api.post, f"{TASKS}/{task['id']}/complete"))
        await until(lambda: "task.completed" in bens.kinds)
        await done(ann.api.delete, f"/spaces/{space_id}/members/{ben.name}")
        await until(lambda: "space.left" in bens.kinds)
        while await hears(bens, ben, ann, task["id"]):
            pass
        assert eves.kinds == []
        bens.close()
        eves.close()


async def hears(stream: Listener, listener: SpacePerson, writer: SpacePerson, task_id: str) -> bool:
    """True if the stream tells of a change of this task."""
    before = len(stream.messages)
    data_of(await done(writer.api.patch, f"{TASKS}/{task_id}", json={"title": f"after {before}"}))
    own = data_of(await done(listener.api.post, TASKS, json={"title": "Own"}), 201)["id"]
    await until(lambda: any(event["subject"] == own for _, event in stream.messages[before:]))
    return any(event["subject"] == task_id for _, event in stream.messages[before:])


def test_the_feed_has_the_spaces_in_reach_or_the_one_that_is_asked_for(server: Server) -> None:
    with people(server, "ann", "eve") as (ann, eve):
        space_id = ann.make_space()
        begin = ann.api.get("/events").json()["meta"]["nextCursor"]
        ours = data_of(ann.api.post(TASKS, json={"title": "ours", "spaceId": space_id}), 201)["id"]
        mine = data_of(ann.api.post(TASKS, json={"title": "mine"}), 201)["id"]
        until_seen(ann, begin, [ours, mine])
        assert seen(ann, cursor=begin, spaceId=space_id) == [ours]
        assert seen(ann, cursor=begin, spaceId="own") == [mine]
        assert seen(ann, cursor=begin, spaceId="all") == [ours, mine]
        assert seen(eve, cursor=begin) == []
        assert error_of(eve.api.get("/events", params={"spaceId": space_id})) == (404, "not_found")


def seen(person: SpacePerson, **query: str) -> list[str]:
    return [event["subject"] for event in data_of(person.api.get("/events", params={"types": "task.*", **query}))]


def until_seen(person: SpacePerson, begin: str, expected: list[str]) -> None:
    for _ in range(1000):
        if seen(person, cursor=begin) == expected:
            return
    raise AssertionError(f"{expected} were not told")


def test_a_webhook_of_a_space_is_a_managers_and_stops_when_its_maker_leaves(server: Server) -> None:
    with people(server, "ann", "ben") as (ann, ben):
        space_id = ann.make_space()
        ann.add(space_id, ben, "editor")
        body = {"url": "https://hooks.example.com/stow", "types": ["*"], "spaceId": space_id}
        assert error_of(ben.api.post("/webhooks", json=body)) == (403, "insufficient_role")
        data_of(ann.api.patch(f"/spaces/{space_id}/members/{ben.name}", json={"role": "manager"}))
        made = data_of(ben.api.post("/webhooks", json=body), 201)
        assert made["spaceId"] == space_id
        [listed] = data_of(ann.api.get("/webhooks", params={"spaceId": space_id}))
        assert (listed["id"], listed["enabled"]) == (made["id"], True)
        assert data_of(ben.api.get("/webhooks")) == []
        data_of(ann.api.delete(f"/spaces/{space_id}/members/{ben.name}"))
        stopped = data_of(ann.api.get(f"/webhooks/{made['id']}"))
        assert (stopped["enabled"], stopped["disabledReason"]) == (False, "creator_left")
        assert error_of(ben.api.get(f"/webhooks/{made['id']}")) == (404, "not_found")
        again = data_of(ann.api.patch(f"/webhooks/{made['id']}", json={"enabled": True}))
        assert (again["enabled"], again["disabledReason"]) == (True, None)
