"""Tasks: beside PocketBase on SQLite, beside an ORM application on PostgreSQL, and beside themselves with more tasks.

All that is compared runs for the whole suite, and is asked in turn. The large installation takes longest to fill, so
it is filled while the others are.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from bench.harness.figures import OURS, Asked, Contender, Row
from bench.harness.install import Missing, program
from bench.harness.progress import Progress
from bench.harness.servers import UNLIMITED, PostgresServer, Server
from bench.peers import fastapi_orm, pocketbase_tasks
from bench.peers.pocketbase import PocketBase
from bench.work import stowboard_tasks
from bench.work.task_search import search_common, search_rare
from bench.work.tasks import TaskApi, create, get_one, list_newest

TITLE = "Tasks"
SECONDS = 330
QUICK_SECONDS = 75
TURN_SECONDS = 2.0  # there are twenty-three turns in a round
FEW, MANY, MANY_IN_QUICK = 10_000, 1_000_000, 50_000
POCKETBASE, ONE_CORE = "PocketBase", "PocketBase, one core"
ORM = "FastAPI + SQLAlchemy ORM"
SMALL = f"Stowboard at {FEW:,}"

Work = Callable[[TaskApi], Contender]
WORKS: dict[str, Work] = {"list 50 tasks": list_newest, "get one task": get_one, "create a task": create}


@contextmanager
def rows(folder: Path, progress: Progress, quick: bool) -> Iterator[list[Row]]:
    program("wrk")
    many = MANY_IN_QUICK if quick else MANY
    with ExitStack() as stack:
        large = _serve(stack, folder / "large")
        with ThreadPoolExecutor(1) as beside:
            filling = beside.submit(stowboard_tasks.seed, large, many)
            progress.say("Tasks: filling SQLite and PocketBase")
            ready = _on_sqlite(stack, folder)
            progress.say("Tasks: filling PostgreSQL")
            ready += _on_postgres(stack, folder)
            small = stowboard_tasks.seed(_serve(stack, folder / "small"), FEW)
            progress.say(f"Tasks: writing {many:,} of them")
            ready += _at_scale(filling.result(), small, many)
        os.sync()  # what was just written does not reach the disk in somebody's turn
        turn = 1.0 if quick else TURN_SECONDS
        yield [replace(row, seconds=row.seconds or turn) for row in ready]


def _serve(stack: ExitStack, folder: Path, environment: Mapping[str, str] | None = None) -> Server:
    server = Server(folder, UNLIMITED | dict(environment or {}))
    stack.callback(server.kill)
    return server.start()


def _on_sqlite(stack: ExitStack, folder: Path) -> list[Row]:
    apis = {OURS: stowboard_tasks.seed(_serve(stack, folder / "ours"), FEW)}
    missing: tuple[str, ...] = ()
    try:
        apis[ONE_CORE] = _pocketbase(stack, folder / "pocketbase-one-core", one_core=True)
        apis[POCKETBASE] = _pocketbase(stack, folder / "pocketbase", one_core=False)
    except Missing as reason:
        missing = (f"{POCKETBASE}: {reason}",)
    both = f"{FEW:,} tasks and an owner's token each; PocketBase takes all cores by default, our one worker takes one."
    notes = (
        f"{both} Its list leaves out the total, which ours does not have.",
        both,
        f"{both} We sync every commit to the disk (synchronous=FULL), it does not (NORMAL); each by default.",
    )
    return _rows("on SQLite", apis, (5.0, 5.0, 4.0), ONE_CORE, missing, notes)


def _pocketbase(stack: ExitStack, folder: Path, one_core: bool) -> TaskApi:
    peer = PocketBase()
    stack.callback(peer.stop)
    return pocketbase_tasks.seed(peer.start(folder, one_core), FEW)


def _on_postgres(stack: ExitStack, folder: Path) -> list[Row]:
    postgres = PostgresServer(settings={})
    stack.callback(postgres.stop)
    postgres.start()
    urls = postgres.create_database(), postgres.create_database()
    ours, theirs = (url.rpartition("/")[2] for url in urls)
    server = _serve(stack, folder / "ours-on-postgres", {"STOWBOARD_DATABASE_URL": urls[0]})
    apis = {OURS: stowboard_tasks.seed(server, FEW)}
    missing: tuple[str, ...] = ()
    try:
        peer = fastapi_orm.start(folder, urls[1])
        stack.callback(peer.stop)
        apis[ORM] = fastapi_orm.seed(peer, postgres, theirs, FEW)
    except Missing as reason:
        missing = (f"{ORM}: {reason}",)
    for database in (ours, theirs):
        postgres.sql("VACUUM ANALYZE", database)  # as autovacuum would within a minute
    note = (
        f"{FEW:,} tasks, one worker and a database each, in one PostgreSQL with its default settings (fsync and"
        " synchronous_commit on). CPU and memory are without PostgreSQL's."
    )
    return _rows("on PostgreSQL", apis, (3.0, 3.0, 3.0), ORM, missing, (note,) * 3)


def _rows(
    where: str,
    apis: dict[str, TaskApi],
    least: tuple[float, ...],
    peer: str,
    missing: tuple[str, ...],
    notes: tuple[str, ...],
) -> list[Row]:
    return [
        Row(
            work=f"{work} {where}",
            unit="requests/s",
            contenders={name: turns(api) for name, api in apis.items()},
            asked=(Asked(peer, ratio, must=True),),
            missing=missing,
            note=note,
        )
        for (work, turns), ratio, note in zip(WORKS.items(), least, notes, strict=True)
    ]


def _at_scale(large: TaskApi, small: TaskApi, many: int) -> list[Row]:
    def row(work: str, turns: Work, note: str, seconds: float | None = None, most: float = 1.3) -> Row:
        contenders = {OURS: turns(large), SMALL: turns(small)}
        asked = (Asked(SMALL, most, at_most=True),)
        return Row(work, "requests/s", contenders, asked, note=note, seconds=seconds)

    listing = f"Stowboard with {many:,} tasks of one owner beside itself with {FEW:,}, both on SQLite."
    creating = listing + " The small one grows by what it creates, so its turns are of a second."
    return [
        row(f"list 50 of {many:,} tasks", list_newest, listing),
        row(f"find 50 by a word of all {many:,}", search_common, listing, most=1.5),
        row(f"find one of {many:,} by its words", search_rare, listing, most=1.5),
        row(f"create a task beside {many:,}", create, creating, seconds=1.0),
    ]
