"""`stowboard tasks import`: tasks from elsewhere, with dates of their own, in bulk."""

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from support.clients.task_owner import Owner
from support.processes.figures import peak_memory_mib
from support.processes.peak_memory import peak_of
from support.servers.command import sentence
from support.stored.rows import rows

pytestmark = pytest.mark.cluster_in_soak

SOME, MANY = 5_000, 100_000
#: More than importing a handful takes; what is read and stored is not kept in memory.
GROWTH_MIB = 40


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tasks.jsonl"


def write(file: Path, tasks: Iterable[dict[str, Any]]) -> None:
    with file.open("w") as lines:
        for task in tasks:
            lines.write(json.dumps(task) + "\n")


def import_tasks(owner: Owner, file: Path) -> subprocess.CompletedProcess[str]:
    return owner.server.command("tasks", "import", str(file), "--owner", owner.name)


def test_tasks_come_with_their_dates_and_are_listed_by_them(ann: Owner, file: Path) -> None:
    write(
        file,
        [
            {"title": "b", "createdAt": 2_000, "status": "done", "completedAt": 2_500, "tags": ["x"], "body": "needle"},
            {"title": "c", "createdAt": 3_000, "archived": True, "dueAt": 5},
            {"title": "a", "createdAt": 1_000, "idempotencyKey": "old-1", "recurrence": "FREQ=DAILY", "dueAt": 9},
            {"title": "d"},
        ],
    )
    done = import_tasks(ann, file)
    assert done.returncode == 0, done.stderr
    assert f"4 tasks stored for {ann.name}." in done.stdout
    assert "POST /taskapp/task-index/backfill" in done.stdout
    ann.tasks.activate_index()
    listed = list(ann.tasks.list(archived=True))
    assert [task.title for task in listed] == ["d", "c", "b", "a"]
    assert [task.created_at for task in listed][1:] == [3_000, 2_000, 1_000]
    b = listed[2]
    assert (b.status, b.completed_at, b.tags, b.body, b.version) == ("done", 2_500, ("x",), "needle", 1)
    assert listed[1].archived
    assert [task.title for task in ann.tasks.list(q="needle")] == ["b"]
    assert ann.tasks.create("x", key="old-1").id == listed[3].id
    assert ann.tasks.complete(listed[3].id).status == "todo"


def test_an_index_that_is_active_stays_so_and_knows_what_was_imported(ann: Owner, file: Path) -> None:
    ann.create("a", tags=["x"])
    ann.tasks.activate_index()
    write(file, [{"title": "b", "tags": ["x", "y"]}, {"title": "c", "archived": True, "tags": ["y"]}])
    assert "backfill" not in import_tasks(ann, file).stdout
    assert [task.title for task in ann.tasks.list()] == ["b", "a"]
    assert [task.title for task in ann.tasks.list(archived=True, tags="y")] == ["c", "b"]
    assert {tag.tag: tag.count for tag in ann.client.tags.list()} == {"x": 2, "y": 1}
    b = next(iter(ann.tasks.list(tags="y")))
    ann.tasks.update(b.id, tags=["z"])
    assert {tag.tag: tag.count for tag in ann.client.tags.list()} == {"x": 1, "z": 1}


def test_the_same_file_again_makes_nothing_twice(ann: Owner, file: Path) -> None:
    write(file, [{"title": "milk"}, {"title": "milk"}, {"title": "bread", "createdAt": 5}])
    assert "3 tasks stored" in import_tasks(ann, file).stdout
    assert "0 tasks stored" in import_tasks(ann, file).stdout
    write(file, [{"title": "milk"}])
    assert "1 task stored" in import_tasks(ann, file).stdout, "another file may well say the same"
    assert rows(ann.server, f"SELECT count(*) FROM task WHERE owner = '{ann.name}'") == [(4,)]


