"""requirements/*.txt has an exact version with hashes of everything that pyproject.toml asks for."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
LOCKS = ROOT / "requirements"
ENTRY = re.compile(r"^([\w.-]+)==(\S+)[^\\\n]*((?: \\\n    --hash=sha256:[0-9a-f]{64})+)$", re.MULTILINE)


def locked(*names: str) -> dict[str, str]:
    """The version of each package."""
    return {name: version for file in names for name, version, _ in ENTRY.findall((LOCKS / file).read_text())}


def wanted(file: str, *extras: str) -> list[Requirement]:
    given = tomllib.loads((ROOT / file).read_text())
    project = given["project"]
    optional = [text for extra in extras for text in project["optional-dependencies"][extra]]
    return [Requirement(text) for text in (*given["build-system"]["requires"], *project["dependencies"], *optional)]


@pytest.mark.parametrize(
    ("requirements", "locks"),
    [
        (wanted("pyproject.toml"), ["run.txt"]),
        (wanted("sdk/pyproject.toml", "cli"), ["run.txt"]),
        (wanted("pyproject.toml", "test"), ["run.txt", "test.txt"]),
    ],
)
def test_every_dependency_is_locked_within_its_range(requirements: list[Requirement], locks: list[str]) -> None:
    versions = locked(*locks)
    found = [(one, versions.get(canonicalize_name(one.name))) for one in requirements]
    stale = [str(one) for one, version in found if version is None or version not in one.specifier]
    assert stale == [], "run `make lock`"


@pytest.mark.parametrize("name", ["run.txt", "test.txt", "node.txt", "pip.txt"])
def test_a_lock_has_hashes_and_nothing_else(name: str) -> None:
    text = (LOCKS / name).read_text()
    assert ENTRY.sub("", text).strip() == ""


def test_what_tests_need_besides_repeats_nothing() -> None:
    assert locked("run.txt").keys() & locked("test.txt").keys() == set()
