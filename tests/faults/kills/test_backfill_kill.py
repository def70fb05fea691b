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
from support.rounds import rounds
from support.servers.stowboard import Server
from support.servers.worker import make_due
from support.stored.rows import rows
from support.waiting import wait_until

TASKS = rounds(2_000, 4_000)
#: Greater than every id.
FILLED = "~"


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


@pytest.mark.cluster_in_soak
def test_a_search_index_whose_job_is_killed_goes_on_where_it_was(own_server: Server, owner: Owner) -> None:
    owner.tasks.activate_index()
    own_server.kill()
    # As a database is that comes from an earlier release.
    rows(own_server, "DELETE FROM search_document")
    rows(own_server, "INSERT INTO search_filling (type, position) VALUES ('task', '')")
    make_due(own_server, "search.fill")
    own_server.start()
    wait_until(lambda: _filled_up_to(own_server) > "")
    own_server.kill()
    reached, there = _filled_up_to(own_server), _searchable(own_server)
    assert (there == TASKS) if reached == FILLED else (there > 0 and there % 200 == 0)
    # The dead worker's hold on the job ends by itself; here nobody has to wait for that.
    rows(own_server, "DELETE FROM job WHERE kind = 'search.fill'")
    make_due(own_server, "search.fill")
    own_server.start()
    answer = owner.http.get("/taskapp/tasks", params={"q": "t1"})
    assert answer.status_code == 200 or (answer.status_code, answer.headers["retry-after"]) == (409, "30")
    wait_until(lambda: _filled_up_to(own_server) == FILLED)
    assert _searchable(own_server) == TASKS
    assert [task.title for task in owner.tasks.list(q=f'"t{TASKS - 1}" tag:x')] == [f"t{TASKS - 1}"]


def _filled_up_to(server: Server) -> str:
    found = rows(server, "SELECT position FROM search_filling WHERE type = 'task'")
    return str(found[0][0]) if found else FILLED


def _searchable(server: Server) -> int:
    return int(rows(server, "SELECT count(*) FROM search_document")[0][0])


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
