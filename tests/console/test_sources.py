"""The console's sources: types, lint, unit tests, and what they are made from."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from stowboard.catalogue import JOBS
from support.servers.stowboard import PROGRAM

CONSOLE = Path(__file__).parents[2] / "console"
LOCK = CONSOLE / "package-lock.json"
NPM = shutil.which("npm")
PLATFORMS = ["linux-x64-gnu", "linux-arm64-gnu", "linux-x64-musl", "linux-arm64-musl", "darwin-arm64", "win32-x64-msvc"]
#: A number where a text belongs, in a script and in a component.
PLANTED = "export const wrong: string = 1\n"
PLANTED_COMPONENT = '<script lang="ts">\n  let name: string = 1\n</script>\n\n<p>{name.nothing}</p>\n'


@pytest.fixture(autouse=True)
def packages(request: pytest.FixtureRequest) -> None:
    if "lock" in request.node.name:
        return
    if NPM is None or not (CONSOLE / "node_modules").is_dir():
        pytest.skip("NOT TESTED: without npm and console/node_modules the console's sources were not checked")


def npm(script: str, cwd: Path = CONSOLE) -> subprocess.CompletedProcess[str]:
    assert NPM is not None
    command = [NPM, "run", "--silent", script]
    environment = {**os.environ, "NO_COLOR": "1", "OPENAPI_FROM": str(PROGRAM)}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=600, check=False)


def copy_sources(to: Path, *more: str) -> Path:
    """The console, with the client that it is built on, as a fresh clone has them."""
    for name in ("console", "sdk/typescript", *more):
        ignored = shutil.ignore_patterns("node_modules", "schema.d.ts", "__pycache__")
        shutil.copytree(CONSOLE.parent / name, to / name, ignore=ignored)
    return to / "console"


@pytest.mark.parametrize("script", ["test", "lint"])
def test_unit_tests_and_lint_of_the_console(script: str) -> None:
    done = npm(script)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_type_check_finds_the_errors_that_were_planted_and_no_others(tmp_path: Path) -> None:
    """In a copy of the sources, with types that are made from the API's own document. A checker that finds nothing at
    all would be no proof."""
    copy = copy_sources(tmp_path)
    (copy / "node_modules").symlink_to(CONSOLE / "node_modules")
    (copy / "src" / "planted.ts").write_text(PLANTED)
    (copy / "src" / "Planted.svelte").write_text(PLANTED_COMPONENT)
    done = npm("check", cwd=copy)
    assert done.returncode != 0
    assert re.search(r"found 3 errors and 0 warnings in 2 files", done.stdout), done.stdout


def test_every_act_and_every_job_has_words() -> None:
    text = (CONSOLE / "src" / "settings" / "installation" / "told.ts").read_text()
    acts, jobs = (set(re.findall(r"^  '([\w.]+)':", part, re.MULTILINE)) for part in text.split("const JOBS")[:2])
    assert jobs == {kind.name for kind in JOBS}
    table = (CONSOLE.parent / "docs" / "api" / "people.md").read_text().partition("| actions | about |")[2]
    documented: set[str] = set()
    for row in table.partition("\n\n")[0].splitlines():
        noun = ""
        for name in re.findall(r"`([\w]*\.[\w]+)`", row.split("|")[1] if "|" in row else ""):
            noun = name.partition(".")[0] or noun
            documented.add(noun + "." + name.partition(".")[2])
    assert acts == documented


def test_the_lock_file_names_every_platform_and_no_registry() -> None:
    text = LOCK.read_text()
    packages = json.loads(text)["packages"]
    assert "resolved" not in text
    for platform in PLATFORMS:
        assert f"node_modules/@rolldown/binding-{platform}" in packages
        assert f"node_modules/lightningcss-{platform}" in packages
    # Swagger UI asks for one package whose script would tell its maker of the installation; it is never run.
    scripts = [name for name, package in packages.items() if package.get("hasInstallScript")]
    assert scripts == ["node_modules/@scarf/scarf"]
    assert "ignore-scripts=true" in LOCK.with_name(".npmrc").read_text().splitlines()
    unlocked = [name for name, package in packages.items() if name and not package.get("integrity")]
    assert unlocked == []


def test_a_build_without_node_says_what_is_missing(tmp_path: Path) -> None:
    """In the way that goes on, and in the way that does not."""
    copy_sources(tmp_path, "build_steps")
    for mode, status in (("auto", 0), ("require", 1), ("skip", 0)):
        environment = {"PATH": str(tmp_path), "CONSOLE_BUILD": mode, "PYTHONNOUSERSITE": "1"}
        words = [sys.executable, "-m", "build_steps.console"]
        done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == status, done.stderr
        assert bool(re.search(r"needs Node 20\.19 or newer", done.stderr)) == (mode != "skip")
