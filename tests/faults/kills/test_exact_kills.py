"""The server is killed as it begins a certain system call, while writers of every kind are at work.

What was acknowledged is there, and every index, count and tag says what a plain scan of the rows says.
"""

import base64
import random
from pathlib import Path
from typing import Any

import httpx2
import pytest

from support.disks.strace import killing
from support.servers.forked import launch
from support.servers.stacks import UNLIMITED
from support.servers.stowboard import Server
from support.stored.plain_scans import find_differences

FEW = [("fdatasync", 3), ("pwrite64", 9), ("rename", 2)]
MANY = [(call, nth) for call in ("fdatasync", "fsync", "pwrite64", "rename", "unlink") for nth in range(1, 31)]


@pytest.mark.parametrize("kills", [pytest.param(FEW, id="few"), pytest.param(MANY, id="many", marks=pytest.mark.soak)])
def test_a_kill_at_any_call_leaves_indexes_that_agree_with_the_rows(
    tmp_path: Path, kills: list[tuple[str, int]]
) -> None:
    server = Server(tmp_path / "server", UNLIMITED, launch=launch).start()
    broken = 0
    try:
        for call, nth in kills:
            with killing(server.pid, call, nth):
                writer = Writer(server, random.Random(f"{call} {nth}"))
                acknowledged = writer.write_until_it_breaks()
            broken += writer.broken
            server.kill()
            assert find_differences(server) == {}, f"{call} {nth}"
            server.start()
            with client(server) as http:
                lost = [path for path, status in acknowledged.items() if http.get(path).status_code != status]
            assert lost == [], f"{call} {nth}"
    finally:
        server.kill()
    assert broken >= len(kills) / 2, "most kills hit nothing"


def client(server: Server) -> httpx2.Client:
    return httpx2.Client(base_url=server.base_url, headers=server.headers, timeout=60)


class Writer:
    """One client that does all kinds of writes, one after the other; it knows what each must leave."""

    MOST = 400

    def __init__(self, server: Server, chance: random.Random) -> None:
        self._http = client(server)
        self._chance = chance
        self._tasks: list[str] = []
        self._assets: list[str] = []
        self._boards: list[str] = []
        #: By the path of a thing, the status that a GET must have.
        self._left: dict[str, int] = {}
        self.broken = False

    def write_until_it_breaks(self) -> dict[str, int]:
        """The acknowledged writes. It ends after some hundred of them, in case the call never comes."""
        acts = [self._create, self._change, self._complete, self._remove, self._upload, self._tag, self._board]
        with self._http:
            try:
                for act in (self._board, self._create, self._upload):
                    act()
                for _ in range(self.MOST):
                    self._chance.choice(acts)()
            except httpx2.TransportError:
                self.broken = True
                self._left.pop(self._touched, None)  # it may or may not have been done
        return self._left

    def _send(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        self._touched = path
        answer = self._http.request(method, path, json=body)
        assert answer.status_code in {200, 201}, answer.text
        data: dict[str, Any] = answer.json()["data"]
        return data

    def _create(self) -> None:
        body: dict[str, Any] = {"title": "A task", "tags": self._some_tags(), "dueAt": self._chance.randrange(10**12)}
        if self._boards and self._chance.random() < 0.5:
            body["boardId"] = self._chance.choice(self._boards)
        if self._chance.random() < 0.3:
            body["recurrence"] = "FREQ=DAILY"
        task = self._send("POST", "/taskapp/tasks", body)["id"]
        self._tasks.append(task)
        self._left[f"/taskapp/tasks/{task}"] = 200

    def _change(self) -> None:
        task = self._chance.choice(self._tasks)
        body = {"tags": self._some_tags(), "archived": self._chance.random() < 0.3}
        self._send("PATCH", f"/taskapp/tasks/{task}", body)

    def _complete(self) -> None:
        self._send("POST", f"/taskapp/tasks/{self._chance.choice(self._tasks)}/complete")

    def _remove(self) -> None:
        if len(self._tasks) > 5:
            path = f"/taskapp/tasks/{self._tasks.pop(self._chance.randrange(len(self._tasks)))}"
            self._send("DELETE", path)
            self._left[path] = 404

    def _upload(self) -> None:
        data = base64.b64encode(self._chance.randbytes(2_000)).decode()
        asset = self._send("POST", "/media/upload/file", {"filename": "a.bin", "data": data, "tags": self._some_tags()})
        self._assets.append(asset["id"])
        self._left[f"/media/assets/{asset['id']}"] = 200

    def _tag(self) -> None:
        body = {"action": self._chance.choice(["add", "remove"]), "ids": self._assets[-20:], "tags": ["red", "blue"]}
        self._send("POST", "/media/assets/batch-tags", body)

    def _board(self) -> None:
        if len(self._boards) < 5:
            board = self._send("POST", "/taskapp/boards", {"name": "A board"})["id"]
            self._boards.append(board)
            self._left[f"/taskapp/boards/{board}"] = 200

    def _some_tags(self) -> list[str]:
        return self._chance.sample(["red", "green", "blue"], self._chance.randrange(3))
