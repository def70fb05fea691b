"""A server that is killed while an index is built: the next one goes on, and activates nothing that is not whole."""

import contextlib
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from support.clients.task_owner import Owner
from support.servers.stowboard import Server
from support.stored.rows import rows

TASKS = 4_000


@pytest.fixture
def owner(own_server: Server, tmp_path: Path) -> Iterator[Owner]:
    owner = Owner(own_server)
    lines = [json.dumps({"title": f"t{n}", "tags": ["x", f"y{n % 10}"], "archived": n % 5 == 0}) for n in range(TASKS)]
    (tmp_path / "tasks.jsonl").write_text("\n".join(lines))
    done = own_server.command("tasks", "import", str(tmp_path / "tasks.jsonl"), "--owner", owner.name)
    assert done.returncode == 0, done.stderr
    yield owner
    owner.close()


def test_a_backfill_that_is_killed_again_and_again_is_whole_in_the_end(own_server: Server, owner: Owner) -> None:
    for delay in (0.0, 0.03, 0.08):
        _kill_during_a_backfill(own_server, owner, delay)
        own_server.start()
        marked = _number(own_server, owner, "task", "indexed_version IS NOT NULL")
        assert marked % 500 == 0
        assert marked == _number(own_server, owner, "task_index") == _processed(own_server, owner)
    progress = owner.tasks.activate_index()
    assert progress.processed_total == TASKS
    assert _number(own_server, owner, "task_index") == TASKS
    assert _number(own_server, owner, "task_tag") == 2 * TASKS
    counts = {tag.tag: tag.count for tag in owner.client.tags.list()}
    expected = [n for n in range(TASKS) if n % 5]
    assert counts == {"x": len(expected)} | {f"y{d}": k for d in range(10) if (k := sum(n % 10 == d for n in expected))}


def _kill_during_a_backfill(server: Server, owner: Owner, delay: float) -> None:
    begun = threading.Event()

    def fill() -> None:
        with contextlib.suppress(httpx2.TransportError):
            for _ in range(3):
                begun.set()
                owner.http.post("/taskapp/task-index/backfill")

    filling = threading.Thread(target=fill)
    filling.start()
    begun.wait()
    time.sleep(delay)
    server.kill()
    filling.join()


def _number(server: Server, owner: Owner, table: str, condition: str = "1 = 1") -> int:
    return int(rows(server, f"SELECT count(*) FROM {table} WHERE owner = '{owner.name}' AND {condition}")[0][0])


def _processed(server: Server, owner: Owner) -> int:
    return int(rows(server, f"SELECT processed FROM task_index_state WHERE owner = '{owner.name}'")[0][0])
