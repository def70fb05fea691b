"""Standard output, standard error and exit codes of commands."""

import resource
import subprocess
from pathlib import Path

import pytest

from stowboard_cli.commands import COMMANDS
from support.clients.task_owner import Owner
from support.clients.terminal import PROGRAM, Terminal
from support.servers.stowboard import Server

pytestmark = pytest.mark.cluster_in_soak


def test_a_table_on_a_terminal_and_json_lines_elsewhere(ann: Owner, stow: Terminal) -> None:
    task = ann.tasks.create("Fix tap", tags=["home"])
    code, seen = stow.on_screen("task", "ls", "--fields", "id,title,tags")
    assert code == 0
    head, row = seen.splitlines()
    assert head.split() == ["id", "title", "tags"]
    assert row.split() == [task.id, "Fix", "tap", "home"]
    assert stow("task", "ls", "--fields", "title,tags").one == {"title": "Fix tap", "tags": ["home"]}
    assert stow("task", "ls", "--fields", "colour").code == 2


def test_what_somebody_wrote_cannot_steer_the_terminal(ann: Owner, stow: Terminal) -> None:
    ann.tasks.create("Note", body="\x1b]0;owned\x07red \u202ename")
    code, seen = stow.on_screen("task", "ls", "--fields", "body")
    assert code == 0
    assert "\x1b" not in seen
    assert "�]0;owned�red �name" in seen


STEERING = "\x1b]0;owned\x07 \x9b31m \x7f \u202ename \u2066x"


@pytest.mark.parametrize(
    "words",
    [
        ("task", "ls", "--json"), ("task", "ls", "--json", "--fields", "body"), ("show", "ID"),
        ("show", "ID", "--json"), ("api", "GET", "/taskapp/tasks/ID"), ("api", "GET", "/taskapp/tasks/ID", "--json"),
    ],
)  # fmt: skip
def test_nothing_that_is_printed_on_a_terminal_steers_it(ann: Owner, stow: Terminal, words: tuple[str, ...]) -> None:
    task = ann.tasks.create("Note", body=STEERING)
    code, seen = stow.on_screen(*(word.replace("ID", task.id) for word in words))
    assert code == 0
    assert not set("\x1b\x07\x9b\x7f\u202e\u2066") & set(seen), ascii(seen)
    assert "owned" in seen


def test_json_means_the_same_escaped(ann: Owner, stow: Terminal) -> None:
    task = ann.tasks.create("Note", body=STEERING)
    assert stow("show", task.id, "--fields", "body").one == {"body": STEERING}
    assert stow("api", "GET", f"/taskapp/tasks/{task.id}").one["data"]["body"] == STEERING


def test_colour_is_for_terminals_that_want_it(ann: Owner, stow: Terminal) -> None:
    ann.create("a")
    assert "\x1b" not in stow.on_screen("task", "ls")[1]
    del stow.environment["NO_COLOR"]
    assert "\x1b[1m" in stow.on_screen("task", "ls")[1]


def test_each_kind_of_failure_has_its_code(ann: Owner, stow: Terminal, server: Server, tmp_path: Path) -> None:
    assert stow("show", "ast_00000000000000000000000000").code == 4
    assert stow("api", "POST", "/taskapp/tasks", "-f", 'title=""').code == 5
    assert stow("api", "GET", "/access/tokens").code == 3
    assert Terminal(server, tmp_path / "a", "stow_wrong")("task", "ls").code == 3
    assert Terminal(server, tmp_path / "b")("task", "ls").code == 3
    assert stow("download", "ast_00000000000000000000000000", "-o", str(tmp_path)).code == 4


def test_any_request_can_be_sent(ann: Owner, stow: Terminal) -> None:
    made = stow("api", "POST", "/taskapp/tasks", "-f", "title=Call home", "-f", 'tags=["a"]').one["data"]
    assert (made["title"], made["tags"]) == ("Call home", ["a"])
    ann.tasks.activate_index()
    assert len(stow("api", "GET", "taskapp/tasks", "-f", "limit=1").one["data"]) == 1
    assert stow("api", "PATCH", f"/api/v1/taskapp/tasks/{made['id']}", "--body", "-", stdin='{"title": "x"}').code == 0
    assert ann.tasks.get(made["id"]).title == "x"


def test_help_needs_little_of_the_machine() -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([PROGRAM, "--help"], capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert all(f"  {name}" in done.stdout for name in COMMANDS)
    loaded = subprocess.run(
        [PROGRAM.with_name("python"), "-X", "importtime", PROGRAM, "--help"], capture_output=True, text=True, check=True
    )
    assert "httpx2" not in loaded.stderr
    assert "argparse" not in loaded.stderr
    print(f"stow --help: {after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime:.3f} s of CPU")


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_helps(stow: Terminal, name: str) -> None:
    ran = stow(*name.split(), "--help")
    assert stow("help", *name.split()) == ran
    assert ran.code == 0
    assert ran.out.startswith(f"usage: stow {name} ")
    assert "--profile" in ran.out


def test_shells_complete_commands_and_options(stow: Terminal, tmp_path: Path) -> None:
    script = tmp_path / "stow.bash"
    script.write_text(stow("completion", "bash").out)
    ask = 'source "$0"; COMP_WORDS=({}); COMP_CWORD={}; _stow; echo "${{COMPREPLY[*]}}"'
    for words, expected in [
        ("stow ta", "tag task"),
        ("stow task a", "add assign archive"),
        ("stow upload x --ta", "--tag --table"),
    ]:
        asked = ask.format(words, len(words.split()) - 1)
        done = subprocess.run(["bash", "-c", asked, str(script)], capture_output=True, text=True, check=True)
        assert done.stdout.split() == expected.split(), done.stderr
    for shell in ("zsh", "fish"):
        assert "task" in stow("completion", shell).out
