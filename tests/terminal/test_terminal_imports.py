"""Tasks from other programs, and out again."""

import json
import zipfile
from pathlib import Path

import pytest

from stowboard_cli.moving.import_trello import read_board
from stowboard_cli.moving.plan import PlannedComment
from stowboard_cli.moving.todoist_csv import read_csv
from stowboard_cli.moving.todoist_sync import read_sync
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
         "idMembers": ["m1", "m2"], "badges": {"comments": 5},
         "attachments": [{"name": "plan.pdf", "url": "https://trello.example/plan.pdf"}]},
        {"id": "c2", "name": "Think", "idList": "l1", "pos": 1},
        {"id": "c3", "name": "Rest", "idList": "l3", "closed": True, "pos": 3},
        {"id": "c4", "name": "Rake", "idList": "l1", "dueComplete": True, "pos": 4},
    ],
    "members": [{"id": "m1", "username": "anna", "fullName": "Anna"}, {"id": "m2", "username": "otto"}],
    "actions": [
        {"type": "commentCard", "date": "2025-01-02T00:00:00.000Z", "data": {"text": "Second.", "card": {"id": "c1"}},
         "memberCreator": {"username": "otto"}},
        {"type": "updateCard", "data": {"card": {"id": "c1"}}},
        {"type": "commentCard", "date": "2025-01-01T00:00:00.000Z", "data": {"text": "First.", "card": {"id": "c1"}},
         "memberCreator": {"username": "anna"}},
    ],
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


#: As a backup of Todoist has it, and as its sync API answers.
BACKUP = """TYPE,CONTENT,DESCRIPTION,IS_COLLAPSED,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE,DURATION,DURATION_UNIT,DEADLINE,DEADLINE_LANG
meta,view_style=list,,,,,,,,,,,,,
task,Move house @home @big,,,1,1,Ann (1),,24 Dec 2035 17:00,en,America/New_York,,None,,
note," [[file {""file_type"":""image/png"",""file_name"":""plan.png"",""file_url"":""https://files.todoist.com/x/plan.png""}]]",,,,,Ann (1),,,,,,,,
note,Ask Ben,,,,,Ann (1),,,,,,,,
task,Pack,"Books
first",,4,2,Ann (1),,jeden Freitag,de,Europe/Berlin,,None,,
task,Label boxes,,,2,3,Ann (1),,,en,No/Where,,None,,
,,,,,,,,,,,,,,
section,Later,,False,,,,,,,,,,,
task,Unpack,,,3,1,Ann (1),,,en,,,None,,
"""  # noqa: E501  as it is
ANSWER = {
    "projects": [{"id": "p1", "name": "Work"}, {"id": "p2", "name": "Gone", "is_deleted": True}],
    "sections": [
        {"id": "s2", "name": "Second", "project_id": "p1", "section_order": 2},
        {"id": "s1", "name": "First", "project_id": "p1", "section_order": 1},
    ],
    "items": [
        {"id": "i1", "content": "Fixed", "project_id": "p1", "section_id": "s1", "priority": 4, "child_order": 1,
         "due": {"date": "2035-12-24T17:00:00.000000Z", "timezone": "Europe/Berlin", "string": "Dec 24"}},
        {"id": "i2", "content": "Weekly", "project_id": "p1", "parent_id": "i1", "priority": 1, "child_order": 2,
         "due": {"date": "2035-12-28", "timezone": None, "string": "jeden Freitag", "is_recurring": True}},
        {"id": "i3", "content": "Deleted", "project_id": "p1", "is_deleted": True},
        {"id": "i4", "content": "Elsewhere", "project_id": "p2"},
    ],
    "notes": [
        {"id": "n1", "item_id": "i2", "content": "See", "file_attachment":
         {"file_name": "a.pdf", "file_url": "https://files.todoist.com/a.pdf", "file_type": "application/pdf"}},
        {"id": "n2", "item_id": "i2", "content": "Words", "file_attachment": None},
    ],
}  # fmt: skip


def titles(ann: Owner, **filters: object) -> set[str]:
    ann.tasks.activate_index()
    return {task.title for task in ann.tasks.list(**filters)}  # type: ignore[arg-type]


