"""Clients of two nodes read and write the same tasks while nodes are killed and cut off from the database.

Each task's title is a value that the clients share. What they see of it could have been seen by one client after the
other, over both nodes: no read goes back behind a write that was acknowledged anywhere.
"""

import itertools
import math
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import httpx2
import pytest

from support.histories import Operation, find_anomaly
from support.servers.cluster import Cluster
from support.waiting import wait_until

CLIENTS, TASKS = 6, 3
TASK_PATH = "/api/v1/taskapp/tasks"


class Histories:
    """The history of each task, as clients saw it."""

    def __init__(self, cluster: Cluster, tasks: list[str]) -> None:
        self.by_task: dict[str, list[Operation]] = {task: [] for task in tasks}
        self.refused = 0
        self._cluster = cluster
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._values = itertools.count(1)

    @contextmanager
    def growing(self) -> Iterator[None]:
        threads = [threading.Thread(target=self._work) for _ in range(CLIENTS)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._over.set()
            for thread in threads:
                thread.join()

    def size(self) -> int:
        return min(map(len, self.by_task.values()))

    def have_more_than(self, size: int) -> bool:
        return self.size() > size

    def _work(self) -> None:
        with signed_in(self._cluster) as http:
            while not self._over.is_set():
                task = random.choice(list(self.by_task))
                if random.random() < 0.4:
                    self._write(http, task)
                else:
                    self._read(http, task)

    def _write(self, http: httpx2.Client, task: str) -> None:
        with self._lock:
            value = f"value {next(self._values)}"
        began = time.monotonic()
        answer = sent(http, "PATCH", task, {"title": value})
        done = answer is not None and answer.status_code == 200
        self._note(task, Operation(value, True, began, time.monotonic() if done else math.inf), done)

    def _read(self, http: httpx2.Client, task: str) -> None:
        began = time.monotonic()
        answer = sent(http, "GET", task)
        if answer is not None and answer.status_code == 200:
            title = answer.json()["data"]["title"]
            self._note(task, Operation(title, False, began, time.monotonic()), True)

    def _note(self, task: str, operation: Operation, done: bool) -> None:
        with self._lock:
            self.by_task[task].append(operation)
            self.refused += not done


def signed_in(cluster: Cluster) -> httpx2.Client:
    http = cluster.http()
    http.headers["authorization"] = f"Bearer {cluster.admin_token}"
    return http


def sent(http: httpx2.Client, method: str, task: str, body: dict[str, str] | None = None) -> httpx2.Response | None:
    """The answer; None if the connection broke. 503 and a broken connection may hide an effect."""
    try:
        answer = http.request(method, f"{TASK_PATH}/{task}", json=body)
    except httpx2.TransportError:
        return None
    assert answer.status_code in {200, 503}, answer.text
    return answer


@pytest.mark.parametrize("rounds", [2, pytest.param(40, marks=pytest.mark.soak)])
def test_what_clients_of_two_nodes_see_has_one_order(cluster: Cluster, rounds: int) -> None:
    with signed_in(cluster) as http:
        tasks = [http.post(TASK_PATH, json={"title": "value 0"}).json()["data"]["id"] for _ in range(TASKS)]
    histories = Histories(cluster, tasks)
    for task in tasks:
        histories.by_task[task].append(Operation("value 0", True, 0, 1))
    with histories.growing():
        for _ in range(rounds):
            for fault in (kill_one, cut_one_off):
                seen = histories.size()
                wait_until(partial(histories.have_more_than, seen + 30))
                fault(cluster)
                cluster.wait_until_ready()
                wait_until(partial(histories.have_more_than, seen + 60))
    assert histories.refused > 0, "nothing was hit, so nothing was proven"
    for task, history in histories.by_task.items():
        assert find_anomaly(history) is None, task


def kill_one(cluster: Cluster) -> None:
    node = random.choice(cluster.nodes)
    node.kill()
    node.start()


def cut_one_off(cluster: Cluster) -> None:
    way = random.choice(cluster.to_database)
    way.reset_all()
