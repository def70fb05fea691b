"""People who work on one task are told of it, each once, and nobody of what they did themselves."""

from typing import Any

from support.api.answers import data_of
from support.clients.space_people import SpacePerson, people
from support.servers.stowboard import Server
from support.waiting import wait_until

TASKS, INBOX = "/taskapp/tasks", "/notifications"


def told(person: SpacePerson, task_id: str) -> list[tuple[str, str | None]]:
    """Kind and actor, oldest first."""
    found: list[dict[str, Any]] = data_of(person.api.get(INBOX))
    return [(each["kind"], each["actor"]) for each in reversed(found) if each["subject"] == task_id]


def comment(person: SpacePerson, task_id: str, body: str) -> str:
    comment_id: str = data_of(person.api.post(f"{TASKS}/{task_id}/comments", json={"body": body}), 201)["id"]
    return comment_id


def test_assignees_mentioned_ones_and_followers_are_told(server: Server) -> None:
    with people(server, "ann", "ben", "cid", "eve") as (ann, ben, cid, eve):
        home = ann.make_space()
        for person in (ben, cid):
            ann.add(home, person)
        task_id = data_of(ann.api.post(TASKS, json={"title": "Move", "spaceId": home, "assignees": [ben.name]}), 201)[
            "id"
        ]
        first = comment(ann, task_id, f"What now, @{cid.name}, @{eve.name}, @{ann.name}? " + f"@{cid.name} " * 50)
        wait_until(lambda: told(cid, task_id) == [("mentioned", ann.name)])
        comment(cid, task_id, "Fine.")
        data_of(cid.api.delete(f"{TASKS}/{task_id}/follow"))
        data_of(
            ann.api.patch(f"{TASKS}/{task_id}/comments/{first}", json={"body": f"Now @{ben.name} too, @{cid.name}"})
        )
        data_of(ben.api.post(f"{TASKS}/{task_id}/complete"))
        by_ann, by_ben, by_cid = ann.name, ben.name, cid.name
        wait_until(lambda: told(ann, task_id)[-1:] == [("completed", by_ben)])
        assert told(ann, task_id) == [("commented", by_cid), ("completed", by_ben)]
        assert told(ben, task_id) == [
            ("assigned", by_ann), ("commented", by_ann), ("commented", by_cid), ("mentioned", by_ann)
        ]  # fmt: skip
        assert told(cid, task_id) == [("mentioned", by_ann)]
        assert told(eve, task_id) == []
        about = [each["commentId"] for each in data_of(cid.api.get("/notifications")) if each["subject"] == task_id]
        assert about == [first]
        (done,) = [each for each in data_of(ann.api.get("/notifications")) if each["kind"] == "completed"]
        assert done["commentId"] is None
