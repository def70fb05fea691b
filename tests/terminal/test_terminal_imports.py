"""Boards and tasks from other programs, and out again. What becomes of a file is tested in tests/api/tasks."""

import json
import secrets
import zipfile
from pathlib import Path

import pytest

from stowboard_client import Client
from support.clients.task_owner import Owner
from support.clients.terminal import Terminal
from support.imports import sample, sample_json

pytestmark = pytest.mark.cluster_in_soak


def titles(ann: Owner, **filters: object) -> set[str]:
    ann.tasks.activate_index()
    return {task.title for task in ann.tasks.list(**filters)}  # type: ignore[arg-type]


def test_a_dry_run_makes_nothing_and_says_all(ann: Owner, stow: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "board.json"
    file.write_bytes(sample("trello.json"))
    ran = stow("import", str(file), "--dry-run")
    report = ran.one
    assert (report["dryRun"], report["kind"], report["boards"], report["tasks"]) == (True, "trello", 1, 4)
    assert (report["files"], report["comments"], report["counts"]) == (1, 2, {})
    assert "Not in the file, which has the newest thousand actions: 3 comments." in report["leftOut"]
    assert "Nobody is chosen for anna, otto: --people says who they are." in ran.err
    assert "Not fetched without --files: 1 attachment." in ran.err
    assert [*ann.boards.list(), *ann.client.imports.list()] == []
    assert stow("import", str(file)).code == 2  # nobody can be asked


def test_a_board_of_trello_comes_over_once(ann: Owner, stow: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "board.json"
    file.write_bytes(sample("trello.json"))
    people, ledger = tmp_path / "people.csv", tmp_path / "ledger.jsonl"
    people.write_text(f"anna,{ann.name}\notto,somebody-else\n")
    command = ("import", str(file), "--yes", "--people", str(people), "--ledger", str(ledger))
    ran = stow(*command)
    assert (ran.code, ran.one["counts"]["assignee"]) == (0, {"made": 1, "leftOut": 1})
    lines = [json.loads(line) for line in ledger.read_text().splitlines()]
    assert "somebody-else is no member of the space." in [line["reason"] for line in lines]
    assert "somebody-else is no member of the space." in ran.err
    assert titles(ann, archived=True) == {"Plant a tree", "Think", "Rest", "Rake"}
    assert stow("import", str(file), "--yes").one["counts"]["task"] == {"present": 4}


def test_projects_of_todoist_come_over_once(ann: Owner, stow: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "Home.csv"
    file.write_bytes(sample("Home.csv"))
    assert stow("import", str(file), "--yes").one["counts"]["date"] == {"leftOut": 1}
    found = {task.title: task for task in ann.tasks.list()} if ann.tasks.activate_index() else {}
    plants = found["Water plants"]
    assert (plants.recurrence, plants.recurrence_from, plants.tags) == ("FREQ=DAILY", "completion", ("home",))
    assert [task.body for task in ann.tasks.list() if task.title == "Wait for it" and task.body] == [
        "Due: after the rain"
    ]
    assert stow("import", str(file), "--yes").one["present"] == 3
    sync = tmp_path / "sync.json"
    sync.write_bytes(sample("todoist-sync.json"))
    assert stow("import", str(sync), "--yes", "--zone", "UTC").one["tasks"] == 2
    report = next(task for task in ann.tasks.list() if task.title == "Report")
    assert (report.due_at, report.recurrence, report.tags) == (2082128400000, "FREQ=MONTHLY", ("a",))
    assert next(task for task in ann.tasks.list() if task.title == "Old one").status == "done"
    assert {board.name for board in ann.boards.list()} == {"Home", "Work"}


def test_dates_are_read_in_their_own_zone_and_what_was_deleted_stays_so(
    ann: Owner, stow: Terminal, tmp_path: Path
) -> None:
    files = [tmp_path / "Home [2203306141].csv", tmp_path / "sync.json"]
    for file, name in zip(files, ("backup.csv", "todoist-answer.json"), strict=True):
        file.write_bytes(sample(name))
        assert stow("import", str(file), "--yes", "--zone", "Asia/Tokyo").code == 0
    ann.tasks.activate_index()
    found = {task.title: task for task in ann.tasks.list()}
    house, weekly = found["Move house"], found["Weekly"]
    assert (house.due_at, house.time_zone, house.priority) == (2082146400000, "America/New_York", 3)
    assert found["Fixed"].due_at == 2082128400000
    assert (weekly.time_zone, weekly.recurrence, weekly.due_at) == ("Asia/Tokyo", None, 2082466799000)
    assert "Due: jeden Freitag" in (weekly.body or "")
    ann.tasks.delete(house.id)
    again = stow("import", str(files[0]), "--yes")
    assert (again.code, json.loads(again.out)["counts"]["task"]) == (8, {"present": 3, "refused": 1})
    assert "It was brought in before, and deleted here since." in again.err
    assert "Move house" not in titles(ann)


def test_an_export_of_vikunja_comes_over_once(ann: Owner, stow: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "export.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("data.json", sample("vikunja.json"))
    people = tmp_path / "people.csv"
    people.write_text(f"anna,{ann.name}\n")
    report = stow("import", str(file), "--yes", "--people", str(people), "--zone", "UTC").one
    assert (report["boards"], report["tasks"], report["comments"]) == (2, 2, 1)
    ann.tasks.activate_index()
    found = {task.title: task for task in ann.tasks.list()}
    paint = found["Paint"]
    assert (paint.body, paint.tags, paint.priority, paint.assignees) == ("White & blue.", ("wall",), 3, (ann.name,))
    assert (paint.due_at, paint.start_at) == (2082099600000, 2081754000000)
    assert (paint.recurrence, paint.recurrence_from) == ("FREQ=DAILY;INTERVAL=2", "completion")
    assert [(item.title, item.done) for item in paint.checklist] == [("Buy", True), ("Stir", False)]
    [comment] = ann.client.comments.list(paint.id)
    assert (comment.body, comment.imported and comment.imported.author) == ("Soon?", "otto")
    assert (found["Mow"].status, found["Mow"].due_at) == ("done", None)
    assert stow("import", str(file), "--yes", "--space", f"~{ann.name}").one["present"] == 2


def test_todos_of_a_calendar_come_over_once(ann: Owner, stow: Terminal, tmp_path: Path) -> None:
    file, ledger = tmp_path / "list.ics", tmp_path / "ledger.jsonl"
    file.write_bytes(sample("list.ics").replace(b"\n", b"\r\n"))
    report = stow("import", str(file), "--yes", "--zone", "Asia/Tokyo", "--ledger", str(ledger)).one
    assert (report["tasks"], report["leftOut"]) == (3, ["Not taken over: 1 event."])
    assert report["counts"]["recurrence"] == {"leftOut": 1}
    ann.tasks.activate_index()
    found = {task.title: task for task in ann.tasks.list()}
    water = found["Water, then rest"]
    assert (water.body, water.tags, water.priority) == ("Two\nlines", ("home", "garden"), 3)
    assert (water.due_at, water.time_zone, water.recurrence) == (2082096000000, "Europe/Berlin", "FREQ=WEEKLY")
    assert water.start_at == 2081689200000, "the beginning of the day in Tokyo"
    assert (found["Hourly"].status, found["Hourly"].recurrence) == ("done", None)
    assert "recurrence" in [json.loads(line)["kind"] for line in ledger.read_text().splitlines()]
    gifts = found["Gifts"]
    assert (gifts.due_on, gifts.due_at, gifts.time_zone) == ("2035-12-24", 2082121199000, "Asia/Tokyo")
    assert stow("import", str(file), "--yes", "--space", "own").one["present"] == 3


def test_a_card_that_the_service_refuses_is_told_and_the_others_come(
    ann: Owner, stow: Terminal, tmp_path: Path
) -> None:
    board = sample_json("trello.json")
    board["cards"][1]["due"] = "1960-01-01T00:00:00.000Z"
    file, ledger = tmp_path / "board.json", tmp_path / "ledger.jsonl"
    file.write_text(json.dumps(board))
    ran = stow("import", str(file), "--yes", "--ledger", str(ledger))
    assert (ran.code, ran.one["counts"]["task"], ran.one["counts"]["date"]) == (0, {"made": 4}, {"leftOut": 1})
    [left] = [line for line in map(json.loads, ledger.read_text().splitlines()) if line["kind"] == "date"]
    assert left["reason"] == "Not understood, and kept in the text: 1960-01-01T00:00:00.000Z"
    assert titles(ann, archived=True) == {"Plant a tree", "Think", "Rest", "Rake"}


def test_an_import_that_is_refused_midway_leaves_its_ledger(ann: Owner, stow: Terminal, tmp_path: Path) -> None:
    """Whoever may not upload finds the first file here, and is refused at the second."""
    for name in ("a.bin", "b.bin"):
        ann.client.upload(secrets.token_bytes(100), filename=name, space="own")
    assert stow("export", "--folder", str(tmp_path / "export"), "--space", "own").code == 0
    lines = [json.loads(line) for line in (tmp_path / "export" / "export.jsonl").read_text().splitlines()]
    ann.client.assets.delete(lines[1]["id"])
    with Client(ann.server.origin, ann.server.admin_token) as admin:
        token = admin.tokens.create(ann.name, scopes=["media:read", "tasks:read", "tasks:write"]).token
    reader, ledger = Terminal(ann.server, tmp_path / "reader", token), tmp_path / "ledger.jsonl"
    assert reader("import", str(tmp_path / "export"), "--yes", "--ledger", str(ledger)).code == 3
    assert [json.loads(line) for line in ledger.read_text().splitlines()] == [
        {"source": f"stow:{lines[0]['id']}", "kind": "media", "outcome": "present", "reason": ""}
    ]


@pytest.mark.parametrize("content", ["", "{}", "[]", "a,b\n1,2\n", '{"lists": 5, "cards": []}', "\x00"])
@pytest.mark.parametrize("program", ["trello", "todoist", "vikunja", "ics"])
def test_what_is_no_export_is_refused(stow: Terminal, tmp_path: Path, program: str, content: str) -> None:
    file = tmp_path / "file"
    file.write_text(content)
    ran = stow("import", str(file), "--kind", program, "--dry-run")
    assert ran.code in (0, 5)
    assert ran.code == 5 or ran.one["tasks"] == 0
    assert "Traceback" not in ran.err


def test_everything_of_ones_own_is_written_out(ann: Owner, stow: Terminal, tmp_path: Path) -> None:
    board = ann.boards.create("House")
    [task] = ann.place(board, "a")
    ann.tasks.archive(task.id)
    found = stow("export").lines
    assert [(line["kind"], line["id"]) for line in found] == [("board", board.id), ("task", task.id)]
    assert stow("export", "-o", str(tmp_path / "out.jsonl")).code == 0
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 2
