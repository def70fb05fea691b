"""An installation with something of every kind, in states that an upgrade may meet: done, waiting, half sent."""

import base64
from typing import Any

import httpx2

from stowboard_client import Client
from support.media.unique_images import png
from support.servers.stowboard import Server
from support.stored.rows import rows
from support.waiting import wait_until

#: Links in answers begin with it, whatever the port: so the answers of two servers are the same.
ADDRESS = "https://stow.test"
#: The answers that are kept. What later releases add to them does not matter.
LISTS = [
    "/taskapp/tasks?archived=true", "/taskapp/tags", "/taskapp/boards", "/media/assets?limit=100", "/media/tags",
    "/media/transform-classes", "/media/videos", "/webhooks", "/access/accounts", "/events?from=start&limit=100",
    "/search?q=plants",
]  # fmt: skip


def fill(server: Server) -> None:
    with Client(server.origin, server.admin_token) as client:
        board = client.boards.create("Garden")
        first = client.tasks.create(
            "Water the plants", tags=["home", "Frühstück"], recurrence="FREQ=WEEKLY", due_at=4_000_000_000_000
        )
        for number in range(20):
            task = client.tasks.create(f"Task {number} of the plants", body="with text" * number, tags=["many"])
            if number % 3 == 0:
                client.tasks.move(task.id, status="in_progress", board=board.id)
            if number % 5 == 0:
                client.tasks.complete(task.id)
            if number % 7 == 0:
                client.tasks.archive(task.id)
        client.tasks.complete(first.id)
        client.tasks.activate_index()
    with httpx2.Client(base_url=server.base_url, headers=server.headers) as api:
        for number in range(6):
            data = base64.b64encode(png(64 + number, 48)).decode()
            _post(
                api, "/media/upload/image", {"filename": f"{number}.png", "data": data, "tags": ["plants"], "alt": "a"}
            )
        text = base64.b64encode(b"some text").decode()
        _post(api, "/media/upload/file", {"filename": "a.txt", "data": text, "visibility": "protected"})
        _post(api, "/media/upload/presigned", {"filename": "later.bin", "size": 1000})
        _post(api, "/media/videos/upload", {"title": "half of a video", "size": 5_000_000})
        _post(api, "/webhooks", {"url": "https://hooks.stow.test/a", "types": ["task.completed"], "name": "kept"})
        _post(api, "/taskapp/tasks", {"title": "kept reply"}, {"idempotency-key": "kept-reply"})
        wait_until(lambda: _all_ready(api))


def look(server: Server) -> dict[str, Any]:
    """The kept answers, with those of each task, asset and board; once every event has its place in the feed."""
    wait_until(lambda: rows(server, "SELECT count(*) FROM event WHERE position IS NULL") == [(0,)])
    with httpx2.Client(base_url=server.base_url, headers=server.headers) as api:
        answers = {path: _get(api, path) for path in LISTS}
        for path, one in (
            ("/taskapp/tasks?archived=true", "/taskapp/tasks/"),
            ("/media/assets?limit=100", "/media/assets/"),
        ):
            answers |= {one + each["id"]: _get(api, one + each["id"]) for each in answers[path]["data"][:10]}
        for board in answers["/taskapp/boards"]["data"]:
            path = f"/taskapp/boards/{board['id']}/placements"
            answers[path] = _get(api, path)
    return answers


def fits(kept: Any, now: Any) -> bool:
    """True if everything that was kept is there, with the same value."""
    if isinstance(kept, dict):
        return isinstance(now, dict) and all(key in now and fits(value, now[key]) for key, value in kept.items())
    if isinstance(kept, list):
        return isinstance(now, list) and len(kept) == len(now) and all(map(fits, kept, now))
    return bool(kept == now)


def _all_ready(api: httpx2.Client) -> bool:
    return all(each["processingStatus"] == "ready" for each in _get(api, "/media/assets?limit=100")["data"])


def _get(api: httpx2.Client, path: str) -> Any:
    answer = api.get(path)
    assert answer.status_code == 200, (path, answer.text)
    return {"data": answer.json()["data"]}


def _post(api: httpx2.Client, path: str, body: dict[str, Any], headers: dict[str, str] | None = None) -> None:
    answer = api.post(path, json=body, headers=headers or {})
    assert answer.status_code in (200, 201), (path, answer.text)
