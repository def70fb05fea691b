"""Pictures in PocketBase: a collection with a file and its owner. Everybody may look, only owners may add."""

from __future__ import annotations

from typing import Any

from bench.peers.pocketbase import PocketBase

COLLECTION = "pictures"
RECORDS = f"/api/collections/{COLLECTION}/records"
MOST_BYTES = 20_000_000


class Pictures:
    def __init__(self, peer: PocketBase, side: int) -> None:
        """With thumbnails of this size, cropped around the middle."""
        self.peer = peer
        users = peer.admin.get("/api/collections/users").raise_for_status().json()["id"]
        file = {"name": "file", "type": "file", "maxSelect": 1, "maxSize": MOST_BYTES, "thumbs": [f"{side}x{side}"]}
        owner = {"name": "owner", "type": "relation", "collectionId": users, "maxSelect": 1}
        collection = {"name": COLLECTION, "type": "base", "fields": [file, owner], "listRule": "", "viewRule": ""}
        rule = {"createRule": "@request.auth.id != '' && owner = @request.auth.id"}
        peer.admin.post("/api/collections", json=collection | rule).raise_for_status()

    def add(self, data: bytes) -> str:
        """The path of a new picture's bytes."""
        record = self.peer.admin.post(
            RECORDS, data={"owner": self.peer.user_id}, files={"file": ("picture.jpg", data, "image/jpeg")}
        )
        return path_of(record.raise_for_status().json())


def path_of(record: dict[str, Any]) -> str:
    return f"/api/files/{COLLECTION}/{record['id']}/{record['file']}"
