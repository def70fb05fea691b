"""Folders that a reader takes in at once, no circle of imports, one door from the bench to the tests."""

from collections import Counter
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[2]
MOST_FILES = 24
MADE = {"node_modules", "__pycache__", "built", "generated"}
SOURCES = {".py", ".ts", ".svelte", ".js", ".mjs", ".css", ".html", ".sql"}


def crowded(top: Path) -> dict[str, int]:
    """The folders with too many sources side by side, and how many these are."""
    counts = Counter(
        str(path.relative_to(top).parent)
        for path in top.rglob("*")
        if path.suffix in SOURCES and not any(part in MADE or part[0] == "." for part in path.relative_to(top).parts)
    )
    return {name: count for name, count in counts.items() if count > MOST_FILES}


@pytest.mark.parametrize("top", ["src", "sdk", "console", "tests", "bench", "build_steps"])
def test_no_folder_has_too_many_files_side_by_side(top: str) -> None:
    assert crowded(ROOT / top) == {}


def test_a_folder_with_too_many_files_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for number in range(MOST_FILES + 1):
        (folder / f"file{number}.py").touch()
    assert crowded(tmp_path) == {"folder": MOST_FILES + 1}


def circle(graph: grimp.ImportGraph) -> list[str]:
    """Modules that import each other in a circle, if there are any."""
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


@pytest.mark.parametrize("package", ["stowboard_client", "stowboard_cli", "support", "bench", "build_steps"])
def test_no_module_imports_itself_by_a_circle(package: str) -> None:
    """import-linter holds the same for `stowboard`, where whole rooms must not form a circle either."""
    assert circle(grimp.build_graph(package, cache_dir=None)) == []


def test_a_circle_is_found() -> None:
    graph = grimp.build_graph("build_steps", cache_dir=None)
    graph.add_import(importer="build_steps.console", imported="build_steps.lock")
    assert {"build_steps.console", "build_steps.lock"} <= set(circle(graph))


def test_the_bench_takes_servers_from_the_tests_through_one_module() -> None:
    graph = grimp.build_graph("bench", "support", cache_dir=None)
    takers = {
        importer
        for module in graph.modules
        if module.startswith("support.")
        for importer in graph.find_modules_that_directly_import(module)
        if importer.startswith("bench.")
    }
    assert takers == {"bench.harness.servers"}
