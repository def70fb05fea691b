"""The cost of spaces: for a default token beside an older build, for a token of many spaces, for many tasks in them.

The older build is a program that `STOWBOARD_BENCH_BEFORE` names. Spaces and their members are written into the
database; tasks come in by `stowboard tasks import`, as elsewhere. All is on SQLite.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO

import httpx2

from bench.harness.figures import OURS, Asked, Contender, Row, Sample
from bench.harness.install import Missing, program
from bench.harness.processes import memory_mb
from bench.harness.progress import Progress
from bench.harness.servers import UNLIMITED, Launch, Process, Server, launch_program
from bench.work.stored_rows import write_rows
from bench.work.stowboard_tasks import OWNER, activate_lists, bring_in, ids_of, seed
from bench.work.tasks import PAGE, TaskApi, create, get_one, list_newest

TITLE = "Spaces"
SECONDS = 420
QUICK_SECONDS = 90
TURN_SECONDS = 2.0
FEW, MANY, MANY_IN_QUICK = 10_000, 1_000_000, 40_000
#: Spaces that the token reaches, and those of the large installation.
REACHED, SPACES, SPACES_IN_QUICK = 20, 200, 20
BEFORE, DEFAULT_TOKEN, ONE_SPACE = "Stowboard before", "default token", f"{FEW:,} tasks of one owner"
WORKS = {"get one task": get_one, "create a task": create, "list 50 tasks": list_newest}


@contextmanager
def rows(folder: Path, progress: Progress, quick: bool) -> Iterator[list[Row]]:
    program("wrk")
    many, spaces = (MANY_IN_QUICK, SPACES_IN_QUICK) if quick else (MANY, SPACES)
    with ExitStack() as stack:
        progress.say("Spaces: filling an installation")
        ours = _serve(stack, folder / "ours")
        idle, older = _serve(stack, folder / "idle"), _Older(stack, folder)
        api = seed(ours, FEW)
        ready = [*older.rows(api), older.idle_memory(idle)]
        progress.say("Spaces: the token of many spaces")
        ready += _of_many_spaces(api, _with_token_of_all(ours, api))
        progress.say(f"Spaces: writing {many:,} tasks into {spaces} spaces")
        ready += _at_scale(_fill_spaces(_serve(stack, folder / "large"), many, spaces), api, many, spaces)
        os.sync()  # what was just written does not reach the disk in somebody's turn
        turn = 1.0 if quick else TURN_SECONDS
        yield [replace(row, seconds=row.seconds or turn) for row in ready]


def _serve(stack: ExitStack, folder: Path, older: Path | None = None) -> Server:
    server = Server(folder, UNLIMITED, launch=launch_program if older is None else _launching(older))
    stack.callback(server.kill)
    return server.start()


class _Older:
    """The build of before, if there is one."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        named = os.environ.get("STOWBOARD_BENCH_BEFORE")
        self._program = Path(named) if named else None
        self._missing: tuple[str, ...] = ()
        self._api: TaskApi | None = None
        self._idle: Server | None = None
        if self._program is None or not self._program.exists():
            self._missing = (f"{BEFORE}: {Missing('set STOWBOARD_BENCH_BEFORE to its program')}",)
            return
        self._idle = _serve(stack, folder / "before-idle", self._program)
        self._api = seed(_serve(stack, folder / "before", self._program), FEW, self._program)

    def rows(self, api: TaskApi) -> list[Row]:
        """With a default token each: at most 5 % slower."""
        note = f"{FEW:,} tasks of one owner each, and a token that names no space."
        return [
            Row(
                f"{work}, default token", "requests/s", _beside(turns(api), turns(self._api) if self._api else None),
                (Asked(BEFORE, 0.95),), self._missing, note=note,
            )
            for work, turns in WORKS.items()
        ]  # fmt: skip

    def idle_memory(self, server: Server) -> Row:
        contenders = _beside(_at_rest(server.pid), _at_rest(self._idle.pid) if self._idle else None)
        asked = (Asked(BEFORE, 1.02, at_most=True),)
        note = "Each has answered that it is ready, and nothing else. Two starts of one build differ by up to 2 %."
        return Row(
            "idle memory beside before", "MB", contenders, asked, self._missing, rounds=3, seconds=1.0, note=note,
            cost=True,
        )  # fmt: skip


