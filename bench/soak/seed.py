"""A million tasks of five hundred owners, dated over the past year, in minutes.

They go in as `stowboard tasks import` and the backfill put them in, by the same functions with the same checks, but in
one process: five hundred starts of a command would take longer than the tasks. The server does not run meanwhile.
Tokens are issued by its API afterwards.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator
from typing import BinaryIO

import httpx2
import msgspec

from bench.harness.servers import Server
from bench.soak.mix import STATUS, TAG, Plan, owner_name
from stowboard.cli.on_database import on_database
from stowboard.core.caller import Caller
from stowboard.db.database import Database
from stowboard.settings import load_settings
from stowboard.tasks.create import import_tasks, read_tasks
from stowboard.tasks.index.backfill import backfill

_YEAR_MS = 365 * 86_400_000
_STATUSES = [STATUS] * 6 + ["in_progress"] * 2 + ["done"] * 2
_TAGS = [TAG, "home", "work", "errand", "travel", "someday"]
_WORDS = [
    "water",
    "plants",
    "call",
    "dentist",
    "invoice",
    "write",
    "report",
    "harbour",
    "meeting",
    "buy",
    "bread",
    "fix",
]
_WORDS += ["bicycle", "read", "contract", "answer", "letter", "paint", "fence", "book", "train", "neighbour", "photos"]


def seed(server: Server, tasks: int, tokens: int, say: Callable[[str], None]) -> Plan:
    """Fill the server's empty data folder, start it, and get the tokens."""
    server.start()  # it makes the installation
    server.stop()
    ids = server.folder / "ids"
    each = tasks // tokens
    with ids.open("wb") as file:
        settings = load_settings({"data_dir": server.data_dir}, {})
        on_database(settings, _store, tokens, each, file, say)
    os.sync()  # what was just written does not reach the disk during the load
    server.start()
    return Plan(server.port, _issue_tokens(server, tokens), each, str(ids))


async def _store(db: Database, owners: int, each: int, ids: BinaryIO, say: Callable[[str], None]) -> None:
    for number in range(owners):
        if number % max(1, owners // 10) == 0:
            say(f"seeding tasks, {number * each:,} of {owners * each:,}")
        caller = Caller.of_service(owner_name(number))
        for batch in read_tasks(caller, _lines(number, each)):
            await db.transact(import_tasks, caller.owner, batch)
            ids.write("".join(task.id for task in batch).encode())
        while not (await db.transact(backfill, caller.owner)).complete:
            pass


def _lines(owner: int, count: int) -> Iterator[bytes]:
    chance = random.Random(owner)
    now = int(time.time() * 1000)
    for _ in range(count):
        task = {
            "title": f"{owner_name(owner)}: {' '.join(chance.choices(_WORDS, k=4))}",
            "body": " ".join(chance.choices(_WORDS, k=12)),
            "status": chance.choice(_STATUSES),
            "tags": chance.sample(_TAGS, 2),
            "createdAt": now - chance.randrange(_YEAR_MS),
        }
        yield msgspec.json.encode(task)


def _issue_tokens(server: Server, count: int) -> list[str]:
    with httpx2.Client(base_url=server.base_url, headers=server.headers, timeout=30) as http:
        return [_issue_token(http, number) for number in range(count)]


def _issue_token(http: httpx2.Client, number: int) -> str:
    body = {"owner": owner_name(number), "scopes": ["tasks:read", "tasks:write"]}
    answer = http.post("/access/tokens", json=body).raise_for_status()
    return str(answer.json()["data"]["token"])
