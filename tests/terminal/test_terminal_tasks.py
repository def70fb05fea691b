"""Tasks and boards in the terminal."""

from pathlib import Path

import httpx2
import pytest

from support.clients.task_owner import Owner
from support.clients.terminal import Terminal

pytestmark = pytest.mark.cluster_in_soak


def test_a_line_becomes_a_task_and_says_what_was_understood(ann: Owner, stow: Terminal) -> None:
    ran = stow("task", "add", "Renew", "cert", "24 dec 2035 9am #ops", "every", "month", "--zone", "Europe/Berlin")
    assert ran.one["title"] == "Renew cert"
    assert "repeat    every month  →  FREQ=MONTHLY" in ran.err
    assert ann.tasks.get(ran.one["id"]).tags == ("ops",)
    assert stow("task", "add", "Call tomorrow", "--plain").one["title"] == "Call tomorrow"
    assert stow("task", "add", "Call tomorrow", "--dry-run").one["title"] == "Call"
    assert len(stow("task", "ls").lines) == 2


def test_tasks_are_named_by_words_and_done_moved_hidden_and_brought_back(ann: Owner, stow: Terminal) -> None:
    board = ann.boards.create("House")
    ann.tasks.create("Fix tap")
    ann.tasks.create("Fix roof")
    moved = stow("task", "move", "fix tap", "--board", "house", "--column", "in progress").one
    assert (moved["placement"]["columnId"], moved["status"]) == (board.columns[1].id, "in_progress")
    assert [task["title"] for task in stow("board", "show", "House").lines] == ["Fix tap"]
    assert stow("task", "done", "tap").one["status"] == "done"
    assert stow("task", "archive", "roof").one["archived"]
    assert [task["title"] for task in stow("task", "ls").lines] == ["Fix tap"]
    assert not stow("task", "restore", "roof").one["archived"]
    assert [found["title"] for found in stow("task", "ls", "--status", "done").lines] == ["Fix tap"]
    assert stow("board", "ls").one["name"] == "House"
    ann.tasks.create('Say: "re:-invent" -- or not')
    assert stow("task", "done", 'say: "re:-inv').one["status"] == "done"


