"""The examples of the manual, run as they stand against a live server."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from stowboard_client import Client
from support.api.examples import DOCS, examples, pages_with, token_for
from support.clients.loaded_stow import loaded_stow
from support.servers.stowboard import Server

#: A program that the commands of the page call by its name.
PROGRAM = re.compile(r"^```python (\S+\.py)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILES = pages_with("sh run")


@pytest.fixture(scope="module")
def stow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with loaded_stow(tmp_path_factory.mktemp("stow") / "bin") as folder:
        yield folder


@pytest.mark.cluster_in_soak
@pytest.mark.parametrize("file", [pytest.param(file, id=file.name) for file in FILES])
def test_the_examples_of_a_page_work_one_after_the_other(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: Path, stow: Path
) -> None:
    """With curl, and then in Python: those use the files that the commands have made."""
    if not (shutil.which("jq") and shutil.which("curl")):
        pytest.skip("NOT TESTED: curl and jq are not installed, so no example of the manual was run")
    for name, text in PROGRAM.findall(file.read_text()):
        (tmp_path / name).write_text(text)
    here = {"ORIGIN": server.origin, "TOKEN": token_for(server, file, "curl")}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "\n".join(examples(file, "sh run"))],
        cwd=tmp_path, env=os.environ | here | {"PATH": f"{stow}:{Path(sys.executable).parent}:{os.environ['PATH']}"},
        capture_output=True, text=True, timeout=240,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert '{"error":' not in done.stdout
    monkeypatch.chdir(tmp_path)
    with Client(server.origin, token_for(server, file, "python")) as client:
        names: dict[str, Any] = {"client": client, "origin": server.origin}
        exec(compile("\n".join(examples(file, "python run")), file.name, "exec"), names)


@pytest.mark.parametrize("file", [pytest.param(file, id=file.name) for file in sorted((DOCS / "api").glob("*.md"))])
def test_every_call_is_shown_in_three_languages(file: Path) -> None:
    """Behind each block with curl stands the same in Python, and behind that in TypeScript."""
    blocks = re.findall(r"^```(\w*)[^\n]*\n(.*?)^```$", file.read_text(), re.MULTILINE | re.DOTALL)
    for at, (language, commands) in enumerate(blocks):
        if language == "sh" and "curl" in commands:
            assert [following for following, _ in blocks[at + 1 : at + 3]] == ["python", "ts"], commands


def test_there_are_examples() -> None:
    assert DOCS / "api" / "access.md" in FILES
    assert DOCS / "recipes" / "a-gallery-page.md" in FILES
