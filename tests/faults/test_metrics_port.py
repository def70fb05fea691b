"""Metrics count what happened in every process."""

import os
import signal
import time
from collections.abc import Callable, Iterator

import httpx2
import pytest

from support.api.prometheus_text import Family, parse, value
from support.clients.raw_connection import RawConnection, head
from support.servers.ports import free_port
from support.servers.stacks import UNLIMITED, MakeServer
from support.servers.stowboard import Server
from support.stored.rows import rows

BOUND_SECONDS = 120.0
REQUESTS = "stowboard_requests_total"


@pytest.fixture(params=["1", "2"], ids=["one process", "two processes"])
def measured(request: pytest.FixtureRequest, make_server: MakeServer) -> Iterator[Server]:
    settings = UNLIMITED | {"STOWBOARD_METRICS_PORT": str(free_port())}
    server = make_server(settings, "--workers", str(request.param))
    yield server
    server.kill()


def test_requests_are_counted_by_operation_and_status(measured: Server) -> None:
    for _ in range(30):
        ask(measured, "GET", "/api/v1")
    for _ in range(7):
        ask(measured, "GET", "/api/v1/access/tokens/tok_none")
    for _ in range(3):
        ask(measured, "GET", '/api/v1/"\\hostile\n'.replace("\n", "%0a"))
    for _ in range(2):
        ask(measured, "GET", "/nowhere")

    def counted(families: dict[str, Family]) -> bool:
        return (
            value(families, REQUESTS, operation="GET /api/v1/", status="200") == 30
            and value(families, REQUESTS, operation="GET /api/v1/access/tokens/{token_id}", status="404") == 7
            and value(families, REQUESTS, operation="/api/v1", status="404") == 3
            and value(families, REQUESTS, operation="unknown", status="404") == 2
        )

    families = until(measured, counted)
    seconds = families["stowboard_request_seconds"].samples
    key = "stowboard_request_seconds_count", frozenset({("operation", "GET /api/v1/")})
    assert seconds[key] == 30


def test_jobs_and_damaged_files_are_measured_once_however_many_processes_look(measured: Server) -> None:
    rows(
        measured,
        "INSERT INTO job (id, queue, kind, args, due, dead, attempt, error, created_at)"
        " VALUES ('job_dead', 'sweep', 'media.discard', x'7b7d', 1, 1, 20, 'never', 1),"
        " ('job_lost', 'image', 'media.nobody_knows_it', x'7b7d', 1, 0, 0, NULL, 1)",
    )

    def measured_once(families: dict[str, Family]) -> bool:
        return (
            "stowboard_jobs" in families
            and value(families, "stowboard_jobs", kind="media.discard", state="dead") == 1
            and value(families, "stowboard_damaged", resource="asset") == 0
        )

    until(measured, measured_once)


@pytest.mark.parametrize("measured", ["1"], indirect=True)
def test_no_metric_grows_with_what_strangers_send(measured: Server) -> None:
    for number in range(50):
        ask(measured, "GET", f"/api/v1/made-up-{number}")
        ask(measured, "GET", f"/made-up-{number}")
    families = until(measured, lambda found: value(found, REQUESTS, operation="unknown", status="404") == 50)
    assert len(families[REQUESTS].samples) < 10


def test_what_a_process_counted_outlives_it(make_server: MakeServer) -> None:
    settings = UNLIMITED | {"STOWBOARD_METRICS_PORT": str(free_port())}
    server = make_server(settings, "--workers", "2")
    for _ in range(40):
        ask(server, "GET", "/api/v1")
    until(server, lambda found: value(found, REQUESTS, operation="GET /api/v1/", status="200") == 40)
    before = server.children()
    for child in before:
        os.kill(child, signal.SIGKILL)
    give_up = time.monotonic() + BOUND_SECONDS
    while len(set(server.children()) - set(before)) < 2:
        assert value(metrics(server), REQUESTS, operation="GET /api/v1/", status="200") == 40, "a counter never falls"
        assert time.monotonic() < give_up
    server.kill()


@pytest.mark.parametrize("measured", ["1"], indirect=True)
def test_only_the_metrics_are_on_the_metrics_port(measured: Server) -> None:
    port = measured.environment["STOWBOARD_METRICS_PORT"]
    answer = httpx2.get(f"http://127.0.0.1:{port}/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert httpx2.get(f"http://127.0.0.1:{port}/api/v1").status_code == 404
    assert httpx2.get(f"{measured.origin}/metrics").status_code == 404


def test_a_metrics_port_that_is_taken_stops_the_start(make_server: MakeServer) -> None:
    taken = make_server({})
    with pytest.raises(RuntimeError, match="STOWBOARD_METRICS_PORT"):
        make_server({"STOWBOARD_METRICS_PORT": str(taken.port)})
    taken.kill()


def ask(server: Server, method: str, path: str) -> None:
    """On a new connection each, so that every process gets some."""
    with RawConnection(server.port) as connection:
        connection.send(head(method, path, server.admin_token, "connection: close"))
        connection.answer()


def metrics(server: Server) -> dict[str, Family]:
    port = server.environment["STOWBOARD_METRICS_PORT"]
    return parse(httpx2.get(f"http://127.0.0.1:{port}/metrics").text)


def until(server: Server, happened: Callable[[dict[str, Family]], bool]) -> dict[str, Family]:
    """Processes tell their supervisor what they counted once a second."""
    give_up = time.monotonic() + BOUND_SECONDS
    while not happened(found := metrics(server)):
        assert time.monotonic() < give_up, found
        time.sleep(0.1)
    return found
