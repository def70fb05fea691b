"""A board and tasks as people have them."""

import time
from typing import Any

import httpx2

from support.servers.stowboard import Server

HOUR, DAY = 3_600_000, 86_400_000
ANNOUNCEMENT = "For **everybody**, in one page.\n\n- [x] Collect the facts\n- [x] Draft it\n- [ ] Have Ann read it\n"
#: Title, status, due from now, and what else is said of it.
CARDS: list[tuple[str, str, int | None, dict[str, Any]]] = [
    ("Write the announcement", "todo", 2 * DAY, {"tags": ["press"], "body": ANNOUNCEMENT}),
    ("Renew the certificate of the shop", "todo", -DAY, {"tags": ["ops"], "recurrence": "FREQ=MONTHLY"}),
    ("Order stickers", "todo", None, {}),
    ("Review the price page", "in_progress", HOUR, {"tags": ["shop"]}),
    (
        "Book the harbour hall",
        "in_progress",
        6 * DAY,
        {"tags": ["party"], "body": "The door code is 4711, the caretaker is Mr Holm."},
    ),
    ("Choose a name", "done", None, {}),
]


def fill(server: Server, headers: dict[str, str]) -> dict[str, str]:
    """Ids by title, and of the board."""
    with httpx2.Client(base_url=server.base_url, headers=headers, timeout=60) as api:
        ids = {"board": _made(api, "boards", {"name": "Launch"})}
        for title, status, due, more in CARDS:
            due_at = None if due is None else int(time.time() * 1000) + due
            ids[title] = _made(api, "tasks", {"title": title, "dueAt": due_at, **more})
            placed = api.patch(f"/taskapp/tasks/{ids[title]}/move", json={"status": status, "board": ids["board"]})
            assert placed.status_code == 200, placed.text
        _made(api, "tasks", {"title": "Water the plants", "dueAt": int(time.time() * 1000) + HOUR})
    return ids


def _made(api: httpx2.Client, kind: str, body: dict[str, Any]) -> str:
    answer = api.post(f"/taskapp/{kind}", json=body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["data"]["id"])
