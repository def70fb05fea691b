"""Sentences of `stow` hold text of other people, which must not steer the terminal."""

from pathlib import Path

import pytest
from scripted_server import ScriptedServer, data, error

from stowboard_cli.main import run

STEERING = "\x1b]0;owned\x07 \x9b31m \u202ename \u2066x"
TASK: dict[str, object] = {
    "id": "tsk_1", "title": STEERING, "body": None, "status": "todo", "dueAt": None, "reminder": None,
    "recurrence": None, "timeZone": "UTC", "tags": [], "placement": None, "archived": False,
    "visibility": "server-readable", "idempotencyKey": None, "hasBody": False, "createdAt": 1, "updatedAt": 1,
    "completedAt": None, "version": 1,
}  # fmt: skip
PAGE = {"nextCursor": None, "hasMore": False, "limit": 50}


@pytest.fixture(autouse=True)
def _signed_in(server: ScriptedServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, value in {"STOW_URL": server.url, "STOW_TOKEN": "t", "STOW_FOLDER": str(tmp_path)}.items():
        monkeypatch.setenv(name, value)


def is_harmless(text: str) -> bool:
    return not set("\x1b\x07\x9b\u202e\u2066") & set(text)


def test_titles_in_a_question_and_in_a_choice(server: ScriptedServer, capsys: pytest.CaptureFixture[str]) -> None:
    server.will(data([TASK], PAGE), data([TASK, TASK | {"id": "tsk_2"}], PAGE))
    assert run(["task", "rm", "--forever", "owned"]) == 2
    assert run(["task", "done", "owned"]) == 5
    said = capsys.readouterr()
    assert "owned" in said.err
    assert "tsk_2" in said.err
    assert is_harmless(said.err)


def test_messages_of_a_server(server: ScriptedServer, capsys: pytest.CaptureFixture[str]) -> None:
    server.will(error(404, "not_found", STEERING))
    assert run(["show", "tsk_1"]) == 4
    said = capsys.readouterr()
    assert "owned" in said.err
    assert is_harmless(said.err + said.out)
