"""The server is killed while it purges the trash: each task is whole or gone, and files that stay keep their bytes.

On SQLite it dies as it begins a certain system call, on PostgreSQL while it waits for a row that the test holds.
"""

import asyncio
import base64
import itertools
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import asyncpg
import httpx2
import pytest

from support.api.answers import data_of
from support.disks.strace import killing
from support.processes.confined import is_alive
from support.rounds import IN_SOAK, rounds
from support.servers.stacks import UNLIMITED, MakeServer, Stack, on_postgres
from support.servers.stowboard import Server
from support.servers.worker import end_leases, make_due
from support.stored.blobs import stored_keys
from support.stored.plain_scans import find_differences
from support.stored.rows import rows
from support.waiting import wait_until

pytestmark = pytest.mark.cluster_in_soak

#: Tasks of a round, and how many of them go: more than the purge takes in one transaction.
MADE, GOING = 150, 120
CALLS = [("pwrite64", 60), ("fdatasync", 4), ("pwrite64", 400)]
MANY_CALLS = [
    *itertools.product(["pwrite64"], range(20, 620, 40)),
    *itertools.product(["fdatasync"], range(2, 9)),
    *itertools.product(["unlink"], [1, 2]),
]
#: The column of each table that names the task. The purge comes to them in this order.
HELD = {"task": "id", "comment": "subject", "task_metadata": "task_id", "change": "subject"}
#: Rows that go with their task.
PARTS = {"comment": "subject", "task_metadata": "task_id", "task_occurrence": "task_id", "task_follower": "task_id"}
FAR = 4_000_000_000_000


def test_a_killed_purge_leaves_each_task_whole_or_gone(stack: Stack, make_server: MakeServer) -> None:
    server = make_server(stack() | UNLIMITED)
    kills = held_rows(server) if on_postgres(server) else system_calls(server)
    made: dict[str, tuple[int, ...]] = {}
    going: set[str] = set()
    cut = 0
    for kill in kills:
        with httpx2.Client(base_url=server.base_url, headers=server.headers, timeout=120) as http:
            going |= fill(http, server)
        made |= parts(server)
        age_trash(server)
        kill()
        server.kill()
        cut += in_trash(server) > 0
        check(server, made, going)
        # The job of the dead is not taken up before the next purge is begun.
        rows(server, f"UPDATE job SET due = {FAR} WHERE token IS NOT NULL")
        server.start()
    assert cut >= len(kills) / 2, "most kills hit no purge"
    begin_purge(server)
    wait_until(lambda: in_trash(server) == 0)
    check(server, made, going)
    assert set(parts(server)) == set(made) - going
    wait_until(lambda: stored_keys(server) == named_keys(server))
    server.kill()


def system_calls(server: Server) -> Sequence[Callable[[], None]]:
    def kill(call: str, nth: int) -> None:
        with killing(server.pid, call, nth):
            begin_purge(server)
            wait_until(lambda: not is_alive(server.pid) or in_trash(server) == 0)

    return [partial(kill, call, nth) for call, nth in (MANY_CALLS if IN_SOAK else CALLS)]


def held_rows(server: Server) -> Sequence[Callable[[], None]]:
    def kill(table: str, column: str) -> None:
        trashed = "SELECT id FROM task WHERE trashed_at IS NOT NULL"
        last = f"(SELECT max({column}) FROM {table} WHERE {column} IN ({trashed}))"
        with holding(server, f"SELECT 1 FROM {table} WHERE {column} = {last} FOR UPDATE"):
            begin_purge(server)
            wait_until(lambda: connections(server, "wait_event_type = 'Lock'") > 0)
            server.kill()
        wait_until(lambda: connections(server, "application_name = 'stowboard'") == 0)

    return [partial(kill, table, column) for table, column in HELD.items()] * rounds(1, 5)


@contextmanager
def holding(server: Server, sql: str) -> Iterator[None]:
    """The rows of this statement are locked inside of the block."""
    with asyncio.Runner() as runner:
        url = server.environment["STOWBOARD_DATABASE_URL"]
        connection = runner.run(asyncpg.connect(url))  # type: ignore[no-untyped-call]
        try:
            runner.run(connection.execute("BEGIN"))
            runner.run(connection.execute(sql))
            yield
        finally:
            runner.run(connection.close())


