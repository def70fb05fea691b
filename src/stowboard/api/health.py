"""Whether the process is alive, and whether it can serve. Both are public and cost next to nothing."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

import msgspec

from stowboard.api.exchange import Exchange, Headers, Route
from stowboard.core.errors import Problem

CHECK_SECONDS = 3.0
_HEADERS: Headers = [("content-type", "application/json"), ("cache-control", "no-store")]
Check = Callable[[], Awaitable[None]]


class Health:
    """`required` checks decide readiness; `others` are reported beside them."""

    def __init__(self, required: Mapping[str, Check], others: Mapping[str, Check]) -> None:
        self._required, self._others = required, others
        self.draining = False

    def routes(self) -> list[Route]:
        return [Route("GET", "/healthz", self.alive), Route("GET", "/readyz", self.ready)]

    async def alive(self, exchange: Exchange) -> None:
        exchange.respond(200, _HEADERS, b'{"status":"ok"}')

    async def ready(self, exchange: Exchange) -> None:
        results = {name: await _result(check) for name, check in {**self._required, **self._others}.items()}
        able = not self.draining and all(results[name] == "ok" for name in self._required)
        status = "draining" if self.draining else "ready" if able else "unavailable"
        headers = _HEADERS if able else [*_HEADERS, ("retry-after", "1")]
        exchange.respond(200 if able else 503, headers, msgspec.json.encode({"status": status, "checks": results}))


async def _result(check: Check) -> str:
    try:
        await asyncio.wait_for(check(), CHECK_SECONDS)
    except Problem as problem:
        return problem.code
    except TimeoutError:
        return "timeout"
    return "ok"
