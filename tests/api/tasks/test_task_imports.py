"""Boards and tasks from other programs: looked at, brought in, told line by line."""

import io
import json
import zipfile
from typing import Any

import pytest

from stowboard_client import Import, errors
from support.clients.task_owner import Owner
from support.imports import sample

SUMMED = {"board": "boards", "task": "tasks", "comment": "comments", "assignee": "assignees", "file": "files"}


def bring(owner: Owner, name: str, content: bytes, **choices: Any) -> Import:
    begun = owner.client.imports.begin(name, content)
    owner.client.imports.run(begun.id, **choices)
    done = owner.client.imports.wait_until_done(begun.id)
    assert done.status == "done", done.reason
    return done


def tasks_of(owner: Owner) -> dict[str, Any]:
    owner.tasks.activate_index()
    return {task.title: task for task in owner.tasks.list(archived=True)}


def check_sums(done: Import) -> None:
    """What became of each thing adds up to what the file has."""
    for kind, name in SUMMED.items():
        found = getattr(done.found, name)
        expected = len(found) if isinstance(found, tuple) else found
        assert sum(done.counts.get(kind, {}).values()) == expected, (kind, done.counts)


def test_a_look_says_what_the_file_has_and_makes_nothing(ann: Owner) -> None:
    begun = ann.client.imports.begin("board.json", sample("trello.json"))
    assert (begun.kind, begun.status, begun.space_id) == ("trello", "ready", f"~{ann.name}")
    [board] = begun.found.boards
    assert (board.name, board.columns, board.tasks) == ("Garden", ("Ideas", "Doing", "Done"), 4)
    found = begun.found
    assert (found.tasks, found.present, found.comments, found.assignees, found.files) == (4, 0, 2, 2, 1)
    assert found.people == ("anna", "otto")
    assert found.left_out == ("Not in the file, which has the newest thousand actions: 3 comments.",)
    assert list(ann.boards.list()) == []


def test_a_board_of_trello_comes_over_once(ann: Owner) -> None:
    done = bring(ann, "board.json", sample("trello.json"), people={"anna": ann.name, "otto": "somebody-else"})
    assert (done.status, done.reason) == ("done", None)
    check_sums(done)
    assert done.counts["assignee"] == {"made": 1, "leftOut": 1}
    [board] = ann.boards.list()
    assert [(column.name, column.status, column.is_entry, column.is_terminal) for column in board.columns] == [
        ("Ideas", "todo", True, False), ("Doing", "in_progress", False, False), ("Done", "done", False, True),
    ]  # fmt: skip
    assert board.description == ""
    tasks = tasks_of(ann)
    oak = tasks["Plant a tree"]
    assert (oak.status, oak.due_at, oak.tags) == ("in_progress", 2082099600000, ("green", "red"))
    assert oak.body == "An oak.\n\n[plan.pdf](https://trello.example/plan.pdf)"
    assert [(item.title, item.done) for item in oak.checklist] == [("Dig", True)]
    assert (oak.assignees, oak.comment_count, oak.version) == ((ann.name,), 2, 1)
    said = [(one.author, one.imported and one.imported.author, one.body) for one in ann.client.comments.list(oak.id)]
    assert said == [(ann.name, "somebody-else", "Second."), (ann.name, ann.name, "First.")]
    assert (tasks["Rest"].archived, tasks["Rest"].status, tasks["Rake"].status) == (True, "done", "done")
    places = ann.client.boards.placements(board.id)
    assert [place.task_id for place in places if place.column_id == board.columns[0].id] == [tasks["Think"].id]
    assert [task.title for task in ann.tasks.list(q="Second")] == ["Plant a tree"], "comments are found at once"
    ann.tasks.update(oak.id, title="Plant two trees")
    again = bring(ann, "board.json", sample("trello.json"))
    assert again.counts["task"] == {"present": 4}
    check_sums(again)
    assert len(list(ann.boards.list())) == 1
    assert tasks_of(ann).keys() == {"Plant two trees", "Think", "Rest", "Rake"}


