"""The cost of a request, counted in calls of the service's own functions; `make bench-budget` has the whole table.

Calls are counted instead of time, which depends on the machine. A count above its ceiling means that every request of
this kind does more than before: find out what it does (`pytest -vv` shows the calls), and whether it has to.
"""

from collections import Counter
from collections.abc import AsyncIterator
from cProfile import Profile
from pathlib import Path
from typing import Any

import pytest

from support.servers.in_process import InProcessService, in_process, own_calls
from support.servers.stacks import UNLIMITED

PLAIN = {"title": "Water the plants"}
#: About a twentieth above what was counted last; SQLite first.
CEILINGS = {
    "get": (58, 72),
    "list of 50": (91, 110),
    "create": (222, 287),
}
#: Rooms of features that a plain task does not use, with the functions that find out that it does not.
UNUSED = {
    "core.tags": set(),
    "core.metadata": set(),
    "core.time_zones": {"check_time_zone"},
    "events.audit": set(),
    "events.changes": {"added_by_program", "added"},
    "jobs": set(),
    "notifications": set(),
    "tasks.attachments": set(),
    "tasks.base.assignee_store": set(),
    "tasks.base.attachment_store": set(),
    "tasks.base.comment_store": set(),
    "tasks.base.lookups": set(),
    "tasks.boards.board_store": set(),
    "tasks.boards.move": set(),
    "tasks.quick": set(),
    "tasks.recurrence": {"checked_series"},
    "tasks.reminders": set(),
    "tasks.together": {"with_given"},
    "tasks.vault": set(),
}


@pytest.fixture
async def service(database_url: str, tmp_path: Path) -> AsyncIterator[InProcessService]:
    given = {"STOWBOARD_DATABASE_URL": database_url}
    async with in_process(tmp_path / "data", UNLIMITED | given) as service:
        await service.begin_as("ann")
        yield service


async def counted(service: InProcessService, method: str, path: str, body: Any = None) -> Counter[tuple[str, str]]:
    """The calls that several such requests have in common: others are of what the service does in between."""
    common: Counter[tuple[str, str]] | None = None
    for _ in range(10):
        profile = Profile()
        profile.enable()
        await service.ask(method, path, body)
        profile.disable()
        calls: Counter[tuple[str, str]] = Counter()
        for each in own_calls(profile):
            calls[each.module, each.function] += each.calls
        common = calls if common is None else common & calls
    assert common is not None
    return common


async def test_a_request_makes_no_more_calls_than_its_ceiling(service: InProcessService, database_url: str) -> None:
    ids = [await service.create({**PLAIN, "body": "some words", "tags": ["home"]}) for _ in range(60)]
    requests: dict[str, tuple[str, str, Any]] = {
        "get": ("GET", f"/taskapp/tasks/{ids[30]}", None),
        "list of 50": ("GET", "/taskapp/tasks?limit=50", None),
        "create": ("POST", "/taskapp/tasks", {**PLAIN, "body": "some words", "tags": ["home"]}),
    }
    for name, request in requests.items():
        calls = await counted(service, *request)
        ceiling = CEILINGS[name][database_url.startswith("postgres")]
        assert calls.total() <= ceiling, (name, calls.total(), calls)


async def test_a_feature_that_a_new_task_does_not_use_costs_it_nothing(service: InProcessService) -> None:
    calls = await counted(service, "POST", "/taskapp/tasks", PLAIN)
    needless = [
        (module, function)
        for module, function in calls
        for room, allowed in UNUSED.items()
        if f"{module}.".startswith(f"{room}.") and function not in allowed
    ]
    assert not needless
