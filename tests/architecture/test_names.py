"""A class is a noun that stands once in the whole source, and a package says what it is."""

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "src" / "stowboard"
TESTS = Path(__file__).parents[1]


@cache
def trees() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text()) for path in sorted(SOURCES.rglob("*.py"))}


def test_no_public_class_name_stands_twice() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(str(path.relative_to(SOURCES)))
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


def test_every_package_says_what_it_is() -> None:
    silent = [path for path, tree in trees().items() if path.name == "__init__.py" and not ast.get_docstring(tree)]
    assert silent == []


def test_no_two_test_modules_have_one_name() -> None:
    """pytest imports each by its name alone, so a second one would stop every whole run."""
    places: dict[str, list[str]] = defaultdict(list)
    for path in sorted(TESTS.rglob("test_*.py")):
        places[path.name].append(str(path.relative_to(TESTS)))
    assert {name: files for name, files in places.items() if len(files) > 1} == {}