def _beside(ours: Contender, before: Contender | None) -> dict[str, Contender]:
    return {OURS: ours} if before is None else {OURS: ours, BEFORE: before}


def _launching(older: Path) -> Launch:
    """Starts another program than ours with the same words."""

    def launch(
        command: list[str], environment: Mapping[str, str], output: IO[bytes], errors: IO[bytes], folder: Path
    ) -> Process:
        return launch_program([str(older), *command[1:]], environment, output, errors, folder)

    return launch


def _at_rest(pid: int) -> Contender:
    def look(_seconds: float) -> Sample:
        memory = memory_mb(pid)
        return Sample(rate=1 / memory, memory_mb=memory)

    return look


def _of_many_spaces(narrow: TaskApi, wide: TaskApi) -> list[Row]:
    note = f"The same tasks of one owner, by a token of `all` spaces whose owner is a member of {REACHED}."
    return [
        Row(
            f"{work}, a token of {REACHED} spaces", "requests/s", {OURS: turns(wide), DEFAULT_TOKEN: turns(narrow)},
            (Asked(DEFAULT_TOKEN, 0.9),), note=note,
        )
        for work, turns in WORKS.items()
    ]  # fmt: skip


def _with_token_of_all(server: Server, api: TaskApi) -> TaskApi:
    _make_spaces(server, REACHED)
    with httpx2.Client(base_url=server.base_url, headers=server.headers) as client:
        made = client.post("/access/tokens", json={"owner": OWNER}).raise_for_status().json()["data"]
    write_rows(server, "UPDATE access_token SET spaces = 'all' WHERE id = ?", [(made["id"],)])
    return replace(api, headers={"authorization": f"Bearer {made['token']}"})


def _fill_spaces(server: Server, tasks: int, spaces: int) -> TaskApi:
    """How the first of the spaces is asked for its tasks."""
    ids = _make_spaces(server, spaces)
    write_rows(server, "UPDATE access_token SET spaces = 'all'", [()])
    for space_id in ids:
        bring_in(server, space_id, tasks // spaces)
    api, few = seed(server, PAGE), ids[:REACHED]
    for space_id in few:
        activate_lists(server, space_id)
    return replace(
        api, newest=f"{api.newest}&spaceId={ids[0]}", new={**api.new, "spaceId": ids[0]},
        ids=tuple(task_id for space_id in few for task_id in ids_of(server, FEW // len(few), space_id)),
    )  # fmt: skip


def _at_scale(large: TaskApi, small: TaskApi, many: int, spaces: int) -> list[Row]:
    note = (
        f"One of {spaces} spaces with {many:,} tasks in all, the token reaching {REACHED} of them, beside {ONE_SPACE}."
    )
    return [
        Row(
            f"{work}, {many:,} tasks in {spaces} spaces", "requests/s",
            {OURS: turns(large), ONE_SPACE: turns(small)},
            (Asked(ONE_SPACE, 1.3, at_most=True),), note=note, seconds=1.0 if turns is create else None,
        )
        for work, turns in WORKS.items()
    ]  # fmt: skip


def _make_spaces(server: Server, count: int) -> list[str]:
    """The owner of the first token is a member of the first spaces: of as many as a token is measured with."""
    ids = [f"spc_{number:026}" for number in range(count)]
    space = "INSERT INTO space (id, name, created_at, updated_at, version) VALUES (?, 'A space', 1, 1, 1)"
    write_rows(server, space, [(space_id,) for space_id in ids])
    member = "INSERT INTO space_member (space_id, member, role, created_at) VALUES (?, ?, 'editor', 1)"
    write_rows(server, member, [(space_id, OWNER) for space_id in ids[:REACHED]])
    return ids
