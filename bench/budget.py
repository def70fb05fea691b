"""`python -m bench.budget`: what each part of the service costs a get, a list of 50 and a create, on SQLite.

In-process, the application is called without a socket; behind HTTP, wrk calls it through Granian. Calls are those of
the service's own functions on the event loop, counted by cProfile, with its background work: a server that gets few
requests on a busy machine has more of that for each. Microseconds are processor time of the whole process, measured
without the profiler and shared out among the parts as the profiler's own times are. Functions of libraries, SQLite's
too, count to the part that calls them. Compare microseconds within one table only.
"""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from cProfile import Profile
from pathlib import Path
from typing import NamedTuple

import httpx2
import uvloop

from bench.harness.load import Load
from bench.harness.servers import UNLIMITED, InProcessService, OwnCalls, in_process, own_calls
from bench.work.counted_server import CountedServer
from bench.work.stowboard_tasks import activate_lists

#: A module belongs to the first part that names its beginning.
PARTS = [
    ("token", ("access.", "api.admission", "core.caller", "core.reach")),
    ("limit", ("api.limits.",)),
    ("audit", ("events.audit",)),
    ("head checks", ("http.head",)),
    ("parse", ("api.parse", "api.forms", "core.decoding", "core.ignoring", "http.body")),
    ("cursor", ("api.paging", "core.cursor", "core.signing")),
    ("search", ("search.", "tasks.find", "tasks.index.findable")),
    ("index", ("tasks.index.", "db.scan")),
    ("tags", ("core.tags", "tasks.tag_routes")),
    ("history", ("events.changes.",)),
    ("event", ("events.",)),
    ("verb", ("tasks.", "core.ids", "core.clock", "core.plain_text", "core.metadata", "core.time_zones")),
    ("database", ("db.",)),
    ("log", ("core.log", "core.metrics")),
    ("edge", ("",)),
]
TASK = {"title": "Water the plants", "body": "some words of a body", "tags": ["home"]}
TASKS = "/taskapp/tasks"
SETTINGS = UNLIMITED
#: As many requests share a commit in-process as wrk has connections.
AT_ONCE, TIMES = 16, 60


class PartCost(NamedTuple):
    calls: float = 0.0
    micros: float = 0.0


Costs = dict[str, PartCost]


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="stowboard-budget-") as folder:
        with _quiet():
            alone = uvloop.run(_in_process(Path(folder, "alone")))
        behind = _behind_http(Path(folder, "behind"))
    columns = [costs for pair in zip(alone, behind, strict=True) for costs in pair]
    print(f"{'':12}{'get':^32}{'list of 50':^32}{'create':^32}")
    print(f"{'':12}" + f"{'in-process':>16}{'behind HTTP':>16}" * 3)
    print(f"{'':12}" + f"{'calls':>8}{'µs':>8}" * 6)
    for part, _ in PARTS:
        print(f"{part:12}" + "".join(_cell(costs[part]) for costs in columns))
    print(f"{'all':12}" + "".join(_cell(PartCost(*map(sum, zip(*costs.values(), strict=True)))) for costs in columns))


def _cell(cost: PartCost) -> str:
    return f"{cost.calls:8.1f}{cost.micros:8.1f}"


@contextmanager
def _quiet() -> Iterator[None]:
    """The access log is written as always, and goes nowhere."""
    kept = os.dup(2)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)


def _operations(task_id: str) -> list[tuple[str, str]]:
    return [("GET", f"{TASKS}/{task_id}"), ("GET", f"{TASKS}?limit=50"), ("POST", TASKS)]


async def _in_process(folder: Path) -> list[Costs]:
    async with in_process(folder, SETTINGS) as service:
        await service.begin_as("ann")
        ids = [await service.create(TASK) for _ in range(200)]
        return [await _measure(service, *operation) for operation in _operations(ids[100])]


async def _measure(service: InProcessService, method: str, path: str) -> Costs:
    async def ask() -> None:
        body = TASK if method == "POST" else None
        await asyncio.gather(*[service.ask(method, path, body) for _ in range(AT_ONCE)])

    profile, least = Profile(), 1.0
    for _ in range(TIMES):
        begun = time.process_time()
        await ask()
        least = min(least, time.process_time() - begun)
        profile.enable()
        await ask()
        profile.disable()
    return _shared_out(own_calls(profile), least / AT_ONCE * 1e6)


def _behind_http(folder: Path) -> list[Costs]:
    server = CountedServer(folder, SETTINGS)
    server.start()
    try:
        with httpx2.Client(headers=server.headers) as client:
            url = f"{server.base_url}{TASKS}"
            ids = [client.post(url, json=TASK).raise_for_status().json()["data"]["id"] for _ in range(200)]
        activate_lists(server)
        return [
            _shared_out(*server.measure(Load(f"{server.base_url}{path}", server.headers, method, body, AT_ONCE)))
            for method, path in _operations(ids[100])
            for body in [json.dumps(TASK) if method == "POST" else ""]
        ]
    finally:
        server.stop()


def _shared_out(counted: Sequence[OwnCalls], micros: float) -> Costs:
    """The cost of a request that takes so many microseconds."""
    requests = sum(each.calls for each in counted if (each.module, each.function) == ("api.gateway", "handle"))
    seconds = sum(each.seconds for each in counted)
    costs = {part: PartCost() for part, _ in PARTS}
    for each in counted:
        part = next(part for part, beginnings in PARTS if each.module.startswith(beginnings))
        before = costs[part]
        costs[part] = PartCost(before.calls + each.calls / requests, before.micros + each.seconds / seconds * micros)
    return costs


if __name__ == "__main__":
    main()
