"""The examples of the manual, run as they stand against a live server."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.servers.stowboard import Server

DOCS = Path(__file__).parents[3] / "docs"
RUNNABLE = re.compile(r"^```sh run\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: A program that the commands of the page call by its name.
PROGRAM = re.compile(r"^```python (\S+\.py)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILES = [file for file in sorted(DOCS.rglob("*.md")) if RUNNABLE.search(file.read_text())]


@pytest.mark.cluster_in_soak
@pytest.mark.parametrize("file", [pytest.param(file, id=file.name) for file in FILES])
def test_the_examples_of_a_page_work_one_after_the_other(server: Server, tmp_path: Path, file: Path) -> None:
    if not (shutil.which("jq") and shutil.which("curl")):
        pytest.skip("NOT TESTED: curl and jq are not installed, so no example of the manual was run")
    examples = RUNNABLE.findall(file.read_text())
    assert examples
    for name, text in PROGRAM.findall(file.read_text()):
        (tmp_path / name).write_text(text)
    here = {"ORIGIN": server.origin, "TOKEN": server.admin_token}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "\n".join(examples)],
        cwd=tmp_path, env=os.environ | here | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        capture_output=True, text=True, timeout=240,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert '{"error":' not in done.stdout


def test_there_are_examples() -> None:
    assert DOCS / "api" / "access.md" in FILES
    assert DOCS / "recipes" / "a-gallery-page.md" in FILES
