"""Requests reach their coroutine by the short way, whether or not they have to wait on it."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextvars import copy_context
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest
from granian.server import embed

from stowboard.http.exchange import Exchange
from stowboard.http.granian import prompt
from stowboard.http.granian.prompt import begin_requests_promptly
from support.servers.ports import free_port


class Service:
    """As much of the application as the short way asks of it."""

    def __init__(self) -> None:
        self.with_task: dict[str, bool] = {}

    def answers_at_once(self, exchange: Exchange) -> bool:
        return exchange.path != "/with-a-task"

    async def __rsgi__(self, scope: Any, protocol: Any) -> None:
        raise AssertionError("the long way was taken")

    async def handle(self, exchange: Exchange) -> None:
        self.with_task[exchange.path] = _in_a_task()
        if exchange.path == "/waits":
            await asyncio.sleep(0.01)
            await asyncio.gather(asyncio.sleep(0.01), asyncio.sleep(0))
        if exchange.path == "/meets-an-error":
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(asyncio.Event().wait(), 0.01)
        if exchange.path.startswith("/fails"):
            if exchange.path == "/fails-later":
                await asyncio.sleep(0)
            raise RuntimeError("not to be seen by the client")
        exchange.respond(200, [], exchange.path.encode())


def _in_a_task() -> bool:
    return asyncio.current_task() is not None


@pytest.fixture
async def service(monkeypatch: pytest.MonkeyPatch) -> Service:
    monkeypatch.setattr(embed, "_new_cbscheduler", embed._new_cbscheduler)  # type: ignore[attr-defined]
    service = Service()
    begin_requests_promptly(service)
    return service


@pytest.fixture
async def web(service: Service) -> AsyncIterator[httpx2.AsyncClient]:
    port = free_port()
    server = embed.Server(service, port=port, websockets=False, log_enabled=False)
    serving = asyncio.create_task(server.serve())
    transport = httpx2.AsyncHTTPTransport(retries=5)  # until it listens
    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", transport=transport) as client:
        yield client
    server.stop()
    await serving


@pytest.mark.parametrize(
    ("path", "with_task"), [("/at-once", False), ("/with-a-task", True), ("/waits", False), ("/meets-an-error", False)]
)
async def test_a_request_is_answered_and_has_a_task_only_if_it_needs_one(
    web: httpx2.AsyncClient, service: Service, path: str, with_task: bool
) -> None:
    answers = await asyncio.gather(*(web.get(path) for _ in range(20)))
    assert {(answer.status_code, answer.text) for answer in answers} == {(200, path)}
    assert service.with_task[path] is with_task


@pytest.mark.parametrize("path", ["/fails", "/fails-later"])
async def test_a_request_that_fails_is_answered_by_the_server_and_harms_no_other(
    web: httpx2.AsyncClient, path: str
) -> None:
    failed, fine = await asyncio.gather(web.get(path), web.get("/at-once"))
    assert (failed.status_code, fine.status_code) == (500, 200)
    assert "not to be seen" not in failed.text


class ArrivedRequest:
    """As much of a request of Granian's as the short way asks of one that is answered."""

    scope = SimpleNamespace(headers={}, method="GET", path="/slow", query_string="")
    proto = None

    def done(self) -> None:
        pass


class SlowService(Service):
    def __init__(self, order: list[str]) -> None:
        super().__init__()
        self._order = order

    async def handle(self, exchange: Exchange) -> None:
        self._order.append("request")
        time.sleep(2 * prompt._ROUND_SECONDS)


async def test_between_requests_that_take_long_the_loop_does_what_else_is_waiting() -> None:
    order: list[str] = []
    loop = asyncio.get_running_loop()
    arrivals = prompt._Arrivals(loop, copy_context(), SlowService(order))
    for _ in range(3):
        arrivals.add(ArrivedRequest())
    for _ in range(3):
        await asyncio.sleep(0)
        order.append("other")
    assert order == ["request", "other"] * 3
