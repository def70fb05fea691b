"""The buckets of several hosts: one key per token in Valkey (or Redis), exact across all that use the server.

A decision is one script, run whole on the server with the server's clock. While the server does not answer, each host
decides by its own shared table at the full rate: requests go on, and N hosts together admit at most N times the limit.
A request waits for an answer at most `ANSWER_SECONDS`, and not at all while there is no good connection. Losing it, by
an error or by three late answers within a second, ends its use at once; one task looks every second whether the script
runs again, so that no request has to wait to find out.

Several servers share the buckets: a rendezvous hash gives each bucket to one of them, so that one more server takes its
share and moves no other bucket. They know nothing of each other; while one is away, each host counts its share.

A command given up as late may still run on the server and count there: a client is then throttled early, never late.
"""

import asyncio
import contextlib
import hashlib
import logging
from collections.abc import Awaitable, Sequence
from functools import lru_cache, partial

from stowboard.api.limits.rule import Decision
from stowboard.api.limits.shared_memory import SharedLimiter
from stowboard.api.limits.valkey_connection import (
    ReplyError,
    ValkeyAddress,
    ValkeyConnection,
    ValkeyError,
    connect,
    encode,
)
from stowboard.core.metrics import Counter

PAUSE_SECONDS = 1.0
KEY_PREFIX = b"stowboard:limit:"
#: The same rule as `RateLimitRule.decide`, run on the server; its reply is the argument of `RateLimitRule.outcome`.
SCRIPT = b"""
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval, tolerance = tonumber(ARGV[1]), tonumber(ARGV[2])
local kept = tonumber(redis.call('GET', KEYS[1]) or '0')
local full_at = math.min(math.max(kept, now), now + tolerance)
local spare = now + tolerance - full_at - interval
if spare >= 0 then full_at = full_at + interval end
if spare >= 0 or full_at < kept then
  redis.call('SET', KEYS[1], string.format('%.0f', full_at), 'PX', math.ceil((full_at - now) / 1000) + 1)
end
return spare
"""
_SCRIPT_ID = hashlib.sha1(SCRIPT, usedforsecurity=False).hexdigest().encode()
_MOST_COMMANDS_REMEMBERED = 8192
_log = logging.getLogger(__name__)
_local_decisions = Counter(
    "stowboard_rate_limit_local_decisions_total", "Rate limit decisions made by one host alone, Valkey being away."
)


class SpreadLimiter:
    """Buckets spread over several servers."""

    def __init__(self, addresses: Sequence[ValkeyAddress], local: SharedLimiter) -> None:
        self.rule = local.rule
        self._limiters = {str(address): ValkeyLimiter(address, local) for address in addresses}
        self._limiter_of = lru_cache(_MOST_COMMANDS_REMEMBERED)(self._choose)

    async def open(self) -> None:
        await asyncio.gather(*(limiter.open() for limiter in self._limiters.values()))

    def take(self, bucket: str) -> Decision | Awaitable[Decision]:
        return self._limiter_of(bucket).take(bucket)

    async def close(self) -> None:
        await asyncio.gather(*(limiter.close() for limiter in self._limiters.values()))

    def _choose(self, bucket: str) -> "ValkeyLimiter":
        return self._limiters[
            max(self._limiters, key=lambda name: hashlib.sha256(f"{name} {bucket}".encode()).digest())
        ]


class ValkeyLimiter:
    def __init__(self, address: ValkeyAddress, local: SharedLimiter) -> None:
        self.rule = local.rule
        self._address, self._local = address, local
        self._connection: ValkeyConnection | None = None
        self._reported_away = False
        self._command = lru_cache(_MOST_COMMANDS_REMEMBERED)(partial(self._encoded, b"EVALSHA", _SCRIPT_ID))
        self._keeper: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Try to connect once, then keep up the connection in the background. Never raises."""
        await self._try_to_connect()
        self._keeper = asyncio.create_task(self._keep_connected())

    def take(self, bucket: str) -> Decision | Awaitable[Decision]:
        if self._connection is None:
            return self._decide_here(bucket)
        return self._ask(self._connection, bucket)

    @property
    def shared(self) -> bool:
        """True while the server decides."""
        return self._connection is not None

    async def close(self) -> None:
        """Does not close the local limiter: its owner does."""
        if self._keeper is not None:
            self._keeper.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._keeper
        if self._connection is not None:
            self._connection.close()
            await self._connection.gone.wait()
            self._connection = None

    async def _ask(self, connection: ValkeyConnection, bucket: str) -> Decision:
        try:
            return self.rule.outcome(int(await connection.send(self._command(bucket))))
        except ReplyError as error:
            if str(error).startswith("NOSCRIPT"):
                return await self._ask_with_the_script(connection, bucket)
            connection.strike()
        except ValkeyError:
            pass  # the connection has counted this failure
        return self._decide_here(bucket)

    async def _ask_with_the_script(self, connection: ValkeyConnection, bucket: str) -> Decision:
        """Somebody emptied the server's script cache; this fills it again."""
        try:
            return self.rule.outcome(int(await connection.send(self._encoded(b"EVAL", SCRIPT, bucket))))
        except ValkeyError:
            connection.strike()
            return self._decide_here(bucket)

    def _decide_here(self, bucket: str) -> Decision:
        _local_decisions.add()
        return self._local.take(bucket)

    async def _keep_connected(self) -> None:
        while True:
            if self._connection is None:
                await asyncio.sleep(PAUSE_SECONDS)
                await self._try_to_connect()
            else:
                await self._connection.gone.wait()
                self._connection = None
                self._report_away("connection lost or too slow")

    async def _try_to_connect(self) -> None:
        try:
            # Not PING: that is also answered by a replica, a full server and one still loading, where no key is kept.
            self._connection = await connect(self._address, probe=self._encoded(b"EVAL", SCRIPT, "probe"))
        except (OSError, ValkeyError) as error:
            self._report_away(error)
        else:
            self._report_back()

    def _report_away(self, reason: object) -> None:
        if not self._reported_away:
            self._reported_away = True
            extra = {"valkey": str(self._address), "reason": str(reason)}
            _log.warning("rate limits are each host's own, Valkey is away", extra=extra)

    def _report_back(self) -> None:
        if self._reported_away:
            self._reported_away = False
            _log.info("rate limits are shared between hosts again", extra={"valkey": str(self._address)})

    def _encoded(self, command: bytes, script: bytes, bucket: str) -> bytes:
        limits = b"%d" % self.rule.interval, b"%d" % self.rule.tolerance
        return encode(command, script, b"1", KEY_PREFIX + bucket.encode(), *limits)
