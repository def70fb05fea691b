"""Tasks in PocketBase: a collection with the fields of ours, rules that show owners their own, and an index for them.

The records are written through its batch API, which is switched on for that and then off again, as it is by default.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice

from bench.peers.pocketbase import PocketBase
from bench.work.tasks import BODY_OF_OTHERS, DUE_MS, OF_OTHERS, PAGE, Document, TaskApi, text_of

BATCH = 500
RECORDS = "/api/collections/tasks/records"
OWNERS_ALONE = "owner = @request.auth.id"
DUE = datetime.fromtimestamp(DUE_MS / 1000, UTC).isoformat(" ")


def seed(peer: PocketBase, count: int) -> TaskApi:
    """Make the collection, write the tasks, and say how it is asked for them."""
    _make_collection(peer)
    _switch_batches(peer, True)
    other = peer.add_user("other@example.com")
    _write(peer, (_record(peer.user_id, number) for number in range(count)))
    _write(peer, (_record(other, number) | {"body": BODY_OF_OTHERS} for number in range(OF_OTHERS)))
    _switch_batches(peer, False)
    return TaskApi(
        pid=peer.pid,
        url=peer.origin + RECORDS,
        headers={"authorization": peer.user_token},
        newest=f"perPage={PAGE}&sort=-created&skipTotal=1",
        new=_record(peer.user_id, count),
        one=lambda answer: answer,
        many=lambda answer: answer["items"],
        created=200,
    )


def _make_collection(peer: PocketBase) -> None:
    users = peer.admin.get("/api/collections/users").raise_for_status().json()["id"]
    collection = {
        "name": "tasks",
        "type": "base",
        "listRule": OWNERS_ALONE,
        "viewRule": OWNERS_ALONE,
        "createRule": OWNERS_ALONE,
        "fields": [
            {"name": "owner", "type": "relation", "collectionId": users, "maxSelect": 1, "required": True},
            {"name": "title", "type": "text", "required": True, "max": 500},
            {"name": "body", "type": "text", "max": 100_000},
            {"name": "status", "type": "select", "values": ["todo", "in_progress", "done"], "required": True},
            {"name": "due", "type": "date"},
            {"name": "reminder", "type": "date"},
            {"name": "recurrence", "type": "text"},
            {"name": "timeZone", "type": "text"},
            {"name": "tags", "type": "json"},
            {"name": "position", "type": "number"},
            {"name": "archived", "type": "bool"},
            {"name": "completed", "type": "date"},
            {"name": "created", "type": "autodate", "onCreate": True},
            {"name": "updated", "type": "autodate", "onCreate": True, "onUpdate": True},
        ],
        "indexes": ["CREATE INDEX tasks_of_owner ON tasks (owner, created)"],
    }
    peer.admin.post("/api/collections", json=collection).raise_for_status()


def _switch_batches(peer: PocketBase, on: bool) -> None:
    settings = {"batch": {"enabled": on, "maxRequests": BATCH, "timeout": 30}}
    peer.admin.patch("/api/settings", json=settings).raise_for_status()


def _record(owner: str, number: int) -> Document:
    return text_of(number) | {"owner": owner, "due": DUE, "timeZone": "UTC", "position": number}


def _write(peer: PocketBase, records: Iterator[Document]) -> None:
    while batch := [{"method": "POST", "url": RECORDS, "body": record} for record in islice(records, BATCH)]:
        peer.admin.post("/api/batch", json={"requests": batch}).raise_for_status()
