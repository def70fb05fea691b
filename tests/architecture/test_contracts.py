"""The tree keeps its contracts, and each of them is broken by one wrong import."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
#: The contract, a module, and an import that it may not have.
BREACHES = [
    ("Layers point down", "core/clock.py", "from stowboard.db import database"),
    ("Layers point down", "api/health.py", "from stowboard.access import tokens"),
    ("Layers point down", "tasks/create.py", "from stowboard.media.base import asset"),
    ("Layers point down", "access/tokens.py", "from stowboard.tasks.base import task"),
    ("Layers point down", "blobs/keys.py", "from stowboard.jobs import queue"),
    ("Inside access, rooms point down", "access/base/account.py", "from stowboard.access.accounts import names"),
    ("Inside media, rooms point down", "media/assets/keep.py", "from stowboard.media.videos import video"),
    ("Media's words and its work on images know no HTTP", "media/base/asset.py", "from stowboard.http import exchange"),
    (
        "Inside tasks: routes, verbs, boards, index and recurrence, base words",
        "tasks/base/task.py",
        "from stowboard.tasks.boards import board",
    ),
    (
        "Inside boards: routes, verbs, stores, words",
        "tasks/boards/board_store.py",
        "from stowboard.tasks.boards import move",
    ),
    ("Rules know no web, database or bytes", "tasks/recurrence/rrule.py", "from stowboard.db import database"),
    ("Rules know no web, database or bytes", "media/base/sniff.py", "from stowboard.blobs import keys"),
    ("HTTP knows no API", "http/routing.py", "from stowboard.api import envelope"),
    ("Verbs import no HTTP", "tasks/create.py", "from stowboard.api import idempotency"),
    ("Verbs import no HTTP", "media/videos/create.py", "from stowboard.http import exchange"),
    ("Verbs import no HTTP", "tasks/archive.py", "from stowboard.tasks import task_routes"),
    ("Stores import no wire", "media/assets/asset_store.py", "from stowboard.media.assets import wire"),
    ("No circle anywhere", "core/errors.py", "from stowboard.core import signing, preconditions"),
    ("The client library knows nothing of the service", "core/clock.py", "import stowboard_client"),
    ("The terminal knows the client library alone", "core/clock.py", "import stowboard_cli.main"),
    (
        "The client library knows nothing of the terminal",
        "../../sdk/src/stowboard_client/transport/call.py",
        "import stowboard_cli.main",
    ),
    (
        "Inside the client library, rooms point down",
        "../../sdk/src/stowboard_client/transport/session.py",
        "from stowboard_client.media import assets",
    ),
    (
        "Inside the terminal, rooms point down",
        "../../sdk/src/stowboard_cli/profiles/stored.py",
        "from stowboard_cli import stow",
    ),
    (
        "Inside the operator's command, rooms point down",
        "cli/serving/prepare.py",
        "from stowboard.cli import account",
    ),
]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the contracts speak of."""
    copy = tmp_path_factory.mktemp("tree")
    shutil.copy(ROOT / "pyproject.toml", copy)
    for name in ("src", "sdk/src", "tests/architecture"):
        shutil.copytree(ROOT / name, copy / name, ignore=_all_but_code)
    return copy


@pytest.mark.soak
@pytest.mark.parametrize(("contract", "module", "line"), BREACHES)
def test_a_wrong_import_breaks_its_contract(tree: Path, contract: str, module: str, line: str) -> None:
    with planted(tree, [(module, line)]):
        assert contract in broken_contracts(tree)


def test_wrong_imports_break_every_contract(tree: Path) -> None:
    assert {contract for contract, _, _ in BREACHES} == names_of_contracts()
    with planted(tree, [(module, line) for _, module, line in BREACHES]):
        assert broken_contracts(tree) == names_of_contracts()


def test_the_tree_as_it_is_breaks_no_contract(tree: Path) -> None:
    assert broken_contracts(tree) == set()


@contextmanager
def planted(tree: Path, lines: list[tuple[str, str]]) -> Iterator[None]:
    """Wrong imports in these modules. Inside of a function they count as well."""
    files = {tree / "src" / "stowboard" / module for module, _ in lines}
    before = {file: file.read_text() for file in files}
    for module, line in lines:
        with (tree / "src" / "stowboard" / module).open("a") as file:
            file.write(f"\n\ndef _breach() -> None:\n    {line}\n")
    try:
        yield
    finally:
        for changed, text in before.items():
            changed.write_text(text)


def broken_contracts(tree: Path) -> set[str]:
    """Names of the contracts that do not hold there."""
    path = os.pathsep.join([str(tree / "src"), str(tree / "sdk" / "src")])
    ran = subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"],
        cwd=tree, env={**os.environ, "PYTHONPATH": path, "COLUMNS": "200"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    kept, broken = (set(re.findall(rf"^(.+) {word}$", ran.stdout, re.MULTILINE)) for word in ("KEPT", "BROKEN"))
    assert kept | broken == names_of_contracts(), ran.stdout + ran.stderr
    return broken


def names_of_contracts() -> set[str]:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    return {contract["name"] for contract in contracts}


def _all_but_code(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if not name.endswith(".py") and not Path(folder, name).is_dir()]
