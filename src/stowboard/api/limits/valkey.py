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
from collections import deque
from collections.abc import Awaitable, Sequence
from functools import lru_cache
from typing import Any

from valkey.asyncio.connection import Connection, SSLConnection
from valkey.exceptions import NoScriptError, ResponseError, ValkeyError

from stowboard.api.limits.rule import Decision
from stowboard.api.limits.shared_memory import SharedLimiter
from stowboard.api.limits.valkey_address import ValkeyAddress
from stowboard.core.metrics import Counter

ANSWER_SECONDS = 0.1
CONNECT_SECONDS = 1.0
PAUSE_SECONDS = 1.0
STRIKES, STRIKES_WITHIN_SECONDS = 3, 1.0
KEY_PREFIX = "stowboard:limit:"
#: The same rule as `RateLimitRule.decide`, run on the server; its reply is the argument of `RateLimitRule.outcome`.
SCRIPT = """
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
_SCRIPT_ID = hashlib.sha1(SCRIPT.encode(), usedforsecurity=False).hexdigest()
_PROBE = "probe"
#: Why there is no good connection.
AWAY = (ValkeyError, OSError, TimeoutError)
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
        #: True while the server decides.
        self.shared = False
        self._address, self._local = address, local
        self._asked: list[tuple[str, asyncio.Future[int | None]]] = []
        self._wake = asyncio.Event()
        self._failures: deque[float] = deque(maxlen=STRIKES)
        self._command = lru_cache(_MOST_COMMANDS_REMEMBERED)(self._packed)
        self._connection = connection_to(address)
        self._reported_away = False
        self._keeper: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Try to connect once, then keep up the connection in the background. Never raises."""
        await self._try_to_connect()
        self._keeper = asyncio.create_task(self._keep_connected())

    def take(self, bucket: str) -> Decision | Awaitable[Decision]:
        return self._ask(bucket) if self.shared else self._decide_here(bucket)

    async def close(self) -> None:
        """Does not close the local limiter: its owner does."""
        self.shared = False
        if self._keeper is not None:
            self._keeper.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._keeper
        await self._connection.disconnect(nowait=True)

    async def _ask(self, bucket: str) -> Decision:
        loop = asyncio.get_running_loop()
        spare: asyncio.Future[int | None] = loop.create_future()
        self._asked.append((bucket, spare))
        self._wake.set()
        late = loop.call_later(ANSWER_SECONDS, _tell, spare, None)
        try:
            answer = await spare
        finally:
            late.cancel()
        return self._decide_here(bucket) if answer is None else self.rule.outcome(answer)

    def _decide_here(self, bucket: str) -> Decision:
        _local_decisions.add()
        return self._local.take(bucket)

    async def _keep_connected(self) -> None:
        while True:
            if not self.shared:
                await asyncio.sleep(PAUSE_SECONDS)
                await self._try_to_connect()
                continue
            try:
                await self._send_what_is_asked()
            except AWAY as error:
                await self._lose(error)

    async def _send_what_is_asked(self) -> None:
        """One batch, or after a while without any a probe. Raises what ends the use of the connection."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PAUSE_SECONDS):
                await self._wake.wait()
        self._wake.clear()
        asked, self._asked = [each for each in self._asked if not each[1].done()], []
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await self._answer(asked)
        except TimeoutError as error:
            # The answers may still come, so this connection is of no use. The next batch makes another one.
            await self._connection.disconnect(nowait=True)
            self._count_failure(error)
        finally:
            for _, spare in asked:
                _tell(spare, None)

    async def _answer(self, asked: list[tuple[str, asyncio.Future[int | None]]]) -> None:
        commands = [self._command(bucket) for bucket, _ in asked] or [self._command(_PROBE)]
        await self._connection.send_packed_command(commands, check_health=False)
        forgotten, refusal = False, None
        for number in range(len(commands)):
            try:
                answer = await self._connection.read_response()
            except NoScriptError:
                forgotten = True
            except ResponseError as error:
                refusal = error
            else:
                if asked:
                    _tell(asked[number][1], int(answer))
        if refusal is not None:
            self._count_failure(refusal)
        if forgotten:  # somebody emptied the server's script cache
            await _run(self._connection, "SCRIPT", "LOAD", SCRIPT)
            await self._answer([each for each in asked if not each[1].done()])

    def _count_failure(self, error: Exception) -> None:
        """Raises it if it is the third within a second."""
        now = asyncio.get_running_loop().time()
        self._failures.append(now)
        if len(self._failures) == STRIKES and now - self._failures[0] <= STRIKES_WITHIN_SECONDS:
            raise error

    async def _try_to_connect(self) -> None:
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await self._connection.connect()  # type: ignore[no-untyped-call]
                await _run(self._connection, "SCRIPT", "LOAD", SCRIPT)
                # Not PING: that is also answered by a replica, a full server and one still loading, which keep no key.
                await self._connection.send_packed_command(self._command(_PROBE), check_health=False)
                await self._connection.read_response()
        except AWAY as error:
            await self._lose(error)
        else:
            self.shared = True
            if self._reported_away:
                self._reported_away = False
                _log.info("rate limits are shared between hosts again", extra={"valkey": str(self._address)})

    async def _lose(self, reason: Exception) -> None:
        self.shared = False
        self._failures.clear()
        for _, spare in self._asked:
            _tell(spare, None)
        self._asked = []
        await self._connection.disconnect(nowait=True)
        if not self._reported_away:
            self._reported_away = True
            extra = {"valkey": str(self._address), "reason": str(reason) or "too slow"}
            _log.warning("rate limits are each host's own, Valkey is away", extra=extra)

    def _packed(self, bucket: str) -> bytes:
        limits = self.rule.interval, self.rule.tolerance
        return b"".join(self._connection.pack_command("EVALSHA", _SCRIPT_ID, 1, KEY_PREFIX + bucket, *limits))


def connection_to(address: ValkeyAddress) -> Connection:
    """A connection that is still to be made, by `connect`."""
    if address.tls:
        return SSLConnection(**_arguments(address), ssl_check_hostname=True)
    return Connection(**_arguments(address))


def _arguments(address: ValkeyAddress) -> dict[str, Any]:
    return {
        "host": address.host, "port": address.port, "db": address.database, "username": address.username,
        "password": address.password,
    }  # fmt: skip


async def _run(connection: Connection, *command: str) -> None:
    await connection.send_command(*command, check_health=False)
    await connection.read_response()


def _tell(spare: asyncio.Future[int | None], answer: int | None) -> None:
    if not spare.done():
        spare.set_result(answer)
