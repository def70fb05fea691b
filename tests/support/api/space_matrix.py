"""Every operation of the API, asked for something in a space, by callers who stand to that space in every way.

An id in a path, or in a body, has a maker by its name, which makes a new thing in the space and gives its id.
"""

import hashlib
import re
from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import msgspec

from stowboard.api.endpoint import AnyEndpoint
from stowboard.catalogue import ENDPOINTS
from stowboard.core import clock
from stowboard.core.ids import new_id
from stowboard.core.reach import Role
from stowboard.core.scopes import ADMIN
from support.api.answers import data_of
from support.clients.people import fresh_name
from support.clients.space_people import SpacePerson
from support.servers.stowboard import Server
from support.stored.rows import rows, rows_of_all
from support.waiting import wait_until

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCB2kUIOwAAAABJRU5ErkJggg=="
#: Operations that are about no space: about oneself, the installation, or all in reach. Each has tests of its own.
ABOUT_NO_SPACE = re.compile(
    r"/|/access/.*|/jobs.*|/media/cdn|/media/transform-classes|/taskapp/vault-keys.*|/spaces|/spaces/join"
    r"|/events/stream|/notifications.*"
)
#: Tables that change by themselves, and those that keep what a caller was answered.
_VOLATILE = re.compile(
    r"access_token|account|audit|idempotency.*|job.*|node.*|periodic.*|rate.*|session|sign_in.*|sqlite.*|ticket|.*attempt.*"
    r"|feed|feed_head|webhook_head|leases?|schedule|worker.*|search_.*|notification.*"
)

#: True of an installation that is about to write something: of events that a loop has not read, or of new bytes.
_STILL_WRITES = (
    "SELECT 1 FROM event WHERE position IS NULL UNION ALL"
    " SELECT 1 FROM webhook_head JOIN feed ON feed.position > webhook_head.position"
    " WHERE EXISTS (SELECT 1 FROM webhook WHERE enabled = 1) UNION ALL"
    " SELECT 1 FROM job WHERE dead = 0 AND kind IN ('media.process', 'media.describe')"
)


def id_parameters(endpoint: AnyEndpoint) -> list[str]:
    return [name for name in endpoint.parameters if name not in ("language", "username", "event_id", "version")]


def operations() -> Iterator[AnyEndpoint]:
    """The operations that are about a space, by every path that they have."""
    for endpoint in ENDPOINTS:
        if not ABOUT_NO_SPACE.fullmatch(endpoint.path):
            yield endpoint


def names_space(endpoint: AnyEndpoint) -> bool:
    """True if a request can name the space."""
    return any("space_id" in getattr(each, "__struct_fields__", ()) for each in (endpoint.query, endpoint.body))


