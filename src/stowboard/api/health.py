"""Two public checks: the process is alive, and it can serve. Both cost next to nothing.

A check that does not decide readiness does not delay the answer: otherwise a load balancer with a timeout of a second
would drop every node when the file store hangs.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping

import msgspec

from stowboard.core.errors import Problem
from stowboard.http.exchange import Exchange, Headers, Route

CHECK_SECONDS = 3.0
#: The time that an answer waits for a check that does not decide, and the time that its result is reused.
OTHERS_SECONDS = 0.3
FRESH_SECONDS = 5.0
_HEADERS: Headers = [("content-type", "application/json"), ("cache-control", "no-store")]
Check = Callable[[], Awaitable[None]]


class Health:
    """`required` checks decide readiness; `others` are reported beside them."""

    def __init__(self, required: Mapping[str, Check], others: Mapping[str, Check]) -> None:
        self._required = required
        self._others = {name: _Remembered(check) for name, check in others.items()}
        self.draining = False

    def routes(self) -> list[Route]:
        return [Route("GET", "/healthz", self.alive), Route("GET", "/readyz", self.ready)]

    async def alive(self, exchange: Exchange) -> None:
        exchange.respond(200, _HEADERS, b'{"status":"ok"}')

    async def ready(self, exchange: Exchange) -> None:
        results = {name: await _result(check) for name, check in self._required.items()}
        results |= {name: await other.result() for name, other in self._others.items()}
        able = not self.draining and all(results[name] == "ok" for name in self._required)
        status = "draining" if self.draining else "ready" if able else "unavailable"
        headers = _HEADERS if able else [*_HEADERS, ("retry-after", "1")]
        exchange.respond(200 if able else 503, headers, msgspec.json.encode({"status": status, "checks": results}))


class _Remembered:
    """A check that runs at most every few seconds; an answer does not wait until it ends."""

    def __init__(self, check: Check) -> None:
        self._check = check
        self._made: asyncio.Task[str] | None = None
        self._begun = 0.0

    async def result(self) -> str:
        if self._made is None or time.monotonic() > self._begun + FRESH_SECONDS:
            self._made, self._begun = asyncio.create_task(_result(self._check)), time.monotonic()
        await asyncio.wait([self._made], timeout=OTHERS_SECONDS)
        return self._made.result() if self._made.done() else "timeout"


async def _result(check: Check) -> str:
    try:
        await asyncio.wait_for(check(), CHECK_SECONDS)
    except Problem as problem:
        return problem.code
    except TimeoutError:
        return "timeout"
    return "ok"