def test_a_file_without_dates_keeps_its_order(ann: Owner, file: Path) -> None:
    write(file, [{"title": str(number)} for number in range(600)])
    import_tasks(ann, file)
    ann.tasks.activate_index()
    assert [task.title for task in ann.tasks.list()] == [str(number) for number in reversed(range(600))]
    stored = rows(ann.server, f"SELECT title FROM task WHERE lane = 'u:todo:{ann.name}' ORDER BY rank")
    assert [title for (title,) in stored] == [str(number) for number in range(600)]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"title": 5}', "title: expected a string"),
        ('{"title": "  "}', "title"),
        ('{"body": "x"}', "title is required"),
        ("{", "not JSON"),
        ("[]", "must be a JSON object"),
        ('{"title": "x", "createdAt": -1}', "createdAt"),
        ('{"title": "x", "tags": ["a,b"]}', "tags"),
        ('{"title": "x", "recurrence": "FREQ=HOURLY"}', "recurrence"),
        ('{"title": "x", "timeZone": "Mars/Olympus"}', "timeZone"),
        ('{"title": "x", "archived": "yes"}', "archived"),
        ('{"title": "x\\u0000"}', "U+0000"),
        ('{"title": "x", "visibility": "zero-knowledge", "body": "plain"}', "zero-knowledge"),
    ],
)
def test_a_wrong_line_is_named_and_nothing_is_stored(ann: Owner, file: Path, line: str, why: str) -> None:
    good = ['{"title": "good"}'] * 600
    file.write_text("\n".join([*good, "", line, *good]))
    said = sentence(import_tasks(ann, file))
    assert "line 602: " in said
    assert why in said
    assert rows(ann.server, f"SELECT count(*) FROM task WHERE owner = '{ann.name}'") == [(0,)]


def test_a_second_import_leaves_out_what_has_the_same_key(ann: Owner, file: Path) -> None:
    write(file, [{"title": str(n), "idempotencyKey": f"old-{n}", "reminder": 4_000_000_000_000} for n in range(3)])
    import_tasks(ann, file)
    write(file, [{"title": str(n), "idempotencyKey": f"old-{n}", "reminder": 4_000_000_000_000} for n in range(5)])
    assert f"2 tasks stored for {ann.name}." in import_tasks(ann, file).stdout
    found = f"FROM task WHERE owner = '{ann.name}'"
    assert rows(ann.server, f"SELECT count(*) {found}") == [(5,)]
    assert rows(ann.server, f"SELECT count(*) FROM job WHERE dedup IN (SELECT id {found})") == [(5,)]


def test_what_is_no_file_is_said_in_a_sentence(ann: Owner, tmp_path: Path) -> None:
    for path in (tmp_path / "absent", tmp_path):
        assert str(path) in sentence(import_tasks(ann, path))


def test_thousands_are_imported_and_indexed_in_little_memory(ann: Owner, file: Path) -> None:
    _import_and_index(ann, file, SOME)


@pytest.mark.soak
def test_a_hundred_thousand_are_imported_and_indexed_in_little_memory(ann: Owner, file: Path) -> None:
    _import_and_index(ann, file, MANY)


def _import_and_index(ann: Owner, file: Path, number: int) -> None:
    write(file, [{"title": "few"}])
    least = _peak_of_import(ann, file)
    ann.tasks.activate_index()
    write(
        file,
        ({"title": f"t{n}", "tags": ["x", f"y{n % 100}"], "createdAt": n, "body": "b" * 200} for n in range(number)),
    )
    assert _peak_of_import(ann, file) - least < GROWTH_MIB
    ann.tasks.backfill()
    serving = peak_memory_mib(ann.server.pid)
    progress = ann.tasks.activate_index()
    assert progress.complete
    assert peak_memory_mib(ann.server.pid) - serving < GROWTH_MIB
    walked = [task.created_at for task in ann.tasks.list(tags="y7", limit=100)]
    assert walked == sorted((n for n in range(number) if n % 100 == 7), reverse=True)
    assert {tag.tag: tag.count for tag in ann.client.tags.list(limit=100)}["x"] == number


def _peak_of_import(owner: Owner, file: Path) -> float:
    """The most memory that the command had, in MiB."""
    words = ["tasks", "import", str(file), "--owner", owner.name, "--data-dir", str(owner.server.data_dir)]
    return peak_of(owner.server.environment, *words)
