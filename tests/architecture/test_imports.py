"""No circle of imports among the modules of the service and of the client, imports inside functions counted."""

from graphlib import CycleError, TopologicalSorter

import grimp
import pytest

MOST_FILES = 24


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("stowboard", "stowboard_client", cache_dir=None)


def test_no_module_imports_itself_by_way_of_others(graph: grimp.ImportGraph) -> None:
    imported = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    try:
        TopologicalSorter(imported).prepare()
    except CycleError as error:
        pytest.fail(" is imported by ".join(error.args[1]))


def test_no_folder_has_more_files_than_one_can_survey(graph: grimp.ImportGraph) -> None:
    packages = {module for module in graph.modules if graph.find_children(module)}
    files = {package: len(graph.find_children(package) - packages) for package in packages}
    assert {package: count for package, count in files.items() if count > MOST_FILES} == {}
