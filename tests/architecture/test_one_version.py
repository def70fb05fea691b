"""One line of the repository says which version it is."""

import json
import tomllib
from pathlib import Path

import stowboard

ROOT = Path(__file__).parents[2]


def test_both_python_packages_read_the_version_from_the_same_line() -> None:
    places = []
    for project in (ROOT / "pyproject.toml", ROOT / "sdk" / "pyproject.toml"):
        text = tomllib.loads(project.read_text())
        assert "version" in text["project"]["dynamic"]
        places.append((project.parent / text["tool"]["hatch"]["version"]["path"]).resolve())
    assert set(places) == {Path(stowboard.__file__).resolve()}


def test_the_npm_package_has_no_version_of_its_own() -> None:
    """`make release` writes it into the package."""
    assert json.loads((ROOT / "sdk" / "typescript" / "package.json").read_text())["version"] == "0.0.0"
