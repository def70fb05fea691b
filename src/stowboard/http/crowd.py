"""Limits on the requests and large answers that are under way at once, in all and for one address. Beyond them, 503.

A request that may have a body counts while it is being answered, since its client can send the body slowly. A GET does
not wait for its client and does not count.

An answer counts from its start until its client has received it, however slow that is. Each holds about half a MiB of
memory; one from a bucket up to one MiB. Small answers fit into the kernel's buffers and do not count. We know that an
answer was received when the next request comes on the same connection, or when the kernel has nothing left to send on
it. The kernel is asked in a thread, and only when there are many answers.
"""

import asyncio
import time
from collections import Counter
from typing import Annotated

import msgspec

from stowboard.core.errors import ServiceUnavailable
from stowboard.core.household import household
from stowboard.core.settings.declared import Setting
from stowboard.core.settings.values import between
from stowboard.http.exchange import Exchange
from stowboard.http.granian.unread import peers_of
from stowboard.http.proxies import Proxies

#: The kernel takes an answer of up to this size at once.
SMALL = 64 * 1024
#: Time until the first byte of an answer is sent.
_START_SECONDS = 2.0
#: If /proc/net cannot be read, an answer counts for this long. A client that takes nothing is cut off earlier.
_LONGEST_SECONDS = 60.0
_LOOK_SECONDS = 0.1


_SOME = between(1, 100_000)


class CrowdSettings(msgspec.Struct, frozen=True):
    requests: Annotated[int, Setting("requests_at_once", _SOME)] = 2048
    requests_per_address: Annotated[int, Setting("requests_at_once_per_address", _SOME)] = 256
    answers: Annotated[int, Setting("answers_at_once", _SOME)] = 256
    answers_per_address: Annotated[int, Setting("answers_at_once_per_address", _SOME)] = 100
    connections_per_address: Annotated[int, Setting("connections_per_address", between(8, 100_000))] = 1024


class CrowdRefusal(ServiceUnavailable):
    message = "Too many requests are under way at the moment, of your address or of all. Retry in a second."

    def __init__(self) -> None:
        super().__init__()
        self.headers += (("connection", "close"),)


class _Answer(msgspec.Struct):
    address: str
    since: float


class Crowd:
    def __init__(self, settings: CrowdSettings, proxies: Proxies, port: int) -> None:
        self._settings, self._proxies, self._port = settings, proxies, port
        self._requests: dict[str, int] = {}
        self._running = 0
        #: By connection.
        self._answers: dict[str, _Answer] = {}
        self._answers_of: Counter[str] = Counter()
        self._looking: asyncio.Task[None] | None = None

    def enter(self, exchange: Exchange) -> str:
        """Count a request, and return the address to give to `leave`. Raises CrowdRefusal."""
        address = household(self._proxies.client_of(exchange))
        most, of_address = self._settings, self._requests.get(address, 0)
        if self._running >= most.requests or of_address >= most.requests_per_address:
            raise CrowdRefusal
        self._running += 1
        self._requests[address] = of_address + 1
        return address

    def leave(self, address: str) -> None:
        self._running -= 1
        if (left := self._requests[address] - 1) > 0:
            self._requests[address] = left
        else:
            del self._requests[address]

    def begin_answer(self, exchange: Exchange, size: int | None) -> None:
        """Count an answer of this size; None if it is not known. Raises CrowdRefusal."""
        if size is not None and size <= SMALL:
            return
        connection = exchange.peer
        self._forget(connection)  # it asks again, so it has received the last answer
        address = household(self._proxies.client_of(exchange))
        of_address = self._answers_of[address]
        if self._looking is None and self._many(of_address):
            self._looking = asyncio.create_task(self._look_while_many())
        if len(self._answers) >= self._settings.answers or of_address >= self._settings.answers_per_address:
            raise CrowdRefusal
        self._answers[connection] = _Answer(address, time.monotonic())
        self._answers_of[address] += 1

    def _forget(self, connection: str) -> None:
        answer = self._answers.pop(connection, None)
        if answer is not None:
            self._answers_of[answer.address] -= 1
            if not self._answers_of[answer.address]:
                del self._answers_of[answer.address]

    def _many(self, of_address: int) -> bool:
        """True if more than half of the bound is used."""
        most = self._settings
        return 2 * len(self._answers) > most.answers or 2 * of_address > most.answers_per_address

    async def _look_while_many(self) -> None:
        try:
            while self._many(max(self._answers_of.values(), default=0)):
                await self._look()
                await asyncio.sleep(_LOOK_SECONDS)
        finally:
            self._looking = None

    async def _look(self) -> None:
        asked_at = time.monotonic()
        peers = await asyncio.to_thread(peers_of, self._port)
        for connection, answer in list(self._answers.items()):
            if answer.since < asked_at and _was_taken(peers, connection, asked_at - answer.since):
                self._forget(connection)


def _was_taken(peers: dict[str, bool] | None, connection: str, seconds: float) -> bool:
    if peers is None:
        return seconds > _LONGEST_SECONDS
    return connection not in peers or (not peers[connection] and seconds > _START_SECONDS)