def connections(server: Server, condition: str) -> int:
    sql = f"SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND {condition}"
    return int(rows(server, sql)[0][0])


def age_trash(server: Server) -> None:
    for table in ("task", "asset"):
        rows(server, f"UPDATE {table} SET trashed_at = 1 WHERE trashed_at IS NOT NULL")


def begin_purge(server: Server) -> None:
    """Both purges are due; so are those that a dead server had begun."""
    end_leases(server)
    for periodic in ("media.purge", "tasks.purge"):
        make_due(server, periodic)


def fill(http: httpx2.Client, server: Server) -> set[str]:
    """Put tasks with all that they can have in the trash, and some of their files; the ids of the tasks that go."""
    staying, going, shared = (upload(http, data) for data in (secrets.token_hex(9), *["x" + secrets.token_hex(9)] * 2))
    tasks = perform(
        http,
        [
            {
                "op": "create", "title": f"Task {number}", "body": "fern", "tags": ["home"], "metadata": {"k": "v"},
                "reminder": FAR, "dueAt": FAR, "recurrence": "FREQ=DAILY", "checklist": [{"title": "Water"}],
                "attachments": [staying, going, shared][: number % 4], "idempotencyKey": secrets.token_hex(9),
            }
            for number in range(MADE)
        ],
    )  # fmt: skip
    for task_id in tasks[::10]:
        data_of(http.post(f"/taskapp/tasks/{task_id}/comments", json={"body": "Done?"}), 201)
    perform(http, [{"op": "complete", "id": task_id} for task_id in tasks[::5]])
    trashed = tasks[-GOING:]
    perform(http, [{"op": "trash", "id": task_id} for task_id in trashed])
    wait_until(lambda: rows(server, "SELECT id FROM asset WHERE status = 'processing'") == [])
    data_of(http.post("/media/assets/batch-trash", json={"ids": [going]}))
    return set(trashed)


def upload(http: httpx2.Client, text: str) -> str:
    file = {"filename": "a.txt", "data": base64.b64encode(text.encode()).decode(), "spaceId": "own"}
    asset_id: str = data_of(http.post("/media/upload/file", json=file), 201)["id"]
    return asset_id


def perform(http: httpx2.Client, operations: list[dict[str, Any]]) -> list[str]:
    """The ids of their tasks."""
    done = []
    for start in range(0, len(operations), 75):
        body = {"operations": operations[start : start + 75], "atomic": True}
        done += data_of(http.post("/taskapp/tasks/batch", json=body))
    return [each["task"]["id"] for each in done]


def parts(server: Server) -> dict[str, tuple[int, ...]]:
    """By task, how many rows of other tables are its own."""
    counts = ", ".join(f"(SELECT count(*) FROM {each} WHERE {column} = task.id)" for each, column in PARTS.items())
    return {task_id: tuple(own) for task_id, *own in rows(server, f"SELECT id, {counts} FROM task")}


def in_trash(server: Server) -> int:
    return int(rows(server, "SELECT count(*) FROM task WHERE trashed_at IS NOT NULL")[0][0])


def check(server: Server, made: dict[str, tuple[int, ...]], going: set[str]) -> None:
    """Each task is whole, or gone with its key buried and one event told. The store has all bytes that a row names."""
    assert find_differences(server) == {}
    left = parts(server)
    assert left.items() <= made.items()
    gone = sorted(made.keys() - left.keys())
    assert set(gone) <= going
    told = rows(server, "SELECT subject FROM event WHERE type = 'task.deleted'")
    assert sorted(task_id for (task_id,) in told) == gone
    assert rows(server, "SELECT count(*) FROM task_key_grave") == [(len(gone),)]
    assert named_keys(server) <= stored_keys(server)


def named_keys(server: Server) -> set[Any]:
    return {key for (key,) in rows(server, "SELECT blob_key FROM content")}
