"""A read shows every write that was acknowledged before it began, in every process, and to each caller its own."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest

from stowboard_client import Client
from support.api.answers import data_of, error_of
from support.clients.credentials import bearer
from support.clients.task_owner import Owner
from support.servers.stacks import UNLIMITED, MakeServer, Stack
from support.servers.stowboard import Server

TASKS = "/taskapp/tasks"


@pytest.fixture(scope="module")
def two_processes(stack: Stack, make_server: MakeServer) -> Iterator[Server]:
    server = make_server(stack() | UNLIMITED, "--workers", "2")
    yield server
    server.kill()


def test_a_change_is_seen_by_the_next_read_in_every_process(two_processes: Server) -> None:
    """Over connections of their own, so that both processes write and read."""
    server, fresh = two_processes, httpx2.Limits(max_keepalive_connections=0)
    with httpx2.Client(base_url=server.base_url, headers=server.headers, limits=fresh) as web:
        data_of(web.post("/taskapp/task-index/backfill"))
        path = f"{TASKS}/{data_of(web.post(TASKS, json={'title': '0'}), 201)['id']}"
        for number in range(1, 60):
            data_of(web.patch(path, json={"title": str(number)}))
            for _ in range(3):
                assert data_of(web.get(path))["title"] == str(number)
                assert data_of(web.get(TASKS))[0]["title"] == str(number)
        data_of(web.delete(path))
        assert [error_of(web.get(path)) for _ in range(6)] == [(404, "not_found")] * 6
        assert [data_of(web.get(TASKS)) for _ in range(6)] == [[]] * 6


def test_no_read_that_begins_after_a_change_was_acknowledged_shows_what_was_before(two_processes: Server) -> None:
    server = two_processes
    with httpx2.Client(base_url=server.base_url, headers=server.headers) as web:
        path = f"{TASKS}/{data_of(web.post(TASKS, json={'title': '0'}), 201)['id']}"
        acknowledged = 0

        def read_on(_: int) -> int:
            with httpx2.Client(base_url=server.base_url, headers=server.headers) as reader:
                reads = 0
                while acknowledged < 150:
                    least = acknowledged
                    assert int(data_of(reader.get(path))["title"]) >= least
                    reads += 1
                return reads

        with ThreadPoolExecutor(3) as readers:
            reading = [readers.submit(read_on, number) for number in range(3)]
            try:
                for number in range(1, 151):
                    data_of(web.patch(path, json={"title": str(number)}))
                    acknowledged = number
            finally:
                acknowledged = 150
            assert all(each.result() > 10 for each in reading)


def test_two_callers_are_told_each_their_own(ann: Owner, ann_herself: Client, ben: Owner) -> None:
    for owner in (ann, ben):
        data_of(owner.http.post("/taskapp/task-index/backfill"))
    task = ann.tasks.create("Diary", visibility="zero-knowledge")
    path = f"{TASKS}/{task.id}"
    for _ in range(3):
        assert "encryptedBody" not in data_of(ann.http.get(path))
        assert ann_herself.tasks.get(task.id).id == task.id
        assert error_of(ben.http.get(path)) == (404, "not_found")
        assert [each.id for each in ann.tasks.list()] == [task.id]
        assert list(ben.tasks.list()) == []


def test_query_method_and_headers_each_make_another_request(ann: Owner) -> None:
    data_of(ann.http.post("/taskapp/task-index/backfill"))
    for number in range(3):
        ann.tasks.create(f"Task {number}", tags=["odd"] if number % 2 else [])
    for _ in range(2):
        assert len(data_of(ann.http.get(TASKS))) == 3
        assert len(data_of(ann.http.get(TASKS, params={"limit": 1}))) == 1
        assert len(data_of(ann.http.get(TASKS, params={"tags": "odd"}))) == 1
        assert ann.http.head(TASKS).content == b""
        assert ann.http.get(TASKS, headers={"x-request-id": "one-of-mine"}).headers["x-request-id"] == "one-of-mine"
        assert "access-control-allow-origin" in ann.http.get(TASKS, headers={"origin": "https://a.example"}).headers
        assert "access-control-allow-origin" not in ann.http.get(TASKS).headers
        assert error_of(ann.http.get(TASKS, params={"limit": "many"}))[0] == 400
    assert data_of(ann.http.post(TASKS, json={"title": "Task 3"}), 201)["title"] == "Task 3"
    assert len(data_of(ann.http.get(TASKS))) == 4


def test_each_of_them_is_charged_and_checked(make_server: MakeServer) -> None:
    server = make_server({"STOWBOARD_RATE_LIMIT_PER_MINUTE": "1", "STOWBOARD_RATE_LIMIT_BURST": "5"})
    with Client(server.origin, server.admin_token) as admin:
        token = admin.tokens.create("ann", scopes=["tasks:read", "tasks:write"])
    with httpx2.Client(base_url=server.base_url, headers=bearer(token)) as web:
        path = f"{TASKS}/{data_of(web.post(TASKS, json={'title': 'Once'}), 201)['id']}"
        answers = [web.get(path) for _ in range(6)]
        assert [answer.status_code for answer in answers] == [200] * 4 + [429] * 2
        assert len({answer.headers["x-request-id"] for answer in answers}) == 6
        assert [answer.headers["ratelimit"].split(";")[1] for answer in answers[:4]] == ["r=3", "r=2", "r=1", "r=0"]
        assert error_of(web.get(path, headers=bearer("nobody's"))) == (401, "invalid_token")
    server.kill()