class Matrix:
    """A space with a manager who fills it, and the requests to it."""

    def __init__(self, server: Server, manager: SpacePerson) -> None:
        self._server, self._manager = server, manager
        self.person = manager.name
        self.space_id = manager.make_space()
        self._kept: dict[tuple[str, ...], dict[str, str]] = {}

    def request(self, endpoint: AnyEndpoint, ids: dict[str, str]) -> Callable[[httpx2.Client], httpx2.Response]:
        """A request to the operation; `ids` has what its path and body name."""
        path = re.sub(r"\{(\w+)\}", lambda found: ids[found[1]], endpoint.path)
        query, body = self._query(endpoint), self._body(endpoint, ids)
        return lambda client: client.request(
            endpoint.method, path.removeprefix("/api/v1"), params=query, json=body if endpoint.body else None
        )

    def kept_ids(self, endpoint: AnyEndpoint) -> dict[str, str]:
        """The same for requests that are refused: one thing of each kind serves them all."""
        return self.make_ids(endpoint, self.keep(*[name for name in id_parameters(endpoint) if name in MAKERS]))

    def keep(self, *names: str) -> dict[str, str]:
        """A thing for each name, shared by requests that are refused; a part comes with its whole, named before it."""
        if names not in self._kept:
            made: dict[str, str] = {}
            for name in names:
                made |= {} if name in made else MAKERS[name](self._manager.api, self.space_id)
            self._kept[names] = made
        return self._kept[names]

    def keep_media_rename(self) -> str:
        """Written straight into the database: a rename has an id if it is of more than a hundred assets."""
        if (MEDIA_RENAME,) in self._kept:
            return self._kept[MEDIA_RENAME,][MEDIA_RENAME]
        rename_id = new_id("prg")
        rows(
            self._server,
            "INSERT INTO job_progress (id, kind, owner, status, done, total, updated_at)"
            f" VALUES ('{rename_id}', 'media.rename_tag', '{self.space_id}', 'done', 101, 101, {clock.now_ms()})",
        )
        self._kept[MEDIA_RENAME,] = {MEDIA_RENAME: rename_id}
        return rename_id

    def make_ids(self, endpoint: AnyEndpoint, kept: dict[str, str] | None = None) -> dict[str, str]:
        """A new thing in the space for each id that the operation names and that is not among the kept ones."""
        ids = {"language": "en", "username": self._manager.name, "event_id": "evt_01kbr2x4q8e9w6y3t7n5m1c0vz"}
        ids["version"] = "1"
        ids |= {"space_id": self.space_id} | (kept or {})
        for name in id_parameters(endpoint):
            if name not in ids:
                ids |= MAKERS[name](self._manager.api, self.space_id)
        for member in _members(endpoint):
            if member in BODY_MAKERS:
                made = BODY_MAKERS[member]
                fresh = kept is None and made not in ids
                thing = MAKERS[made](self._manager.api, self.space_id)[made] if fresh else ids.get(made)
                ids |= {f"body.{member}": thing or self.keep(made)[made]}
        return ids

    def digest(self) -> dict[str, str]:
        """A digest of every table, but for those that change by themselves.

        All events are handed out before, and all new bytes are processed.
        """
        wait_until(lambda: rows(self._server, _STILL_WRITES) == [])
        listing = (
            "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()"
            if "STOWBOARD_DATABASE_URL" in self._server.environment
            else "SELECT name FROM sqlite_master WHERE type = 'table'"
        )
        names = sorted(name for (name,) in rows(self._server, listing) if not _VOLATILE.fullmatch(name))
        # The order of events is found later, in PostgreSQL.
        columns = {"event": "id, type, owner, subject", "webhook": "id, url, types", "delivery": "destination_id"}
        found = rows_of_all(self._server, [f"SELECT {columns.get(name, '*')} FROM {name}" for name in names])
        return {name: _digest(each) for name, each in zip(names, found, strict=True)}

    def _query(self, endpoint: AnyEndpoint) -> dict[str, str]:
        fields = getattr(endpoint.query, "__struct_fields__", ())
        query = {"spaceId": self.space_id} if "space_id" in fields else {}
        return query | ({"q": "word"} if endpoint.path == "/search" else {})

    def _body(self, endpoint: AnyEndpoint, ids: dict[str, str]) -> dict[str, Any]:
        body = dict(endpoint.example_body or {})
        members = _members(endpoint)
        if "space_id" in members:
            body["spaceId"] = self.space_id
        for member in members & BODY_MAKERS.keys():
            assert endpoint.body is not None
            wire = msgspec.structs.fields(endpoint.body)
            name = next(field.encode_name for field in wire if field.name == member)
            if name in body:
                body[name] = [ids[f"body.{member}"]] if member == "ids" else ids[f"body.{member}"]
        if "operations" in members:
            body["operations"] = [{**each, "spaceId": self.space_id} for each in body["operations"]]
        if "idempotencyKey" in body:
            body["idempotencyKey"] = fresh_name("key")
        return body


def _members(endpoint: AnyEndpoint) -> set[str]:
    return set(getattr(endpoint.body, "__struct_fields__", ()))


def _digest(found: list[tuple[Any, ...]]) -> str:
    return hashlib.sha256(repr(sorted(map(repr, found))).encode()).hexdigest()


def _task(api: httpx2.Client, space_id: str) -> dict[str, str]:
    return {"task_id": data_of(api.post("/taskapp/tasks", json={"title": "t", "spaceId": space_id}), 201)["id"]}


def _item(api: httpx2.Client, space_id: str) -> dict[str, str]:
    task = _task(api, space_id)
    made = api.post(f"/taskapp/tasks/{task['task_id']}/checklist", json={"title": "i"})
    return task | {"item_id": data_of(made, 201)["id"]}


def _comment(api: httpx2.Client, space_id: str) -> dict[str, str]:
    task = _task(api, space_id)
    made = api.post(f"/taskapp/tasks/{task['task_id']}/comments", json={"body": "c"})
    return task | {"comment_id": data_of(made, 201)["id"]}


