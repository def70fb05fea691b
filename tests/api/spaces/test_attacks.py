"""Attacks that worked on services that share things, tried here. `ATTACKS` says which test tries what."""

import asyncio
import hashlib
from pathlib import Path
from typing import Any

import asyncpg
import httpx2
import pytest

from support.api.answers import data_of, error_of
from support.clients.people import fresh_name, ticket_in
from support.clients.space_people import SpacePerson, people
from support.servers.stacks import on_postgres
from support.servers.stowboard import Server
from support.stored.rows import rows
from support.waiting import wait_until

NEVER = "spc_01kbr2x4q8e9w6y3t7n5m1c0vz"
TASKS, BOARDS = "/taskapp/tasks", "/taskapp/boards"
TESTS = Path(__file__).parents[2]
#: The attack, and the test that tries it, in this folder or in tests/contract.
ATTACKS = {
    "a part through another's whole": "test_a_part_is_not_found_through_a_whole_that_it_is_no_part_of",
    "an id in a body that nobody checks": "test_an_id_of_a_space_out_of_reach_is_as_one_that_never_was",
    "secrets in lists": "test_no_list_shows_a_secret_again",
    "a side view that shows what lists hide": "test_no_side_view_shows_what_is_out_of_reach",
    "a removed member who is still told": "test_a_removed_member_reaches_nothing_by_any_way",
    "a reminder of one who was removed": "test_a_reminder_in_a_space_goes_to_its_maker_and_assignees_who_are_members",
    "a replay with a narrowed token": "test_a_narrowed_token_replays_nothing_of_a_wider_one",
    "a remembered read after removal": "test_a_removed_member_reaches_nothing_by_any_way",
    "a role raised by joining twice": "test_joining_again_raises_no_role",
    "two managers who remove each other at one moment": (
        "test_two_managers_who_remove_each_other_at_one_time_leave_one_manager"
    ),
    "an owner named like a space": "test_nobody_is_named_like_a_space",
    "an owner whose name has another meaning": "test_an_owner_with_a_strange_name_reaches_nothing_more",
    "a transfer into a space where one may only look": "test_who_is_no_editor_in_both_spaces_transfers_nothing",
    "a token of a space that makes a token": "test_a_token_of_a_space_makes_no_token",
    "a cursor over all spaces with another token": "test_a_cursor_over_all_spaces_is_of_no_use_to_another_token",
    "waiting for a lock as an oracle": "test_nobody_waits_for_what_is_out_of_reach",
    "existence by hash": "test_who_knows_a_hash_learns_nothing_and_gets_no_bytes",
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_every_attack_has_its_test(attack: str) -> None:
    files = [*Path(__file__).parent.glob("test_*.py"), TESTS / "contract/test_space_members.py"]
    assert any(f"def {ATTACKS[attack]}(" in file.read_text() for file in files)


def make_token(person: SpacePerson, **body: Any) -> httpx2.Client:
    made = data_of(person.api.post("/access/me/tokens", json={"name": "script", **body}), 201)
    headers = {"authorization": f"Bearer {made['token']}"}
    return httpx2.Client(base_url=person.api.base_url, headers=headers)


def test_no_list_shows_a_secret_again(server: Server) -> None:
    with people(server, "ann") as (ann,):
        home = ann.make_space()
        hook = {"url": "https://hooks.example.com/x", "types": ["task.*"], "spaceId": home}
        webhook = data_of(ann.api.post("/webhooks", json=hook), 201)
        token = data_of(ann.api.post(f"/spaces/{home}/tokens", json={"name": "t"}), 201)
        invitation = data_of(ann.api.post(f"/spaces/{home}/invitations", json={"role": "viewer"}), 201)
        calendar = data_of(ann.api.post("/taskapp/calendar", json={"spaceId": home}), 201)
        video = data_of(ann.api.post("/media/videos/upload", json={"title": "v", "spaceId": home}), 201)
        secrets = [webhook["secret"], token["token"], ticket_in(invitation["link"]), calendar["url"].split("/")[-1]]
        lists = [f"/spaces/{home}/tokens", f"/spaces/{home}/invitations", f"/spaces/{home}/members", "/spaces"]
        lists += [f"{path}?spaceId={home}" for path in ("/webhooks", "/media/videos", "/events", "/taskapp/boards")]
        lists += [f"/webhooks/{webhook['id']}", f"/media/videos/{video['id']}", "/access/me/tokens"]
        for path in lists:
            text = ann.api.get(path).text
            assert [secret for secret in secrets if secret in text] == [], path


def test_no_side_view_shows_what_is_out_of_reach(server: Server) -> None:
    """Two tasks use one asset: each person is told of the task that they see."""
    word = fresh_name("word")
    with people(server, "ann", "eve") as (ann, eve):
        home = ann.make_space()
        body = {"filename": f"{word}.txt", "data": "aGVsbG8="}
        asset = data_of(eve.api.post("/media/upload/file", json=body), 201)["id"]
        hidden = {"title": word, "spaceId": home, "attachments": [asset], "tags": [word], "dueAt": 4_000_000_000_000}
        task = data_of(ann.api.post(TASKS, json=hidden), 201)["id"]
        data_of(eve.api.post("/taskapp/task-index/backfill"))
        own = data_of(eve.api.post(TASKS, json={"title": "mine", "attachments": [asset]}), 201)["id"]
        wait_until(lambda: data_of(ann.api.get(TASKS, params={"q": word, "spaceId": home})) != [])
        assert [use["taskId"] for use in data_of(eve.api.get(f"/media/assets/{asset}/usage"))] == [own]
        assert len(data_of(ann.api.get(f"/media/assets/{asset}/usage"))) == 1
        calendar = data_of(eve.api.post("/taskapp/calendar", json={"spaceId": "all"}), 201)["url"]
        views = ["/search?q=" + word, "/search?spaceId=all&q=" + word, "/taskapp/tags?limit=100", "/events?from=start"]
        views += [
            f"{TASKS}?spaceId=all&{query}" for query in (f"q={word}", f"tags={word}", "dueAfter=1", "sort=-dueAt")
        ]
        views += [f"/events?from=start&subject={task}", f"{TASKS}/{task}/upcoming", f"{TASKS}/{task}/occurrences"]
        views += ["/spaces", f"{BOARDS}?spaceId=all", calendar]
        for view in views:
            text = eve.api.get(view).text
            assert task not in text, view
            assert home not in text, view


def test_a_narrowed_token_replays_nothing_of_a_wider_one(server: Server) -> None:
    with people(server, "ann") as (ann,):
        home = ann.make_space()
        key, body = {"idempotency-key": fresh_name("key")}, {"title": "secret", "spaceId": home}
        with make_token(ann, spaces=["all"]) as wide, make_token(ann) as narrow:
            first = wide.post(TASKS, json=body, headers=key)
            assert error_of(narrow.post(TASKS, json=body, headers=key)) == (404, "not_found")
            assert wide.post(TASKS, json=body, headers=key).content == first.content


def test_joining_again_raises_no_role(server: Server) -> None:
    with people(server, "ann", "ben") as (ann, ben):
        home = ann.make_space()
        ann.add(home, ben, "viewer")
        made = data_of(ann.api.post(f"/spaces/{home}/invitations", json={"role": "editor", "uses": 1}), 201)
        ticket = {"ticket": ticket_in(made["link"])}
        assert [data_of(ben.api.post("/spaces/join", json=ticket))["role"] for _ in range(2)] == ["viewer"] * 2
        assert ben.role_in(home) == "viewer"
        [left] = data_of(ann.api.get(f"/spaces/{home}/invitations"))
        assert left["usesLeft"] == 1


@pytest.mark.parametrize("name", ["~{ann}", "all", "own", "{ann},{home}", "{home} ", "{ann}\x1f{home}", "x,{home}"])
def test_an_owner_with_a_strange_name_reaches_nothing_more(server: Server, name: str) -> None:
    """Either the name is refused, or it is the name of somebody who has nothing."""
    with (
        people(server, "ann") as (ann,),
        httpx2.Client(base_url=server.base_url, headers=server.headers) as admin,
    ):
        home = ann.make_space()
        tasks = [data_of(ann.api.post(TASKS, json={"title": "t", **in_}), 201)["id"] for in_ in ({}, {"spaceId": home})]
        owner = name.format(ann=ann.name, home=home)
        invited = admin.post("/access/invitations", json={"username": owner})
        assert owner in ("all", "own") or error_of(invited) == (400, "validation_failed")
        made = admin.post("/access/tokens", json={"owner": owner})
        if made.status_code != 201:
            assert error_of(made) == (400, "validation_failed")
            return
        token = data_of(made, 201)
        rows(server, f"UPDATE access_token SET spaces = 'all' WHERE id = '{token['id']}'")
        headers = {"authorization": f"Bearer {token['token']}"}
        with httpx2.Client(base_url=server.base_url, headers=headers) as strange:
            data_of(strange.post("/taskapp/task-index/backfill"))
            assert [error_of(strange.get(f"{TASKS}/{task}")) for task in tasks] == [(404, "not_found")] * 2
            for space in (home, f"~{ann.name}"):
                assert error_of(strange.get(TASKS, params={"spaceId": space})) == (404, "not_found")
            found = [*data_of(strange.get(TASKS)), *data_of(strange.get(TASKS, params={"spaceId": "all"}))]
            assert {task["id"] for task in found}.isdisjoint(tasks)
            assert home not in [space["id"] for space in data_of(strange.get("/spaces"))]


def test_a_token_of_a_space_makes_no_token(server: Server) -> None:
    with people(server, "ann") as (ann,):
        home = ann.make_space()
        made = data_of(ann.api.post(f"/spaces/{home}/tokens", json={"name": "t"}), 201)
        with httpx2.Client(base_url=server.base_url, headers={"authorization": f"Bearer {made['token']}"}) as token:
            for path, body in (
                (f"/spaces/{home}/tokens", {"name": "t"}),
                ("/access/me/tokens", {"name": "t"}),
                ("/access/tokens", {"owner": ann.name}),
                (f"/spaces/{home}/members", {"username": ann.name, "role": "viewer"}),
                (f"/spaces/{home}/invitations", {"role": "manager"}),
                ("/spaces", {"name": "n"}),
                ("/webhooks", {"url": "https://hooks.example.com/x", "types": ["task.*"], "spaceId": home}),
            ):
                assert error_of(token.post(path, json=body))[0] == 403, path
            assert data_of(token.post(TASKS, json={"title": "t"}), 201)["spaceId"] == home


def test_a_cursor_over_all_spaces_is_of_no_use_to_another_token(server: Server) -> None:
    with people(server, "ann", "eve") as (ann, eve):
        home = ann.make_space()
        for person in (ann, eve):
            data_of(person.api.post("/taskapp/task-index/backfill"))
        for number in range(3):
            data_of(ann.api.post(TASKS, json={"title": f"{number}", "spaceId": home}), 201)
        page = ann.api.get(TASKS, params={"spaceId": "all", "limit": 1}).json()
        query = {"spaceId": "all", "limit": 1, "cursor": page["meta"]["nextCursor"]}
        with make_token(ann) as narrow:
            for other in (eve.api, narrow):
                answer = other.get(TASKS, params=query)
                assert answer.status_code == 400 or data_of(answer) == []
            here, never = (narrow.get(TASKS, params=query | {"spaceId": each}) for each in (home, NEVER))
            assert (here.status_code, here.content) == (400, never.content)


async def test_nobody_waits_for_what_is_out_of_reach(server: Server) -> None:
    """Rows are locked in PostgreSQL alone: SQLite has one writer, and all wait for it alike."""
    with people(server, "ann", "eve") as (ann, eve):
        home = ann.make_space()
        task = data_of(ann.api.post(TASKS, json={"title": "t", "spaceId": home}), 201)["id"]
        board = data_of(ann.api.post(BOARDS, json={"name": "b", "spaceId": home}), 201)["id"]
        asset = {"filename": "a.txt", "data": "aGk=", "spaceId": home}
        asset_id = data_of(ann.api.post("/media/upload/file", json=asset), 201)["id"]
        asked: list[tuple[str, str, Any]] = [
            ("PATCH", f"{TASKS}/{task}", {"title": "x"}),
            ("DELETE", f"{TASKS}/{task}", None),
        ]
        asked += [("POST", f"{TASKS}/{task}/transfer", {"spaceId": "own"}), ("POST", f"{TASKS}/{task}/complete", None)]
        asked += [("PATCH", f"{BOARDS}/{board}", {"name": "x"}), ("DELETE", f"{BOARDS}/{board}", None)]
        asked += [("POST", f"{BOARDS}/{board}/transfer", {"spaceId": "own"})]
        asked += [("PATCH", f"/media/assets/{asset_id}", {"alt": "x"}), ("DELETE", f"/media/assets/{asset_id}", None)]
        asked += [("POST", "/media/assets/transfer", {"ids": [asset_id], "spaceId": "own"})]
        asked += [("PATCH", f"/spaces/{home}", {"name": "x"})]
        held = [("task", task), ("board", board), ("asset", asset_id), ("space", home)]
        url = server.environment["STOWBOARD_DATABASE_URL"] if on_postgres(server) else None
        connection = await asyncpg.connect(url) if url is not None else None  # type: ignore[no-untyped-call]
        try:
            if connection is not None:
                await connection.execute("BEGIN")
                for table, row_id in held:
                    await connection.execute(f"SELECT 1 FROM {table} WHERE id = '{row_id}' FOR UPDATE")
            for method, path, body in asked:
                answer = await asyncio.to_thread(eve.api.request, method, path, json=body)
                assert error_of(answer) == (404, "not_found"), path
        finally:
            if connection is not None:
                await connection.close()


def test_who_knows_a_hash_learns_nothing_and_gets_no_bytes(server: Server, web: httpx2.Client) -> None:
    content = fresh_name("secret").encode()
    checksum = "sha256:" + hashlib.sha256(content).hexdigest()
    with people(server, "ann", "eve") as (ann, eve):
        home = ann.make_space()
        body = {"filename": "a.txt", "size": len(content), "spaceId": home, "checksum": checksum}
        upload = data_of(ann.api.post("/media/upload/presigned", json=body), 201)
        assert web.put(upload["uploadUrl"], content=content, headers=upload["headers"]).status_code == 200
        wait_until(lambda: data_of(ann.api.get(f"/media/assets/{upload['id']}"))["processingStatus"] == "ready")
        other = "sha256:" + "0" * 64
        for known in (checksum, other):
            assert data_of(eve.api.get("/media/assets", params={"checksum": known, "spaceId": "all"})) == []
            mine = data_of(
                eve.api.post("/media/upload/presigned", json={**body, "spaceId": "own", "checksum": known}), 201
            )
            shown = data_of(eve.api.get(f"/media/assets/{mine['id']}"))
            assert (shown["processingStatus"], shown["url"]) == ("pending", None)
            refused = web.put(mine["uploadUrl"], content=b"x" * len(content), headers=mine["headers"])
            assert refused.status_code >= 400
