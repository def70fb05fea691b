"""The costs that every request has, and those of the service itself: memory at rest, and a start.

The price of the framework is measured against its own floor: the server that we run on, giving the same bytes without
doing anything for them.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx2

from bench.harness.figures import OURS, Asked, Contender, Row, Sample, Void
from bench.harness.install import Missing, program
from bench.harness.load import Load, wrk
from bench.harness.processes import memory_mb
from bench.harness.progress import Progress
from bench.harness.servers import UNLIMITED, Server, free_port
from bench.peers.bare_granian import Answer, BareGranian
from bench.peers.pocketbase import PocketBase

TITLE = "API"
SECONDS = 100
QUICK_SECONDS = 25
STARTS = 7
IDLE_SECONDS = 3.0
TASK = {"title": "Water the plants", "body": "The fern, too.", "tags": ["home", "garden"], "dueAt": 1924941600000}
BARE = "bare Granian"
POCKETBASE = "PocketBase"


@contextmanager
def rows(folder: Path, progress: Progress, quick: bool) -> Iterator[list[Row]]:
    program("wrk")
    with ExitStack() as stack:
        progress.say("API: starting")
        server = Server(folder / "ours", UNLIMITED).start()
        stack.callback(server.stop)
        yield [
            _idle_memory(folder, stack),
            _get_one(server, folder, stack),
            _start(folder / "starts", 1 if quick else STARTS),
        ]


def _idle_memory(folder: Path, stack: ExitStack) -> Row:
    """The memory of a server that nobody else asks: a load leaves more behind than an idle server has."""
    server = Server(folder / "idle", UNLIMITED).start()
    stack.callback(server.stop)
    contenders = {OURS: _at_rest(server.pid)}
    missing: tuple[str, ...] = ()
    try:
        peer = PocketBase()
        peer.start(folder / "pocketbase")
        stack.callback(peer.stop)
        contenders[POCKETBASE] = _at_rest(peer.pid)
    except Missing as reason:
        missing = (f"{POCKETBASE}: {reason}",)
    time.sleep(IDLE_SECONDS)
    asked = (Asked(POCKETBASE, 2.2, at_most=True),)
    note = (
        "Both have just started; PocketBase has signed in two users by then, Stowboard has answered that it is ready."
    )
    return Row("idle memory", "MB", contenders, asked, missing, rounds=3, seconds=1.0, note=note, cost=True)


def _at_rest(pid: int) -> Contender:
    def look(_seconds: float) -> Sample:
        memory = memory_mb(pid)
        return Sample(rate=1 / memory, memory_mb=memory)

    return look


def _get_one(server: Server, folder: Path, stack: ExitStack) -> Row:
    with httpx2.Client(base_url=server.base_url, headers=server.headers) as client:
        task = client.post("/taskapp/tasks", json=TASK).raise_for_status().json()["data"]
        path = f"/taskapp/tasks/{task['id']}"
        answer = client.get(path).raise_for_status()
    bare = BareGranian(folder, free_port(), Answer.like(answer))
    stack.callback(bare.stop)
    urls = {OURS: (f"{server.base_url}{path}", server.pid), BARE: (f"{bare.origin}/api/v1{path}", bare.pid)}

    contenders = {who: _under_load(Load(url, server.headers), pid, answer) for who, (url, pid) in urls.items()}
    note = "The floor answers the same status, headers and bytes to the same request, and does nothing else."
    return Row("get one task", "requests/s", contenders, (), note=note)


def _under_load(load: Load, pid: int, like: httpx2.Response) -> Contender:
    def run(seconds: float) -> Sample:
        got = httpx2.get(load.url, headers=dict(load.headers))
        if (got.status_code, got.content) != (like.status_code, like.content):
            raise Void(f"answered {got.status_code} {got.text[:200]}")
        if differ := {*got.headers} ^ {*like.headers}:
            raise Void(f"answered other headers: {', '.join(sorted(differ))}")
        return wrk(load, pid, seconds)

    return run


def _start(folder: Path, starts: int) -> Row:
    note = "From the command to the first answer, with an empty data folder; asked every 50 ms."
    contenders = {OURS: _first_answer(folder)}
    return Row("start", "s", contenders, (Asked(None, 1.5),), rounds=starts, note=note, cost=True)


def _first_answer(folder: Path) -> Contender:
    numbers = itertools.count()

    def start(_seconds: float) -> Sample:
        server = Server(folder / str(next(numbers)), {})
        begun = time.perf_counter()
        try:
            server.start()
            return Sample(rate=1 / (time.perf_counter() - begun))
        finally:
            server.kill()

    return start
