"""The documentation is complete: every setting, command, error code, endpoint and metric is in it."""

import inspect
import json
import re
from functools import reduce
from pathlib import Path
from typing import Any

import msgspec
import pytest

import stowboard.db
from stowboard.api.endpoint import AnyEndpoint
from stowboard.catalogue import CATALOGUE, ENDPOINTS, GROWING
from stowboard.cli.commands import COMMANDS
from stowboard.core.metrics import snapshot
from stowboard.events.kinds import KINDS
from stowboard.settings import SETTINGS
from stowboard_cli.commands import COMMANDS as TERMINAL
from stowboard_client import OPERATIONS, Client
from stowboard_client.events.events import Following
from stowboard_client.transport.paging import Listing
from stowboard_client.transport.resource import Conversation, Operation, Resource

DOCS = Path(__file__).parents[2] / "docs"
SDK = DOCS.parent / "sdk" / "README.md"
API = "\n".join(file.read_text() for file in sorted((DOCS / "api").glob("*.md")))
MANUAL = (DOCS / "operations.md").read_text()


def first_cells(text: str) -> list[str]:
    """The words in code in the first column of tables."""
    return re.findall(r"^\| `([^`]+)`", text, re.MULTILINE)


def test_the_manual_lists_exactly_the_settings_that_there_are() -> None:
    section = MANUAL.partition("## Settings")[2].partition("\n## ")[0]
    described = re.findall(r"^\| `(\w+)` \| .*? \| [\w`].*\. \|$", section, re.MULTILINE)
    assert first_cells(section) == described == [setting.name for setting in SETTINGS]


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_the_manual_has_the_default_of_every_setting(setting: Any) -> None:
    (row,) = re.findall(rf"^\| `{setting.name}` \| (.*?) \|", MANUAL, re.MULTILINE)
    shown = row.strip().strip("`")
    if setting.default in (None, ()):
        assert shown == ""
    elif isinstance(setting.default, Path):
        assert shown == f"./{setting.default}"
    else:
        assert shown == str(setting.default).lower()


def test_the_manual_lists_exactly_the_commands_that_there_are() -> None:
    section = MANUAL.partition("## Commands")[2].partition("\n## ")[0]
    listed = [cell.removeprefix("stowboard ") for cell in first_cells(section)]
    assert sorted(listed) == sorted(name for name in COMMANDS if name != "jobs")  # which is `jobs list`


def test_the_page_on_the_terminal_lists_exactly_the_commands_that_there_are() -> None:
    page = (DOCS / "terminal.md").read_text()
    rows = re.findall(r"^\| (`stow [^|]*)\|", page, re.MULTILINE)
    listed = {name for row in rows for name in re.findall(r"`stow ([a-z ]+)`", row)}
    listed |= set(re.findall(r"^`stow ((?:events|webhook|import|export)(?: [a-z]+)?)", page, re.MULTILINE))
    listed |= set(re.findall(r"`stow (webhook [a-z]+)", page))
    assert listed == set(TERMINAL)


def test_the_manual_lists_exactly_the_metrics_that_there_are() -> None:
    import stowboard.api.limits.valkey
    import stowboard.app
    import stowboard.cli.serving.measuring  # noqa: F401  they declare their own

    section = MANUAL.partition("## Metrics")[2].partition("\n## ")[0]
    declared = {family.name for family in snapshot() if family.name.startswith("stowboard_")}
    assert set(first_cells(section)) == declared


def test_every_error_code_is_described() -> None:
    described = re.findall(r"^\| (\d{3}) \| `([a-z_0-9]+)` \|", (DOCS / "api" / "errors.md").read_text(), re.MULTILINE)
    assert sorted(described) == sorted((str(problem.status), problem.code) for problem in CATALOGUE.problems)


def test_every_endpoint_is_described() -> None:
    described = {(method, without_names(path)) for method, path in re.findall(r"`([A-Z]+) (/[^`?]*)", API)}
    described |= {(method, path.removeprefix("/api/v1") or "/") for method, path in described}
    missing = [
        f"{endpoint.method} {endpoint.path}"
        for endpoint in ENDPOINTS
        if endpoint.alias_of is None and (endpoint.method, without_names(endpoint.path)) not in described
    ]
    assert missing == []


def without_names(path: str) -> str:
    return re.sub(r"\{[^}]*\}", "{}", path)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_kind_of_event_is_described_with_an_example(kind: Any) -> None:
    example = json.dumps(msgspec.to_builtins(kind.example))
    assert f"| `{kind.name}` | {kind.summary} | `{example}` |" in (DOCS / "api" / "events.md").read_text()


def test_every_table_that_grows_without_end_has_its_bound_in_the_manual() -> None:
    section = MANUAL.partition("## What grows, and how far")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| ([^|]+) \|$", section, re.MULTILINE)
    assert dict(rows) == GROWING
    schema = "".join(file.read_text() for file in (Path(stowboard.db.__file__).parent / "migrations").glob("*.sql"))
    assert all(f"CREATE TABLE {table} (" in schema for table in GROWING)


def test_every_scope_is_described() -> None:
    access = (DOCS / "api" / "access.md").read_text()
    assert set(CATALOGUE.scopes.known) <= set(first_cells(access))


def test_the_client_library_has_every_operation() -> None:
    offered = set(OPERATIONS.values())
    missing = {endpoint.operation_id for endpoint in ENDPOINTS if endpoint.alias_of is None} - offered
    assert missing == set()
    assert offered - {endpoint.operation_id for endpoint in ENDPOINTS} == set()


def test_the_client_library_takes_a_space_wherever_the_api_does() -> None:
    """A batch of tasks names a space in each of its operations."""
    takes = {endpoint.operation_id for endpoint in ENDPOINTS if endpoint.alias_of is None and takes_space(endpoint)}
    with Client("http://localhost", "stow_unused") as client:
        there = {
            id_ for name, id_ in OPERATIONS.items() if "space" in inspect.signature(method(client, name)).parameters
        }
    assert there == takes
    assert len(takes) > 20


def takes_space(endpoint: AnyEndpoint) -> bool:
    asked = (endpoint.query, endpoint.body)
    names = [name for struct in asked if struct for name in getattr(struct, "__struct_encode_fields__", ())]
    return "spaceId" in names


def method(client: Client, name: str) -> Any:
    return reduce(getattr, name.split("."), client)


def test_the_client_library_lists_exactly_the_methods_that_there_are() -> None:
    rows = re.findall(r"^\| `client\.?(\w*)` \| .*? \| (.*) \|$", SDK.read_text(), re.MULTILINE)
    listed = {(resource, method) for resource, cell in rows for method in re.findall(r"`(\w+)`", cell)}
    with Client("http://localhost", "stow_unused") as client:
        there = {("", name) for name in methods(client)}
        for resource in dir(client):
            found = getattr(client, resource)
            if isinstance(found, Resource):
                there |= {(resource, name) for name in methods(found)}
    assert listed == there


def methods(resource: Resource[Any]) -> list[str]:
    kinds = (Operation, Conversation, Listing, Following)
    return [name for kind in type(resource).__mro__ for name, member in vars(kind).items() if isinstance(member, kinds)]


def test_every_decision_has_its_number_a_date_and_a_status() -> None:
    for number, page in enumerate(sorted((DOCS / "decisions").glob("*.md")), start=1):
        head = rf"# {number}\. .+\n\nDate: 20\d\d-\d\d-\d\d\. Status: (accepted|superseded).*\.\n\n"
        assert re.match(head, page.read_text()), page.name
