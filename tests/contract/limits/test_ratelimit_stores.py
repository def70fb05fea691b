"""The promises of every store of rate limit buckets, on the shared table of one host and on a real Valkey."""

import asyncio
import multiprocessing
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from multiprocessing.queues import SimpleQueue
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import NamedTuple

import pytest

from stowboard.api.limits.rule import Decision, Limiter, RateLimitRule, RateLimitSettings
from stowboard.api.limits.shared_memory import SharedLimiter
from stowboard.api.limits.valkey import ValkeyLimiter
from stowboard.api.limits.valkey_address import ValkeyAddress
from stowboard.core.ids import new_id
from support.servers.valkey import ValkeyServer
from support.waiting import PATIENCE_SECONDS

HAMMER_SECONDS = 1.0
#: 100 a second: the bucket takes a second to fill, so that a machine which stalls for less wastes nothing.
FAST = RateLimitSettings(rate_per_minute=6000, burst=100)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a store is, so that another process can open it too."""

    directory: Path
    valkey_url: str | None
    processes: int

    async def open(self, settings: RateLimitSettings) -> "OpenStore":
        shared = SharedLimiter(RateLimitRule(settings), "contract", self.directory)
        if self.valkey_url is None:
            return OpenStore(shared, None, shared)
        remote = ValkeyLimiter(ValkeyAddress.parse(self.valkey_url), shared)
        await remote.open()
        assert remote.shared
        return OpenStore(shared, remote, remote)


@dataclass(frozen=True, slots=True)
class OpenStore:
    shared: SharedLimiter
    remote: ValkeyLimiter | None
    limiter: Limiter

    async def take(self, token: str) -> Decision:
        decision = self.limiter.take(token)
        return decision if isinstance(decision, Decision) else await decision

    async def close(self) -> None:
        if self.remote is not None:
            await self.remote.close()
        self.shared.close()


@pytest.fixture(params=["shared", "valkey"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    server: ValkeyServer | None = request.getfixturevalue("valkey") if request.param == "valkey" else None
    return Place(tmp_path, server.url, processes=2) if server else Place(tmp_path, None, processes=8)


@pytest.fixture
async def store(place: Place) -> AsyncIterator[OpenStore]:
    opened = await place.open(RateLimitSettings())
    yield opened
    await opened.close()


async def test_a_burst_passes_then_a_refusal_says_when_to_return(store: OpenStore) -> None:
    token = new_id("tok")
    burst = [await store.take(token) for _ in range(100)]
    assert all(decision.allowed for decision in burst)
    assert burst[0].field == '"burst";r=99;t=10'
    refused = await store.take(token)
    while refused.allowed:  # at most what grew meanwhile
        refused = await store.take(token)
    assert (refused.remaining, refused.retry_after) == (0, 1)
    await asyncio.sleep(refused.retry_after)
    assert (await store.take(token)).allowed


async def test_one_token_does_not_use_up_another_ones_bucket(store: OpenStore) -> None:
    busy, calm = new_id("tok"), new_id("tok")
    for _ in range(150):
        await store.take(busy)
    assert (await store.take(calm)).remaining == 99


async def test_slow_limits_announce_whole_waits(place: Place) -> None:
    opened, token = await place.open(RateLimitSettings(rate_per_minute=6, burst=1)), new_id("tok")
    decisions = [await opened.take(token) for _ in range(2)]
    await opened.close()
    assert [decision.retry_after for decision in decisions] == [0, 10]


def test_processes_together_admit_exactly_the_limit(place: Place) -> None:
    results = _hammer_from_processes(place, new_id("tok"))
    longest = max(each.ended for each in results) - min(each.started for each in results)
    # Whoever is refused finds the bucket empty, however late others come to it.
    shortest = max(each.refused for each in results) - min(each.answered for each in results)
    most, least = (FAST.burst + FAST.rate_per_minute / 60 * seconds for seconds in (longest, shortest))
    assert 0.99 * least - 1 <= sum(each.admitted for each in results) <= most


class Hammered(NamedTuple):
    """When it began, had its first answer, asked what was refused last, and ended; and how often it was admitted."""

    started: float
    answered: float
    refused: float
    ended: float
    admitted: int


def _hammer_from_processes(place: Place, token: str) -> list[Hammered]:
    context = multiprocessing.get_context("forkserver")  # which loads this module once
    context.set_forkserver_preload([__name__])
    results: SimpleQueue[Hammered] = context.SimpleQueue()
    together = context.Barrier(place.processes)
    arguments = place, token, together, results
    processes = [context.Process(target=_hammer, args=arguments) for _ in range(place.processes)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(PATIENCE_SECONDS)
    assert [process.exitcode for process in processes] == [0] * place.processes
    return [results.get() for _ in processes]


def _hammer(place: Place, token: str, together: Barrier, results: "SimpleQueue[Hammered]") -> None:
    results.put(asyncio.run(_take_all_one_can(place, token, together)))


async def _take_all_one_can(place: Place, token: str, together: Barrier) -> Hammered:
    opened = await place.open(FAST)
    together.wait(PATIENCE_SECONDS)
    now = started = refused = time.monotonic()
    admitted = int((await opened.take(token)).allowed)
    answered = time.monotonic()
    while now < started + HAMMER_SECONDS or refused == started:
        allowed = (await opened.take(token)).allowed
        admitted += allowed
        refused, now = refused if allowed else now, time.monotonic()
    await opened.close()
    return Hammered(started, answered, refused, now, admitted)
