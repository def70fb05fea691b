"""The inbox: each event is told once, to people who may see it, and never to the one who did it."""

import time
from base64 import b64encode
from typing import Any

import httpx2
import pytest

from support.api.answers import data_of, error_of
from support.clients.credentials import Issue
from support.clients.people import fresh_name
from support.clients.space_people import SpacePerson, people
from support.media.unique_images import png
from support.servers.stowboard import Server
from support.stored.rows import rows
from support.waiting import wait_until
from support.webhooks.receiver import Answer, Receiver

TASKS, INBOX, READ = "/taskapp/tasks", "/notifications", "/notifications/read"
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCB2kUIOwAAAABJRU5ErkJggg=="


def inbox(person: SpacePerson, **query: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = data_of(person.api.get(INBOX, params=query))
    return found


def kinds(person: SpacePerson) -> list[str]:
    """Oldest first."""
    return [each["kind"] for each in reversed(inbox(person))]


def unread(person: SpacePerson) -> int:
    count: int = person.api.get(INBOX).json()["meta"]["unread"]
    return count


def add_task(person: SpacePerson, **members: Any) -> str:
    task_id: str = data_of(person.api.post(TASKS, json={"title": "Milk", **members}), 201)["id"]
    return task_id


def remind(person: SpacePerson, **members: Any) -> str:
    """A task whose reminder is due; when this returns, everything that happened before was told."""
    task_id = add_task(person, reminder=int(time.time() * 1000), **members)
    wait_until(lambda: any(each["subject"] == task_id for each in inbox(person)))
    return task_id


def test_a_reminder_is_told_once_with_the_title_that_the_task_has_now(server: Server) -> None:
    with people(server, "ann") as (ann,):
        task_id = remind(ann, title="Renew cert")
        (told,) = inbox(ann)
        assert told == {
            "id": told["id"], "kind": "reminder", "spaceId": f"~{ann.name}", "subject": task_id, "actor": None,
            "title": "Renew cert", "commentId": None, "createdAt": told["createdAt"], "readAt": None,
        }  # fmt: skip
        data_of(ann.api.patch(f"{TASKS}/{task_id}", json={"title": "Renew both"}))
        assert inbox(ann)[0]["title"] == "Renew both"
        data_of(ann.api.delete(f"{TASKS}/{task_id}"))
        assert inbox(ann)[0]["title"] is None


def test_people_of_a_space_are_told_of_each_other_and_nobody_of_themselves(server: Server) -> None:
    with people(server, "ann", "ben", "eve") as (ann, ben, eve):
        space_id = ann.make_space("Home")
        ann.add(space_id, ben)
        task_id = add_task(ann, spaceId=space_id)
        data_of(ben.api.post(f"{TASKS}/{task_id}/complete"))
        data_of(ann.api.post(f"{TASKS}/{add_task(ann, spaceId=space_id)}/complete"))
        for filename in ("a.png", "b.png"):
            body = {"filename": filename, "data": PNG, "spaceId": space_id}
            data_of(ben.api.post("/media/upload/image", json=body), 201)
        for person in (ann, ben, eve):
            remind(person)
        assert kinds(ann) == ["completed", "files_arrived", "reminder"]
        assert kinds(ben) == ["shared", "reminder"]
        assert kinds(eve) == ["reminder"]
        completed, files = list(reversed(inbox(ann)))[:2]
        assert (completed["subject"], completed["actor"], completed["spaceId"]) == (task_id, ben.name, space_id)
        assert (files["subject"], files["actor"], files["title"]) == (space_id, ben.name, "Home")
        shared = inbox(ben)[-1]
        assert (shared["subject"], shared["actor"], shared["title"]) == (space_id, ann.name, "Home")


def test_a_person_is_told_where_the_task_is_that_was_transferred_at_once(server: Server) -> None:
    with people(server, "ann", "ben", "cid") as (ann, ben, cid):
        first, second, alone = (ann.make_space(name) for name in ("First", "Second", "Alone"))
        for space in (first, second):
            ann.add(space, ben)
        ann.add(first, cid)
        wait_until(lambda: len(inbox(ben)) == 2)
        *moved, lost = (add_task(ann, spaceId=first) for _ in range(6))
        for each, target in [(task, second) for task in moved] + [(lost, alone)]:
            data_of(ann.api.patch(f"{TASKS}/{each}", json={"assignees": [ben.name, cid.name]}))
            body = {"body": f"@{ben.name} @{cid.name}, please"}
            data_of(ann.api.post(f"{TASKS}/{each}/comments", json=body), 201)
            data_of(ann.api.post(f"{TASKS}/{each}/transfer", json={"spaceId": target}))
        remind(ben)
        told = {(each["kind"], each["subject"]) for each in inbox(ben) if each["title"] == "Milk"}
        assert told >= {(kind, task) for kind in ("mentioned", "assigned") for task in moved}
        # A title is shown to nobody who does not reach the space where the task is now.
        assert lost not in {each["subject"] for each in inbox(ben) if each["title"] == "Milk"}
        assert not {*moved, lost} & {each["subject"] for each in inbox(cid) if each["title"] == "Milk"}


def test_what_is_out_of_reach_is_neither_listed_nor_counted_nor_read(server: Server) -> None:
    with people(server, "ann", "ben") as (ann, ben):
        space_id = ann.make_space()
        ann.add(space_id, ben)
        add_task(ann, spaceId=space_id, assignees=[ben.name])
        wait_until(lambda: sorted(kinds(ben)) == ["assigned", "shared"])
        remind(ben)
        assert (sorted(kinds(ben)), unread(ben)) == (["assigned", "reminder", "shared"], 3)
        (assigned,) = [told["id"] for told in inbox(ben) if told["kind"] == "assigned"]
        data_of(ann.api.delete(f"/spaces/{space_id}/members/{ben.name}"))
        wait_until(lambda: sorted(kinds(ben)) == ["reminder", "shared"])
        assert unread(ben) == 2
        assert data_of(ben.api.post(READ, json={"ids": [assigned]})) == {"read": 0}
        # They are not told of later events there.
        add_task(ann, spaceId=space_id)
        remind(ann)
        assert sorted(kinds(ben)) == ["reminder", "shared"]


def test_notifications_are_read_by_id_or_up_to_one(server: Server) -> None:
    with people(server, "ann", "eve") as (ann, eve):
        for _ in range(3):
            remind(ann)
        newest, middle, oldest = [each["id"] for each in inbox(ann)]
        assert unread(ann) == 3
        assert data_of(eve.api.post(READ, json={"ids": [newest, middle]})) == {"read": 0}
        assert data_of(eve.api.post(READ, json={"until": newest})) == {"read": 0}
        assert data_of(ann.api.post(READ, json={"ids": [oldest, oldest, "ntf_unknown"]})) == {"read": 1}
        assert [each["id"] for each in inbox(ann, unread="true")] == [newest, middle]
        assert data_of(ann.api.post(READ, json={"until": middle})) == {"read": 1}
        assert [each["id"] for each in inbox(ann, unread="true")] == [newest]
        assert data_of(ann.api.post(READ, json={"until": newest})) == {"read": 1}
        assert (unread(ann), inbox(ann, unread="true")) == (0, [])
        first = ann.api.get(INBOX, params={"limit": "2"}).json()
        assert [each["id"] for each in first["data"]] == [newest, middle]
        rest = ann.api.get(INBOX, params={"limit": "2", "cursor": first["meta"]["nextCursor"]}).json()
        assert ([each["id"] for each in rest["data"]], rest["meta"]["hasMore"]) == ([oldest], False)


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize("body", [{}, {"ids": []}, {"ids": ["a"], "until": "b"}, {"ids": ["a"] * 101}, {"until": 3}])
def test_a_wrong_body_is_refused(server: Server, body: dict[str, Any]) -> None:
    with people(server, "ann") as (ann,):
        assert error_of(ann.api.post(READ, json=body)) == (400, "validation_failed")


def test_a_token_of_nobody_has_no_inbox(server: Server, issue: Issue) -> None:
    token = issue(fresh_name("robot")).token
    for request in (("GET", INBOX, None), ("POST", READ, {"ids": ["a"]})):
        answer = httpx2.request(
            request[0], server.base_url + request[1], json=request[2], headers={"authorization": f"Bearer {token}"}
        )
        assert error_of(answer) == (403, "account_required")


def test_a_person_is_told_of_a_token_that_an_admin_has_made_for_them(server: Server, issue: Issue) -> None:
    with people(server, "ann") as (ann,):
        token = issue(ann.name)
        remind(ann)
        assert kinds(ann) == ["token_made", "reminder"]
        assert inbox(ann)[1]["subject"] == token.id


def test_a_damaged_file_and_a_disabled_webhook_are_told_to_the_person_whose_they_are(
    telling_server: Server, receiver: Receiver
) -> None:
    receiver.answer = lambda _: Answer(410)
    with people(telling_server, "ann", "ben") as (ann, ben):
        home = ann.make_space()
        ann.add(home, ben)
        image = {"filename": "a.png", "data": b64encode(png()).decode(), "spaceId": home}
        asset_id = data_of(ben.api.post("/media/upload/image", json=image), 201)["id"]
        damaged = png(300, 300)[:-150]
        body = {
            "mimeType": "image/png",
            "originalName": "b.png",
            "size": len(damaged),
            "imageData": b64encode(damaged).decode(),
        }
        assert ben.api.post(f"/media/assets/{asset_id}/replace", json=body).status_code < 300
        wait_until(lambda: "failed" in kinds(ben))
        hook = data_of(ben.api.post("/webhooks", json={"url": receiver.url, "types": ["task.*"]}), 201)
        data_of(ben.api.post(TASKS, json={"title": "t"}), 201)
        wait_until(lambda: kinds(ben).count("failed") == 2)
        failed = [(each["subject"], each["title"]) for each in inbox(ben) if each["kind"] == "failed"]
        assert failed == [(hook["id"], None), (asset_id, "a.png")]
        assert "failed" not in kinds(ann)


def test_titles_need_the_scope_that_shows_them(server: Server) -> None:
    with people(server, "ann") as (ann,):
        remind(ann, title="Secret plan")
        token = data_of(ann.api.post("/access/me/tokens", json={"name": "t", "scopes": ["media:read"]}), 201)["token"]
        answer = httpx2.get(server.base_url + INBOX, headers={"authorization": f"Bearer {token}"})
        assert [each["title"] for each in data_of(answer)] == [None]
        assert "Secret" not in answer.text


def test_a_deleted_account_leaves_nothing_of_what_its_person_was_told(server: Server) -> None:
    with people(server, "ann") as (ann,):
        remind(ann)
        rules = [{"scope": "all", "kind": "failed", "channels": []}]
        data_of(ann.api.patch("/notifications/rules", json={"rules": rules}))
        address = {"kind": "url", "format": "slack", "url": "https://hooks.example.com/x"}
        data_of(ann.api.post("/notifications/channels", json=address), 201)
        account_id = data_of(ann.api.get("/access/me"))["id"]
        tables = ("notification", "notification_rule", "notification_channel")
        assert all(rows(server, f"SELECT 1 FROM {table} WHERE person = '{ann.name}'") for table in tables)
        data_of(ann.api.delete(f"/access/accounts/{account_id}", headers=server.headers))
        assert not any(rows(server, f"SELECT 1 FROM {table} WHERE person = '{ann.name}'") for table in tables)
