"""Tasks from other programs, and out again."""

import json
import secrets
import zipfile
from pathlib import Path
from typing import Any

import pytest

from stowboard_cli.moving.plan import PlannedComment
from stowboard_cli.moving.todoist_sync import read_sync
from stowboard_client import Client
from support.clients.task_owner import Owner
from support.clients.terminal import Terminal
from support.imports import plans, read, sample, sample_json

pytestmark = pytest.mark.cluster_in_soak


def titles(ann: Owner, **filters: object) -> set[str]:
    ann.tasks.activate_index()
    return {task.title for task in ann.tasks.list(**filters)}  # type: ignore[arg-type]


def test_a_dry_run_makes_nothing_and_says_all(ann: Owner, stow: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "board.json"
    file.write_bytes(sample("trello.json"))
    ran = stow("import", "trello", str(file), "--dry-run")
    report = ran.one
    assert (report["dryRun"], report["boards"], report["tasks"], report["attachments"]) == (True, 1, 4, 1)
    assert (report["items"], report["comments"]) == (1, 2)
    assert "Not in the file, which has the newest thousand actions: 3 comments." in report["left"]
    assert "Nobody is assigned for anna, otto: --people says who they are." in report["left"]
    assert "Left where they are: 1 attachment." in ran.err
    assert list(ann.boards.list()) == []
    assert stow("import", "trello", str(file)).code == 2  # nobody can be asked


def test_a_board_of_trello_comes_over_once(ann: Owner, stow: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "board.json"
    file.write_bytes(sample("trello.json"))
    people, ledger = tmp_path / "people.csv", tmp_path / "ledger.jsonl"
    people.write_text(f"anna,{ann.name}\notto,somebody-else\n")
    command = ("import", "trello", str(file), "--yes", "--people", str(people), "--ledger", str(ledger))
    report = stow(*command).one
    assert (report["present"], report["refused"]) == (0, 1)
    lines = [json.loads(line) for line in ledger.read_text().splitlines()]
    assert [(line["kind"], line["outcome"]) for line in lines if line["source"].startswith("trello:c1")] == [
        ("assignee", "refused"), ("assignee", "made"), ("comment", "made"), ("comment", "made"), ("task", "made"),
    ]  # fmt: skip
    assert "somebody-else" in next(line["reason"] for line in lines if line["kind"] == "assignee")
    [board] = ann.boards.list()
    assert [column.name for column in board.columns] == ["To do", "In progress", "Done", "Ideas"]
    ann.tasks.activate_index()
    tasks = {task.title: task for task in ann.tasks.list(archived=True)}
    oak = tasks["Plant a tree"]
    assert (oak.status, oak.due_at, oak.tags) == ("in_progress", 2082099600000, ("green", "red"))
    assert oak.body == "An oak.\n\n[plan.pdf](https://trello.example/plan.pdf)"
    assert [(item.title, item.done) for item in oak.checklist] == [("Dig", True)]
    assert oak.assignees == (ann.name,), "the other one is nobody here"
    said = [(one.author, one.imported and one.imported.author, one.body) for one in ann.client.comments.list(oak.id)]
    assert said == [(ann.name, "somebody-else", "Second."), (ann.name, ann.name, "First.")]
    assert (tasks["Rest"].archived, tasks["Rest"].status, tasks["Rake"].status) == (True, "done", "done")
    placement = tasks["Think"].placement
    assert placement is not None
    assert placement.column_id == board.columns[3].id
    ann.tasks.update(oak.id, title="Plant two trees")
    assert stow("import", "trello", str(file), "--yes").one["present"] == 4
    assert len(list(ann.boards.list())) == 1
    assert titles(ann, archived=True) == {"Plant two trees", "Think", "Rest", "Rake"}


def test_projects_of_todoist_come_over_once(ann: Owner, stow: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "Home.csv"
    file.write_bytes(sample("Home.csv"))
    report = stow("import", "todoist", str(file), "--yes").one
    assert (report["tasks"], len(report["notUnderstood"])) == (3, 1)
    found = {task.title: task for task in ann.tasks.list()} if ann.tasks.activate_index() else {}
    plants = found["Water plants"]
    assert (plants.recurrence, plants.recurrence_from, plants.tags) == ("FREQ=DAILY", "completion", ("home",))
    assert [task.body for task in ann.tasks.list() if task.title == "Wait for it" and task.body] == [
        "Due: after the rain"
    ]
    assert stow("import", "todoist", str(file), "--yes").one["present"] == 3
    sync = tmp_path / "sync.json"
    sync.write_bytes(sample("todoist-sync.json"))
    assert stow("import", "todoist", str(sync), "--yes", "--zone", "UTC").one["tasks"] == 2
    report_task = next(task for task in ann.tasks.list() if task.title == "Report")
    assert (report_task.due_at, report_task.recurrence, report_task.tags) == (2082128400000, "FREQ=MONTHLY", ("a",))
    assert next(task for task in ann.tasks.list() if task.title == "Old one").status == "done"
    assert {board.name for board in ann.boards.list()} == {"Home", "Work"}


@pytest.mark.parametrize("sample", plans(), ids=lambda sample: sample["file"])
def test_a_sample_is_read_with_all_that_it_says(sample: dict[str, Any]) -> None:
    """The console reads the same samples, and has to make the same plans of them."""
    assert read(sample["file"], sample["name"]) == sample["plan"]


def test_a_subtask_that_is_only_a_text_becomes_an_item() -> None:
    items = [
        {"id": "a", "content": "Trip", "project_id": "p", "responsible_uid": "u2"},
        {"id": "b", "content": "Pack", "project_id": "p", "parent_id": "a", "checked": True},
        {"id": "c", "content": "Book", "project_id": "p", "parent_id": "a", "due": {"date": "2035-12-24"}},
    ]
    people = [{"id": "u2", "full_name": "Ben"}]
    notes = [{"id": "n", "item_id": "a", "content": "Soon?", "posted_uid": "u2", "posted_at": "2025-01-01T00:00:00Z"}]
    answer = {"projects": [{"id": "p", "name": "P"}], "items": items, "collaborators": people, "notes": notes}
    [board] = read_sync(answer).boards
    trip, book = board.tasks
    assert (trip.checklist, trip.people) == ((("Pack", True),), ("Ben",))
    assert trip.comments == (PlannedComment("Ben", "Soon?", 1735689600000),)
    assert book.body == "Part of: Trip"


def test_an_answer_of_todoist_is_read_with_all_that_it_says() -> None:
    plan = read_sync(sample_json("todoist-answer.json"))
    [board] = plan.boards
    assert board.columns == ("First", "Second")
    fixed, weekly = board.tasks
    assert (fixed.priority, fixed.due_text, fixed.zone) == (3, "2035-12-24 18:00", "Europe/Berlin")
    assert (weekly.priority, weekly.due_text, weekly.due_once) == (0, "jeden Freitag 2035-12-28", "2035-12-28")
    assert weekly.body == "Part of: Fixed\n\n[a.pdf](https://files.todoist.com/a.pdf)"
    assert len(weekly.files) == 1
    assert [comment.body for comment in weekly.comments] == ["See", "Words"]


def test_dates_are_read_in_their_own_zone_and_what_was_deleted_stays_so(
    ann: Owner, stow: Terminal, tmp_path: Path
) -> None:
    files = [tmp_path / "Home [2203306141].csv", tmp_path / "sync.json"]
    for file, name in zip(files, ("backup.csv", "todoist-answer.json"), strict=True):
        file.write_bytes(sample(name))
        assert stow("import", "todoist", str(file), "--yes", "--zone", "Asia/Tokyo").code == 0
    ann.tasks.activate_index()
    found = {task.title: task for task in ann.tasks.list()}
    house, weekly = found["Move house"], found["Weekly"]
    assert (house.due_at, house.time_zone, house.priority) == (2082146400000, "America/New_York", 3)
    assert found["Fixed"].due_at == 2082128400000
    assert (weekly.time_zone, weekly.recurrence, weekly.due_at) == ("Asia/Tokyo", None, 2082466799000)
    assert "Due: jeden Freitag" in (weekly.body or "")
    ann.tasks.delete(house.id)
    again = stow("import", "todoist", str(files[0]), "--yes")
    assert (again.one["present"], again.one["deleted"]) == (3, 1)
    assert "Brought in before, deleted since, and not made again: 1 task." in again.err
    assert "Move house" not in titles(ann)


def test_an_import_that_was_cut_off_is_finished_and_doubles_nothing(ann: Owner, stow: Terminal, tmp_path: Path) -> None:
    """The task and its first comment were made; then the line was cut."""
    file = tmp_path / "board.json"
    file.write_bytes(sample("trello.json"))
    half = ann.tasks.create("Plant a tree", key="trello:c1", checklist=[{"title": "Dig", "done": True}])
    ann.client.comments.create(half.id, "First.")
    assert stow("import", "trello", str(file), "--yes").one["present"] == 0
    assert [comment.body for comment in ann.client.comments.list(half.id)] == ["Second.", "First."]
    assert ann.tasks.get(half.id).placement is not None
    assert stow("import", "trello", str(file), "--yes").one["present"] == 4
    assert len(list(ann.client.comments.list(half.id))) == 2


def test_an_export_of_vikunja_comes_over_once(ann: Owner, stow: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "export.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("data.json", sample("vikunja.json"))
    people = tmp_path / "people.csv"
    people.write_text(f"anna,{ann.name}\n")
    report = stow("import", "vikunja", str(file), "--yes", "--people", str(people), "--zone", "UTC").one
    assert (report["boards"], report["tasks"], report["items"], report["comments"]) == (2, 2, 2, 1)
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
    assert stow("import", "vikunja", str(file), "--yes", "--space", f"~{ann.name}").one["present"] == 2


def test_todos_of_a_calendar_come_over_once(ann: Owner, stow: Terminal, tmp_path: Path) -> None:
    file, ledger = tmp_path / "list.ics", tmp_path / "ledger.jsonl"
    file.write_bytes(sample("list.ics").replace(b"\n", b"\r\n"))
    report = stow("import", "ics", str(file), "--yes", "--zone", "Asia/Tokyo", "--ledger", str(ledger)).one
    assert (report["tasks"], report["refused"], report["left"]) == (3, 1, ["Not taken over: 1 event."])
    ann.tasks.activate_index()
    found = {task.title: task for task in ann.tasks.list()}
    water = found["Water, then rest"]
    assert (water.body, water.tags, water.priority) == ("Two\nlines", ("home", "garden"), 3)
    assert (water.due_at, water.time_zone, water.recurrence) == (2082096000000, "Europe/Berlin", "FREQ=WEEKLY")
    assert water.start_at == 2081775540000, "the end of the day in Tokyo"
    assert (found["Hourly"].status, found["Hourly"].recurrence) == ("done", None)
    assert "recurrence" in [json.loads(line)["kind"] for line in ledger.read_text().splitlines()]
    gifts = found["Gifts"]
    assert (gifts.due_on, gifts.due_at, gifts.time_zone) == ("2035-12-24", 2082121199000, "Asia/Tokyo")
    assert stow("import", "ics", str(file), "--yes", "--space", "own").one["present"] == 3


def test_a_card_that_the_service_refuses_is_told_and_the_others_come(
    ann: Owner, stow: Terminal, tmp_path: Path
) -> None:
    board = sample_json("trello.json")
    board["cards"][1]["due"] = "1960-01-01T00:00:00.000Z"
    file, ledger = tmp_path / "board.json", tmp_path / "ledger.jsonl"
    file.write_text(json.dumps(board))
    assert stow("import", "trello", str(file), "--yes", "--ledger", str(ledger)).one["tasks"] == 4
    [refused] = [line for line in map(json.loads, ledger.read_text().splitlines()) if line["source"] == "trello:c2"]
    assert (refused["kind"], refused["outcome"]) == ("task", "refused")
    assert "dueAt" in refused["reason"]
    assert titles(ann, archived=True) == {"Plant a tree", "Rest", "Rake"}


def test_an_import_that_is_refused_midway_leaves_its_ledger(ann: Owner, stow: Terminal, tmp_path: Path) -> None:
    """Whoever may not upload finds the first file here, and is refused at the second."""
    for name in ("a.bin", "b.bin"):
        ann.client.upload(secrets.token_bytes(100), filename=name, space="own")
    assert stow("export", "--folder", str(tmp_path / "export"), "--space", "own").code == 0
    lines = [json.loads(line) for line in (tmp_path / "export" / "export.jsonl").read_text().splitlines()]
    ann.client.assets.delete(lines[1]["id"])
    with Client(ann.server.origin, ann.server.admin_token) as admin:
        token = admin.tokens.create(ann.name, scopes=["media:read", "tasks:read"]).token
    reader, ledger = Terminal(ann.server, tmp_path / "reader", token), tmp_path / "ledger.jsonl"
    assert reader("import", "stowboard", str(tmp_path / "export"), "--yes", "--ledger", str(ledger)).code == 3
    assert [json.loads(line) for line in ledger.read_text().splitlines()] == [
        {"source": f"stow:{lines[0]['id']}", "kind": "file", "outcome": "present"}
    ]
    (tmp_path / "board.json").write_bytes(sample("trello.json"))
    ledger.unlink()
    assert reader("import", "trello", str(tmp_path / "board.json"), "--yes", "--ledger", str(ledger)).code == 3
    assert ledger.read_text() == ""


@pytest.mark.parametrize("content", ["", "{}", "[]", "a,b\n1,2\n", '{"lists": 5, "cards": []}', "\x00"])
@pytest.mark.parametrize("program", ["trello", "todoist", "vikunja", "ics"])
def test_what_is_no_export_is_refused(stow: Terminal, tmp_path: Path, program: str, content: str) -> None:
    file = tmp_path / "file"
    file.write_text(content)
    ran = stow("import", program, str(file), "--dry-run")
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
