"""The server is killed while a board, and while a hundred assets, go to another space: all of it went, or nothing."""

import contextlib
import threading
import time
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from support.api.answers import data_of
from support.rounds import rounds
from support.servers.stacks import UNLIMITED, MakeServer, Stack, on_postgres
from support.servers.stowboard import Server
from support.stored.plain_scans import find_differences
from support.stored.rows import rows
from support.waiting import wait_until

pytestmark = pytest.mark.cluster_in_soak

ROUNDS = rounds(4, 20)
TASKS, ASSETS = 200, 40
HOME = "spc_home"


def test_a_board_or_assets_under_transfer_are_whole_after_a_kill(stack: Stack, make_server: MakeServer) -> None:
    server = make_server(stack() | UNLIMITED)
    with httpx2.Client(base_url=server.base_url, headers=server.headers, timeout=120) as http:
        own = data_of(http.get("/access/token"))["owner"]
        make_space(server, own)
        wait_until(lambda: http.get(f"/spaces/{HOME}").status_code == 200)
        board, assets = fill(http)
        cut = 0
        transfers: list[tuple[str, dict[str, Any], Callable[[], str]]] = [
            (f"/taskapp/boards/{board}/transfer", {}, lambda: place_of_board(server, board)),
            ("/media/assets/transfer", {"ids": assets}, lambda: place_of_assets(server, assets)),
        ]
        for path, body, look in transfers:
            began = time.monotonic()
            for space_id in (HOME, "own"):
                data_of(http.post(path, json={**body, "spaceId": space_id}))
            usual = (time.monotonic() - began) / 2
            for number in range(ROUNDS):
                before = look()
                to = "own" if before == HOME else HOME
                kill_within(server, http, path, {**body, "spaceId": to}, usual * (number + 0.5) / ROUNDS)
                assert find_differences(server) == {}
                cut += look() == before
                server.start()
        assert cut > 0, "no kill hit a transfer that was under way, so nothing was proven"
    server.kill()


def kill_within(server: Server, http: httpx2.Client, path: str, body: dict[str, Any], after: float) -> None:
    """Send the request, and kill the server this long after it."""
    sent = threading.Thread(target=attempt, args=(lambda: http.post(path, json=body),))
    sent.start()
    time.sleep(after)
    server.kill()
    sent.join()


def attempt(request: Callable[[], object]) -> None:
    with contextlib.suppress(httpx2.TransportError):
        request()


def make_space(server: Server, member: str) -> None:
    """With the bootstrap token in it, which reaches all of its spaces."""
    rows(server, f"INSERT INTO space (id, name, created_at, updated_at, version) VALUES ('{HOME}', 'x', 1, 1, 1)")
    rows(
        server,
        f"INSERT INTO space_member (space_id, member, role, created_at) VALUES ('{HOME}', '{member}', 'manager', 1)",
    )
    rows(server, f"UPDATE access_token SET spaces = 'all' WHERE owner = '{member}'")


def fill(http: httpx2.Client) -> tuple[str, list[str]]:
    """A board of tasks, some of which have files that are copied when they go; and files, all in one's own space."""
    for query in ("own", HOME):
        data_of(http.post("/taskapp/task-index/backfill", params={"spaceId": query}))
    board: str = data_of(http.post("/taskapp/boards", json={"name": "B"}), 201)["id"]
    file = {"filename": "a.txt", "data": "aGVsbG8=", "spaceId": "own", "tags": ["red"]}
    assets = [data_of(http.post("/media/upload/file", json=file), 201)["id"] for _ in range(ASSETS)]
    attached = data_of(http.post("/media/upload/file", json=file), 201)["id"]
    for start in range(0, TASKS, 100):
        operations = [
            {
                "op": "create", "title": f"Task {number}", "boardId": board, "tags": ["home"], "metadata": {"k": "v"},
                "reminder": 4_000_000_000_000, "attachments": [attached] if number % 20 == 0 else [],
            }
            for number in range(start, start + 100)
        ]  # fmt: skip
        data_of(http.post("/taskapp/tasks/batch", json={"operations": operations, "atomic": True}))
    return board, assets


def place_of_board(server: Server, board: str) -> str:
    """The one space that has the board, its tasks, their lanes in the index, their tags and reminders."""
    owners = {owner for (owner,) in rows(server, f"SELECT owner FROM board WHERE id = '{board}'")}
    of_board = f"SELECT id FROM task WHERE board_id = '{board}'"
    owners |= {owner for (owner,) in rows(server, f"SELECT DISTINCT owner FROM task WHERE board_id = '{board}'")}
    for table in ("task_index", "task_tag", "task_metadata"):
        found = rows(server, f"SELECT owner, count(*) FROM {table} WHERE task_id IN ({of_board}) GROUP BY owner")
        assert [count for _, count in found] == [TASKS], table
        owners |= {owner for owner, _ in found}
    text = "convert_from(args, 'UTF8')" if on_postgres(server) else "CAST(args AS TEXT)"
    jobs = rows(server, f"SELECT {text} FROM job WHERE kind = 'tasks.remind' AND dedup IN ({of_board})")
    assert len(jobs) == TASKS
    assert len(owners) == 1, owners
    (owner,) = owners
    assert all(f'"owner":"{owner}"' in args for (args,) in jobs)
    return str(owner)


def place_of_assets(server: Server, assets: list[str]) -> str:
    named = ", ".join(f"'{each}'" for each in assets)
    owners = {owner for (owner,) in rows(server, f"SELECT DISTINCT space FROM asset WHERE id IN ({named})")}
    owners |= {owner for (owner,) in rows(server, f"SELECT DISTINCT space FROM asset_tag WHERE asset_id IN ({named})")}
    assert len(owners) == 1, owners
    return str(owners.pop())