def _attachment(api: httpx2.Client, space_id: str) -> dict[str, str]:
    task, asset_id = _task(api, space_id), _asset(api, space_id)["asset_id"]
    data_of(api.post(f"/taskapp/tasks/{task['task_id']}/attachments", json={"id": asset_id}), 201)
    return task | {"attachment_id": asset_id}


def _board(api: httpx2.Client, space_id: str) -> dict[str, str]:
    board = data_of(api.post("/taskapp/boards", json={"name": "b", "spaceId": space_id}), 201)
    return {"board_id": board["id"], "column_id": board["columns"][1]["id"]}


def _asset(api: httpx2.Client, space_id: str) -> dict[str, str]:
    body = {"filename": "p.png", "data": PNG, "spaceId": space_id}
    return {"asset_id": data_of(api.post("/media/upload/image", json=body), 201)["id"]}


def _video(api: httpx2.Client, space_id: str) -> dict[str, str]:
    body = {"title": "v", "size": 1000, "spaceId": space_id}
    video = data_of(api.post("/media/videos/upload", json=body), 201)
    return {"video_id": video["id"], "provider_video_id": video["providerVideoId"]}


def _webhook(api: httpx2.Client, space_id: str) -> dict[str, str]:
    body = {"url": "https://hooks.example.com/x", "types": ["task.*"], "spaceId": space_id}
    return {"webhook_id": data_of(api.post("/webhooks", json=body), 201)["id"]}


def _invitation(api: httpx2.Client, space_id: str) -> dict[str, str]:
    made = api.post(f"/spaces/{space_id}/invitations", json={"role": "viewer"})
    return {"invitation_id": data_of(made, 201)["id"]}


def _token(api: httpx2.Client, space_id: str) -> dict[str, str]:
    return {"token_id": data_of(api.post(f"/spaces/{space_id}/tokens", json={"name": "t"}), 201)["id"]}


def _change(api: httpx2.Client, space_id: str) -> dict[str, str]:
    task_id = _task(api, space_id)["task_id"]
    data_of(api.patch(f"/taskapp/tasks/{task_id}", json={"title": "u"}))
    return {"change_id": data_of(api.get("/changes", params={"subject": task_id}))[0]["id"]}


def _import(api: httpx2.Client, space_id: str) -> dict[str, str]:
    body = {"filename": "list.ics", "file": "QkVHSU46VkNBTEVOREFSDQpFTkQ6VkNBTEVOREFSDQo=", "spaceId": space_id}
    return {"import_id": data_of(api.post("/imports", json=body), 201)["id"]}


def _task_rename(api: httpx2.Client, space_id: str) -> dict[str, str]:
    """Rename a tag of more tasks than one step renames: only that has an id."""
    tag = fresh_name("tag")
    operations = [{"op": "create", "title": "t", "tags": [tag], "spaceId": space_id} for _ in range(100)]
    for some in (operations, operations[:1]):
        data_of(api.post("/taskapp/tasks/batch", json={"operations": some}))
    answer = api.post("/taskapp/tags/rename", json={"from": tag, "to": f"{tag}-2", "spaceId": space_id})
    rename_id = answer.json()["data"]["id"]
    wait_until(lambda: data_of(api.get(f"/taskapp/tags/renames/{rename_id}"))["status"] == "done")
    return {"rename_id": rename_id}


MEDIA_RENAME = "media_rename_id"
#: By the name of a path's parameter.
MAKERS: dict[str, Callable[[httpx2.Client, str], dict[str, str]]] = {
    "import_id": _import,
    "task_id": _task, "board_id": _board, "column_id": _board, "asset_id": _asset, "video_id": _video,
    "provider_video_id": _video, "asset_or_video_id": lambda api, space: {
        "asset_or_video_id": _video(api, space)["video_id"]
    }, "neighbour_id": lambda api, space: {
        "neighbour_id": _task(api, space)["task_id"]
    }, "webhook_id": _webhook, "invitation_id": _invitation, "token_id": _token, "rename_id": _task_rename,
    "change_id": _change,
    "item_id": _item, "comment_id": _comment, "attachment_id": _attachment,
}  # fmt: skip
#: By a body's member: the parameter whose maker makes it.
BODY_MAKERS = {
    "ids": "asset_id", "asset_id": "asset_id", "board_id": "board_id", "column_id": "column_id",
    "before_task_id": "task_id", "after_task_id": "task_id",
}  # fmt: skip
ROLES = list(Role)


def is_admins(endpoint: AnyEndpoint) -> bool:
    return endpoint.scope == ADMIN
