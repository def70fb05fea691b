"""The soak's load, in a process of its own: `python -m bench.soak.load PLAN closed|open …` prints its record as JSON.

Closed: every connection asks again as soon as it was answered, which finds out how much the server can do.
Open: requests are due at times that chance has set beforehand (a Poisson process), whether or not earlier ones were
answered, and a request's latency counts from the time it was due. One that finds no free connection waits for one, and
its latency has that too. So a pause of the server is seen by every request that would have come during it.

How late the generator itself was is recorded as well: what it adds to the latencies is known.
"""

from __future__ import annotations

import asyncio
import gc
import random
import sys
import time
from collections import deque
from contextlib import suppress
from pathlib import Path

import msgspec
import uvloop

from bench.soak.alarm import Alarm
from bench.soak.client import Connection
from bench.soak.mix import Ask, Mix, Plan, find_fault
from bench.soak.record import Record

OPEN_CONNECTIONS = 128
_LAST_ANSWERS_SECONDS = 30.0


class Closed:
    """`connections` requests are under way at any time."""

    def __init__(self, mix: Mix, record: Record, seconds: float) -> None:
        self._mix, self._record = mix, record
        self._ends = time.monotonic() + seconds
        self._done = asyncio.Event()
        self._busy = 0

    async def run(self, port: int, connections: int) -> None:
        opened = [await _connect(port, self) for _ in range(connections)]
        self._busy = connections
        for connection in opened:
            connection.send(self._mix.next(), time.monotonic())
        await self._done.wait()

    def answered(self, connection: Connection, ask: Ask, due: float, status: int, body: bytes) -> None:
        now = time.monotonic()
        self._record.answer(ask, due, now, find_fault(ask, status, body))
        if now < self._ends and connection.is_open:
            connection.send(self._mix.next(), time.monotonic())
            return
        connection.close()
        self._busy -= 1
        if not self._busy:
            self._done.set()


class Open:
    """`rate` requests a second, from `starts` on, for `seconds`."""

    def __init__(self, mix: Mix, record: Record, rate: float, starts: float, seconds: float) -> None:
        self._mix, self._record, self._rate = mix, record, rate
        self._due, self._ends = starts, starts + seconds
        self._chance = random.Random(2)
        self._free: deque[Connection] = deque()
        self._waiting: deque[tuple[Ask, float]] = deque()
        self._unanswered = 0
        self._sent_all, self._answered_all = asyncio.Event(), asyncio.Event()

    async def run(self, port: int) -> None:
        self._port = port
        self._free.extend([await _connect(port, self) for _ in range(OPEN_CONNECTIONS)])
        self._alarm = Alarm(asyncio.get_running_loop(), self._send_what_is_due)
        self._alarm.set(self._due)
        await self._sent_all.wait()
        self._alarm.close()
        await self._wait_for_last_answers()

    def answered(self, connection: Connection, ask: Ask, due: float, status: int, body: bytes) -> None:
        now = time.monotonic()
        self._unanswered -= 1
        self._record.answer(ask, due, now, find_fault(ask, status, body))
        if not self._unanswered and self._sent_all.is_set():
            self._answered_all.set()
        if connection.is_open:
            self._use(connection)
        else:
            self._replacing = asyncio.get_running_loop().create_task(self._replace(connection))

    def _send_what_is_due(self) -> None:
        while self._due <= (now := time.monotonic()):
            if self._due >= self._ends:
                self._sent_all.set()
                return
            self._unanswered += 1
            self._record.late(now - self._due)
            ask = self._mix.next()
            if self._free:
                self._free.popleft().send(ask, self._due)
            else:
                self._waiting.append((ask, self._due))
            self._due += self._chance.expovariate(self._rate)
        self._alarm.set(self._due)

    def _use(self, connection: Connection) -> None:
        if self._waiting:
            connection.send(*self._waiting.popleft())
        else:
            self._free.append(connection)

    async def _replace(self, lost: Connection) -> None:
        lost.close()
        self._use(await _connect(self._port, self))

    async def _wait_for_last_answers(self) -> None:
        with suppress(TimeoutError):
            if self._unanswered:
                await asyncio.wait_for(self._answered_all.wait(), _LAST_ANSWERS_SECONDS)
        self._record.unanswered(self._unanswered)


async def _connect(port: int, load: Closed | Open) -> Connection:
    loop = asyncio.get_running_loop()
    return (await loop.create_connection(lambda: Connection(load.answered), "127.0.0.1", port))[1]


async def _closed(plan: Plan, connections: int, seconds: float) -> Record:
    record = Record(time.monotonic(), seconds)
    # Another seed for each number of connections: the same edits again would change nothing.
    await Closed(Mix(plan, connections), record, seconds).run(plan.port, connections)
    return record


async def _open(plan: Plan, rate: float, starts: float, seconds: float) -> Record:
    record = Record(starts, seconds)
    await Open(Mix(plan, 0), record, rate, starts, seconds).run(plan.port)
    return record


def main(words: list[str]) -> None:
    file, loop, *numbers = words
    plan = msgspec.json.decode(Path(file).read_bytes(), type=Plan)
    gc.disable()  # nothing here makes cycles by the thousand, and a collection would be a pause
    if loop == "closed":
        connections, seconds = numbers
        record = uvloop.run(_closed(plan, int(connections), float(seconds)))
    else:
        rate, starts, seconds = numbers
        record = uvloop.run(_open(plan, float(rate), float(starts), float(seconds)))
    sys.stdout.buffer.write(msgspec.json.encode(record.summary()))


if __name__ == "__main__":
    main(sys.argv[1:])