def test_a_command_that_had_no_answer_counts_once_when_it_is_given_again(
    ann: Owner, stow: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With any other command between the two, the second is an act of its own."""
    monkeypatch.setattr("stowboard_cli.stow._RETRIES", 0)
    send = httpx2.HTTPTransport.handle_request
    [task] = ann.create("r", recurrence="FREQ=DAILY", due_at=1_900_000_000_000)

    def lose_the_answer(transport: httpx2.HTTPTransport, request: httpx2.Request) -> httpx2.Response:
        send(transport, request).read()
        if request.method == "GET":
            return send(transport, request)
        raise httpx2.ReadError("lost")

    def done(*, is_lost: bool) -> int:
        """The days by which the task has moved."""
        with monkeypatch.context() as patched:
            if is_lost:
                patched.setattr(httpx2.HTTPTransport, "handle_request", lose_the_answer)
            assert (stow("task", "done", task.id).code == 0) is not is_lost
        return ((ann.tasks.get(task.id).due_at or 0) - 1_900_000_000_000) // 86_400_000

    assert [done(is_lost=True), done(is_lost=True), done(is_lost=False), done(is_lost=False)] == [1, 1, 1, 2]
    assert done(is_lost=True) == 3
    assert stow("task", "ls").code == 0
    assert done(is_lost=False) == 4


def test_what_could_be_two_tasks_is_not_guessed(ann: Owner, stow: Terminal) -> None:
    ann.create("ab")
    first = ann.tasks.create("Fix tap")
    ann.tasks.create("Fix roof")
    ran = stow("task", "done", "fix")
    assert ran.code == 5
    assert first.id in ran.err
    assert stow("task", "done", "nothing like it").code == 4
    assert stow("task", "done", "o").code == 4, "one letter is too little"
    assert stow("task", "done", "roof", "nothing like it").code == 8


def test_a_task_goes_to_the_trash_and_comes_back_by_its_title(ann: Owner, stow: Terminal) -> None:
    ann.create("ab")
    assert stow("task", "rm", "a").one["trashedAt"] is not None
    assert [task["title"] for task in stow("task", "ls", "--trash").lines] == ["a"]
    assert [task["title"] for task in stow("task", "ls").lines] == ["b"]
    assert stow("task", "restore", "a").one["trashedAt"] is None
    assert stow("task", "ls", "--trash").lines == []


def test_deleting_for_good_needs_a_yes(ann: Owner, stow: Terminal) -> None:
    [task] = ann.create("a")
    assert stow("task", "rm", task.id, "--forever").code == 2
    code, seen = stow.on_screen("task", "rm", task.id, "--forever", typed="n\n")
    assert code == 1
    assert "Delete a for good? [y/N]" in seen
    assert ann.tasks.get(task.id) == task
    assert stow("task", "rm", task.id, "--forever", "--yes").one == {"id": task.id, "deleted": True}


def test_a_task_is_changed_in_an_editor(ann: Owner, stow: Terminal, tmp_path: Path) -> None:
    task = ann.tasks.create("Fix tap", body="old", tags=["home"], due_at=1_900_000_000_000)
    editor = tmp_path / "edit.sh"
    stow.environment["EDITOR"] = f"sh {editor}"
    editor.write_text("""sed -i -e 's/^Title: .*/Title: Fix the tap/' -e 's/^Due: .*/Due:/' -e 's/^old$/new/' "$1"\n""")
    assert stow("task", "edit", "fix tap").code == 0
    after = ann.tasks.get(task.id)
    assert (after.title, after.body, after.due_at, after.tags) == ("Fix the tap", "new", None, ("home",))
    editor.write_text("""sed -i 's/^Due:.*/Due: 2035-12-24/' "$1"\n""")
    assert stow("task", "edit", "tap").code == 0
    after = ann.tasks.get(task.id)
    assert after.due_on == "2035-12-24"
    editor.write_text("true\n")
    assert "Nothing was changed." in stow("task", "edit", "tap").err
    assert ann.tasks.get(task.id) == after
    editor.write_text("""sed -i 's/^Due:.*/Due: soon/' "$1"\n""")
    assert stow("task", "edit", "tap").code == 5


def test_what_somebody_else_changed_meanwhile_is_not_overwritten(ann: Owner, stow: Terminal, tmp_path: Path) -> None:
    task = ann.tasks.create("Fix tap")
    editor = tmp_path / "edit.sh"
    stow.environment["EDITOR"] = f"sh {editor}"
    editor.write_text(
        f"""curl -sS -X PATCH {ann.server.base_url}/taskapp/tasks/{task.id} --json '{{"body": "theirs"}}' \
        -H 'Authorization: Bearer {ann.token}' > /dev/null; sed -i 's/^Title: .*/Title: Mine/' "$1"\n"""
    )
    ran = stow("task", "edit", "tap")
    assert ran.code == 5
    assert (ann.tasks.get(task.id).title, ann.tasks.get(task.id).body) == ("Fix tap", "theirs")
    Path(ran.err.split("Your text is in ")[1].strip().rstrip(".")).unlink()


def test_a_board_is_drawn_column_beside_column(ann: Owner, stow: Terminal) -> None:
    board = ann.boards.create("House")
    ann.place(board, "ab")
    code, seen = stow.on_screen("board", "show", "House")
    assert code == 0
    lines = seen.splitlines()
    assert lines[0] == "House"
    assert lines[1].split("   ")[0].strip() == "To do (2)"
    assert "Done (0)" in lines[1]
    assert [line[0] for line in lines[3:5]] == ["a", "b"]


@pytest.mark.parametrize("words", [["frob"], ["task", "frob"], ["task", "add"], ["ls", "--frob"], ["rm"]])
def test_a_wrong_command_is_a_matter_of_usage(stow: Terminal, words: list[str]) -> None:
    assert stow(*words).code == 2


def test_boards_are_made_renamed_and_deleted(ann: Owner, stow: Terminal) -> None:
    made = stow("board", "create", "House", "--description", "At home").one
    assert (made["name"], made["description"]) == ("House", "At home")
    assert [column["name"] for column in made["columns"]] == ["To do", "In progress", "Done"]
    assert stow("board", "rename", "house", "The house").one["name"] == "The house"
    assert stow("board", "rename", "house", "x").code == 4
    task = ann.tasks.create("Fix tap")
    stow("task", "move", task.id, "--board", "the house")
    refused = stow("board", "rm", "the house")
    assert (refused.code, "Its tasks stay" in refused.err) == (2, True)
    assert stow("board", "rm", "the house", "--yes").one == {"id": made["id"], "deleted": True}
    assert ann.tasks.get(task.id).placement is None


def test_a_table_is_printed_into_a_pipe_if_it_is_asked_for(ann: Owner, stow: Terminal) -> None:
    long = "Fix " + "very " * 60 + "old tap"
    task = ann.tasks.create(long)
    head, row = stow("task", "ls", "--table", "--fields", "id,title").out.splitlines()
    assert (head.split(), row.split(maxsplit=1)) == (["id", "title"], [task.id, long])
    assert stow("task", "ls", "--table", "--json").code == 2
    assert stow("task", "ls").one["id"] == task.id


def test_a_task_is_named_by_its_title_alone(ann: Owner, stow: Terminal) -> None:
    ann.tasks.create("Order a filter", body="For the tap in the kitchen", tags=["tap"])
    sealed = ann.tasks.create("Call the doctor", visibility="zero-knowledge")
    tap = ann.tasks.create("Fix tap")
    assert stow("task", "done", "tap").one["id"] == tap.id
    assert stow("task", "done", "the doc").one["id"] == sealed.id, "search does not know it"
    assert stow("task", "done", "kitchen").code == 4


def test_an_open_task_comes_before_one_of_the_same_title_that_is_done(ann: Owner, stow: Terminal) -> None:
    old = ann.tasks.create("Water plants")
    ann.tasks.complete(old.id)
    new = ann.tasks.create("Water plants")
    assert stow("task", "done", "water").one["id"] == new.id
    ann.tasks.delete(old.id)
    assert stow("task", "done", "water").one["id"] == new.id, "again changes nothing"


def test_a_checklist_assignees_and_comments(stow: Terminal) -> None:
    task = stow("task", "add", "Repot the fern").one
    stow("task", "check", "repot", "Soil", "--add")
    stow("task", "check", "repot", "Larger pot", "--add")
    assert stow("task", "check", "repot", "pot").one["done"] is True
    assert [item["done"] for item in stow("task", "check", "repot").lines] == [False, True]
    assert stow("task", "check", "repot", "pot", "--undo").one["done"] is False
    assert stow("task", "check", "repot", "nothing").code == 4
    assert stow("task", "comment", "repot", "In the *shed*.").one["body"] == "In the *shed*."
    assert [comment["body"] for comment in stow("task", "comment", "repot").lines] == ["In the *shed*."]
    mine = stow("task", "assign", "repot", task["createdBy"]).one
    assert mine["assignees"] == [task["createdBy"]]
    stow("task", "add", "Somebody else's")
    assert [found["title"] for found in stow("task", "ls", "--mine").lines] == ["Repot the fern"]
    assert stow("task", "assign", "repot", "--only").one["assignees"] == []
    exported = stow("export").lines
    assert [line["taskId"] for line in exported if line["kind"] == "comment"] == [task["id"]]
