"""The first five minutes of the README, as somebody lives them who pastes one block after the other."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from support.media.unique_images import jpeg
from support.servers.ports import free_port
from support.servers.stowboard import clean_environment
from support.waiting import wait_until

ROOT = Path(__file__).parents[2]
SECTION = (ROOT / "README.md").read_text().partition("## The first five minutes")[2].partition("\n## ")[0]
COMMANDS = re.findall(r"^```sh\n(.*?)^```$", SECTION, re.MULTILINE | re.DOTALL)
[PROGRAM] = re.findall(r"^```python\n(.*?)^```$", SECTION, re.MULTILINE | re.DOTALL)
BIN = Path(sys.executable).parent


@contextmanager
def made_to_run(folder: Path, port: int) -> Iterator[Path]:
    """`PORT=… make run`, and the file of what it prints. What it would install is installed."""
    printed = folder / "printed"
    installed = ("-o", ".venv/run.stamp", "-o", ".venv/bin/python", f"BIN={BIN}")
    here = {"PORT": str(port), "STOWBOARD_DATA_DIR": str(folder / "data"), "CONSOLE_BUILD": "skip"}
    with printed.open("wb") as output:
        process = subprocess.Popen(
            ["make", *installed, "run"], cwd=ROOT, env=clean_environment() | here, stdout=output,
            stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
    try:
        wait_until(lambda: "Stowboard is running." in printed.read_text())
        yield printed
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=120)


def test_what_is_pasted_works(tmp_path: Path) -> None:
    if not (shutil.which("make") and shutil.which("curl")):
        pytest.skip("NOT TESTED: make and curl are not installed, so the README's examples were not run")
    port = free_port()
    (tmp_path / ".venv").symlink_to(BIN.parent)
    (tmp_path / "cat.jpg").write_bytes(jpeg(400, 300))
    (tmp_path / "readme.py").write_text(PROGRAM.replace("8080", str(port)))
    with made_to_run(tmp_path, port) as printed:
        [token] = set(re.findall(r"stow_[0-9A-Za-z]{36}", printed.read_text()))
        script = "\n".join([*COMMANDS, ".venv/bin/python readme.py"]).replace("8080", str(port))
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script.replace("stow_…", token)], cwd=tmp_path, capture_output=True,
            env=clean_environment() | {"STOWBOARD_DATA_DIR": str(tmp_path / "data")}, text=True, timeout=240,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        assert '{"error":' not in done.stdout
        assert "…" not in script.replace("stow_…", "")
        assert '"owner":"alice"' in done.stdout
        assert "['Water the plants', 'Water the plants']" in done.stdout
        thumbnails = set(re.findall(r"http://[^\s\"]+/thumbnail/[^\s\"]+", done.stdout))
        assert len(thumbnails) == 2
        for url in thumbnails:
            assert httpx2.get(url).status_code == 200
