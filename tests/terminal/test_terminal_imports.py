"""Tasks from other programs, and out again."""

import json
from pathlib import Path

import pytest

from support.clients.task_owner import Owner
from support.clients.terminal import Terminal

pytestmark = pytest.mark.cluster_in_soak
TRELLO = {
    "id": "b1", "name": "Garden",
    "lists": [
        {"id": "l1", "name": "Ideas", "closed": False}, {"id": "l2", "name": "Doing", "closed": False},
        {"id": "l3", "name": "Done", "closed": False}, {"id": "l4", "name": "Old", "closed": True},
    ],
    "checklists": [{"id": "k1", "name": "Steps", "checkItems": [{"name": "Dig", "state": "complete", "pos": 1}]}],
    "cards": [
        {"id": "c1", "name": "Plant a tree", "desc": "An oak.", "due": "2035-12-24T09:00:00.000Z", "idList": "l2",
         "labels": [{"name": "green"}, {"name": "", "color": "red"}], "idChecklists": ["k1"], "pos": 2,
         "attachments": [{"name": "plan.pdf", "url": "https://trello.example/plan.pdf"}]},
        {"id": "c2", "name": "Think", "idList": "l1", "pos": 1},
        {"id": "c3", "name": "Rest", "idList": "l3", "closed": True, "pos": 3},
        {"id": "c4", "name": "Rake", "idList": "l1", "dueComplete": True, "pos": 4},
    ],
    "actions": [{"type": "commentCard"}],
}  # fmt: skip
SYNC = {
    "projects": [{"id": "p1", "name": "Work"}],
    "sections": [{"id": "s1", "name": "Later", "project_id": "p1"}],
    "items": [
        {"id": "i1", "content": "Report", "description": "Long.", "project_id": "p1", "section_id": "s1",
         "labels": ["a"], "due": {"date": "2035-12-24T17:00:00", "string": "every month", "is_recurring": True}},
        {"id": "i2", "content": "Old one", "project_id": "p1", "checked": True},
    ],
}  # fmt: skip
CSV = """TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE
section,Later,,,,,,,,
task,Water plants @home,The fern too,4,1,,,every day at 8am,en,Europe/Berlin
note,Nice,,,,,,,,
task,Wait for it,,4,1,,,after the rain,en,
task,Wait for it,,4,1,,,,en,
"""


def titles(ann: Owner, **filters: object) -> set[str]:
    ann.tasks.activate_index()
    return {task.title for task in ann.tasks.list(**filters)}  # type: ignore[arg-type]


def test_a_dry_run_makes_nothing_and_says_all(ann: Owner, stow: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "board.json"
    file.write_text(json.dumps(TRELLO))
    ran = stow("import", "trello", str(file), "--dry-run")
    report = ran.one
    assert (report["dryRun"], report["boards"], report["tasks"], report["attachments"]) == (True, 1, 4, 1)
    assert "1 comments are not taken over." in report["left"]
    assert "1 attachments stay where they are" in ran.err
    assert list(ann.boards.list()) == []
    assert stow("import", "trello", str(file)).code == 2  # nobody can be asked


def test_a_board_of_trello_comes_over_once(ann: Owner, stow: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "board.json"
    file.write_text(json.dumps(TRELLO))
    assert stow("import", "trello", str(file), "--yes").one["present"] == 0
    [board] = ann.boards.list()
    assert [column.name for column in board.columns] == ["To do", "In progress", "Done", "Ideas"]
    ann.tasks.activate_index()
    tasks = {task.title: task for task in ann.tasks.list(archived=True)}
    oak = tasks["Plant a tree"]
    assert (oak.status, oak.due_at, oak.tags) == ("in_progress", 2082099600000, ("green", "red"))
    assert oak.body == "An oak.\n\n**Steps**\n- [x] Dig\n\n[plan.pdf](https://trello.example/plan.pdf)"
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
    file.write_text(CSV)
    report = stow("import", "todoist", str(file), "--yes").one
    assert (report["tasks"], len(report["notUnderstood"])) == (3, 1)
    found = {task.title: task for task in ann.tasks.list()} if ann.tasks.activate_index() else {}
    assert (found["Water plants"].recurrence, found["Water plants"].tags) == ("FREQ=DAILY", ("home",))
    assert [task.body for task in ann.tasks.list() if task.title == "Wait for it" and task.body] == [
        "Due: after the rain"
    ]
    assert stow("import", "todoist", str(file), "--yes").one["present"] == 3
    sync = tmp_path / "sync.json"
    sync.write_text(json.dumps(SYNC))
    assert stow("import", "todoist", str(sync), "--yes", "--zone", "UTC").one["tasks"] == 2
    report_task = next(task for task in ann.tasks.list() if task.title == "Report")
    assert (report_task.due_at, report_task.recurrence, report_task.tags) == (2082128400000, "FREQ=MONTHLY", ("a",))
    assert next(task for task in ann.tasks.list() if task.title == "Old one").status == "done"
    assert {board.name for board in ann.boards.list()} == {"Home", "Work"}


@pytest.mark.parametrize("content", ["", "{}", "[]", "a,b\n1,2\n", '{"lists": 5, "cards": []}', "\x00"])
@pytest.mark.parametrize("program", ["trello", "todoist"])
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