def test_a_dry_run_makes_nothing_and_says_all(ann: Owner, stow: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "board.json"
    file.write_text(json.dumps(TRELLO))
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
    file.write_text(json.dumps(TRELLO))
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


def test_a_backup_of_todoist_is_read_with_all_that_it_says() -> None:
    plan = read_csv(BACKUP, "Home & garden [2203306141]")
    [board] = plan.boards
    assert (board.source, board.name, board.columns) == ("todoist:2203306141", "Home & garden", ("Later",))
    assert [(task.title, task.priority, task.column) for task in board.tasks] == [
        ("Move house", 3, None), ("Pack", 0, None), ("Label boxes", 2, None), ("Unpack", 1, "Later"),
    ]  # fmt: skip
    house, pack, boxes, _ = board.tasks
    assert (house.tags, house.zone, len(house.files)) == (("home", "big"), "America/New_York", 1)
    assert house.comments == (PlannedComment("Ann", "Ask Ben"),)
    assert house.body == "[plan.png](https://files.todoist.com/x/plan.png)"
    assert (pack.body, boxes.body) == ("Books\nfirst\n\nPart of: Move house", "Part of: Pack")
    assert boxes.zone is None
    assert plan.left == ("Made tasks, whose bodies say what they are part of: 2 subtasks.",)


def test_a_subtask_that_is_only_a_text_becomes_an_item() -> None:
    head = "TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE\n"
    rows = "task,Trip,,4,1,Ann (1),Ben (2),,en,\ntask,Pack,,4,2,,,,en,\ntask,Book,,4,2,,,tomorrow,en,\n"
    [board] = read_csv(head + rows + "task,Fly,,4,2,,,,en,\ntask,Seat,,4,3,,,,en,\n", "Home").boards
    trip, book, fly, seat = board.tasks
    assert (trip.checklist, trip.people) == ((("Pack", False),), ("Ben",))
    assert [task.body for task in (book, fly, seat)] == ["Part of: Trip", "Part of: Trip", "Part of: Fly"]
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
    plan = read_sync(ANSWER)
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
    for file, text in zip(files, (BACKUP, json.dumps(ANSWER)), strict=True):
        file.write_text(text)
        assert stow("import", "todoist", str(file), "--yes", "--zone", "Asia/Tokyo").code == 0
    ann.tasks.activate_index()
    found = {task.title: task for task in ann.tasks.list()}
    house, weekly = found["Move house"], found["Weekly"]
    assert (house.due_at, house.time_zone, house.priority) == (2082146400000, "America/New_York", 3)
    assert found["Fixed"].due_at == 2082128400000
    assert (weekly.time_zone, weekly.recurrence, weekly.due_at) == ("Asia/Tokyo", None, 2082466740000)
    assert "Due: jeden Freitag" in (weekly.body or "")
    ann.tasks.delete(house.id)
    again = stow("import", "todoist", str(files[0]), "--yes")
    assert (again.one["present"], again.one["deleted"]) == (3, 1)
    assert "Brought in before, deleted since, and not made again: 1 task." in again.err
    assert "Move house" not in titles(ann)


def test_lists_of_trello_keep_their_order_and_cards_of_hidden_ones_are_archived() -> None:
    lists = [
        {"id": "a", "name": "Second", "pos": 2, "closed": False},
        {"id": "b", "name": "First", "pos": 1, "closed": False},
        {"id": "c", "name": "Old", "pos": 0, "closed": True},
    ]  # fmt: skip
    cards = [
        {"id": "1", "name": "x", "idList": "c", "idMembers": ["m"], "closed": False, "due": None, "attachments": []},
        {"id": "2", "name": "y", "idList": "a", "idMembers": [], "closed": False, "customFieldItems": [{}]},
    ]  # fmt: skip
    plan = read_board({"id": "b", "name": "B", "lists": lists, "cards": cards, "checklists": [], "actions": []})
    [board] = plan.boards
    assert board.columns == ("First", "Second")
    assert [task.archived for task in board.tasks] == [True, False]
    assert plan.left == ("Not taken over: custom fields of 1 card.",)
    assert board.tasks[0].people == ("m",)


def test_an_import_that_was_cut_off_is_finished_and_doubles_nothing(ann: Owner, stow: Terminal, tmp_path: Path) -> None:
    """The task and its first comment were made; then the line was cut."""
    file = tmp_path / "board.json"
    file.write_text(json.dumps(TRELLO))
    half = ann.tasks.create("Plant a tree", key="trello:c1", checklist=[{"title": "Dig", "done": True}])
    ann.client.comments.create(half.id, "First.")
    assert stow("import", "trello", str(file), "--yes").one["present"] == 0
    assert [comment.body for comment in ann.client.comments.list(half.id)] == ["Second.", "First."]
    assert ann.tasks.get(half.id).placement is not None
    assert stow("import", "trello", str(file), "--yes").one["present"] == 4
    assert len(list(ann.client.comments.list(half.id))) == 2


VIKUNJA = [
    {"id": 1, "title": "House", "buckets": [{"id": 7, "title": "Waiting"}], "task_buckets": [
        {"task_id": 5, "bucket_id": 7}], "child_projects": [{"id": 2, "title": "Garden", "tasks": [
            {"id": 6, "title": "Mow", "done": True, "due_date": "0001-01-01T00:00:00Z", "repeat_mode": 1}]}],
     "tasks": [
        {"id": 5, "title": "Paint", "due_date": "2035-12-24T09:00:00Z", "start_date": "2035-12-20T09:00:00Z",
         "priority": 4, "labels": [{"title": "wall"}], "repeat_after": 172800, "repeat_mode": 2,
         "assignees": [{"username": "anna"}],
         "description": '<p>White &amp; <b>blue</b>.</p><ul><li data-checked="true"><p>Buy</p></li>'
         '<li data-checked="false"><p>Stir</p></li></ul>',
         "comments": [{"comment": "<p>Soon?</p>", "created": "2025-01-01T00:00:00Z", "author": {"username": "otto"}}]},
     ]},
]  # fmt: skip
ICS = """BEGIN:VCALENDAR\r
BEGIN:VEVENT\r
UID:e1\r
SUMMARY:Lunch\r
END:VEVENT\r
BEGIN:VTODO\r
UID:t1\r
SUMMARY:Water\\, then\r
  rest\r
DESCRIPTION:Two\\nlines\r
DUE;TZID=Europe/Berlin:20351224T090000\r
DTSTART;VALUE=DATE:20351220\r
RRULE:FREQ=WEEKLY\r
PRIORITY:1\r
CATEGORIES:home,garden\r
BEGIN:VALARM\r
DESCRIPTION:Ring\r
END:VALARM\r
END:VTODO\r
BEGIN:VTODO\r
UID:t2\r
SUMMARY:Hourly\r
DUE:20351224T090000Z\r
RRULE:FREQ=HOURLY\r
STATUS:COMPLETED\r
END:VTODO\r
END:VCALENDAR\r
"""


def test_an_export_of_vikunja_comes_over_once(ann: Owner, stow: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "export.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("data.json", json.dumps(VIKUNJA))
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
    file.write_bytes(ICS.encode())
    report = stow("import", "ics", str(file), "--yes", "--zone", "Asia/Tokyo", "--ledger", str(ledger)).one
    assert (report["tasks"], report["refused"], report["left"]) == (2, 1, ["Not taken over: 1 event."])
    ann.tasks.activate_index()
    found = {task.title: task for task in ann.tasks.list()}
    water = found["Water, then rest"]
    assert (water.body, water.tags, water.priority) == ("Two\nlines", ("home", "garden"), 3)
    assert (water.due_at, water.time_zone, water.recurrence) == (2082096000000, "Europe/Berlin", "FREQ=WEEKLY")
    assert water.start_at == 2081775540000, "the end of the day in Tokyo"
    assert (found["Hourly"].status, found["Hourly"].recurrence) == ("done", None)
    assert "recurrence" in [json.loads(line)["kind"] for line in ledger.read_text().splitlines()]
    assert stow("import", "ics", str(file), "--yes", "--space", "own").one["present"] == 2


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
