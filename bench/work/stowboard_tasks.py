"""Tasks in Stowboard, brought in as its users would: `stowboard tasks import`, then the backfill over the API.

About 100 seconds for a million. An import writes all that a creation does, but no event and no reply that is kept.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx2

from bench.harness.servers import PROGRAM, Server
from bench.work.tasks import BODY_OF_OTHERS, DUE_MS, OF_OTHERS, PAGE, Document, TaskApi, text_of

READ_IN_TURN = 20_000
OWNER = "admin"  # whom the first token acts for


def seed(server: Server, count: int, program: Path = PROGRAM) -> TaskApi:
    """Write the tasks into the running installation, and say how it is asked for them."""
    bring_in(server, OWNER, count, program=program)
    bring_in(server, "somebody-else", OF_OTHERS, {"body": BODY_OF_OTHERS}, program)
    activate_lists(server)
    return TaskApi(
        pid=server.pid,
        url=f"{server.base_url}/taskapp/tasks",
        headers=server.headers,
        newest=f"limit={PAGE}",
        new=_task(count),
        one=lambda answer: answer["data"],
        many=lambda answer: answer["data"],
        ids=tuple(ids_of(server, min(count, READ_IN_TURN))),
    )


def bring_in(server: Server, owner: str, count: int, other: Document | None = None, program: Path = PROGRAM) -> None:
    """Write tasks of this owner, who may be a space; `other` has members that differ from the usual."""
    file = server.folder / "tasks.jsonl"
    _write_lines(file, count, other or {})
    command = [str(program), "tasks", "import", str(file), "--owner", owner, "--data-dir", str(server.data_dir)]
    done = subprocess.run(command, env=server.environment, capture_output=True, text=True, check=False)
    file.unlink()
    if done.returncode:
        raise RuntimeError(f"the tasks cannot be imported: {done.stderr[-2000:]}")


def _write_lines(file: Path, count: int, other: Document) -> None:
    with file.open("w") as lines:
        lines.writelines(json.dumps(_task(number) | other) + "\n" for number in range(count))


def activate_lists(server: Server, space_id: str | None = None) -> None:
    with httpx2.Client(headers=server.headers, timeout=60) as client:
        url = f"{server.base_url}/taskapp/task-index/backfill"
        query = {} if space_id is None else {"spaceId": space_id}
        while not client.post(url, params=query).raise_for_status().json()["data"]["complete"]:
            pass


def ids_of(server: Server, count: int, space_id: str = "own") -> Iterator[str]:
    """The newest of a space."""
    with httpx2.Client(headers=server.headers, timeout=60) as client:
        url, query = f"{server.base_url}/taskapp/tasks", {"limit": "100"}
        query |= {} if space_id == "own" else {"spaceId": space_id}
        for _ in range(0, count, 100):
            page = client.get(url, params=query).raise_for_status().json()
            yield from (task["id"] for task in page["data"])
            query["cursor"] = page["meta"]["nextCursor"]


def _task(number: int) -> Document:
    return text_of(number) | {"dueAt": DUE_MS}