def test_the_ledger_names_all_that_was_not_brought_in(ann: Owner) -> None:
    done = bring(ann, "board.json", sample("trello.json"), people={"otto": "somebody-else"})
    lines = list(ann.client.imports.lines(done.id))
    assert [(line.kind, line.title) for line in lines if line.kind in ("board", "task")] == [
        ("board", "Garden"),
        ("task", "Think"),
        ("task", "Plant a tree"),
        ("task", "Rest"),
        ("task", "Rake"),
    ]
    left = list(ann.client.imports.lines(done.id, outcome="leftOut"))
    reasons = {line.reason for line in left}
    assert "Nobody was chosen for anna." in reasons
    assert "somebody-else is no member of the space." in reasons
    assert "Not fetched. Its address is in the text of the task." in reasons
    made = [line for line in lines if line.kind == "task"]
    assert {ann.tasks.get(line.subject or "").title for line in made} == {line.title for line in made}


def test_boards_can_be_chosen_and_the_rest_brought_later(ann: Owner) -> None:
    begun = ann.client.imports.begin("v.json", sample("vikunja.json"))
    first = begun.found.boards[0]
    ann.client.imports.run(begun.id, boards=[first.source])
    done = ann.client.imports.wait_until_done(begun.id)
    check_sums(done)
    assert [board.name for board in ann.boards.list()] == [first.name]
    ann.client.imports.run(begun.id, boards=[board.source for board in begun.found.boards])
    whole = ann.client.imports.wait_until_done(begun.id)
    check_sums(whole)
    assert {board.name for board in ann.boards.list()} == {board.name for board in begun.found.boards}
    assert len(tasks_of(ann)) == begun.found.tasks


def test_a_task_that_was_deleted_here_is_not_made_again(ann: Owner) -> None:
    bring(ann, "list.ics", sample("list.ics"))
    task = next(iter(tasks_of(ann).values()))
    ann.tasks.delete(task.id)
    again = bring(ann, "list.ics", sample("list.ics"))
    assert again.counts["task"]["refused"] == 1
    [line] = ann.client.imports.lines(again.id, outcome="refused")
    assert line.reason == "It was brought in before, and deleted here since."


def test_an_import_is_undone_as_one(ann: Owner) -> None:
    done = bring(ann, "board.json", sample("trello.json"))
    undone = ann.client.changes.undo_all(application_id=done.id, since=0)
    assert undone.result.refused == ()
    ann.tasks.activate_index()
    assert [*ann.tasks.list(archived=True), *ann.boards.list()] == []


def test_an_archive_is_read_within_bounds(ann: Owner) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("data.json", b" " * (17 * 1024 * 1024))
    many = io.BytesIO()
    with zipfile.ZipFile(many, "w") as archive:
        for number in range(20_000):
            archive.writestr(f"{number:060}", b"")
    truncated = packed.getvalue()[:-10]
    for content, reason in (
        (packed.getvalue(), "16 MiB"),
        (many.getvalue(), "too many entries"),
        (truncated, "damaged"),
        (b"PK\x05\x06", "damaged"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"cards": 1, "lists": 2}', "not"),
        (b'[{"id": 1, "title": "\\u0000"', "not"),
        (b"\xff\xfe\x00", "not"),
    ):
        with pytest.raises(errors.ValidationFailed, match=reason):
            ann.client.imports.begin("x.zip", content)
    strange = json.dumps([{"id": 1, "title": "\x00\u2028a\u202e", "tasks": [{"id": 2, "title": "\ud83d\x00"}]}])
    with pytest.raises(errors.ValidationFailed):
        ann.client.imports.begin("x.json", strange.encode())


def test_what_is_no_text_for_a_task_is_made_one(ann: Owner) -> None:
    title = "a\x00b\u2028c\u202e" + "x" * 600
    task = {"id": 2, "title": title, "description": "<p>" * 1000 + "one\x00", "due_date": "9999-99-99", "priority": 77}
    done = bring(ann, "x.json", json.dumps([{"id": 1, "title": "\x00", "tasks": [task]}]).encode())
    assert done.counts["task"] == {"made": 1}
    [made] = tasks_of(ann).values()
    assert (made.title[:6], len(made.title), made.body, made.due_at) == ("a b c ", 500, "one", None)
    assert [board.name for board in ann.boards.list()] == ["Untitled"]


def test_a_file_that_was_uploaded_is_read_by_those_who_can_see_it(ann: Owner, ben: Owner) -> None:
    upload = ann.client.uploads.file("board.json", sample("trello.json"), space="own")
    assert ann.client.imports.begin("board.json", upload_id=upload.id).found.tasks == 4
    for owner, upload_id in ((ben, upload.id), (ann, "ast_01kbr2x4q8e9w6y3t7n5m1c0vz")):
        with pytest.raises(errors.NotFound):
            owner.client.imports.begin("board.json", upload_id=upload_id)
