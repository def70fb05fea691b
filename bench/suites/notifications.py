"""Requests while 100,000 notifications are made, beside the same requests while there are none to make, on SQLite.

A task in a space has 500 followers with accounts. Before a turn, the events of 200 comments on it are written into the
feed, and the service makes notifications of them; what it has not made when the turn ends is given up.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2

from bench.harness.figures import OURS, Asked, Contender, Row, Sample, Void
from bench.harness.install import program
from bench.harness.progress import Progress
from bench.harness.servers import UNLIMITED, Server
from bench.work.stored_rows import read_value, write_rows
from bench.work.stowboard_tasks import OWNER, seed
from bench.work.tasks import create, get_one

TITLE = "Notifications"
SECONDS = 230
QUICK_SECONDS = 60
TASKS = 10_000
PEOPLE, COMMENTS = 500, 200
#: Several batches of notifications are made in it.
TURN_SECONDS = 9.0
AT_REST = "nobody is told"
SPACE = "spc_00000000000000000000000500"
WORKS = {"get one task": get_one, "create a task": create}
_PATIENCE_SECONDS = 10.0
_COUNT = "SELECT count(*) FROM notification"


@contextmanager
def rows(folder: Path, progress: Progress, quick: bool) -> Iterator[list[Row]]:  # noqa: ARG001
    program("wrk")
    server = Server(folder / "ours", UNLIMITED).start()
    try:
        progress.say("Notifications: filling an installation")
        api, crowd = seed(server, TASKS), _Crowd(server)
        note = (
            f"{PEOPLE * COMMENTS:,} notifications wait to be made when a turn begins: of {COMMENTS} comments, for"
            f" {PEOPLE} people each. The same server, while there are none to make, is the other."
        )
        os.sync()
        yield [
            Row(
                f"{work} beside {PEOPLE * COMMENTS:,} notifications", "requests/s",
                {OURS: crowd.told_during(turns(api)), AT_REST: turns(api)}, (Asked(AT_REST, 0.95),),
                seconds=TURN_SECONDS, note=note,
            )
            for work, turns in WORKS.items()
        ]  # fmt: skip
    finally:
        server.kill()


class _Crowd:
    """The followers of one task."""

    def __init__(self, server: Server) -> None:
        self._server = server
        people = [f"person-{number:03}" for number in range(PEOPLE)]
        now = round(time.time() * 1000)
        account = "INSERT INTO account (id, username, display_name, role, handle, created_at) VALUES (?, ?, ?, ?, ?, ?)"
        write_rows(server, account, [(f"acc_{name:0>26}", name, name, "member", name.encode(), now) for name in people])
        space = "INSERT INTO space (id, name, created_at, updated_at, version) VALUES (?, 'A space', 1, 1, 1)"
        write_rows(server, space, [(SPACE,)])
        member = "INSERT INTO space_member (space_id, member, role, created_at) VALUES (?, ?, 'manager', 1)"
        write_rows(server, member, [(SPACE, name) for name in (OWNER, *people)])
        write_rows(server, "UPDATE access_token SET spaces = 'all'", [()])
        self._task_id = self._make_task()
        follower = "INSERT INTO task_follower (task_id, person, muted) VALUES (?, ?, 0)"
        write_rows(server, follower, [(self._task_id, name) for name in people])

    def told_during(self, turn: Contender) -> Contender:
        def work(seconds: float) -> Sample:
            before = read_value(self._server, _COUNT)
            self._comment()
            _wait_until(lambda: read_value(self._server, _COUNT) > before, "nobody is told of the comments")
            try:
                begun = read_value(self._server, _COUNT)
                sample = turn(seconds)
                is_done = begun == before + PEOPLE * COMMENTS
                if seconds >= TURN_SECONDS and not is_done and read_value(self._server, _COUNT) == begun:
                    raise Void("no notification was made in the turn")
                return sample
            finally:
                head = "UPDATE notification_head SET position = (SELECT position FROM feed)"
                write_rows(self._server, head, [()])

        return work

    def _make_task(self) -> str:
        with httpx2.Client(base_url=self._server.base_url, headers=self._server.headers, timeout=60) as client:
            # The service remembers for a moment which spaces a token reaches.
            _wait_until(lambda: client.get(f"/spaces/{SPACE}").is_success, "the space is not reached")
            body = {"title": "Everybody follows this", "spaceId": SPACE}
            task_id: str = client.post("/taskapp/tasks", json=body).raise_for_status().json()["data"]["id"]
            client.post(f"/taskapp/tasks/{task_id}/comments", json={"body": "First"}).raise_for_status()
        return task_id

    def _comment(self) -> None:
        """Write the events of more comments, all in one commit: like the event of the one that was made, but new."""
        sql = (
            "INSERT INTO event (id, type, owner, subject, data, actor, created_at, position)"
            " SELECT substr(id, 1, 14) || ?, type, owner, subject, data, actor, created_at,"
            " (SELECT position FROM next_position)"
            " FROM event WHERE subject = ? AND type = 'task.commented' ORDER BY position LIMIT 1"
        )
        now = time.time_ns()
        write_rows(self._server, sql, [(f"{now + number:0>20}"[-16:], self._task_id) for number in range(COMMENTS)])


def _wait_until(happens: Callable[[], bool], trouble: str) -> None:
    give_up = time.monotonic() + _PATIENCE_SECONDS
    while not happens():
        if time.monotonic() > give_up:
            raise Void(trouble)
        time.sleep(0.02)
